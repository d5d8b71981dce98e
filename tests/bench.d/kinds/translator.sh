# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# The translator on this machine: from script to module, and debug information.

median() { sort -n | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'; }

# column N: the median of the costs on standard input
column() { awk -v n="$1" '{ print $n }' | median; }

make_empty()
{
	rm -rf "$scratch/empty"
	mkdir "$scratch/empty"
	echo 'obj-m := empty.o' >"$scratch/empty/Kbuild"
	printf '#include <linux/module.h>\nMODULE_LICENSE("GPL");\n' >"$scratch/empty/empty.c"
	measure cost make -s -C "$prefix/lib/modules/$release/build" M="$scratch/empty" modules 2>/dev/null
}

one_line() { printf 'probe kernel.function("%s") { printf("%%d %d.%d\\n", pid()) }' "$function" "$1" $RANDOM$RANDOM; }

measure() { "$scratch/bin/measure" "$@"; }

cost_of_script() { (cd "$scratch" && measure cost "$build/tapc" --sysroot "$prefix" -r "$release" "$@"); }

measure_new()
{
	local i

	make_empty >/dev/null	# warm
	cost_of_script -p4 -m one -e "$(one_line 0)" >/dev/null
	for ((i = 1; i <= repeats; i++)); do
		make_empty >>"$scratch/make"
		cost_of_script -p4 -m one -e "$(one_line $i)" >>"$scratch/new"
	done
	keep bare new "$(column 1 <"$scratch/make")"
	keep tapc new "$(column 1 <"$scratch/new")"
	keep bare new-wall "$(column 2 <"$scratch/make")"
	keep tapc new-wall "$(column 2 <"$scratch/new")"
	keep bare new-memory "$(column 3 <"$scratch/make")"
	keep tapc new-memory "$(column 3 <"$scratch/new")"
}

# With the kernel's runtime and its indexes.
measure_first()
{
	local cold=$scratch/cold

	XDG_CACHE_HOME=$cold cost_of_script -p4 -m one -e "$(one_line 0)" >"$scratch/first"
	keep tapc first "$(column 1 <"$scratch/first")"
	keep tapc first-wall "$(column 2 <"$scratch/first")"
	rm -rf "$cold"
}

measure_cached()
{
	local i line

	line=$(one_line 0)
	for ((i = 0; i <= repeats; i++)); do
		cost_of_script -p4 -m one -e "$line"
	done | tail -n "$repeats" >"$scratch/cached"
	keep tapc cached "$(column 1 <"$scratch/cached")"
}

# Ten lines with all features of a script, repeated.
many_lines()
{
	awk -v lines="$1" 'BEGIN {
		for (i = 0; i < lines / 10; i++) {
			print "global count" i ", names" i "[100]"
			print "function f" i "(a:long, b:string) {"
			print "\tif (a > 10 && b != \"x\") return a * 2 + strlen(b)"
			print "\treturn a"
			print "}"
			print "probe begin(" i ") {"
			print "\tcount" i "++; names" i "[execname(), " i "] = f" i "(count" i ", execname())"
			print "\tforeach ([name, n] in names" i "-)"
			print "\t\tprintf(\"%s %d %d\\n\", name, n, names" i "[name, n])"
			print "}"
		}
	}'
}

measure_lines()
{
	local i

	many_lines "$1" >"$scratch/lines.stp"
	for ((i = 0; i < repeats; i++)); do
		cost_of_script -p3 "$scratch/lines.stp"
	done >"$scratch/lines-$1"
	keep tapc "lines-$1" "$(column 1 <"$scratch/lines-$1")"
}

# point_runs NAME SYSROOT COLUMN OPTION...: of a few runs, each with a different script if the last word contains '@@'
point_runs()
{
	local name=$1 root=$2 column=$3 i

	shift 3
	for ((i = 0; i <= repeats; i++)); do
		(cd "$scratch" && measure cost "$build/tapc" --sysroot "$root" -r "$release" "${@//@@/$i}")
	done | tail -n "$repeats" >"$scratch/$name"
	[[ -z $column ]] || keep tapc "$name" "$(column "$column" <"$scratch/$name")"
}

measure_index()
{
	local i

	for ((i = 0; i < repeats; i++)); do
		(cd "$scratch" && XDG_CACHE_HOME=$scratch/first$i measure cost "$build/tapc" --sysroot "$1" \
			-r "$release" -l 'kernel.function("*@fs/read_write.c")')
	done >"$scratch/point-index"
	keep tapc point-index "$(column 2 <"$scratch/point-index")"
}

# All parts of something in a script, with a line that is new each time.
measure_whole()
{
	local i

	for ((i = 0; i <= 2; i++)); do
		{ cat "$parts/$1.stp"; echo "probe end { if (pid() < 0) println($i) }"; } >"$scratch/whole.stp"
		cost_of_script -p4 -m one whole.stp
	done | tail -n 2 >"$scratch/whole-$1"
	keep tapc "$1" "$(column 1 <"$scratch/whole-$1")"
}

# Ten typical scripts compiled to modules, each time with a new line.
measure_gallery()
{
	local name i

	for name in block/biotop file/filetop file/vfscount general/funclatency lock/futexes \
		memory/slabratetop network/tcptop process/exit-costs scheduler/runqlen user/bashreadline; do
		for ((i = 0; i <= repeats; i++)); do
			{ cat "$SRC/examples/$name.stp"; echo "probe end { if (pid() < 0) println($i) }"; } \
				>"$scratch/gallery.stp"
			cost_of_script -p4 -m one gallery.stp
		done | tail -n "$repeats" | column 2 >"$scratch/gallery-one"
		progress "gallery: $name $(<"$scratch/gallery-one")"
		cat "$scratch/gallery-one" >>"$scratch/gallery"
	done
	keep tapc gallery "$(sort -n "$scratch/gallery" | tail -n 1)"
}

measure_points()
{
	local count='probe kernel.function("vfs_read") { if ($count == @@) println($count) }'

	point_runs point-btf "$prefix" 2 -p4 -m one -e "$count"
	if ! compgen -G "$debug/usr/lib/debug/*/vmlinux-$release" >/dev/null &&
		! compgen -G "$debug/usr/lib/debug/lib/modules/$release/vmlinux" >/dev/null; then
		progress "no debug information of $release: tests/vm --fetch $kernel"
		return
	fi
	point_runs point-count "$debug" 2 -p4 -m one -e "$count"
	keep tapc point-count-memory "$(column 3 <"$scratch/point-count")"
	point_runs point-vfs "$debug" 2 -p4 -m one -e 'probe kernel.function("vfs_*") { println(@@) }'
	point_runs point-fs "$debug" 2 -l 'kernel.function("*@fs/*.c")'
	point_runs point-list "$debug" 2 -L 'kernel.function("*")'
	measure_index "$debug"
}

new_here() { measure_new; }
first_here() { measure_first; }
cached_here() { measure_cached; }
points_here() { measure_points; }
gallery_here() { measure_gallery; }
whole_here() { for_each measure_whole $(rows whole); }
lines_here() { for_each measure_lines $(sizes lines); }
