# make compile_commands.json: every .c of the programs is in it, once, and its commands compile.
# sanitizers: no

(cd "$BUILD" && make -s compile_commands.json) || exit
python3 - "$BUILD/compile_commands.json" <<'END'
import glob, json, os, subprocess, sys
src = os.path.realpath(os.environ['SRC'])
entries = json.load(open(sys.argv[1]))
listed = [os.path.relpath(os.path.realpath(e['file']), src) for e in entries]
parts = 'translator', 'runtime/core', 'runtime/staging', 'runtime/simulate'
sources = [f for part in parts for f in glob.glob(f'{part}/**/*.c', root_dir=src, recursive=True)]
sources += glob.glob('tests/unit/*.c', root_dir=src)
assert len(sources) > 200, len(sources)
assert sorted(listed) == sorted(sources), sorted(set(listed) ^ set(sources)) or 'a source is there twice'
for name in 'translator/main.c', 'runtime/core/map.c', 'runtime/staging/daemon/broker.c', 'runtime/simulate/main.c', \
		'tests/unit/tame.c':
	entry = entries[listed.index(name)]
	subprocess.run(entry['command'] + ' -fsyntax-only', shell=True, cwd=entry['directory'], check=True)
END
