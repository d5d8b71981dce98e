# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Checks that the whole tapset library is where a tapc searches for it, for tests of installed and packaged files.

# A script that uses the first function or alias of FILE. Macro files, and those without a function or alias at the
# start of a line, have a row here.
tapset_script()
{
	case ${1##*/} in
	argv.stp) echo 'probe begin { println(argc) }' ;;
	json.stpm) echo 'probe json_data { @json_output_data_start @json_output_data_end }' ;;
	macros.stpm) echo 'probe begin { println(@choose_defined($none, 1)) }' ;;
	override.stp) echo 'probe kernel.function("vfs_read").call { override(0) }' ;;
	prometheus.stpm) echo 'global n probe prometheus { @prometheus_dump_array1(n, "reads", "name") }' \
			      'probe timer.s(1) { n[execname()]++ }' ;;
	stap.stp) echo 'probe stap.pass0 ? { } probe begin { }' ;;	# the program stap may be missing
	*) awk '/^function [a-zA-Z]/ {
			split($0, part, /[():]|[ ]*\(/)
			match($0, /\([^)]*\)/)
			n = split(substr($0, RSTART + 1, RLENGTH - 2), parameter, ",")
			for (i = 1; i <= n; i++)
				list = list (i > 1 ? ", " : "") (parameter[i] ~ /:string/ ? "\"\"" : "0")
			sub(/^function /, "", part[1])
			print "probe begin { " part[1] "(" list ") }"
			exit
		}
		/^probe [a-z_.]* = / { print "probe " $2 " { }"; exit }' "$1" ;;
	esac
}

# each_tapset_works TAPC FOLDER: every file of the source tree's library is in FOLDER, and TAPC finds it
each_tapset_works()
{
	local file script failed=""

	while read -r file; do
		script=$(tapset_script "$SRC/tapsets/$file")
		if [[ ! -e $2/$file ]]; then
			echo "tapsets/$file is missing"
			failed=1
		elif [[ -z $script ]]; then
			echo "tapsets/$file: what does a script look like that needs it? See tests/lib/tapset-scripts.sh"
			failed=1
		elif ! "$1" $TAPC_ARGS -g -p2 -e "$script" >tapset.out 2>&1; then
			echo "tapsets/$file: $script"
			cat tapset.out
			failed=1
		fi
	done < <(cd "$SRC/tapsets" && find . -name '*.stp' -o -name '*.stpm' | sed 's#^\./##' | sort)
	[[ -z $failed ]]
}
