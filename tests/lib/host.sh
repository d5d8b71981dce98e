# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Host tests: unit tests, tests/FOLDER/NAME.{stp,sh} in all folders except run-*, and the checks. They need neither a
# kernel nor root. Needs judge.sh.
#
# NAME.stp is run by tapc with the options in its line `# tapc: ...` and in NAME.args; the line `# args: ...` has the
# arguments of the script. Tests in run-language/ also run here as simulated/NAME, with tapc --simulate, unless they
# have a line `# simulate: no`. NAME.sh is a self-contained test: exit status 0, 77 for a skip (the last line of stdout
# is the reason). A test of programs that are not built here, or that takes long, has a line `# sanitizers: no`; one
# that may take more than 300 seconds a line `# timeout: ...`; one for which the suite has no time `# default: no`; one that
# needs large packages, which few others need, `# packages: ...`.

processors=$(nproc)

# The folders of host tests. Tests in boot/ boot kernels and therefore run last.
host_folders()
{
	local dir

	for dir in "$SRC"/tests/*/; do
		dir=${dir%/}
		dir=${dir##*/}
		case $dir in
		lib | unit | bench* | storm* | package.d | fuzz | boot | run-*) ;;
		build) [[ -n ${offline:-} ]] || echo "$dir" ;;
		*) echo "$dir" ;;
		esac
	done
}

# Names of the tests in a folder: each NAME with a .stp or a .sh, once.
folder_tests()
{
	local file

	for file in "$SRC/tests/$1"/*.stp "$SRC/tests/$1"/*.sh; do
		[[ ! -e $file ]] || { file=${file%.*}; echo "$1/${file##*/}"; }
	done | LC_ALL=C sort -u
}

# Read the directives of all tests, at once.
host_tests_read() { directives_read "$SRC"/tests/*/*.{sh,stp}; }

host_tests()
{
	local file folder test

	for file in "$SRC"/tests/unit/*.c; do
		[[ ! -e $file ]] || { file=${file##*/}; echo "unit/${file%.c}"; }
	done
	for folder in $(host_folders); do
		for test in $(folder_tests "$folder"); do
			! asked_for "$test" "$SRC/tests/$test.sh" || echo "$test"
		done
	done
	simulated_tests
}

# Tests that also run with the sanitizers' build.
sanitized_tests()
{
	local test directive

	for test in $(host_tests); do
		directive_of "$SRC/tests/$test.sh" sanitizers
		[[ $directive = no ]] || echo "$test"
	done
}

# Whether the guest test also runs as simulated/NAME, in a process.
is_simulated()
{
	local directive

	[[ $1 = run-language/* && -e $SRC/tests/$1.stp ]] && ! directive_of "$SRC/tests/$1.stp" simulate
}

simulated_tests()
{
	local file

	for file in "$SRC"/tests/run-language/*.stp; do
		file=${file##*/}
		! is_simulated "run-language/${file%.stp}" || echo "simulated/${file%.stp}"
	done
}

# Options of tapc for scripts without a `# tapc:` line.
default_options()
{
	case $1 in
	parse/*) echo -p1 ;;
	semantic/* | message/*) echo -p2 ;;
	emit/*) echo -p3 ;;
	simulate/*) echo --simulate ;;
	esac
}

# host_test NAME [PREFIX]: run tests/NAME, report it as PREFIX/NAME
host_test()
{
	local base=$SRC/tests/$1 label=${2:+$2/}$1 dir reason

	[[ $1 != simulated/* ]] || base=$SRC/tests/run-language/${1#*/}
	dir=$scratch/host.$BASHPID
	mkdir "$dir"
	if [[ -e $base.skip ]] && reason=$(shell_run "$base.skip"); then
		report "$label" skip "$reason"
	elif [[ $1 = unit/* ]]; then
		own_test "$label" "$base" "$dir" "$BUILD/tests/$1"
	elif [[ -e $base.sh ]]; then
		own_test "$label" "$base" "$dir" shell_run "$base.sh"
	else
		script_test "$label" "$base" "$dir"
	fi
	rm -rf "$dir"
}

# A self-contained test, run in the empty directory DIR.
own_test()
{
	local label=$1 base=$2 dir=$3 status directive seconds=300

	shift 3
	[[ ! -e $base.sh ]] || ! directive_of "$base.sh" timeout || seconds=$directive
	if [[ $1 != shell_run && ! -x $1 ]]; then
		report "$label" fail "'$1' was not built"
		return
	fi
	(mkdir "$dir/cwd" && cd "$dir/cwd" && limited "$seconds" "$@") >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
	case $status in
	0) report_judged "$label" "$(judge_text stdout "$base" "$base.out" "$dir/out")" ;;
	77) report "$label" skip "$(tail -n 1 "$dir/out")" ;;
	*) report "$label" fail "exit status $status"$'\n'"$(tail -n 60 "$dir/out" "$dir/err")" ;;
	esac
}

script_test()
{
	local label=$1 base=$2 dir=$3 options status directive

	directive_of "$base.stp" tapc && options=$directive || options=$(default_options "${base#"$SRC/tests/"}")
	directive_of "$base.stp" taprun
	[[ $base != */run-language/* ]] || options="--simulate $options $directive"
	[[ ! -e $base.args ]] || options+=" $(<"$base.args")"
	# parse and options test tapc without a kernel
	[[ $base = */parse/* || $base = */options/* ]] || options="$TAPC_ARGS $options"
	directive_of "$base.stp" args
	# in its folder, so that diagnostics show a short file name; eval: options may be quoted
	(cd "${base%/*}" && eval "limited 60 \"\$TAPC\" $options ${base##*/}.stp $directive") \
		>"$dir/out" 2>"$dir/err" </dev/null
	status=$?
	# what tapc adds to taprun's words, which are expected
	[[ $base != */run-language/* ]] || sed -i '/^Pass 5: run failed\.  \[man error::pass5\]$/d' "$dir/err"
	report_judged "$label" "$(judge "$base" "$dir/out" "$dir/err" $status)"
}

# limited SECONDS COMMAND...: timeout, also for shell functions
limited()
{
	local seconds=$1

	shift
	if declare -F "$1" >/dev/null; then
		export -f "${1?}"
		timeout -k 10 "$seconds" bash -c '"$@"' bash "$@"
	else
		timeout -k 10 "$seconds" "$@"
	fi
}

# beside MOST COMMAND...: start it in the background as soon as fewer than MOST jobs of this shell are running. Counts them
# without a process, since tests are short.
beside()
{
	local most=$1 running

	shift
	while jobs -rp >"$scratch/running.$BASHPID" && mapfile -t running <"$scratch/running.$BASHPID" &&
		((${#running[@]} >= most)); do
		wait -n
	done
	"$@" &
}

# host_run PREFIX NAME...: one test per processor at a time
host_run()
{
	local prefix=$1 test

	shift
	for test; do
		beside "$processors" host_test "$test" "$prefix"
	done
	wait
}
