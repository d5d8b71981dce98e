# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Run the examples of a document in Markdown. Each is a fenced block:
#
#	```tapc OPTIONS -- ARGUMENTS	a script; without -p or --simulate among the options it is run by --simulate
#	```output			standard output of the script before it, all of it
#	```error			lines of its standard error; it must fail
#	```warning			lines of its standard error; it must succeed
#	```file NAME			a file that the next scripts need
#
# A script without an output must print nothing, unless it is only translated (-p). Scripts with -p2 and later passes need
# a kernel. Blocks of other languages are not run.

# document_blocks FILE DIR: DIR/N.info and DIR/N.text for each block, DIR/N.line for its place
document_blocks()
{
	awk -v dir="$2" '
		!inside && /^```/ {
			inside = 1
			n++
			base = sprintf("%s/%04d", dir, n)
			print substr($0, 4) >(base ".info")
			print FNR >(base ".line")
			printf "" >(base ".text")
			next
		}
		inside && /^```$/ {
			inside = 0
			close(base ".info"); close(base ".line"); close(base ".text")
			next
		}
		inside { print >(base ".text") }
		END { if (inside) { print FILENAME ": the last block is not closed"; exit 1 } }' "$1"
}

# document_command INFO: sets options and arguments from the line of a block
document_command()
{
	local info=${1#tapc} words

	eval "words=($info)"
	options=() arguments=()
	while [[ ${#words[@]} -gt 0 && ${words[0]} != -- ]]; do
		options+=("${words[0]}")
		words=("${words[@]:1}")
	done
	arguments=("${words[@]:1}")
	[[ " ${options[*]}" = *" -p"* || " ${options[*]}" = *" --simulate"* ]] || options+=(--simulate)
}

document_needs_kernel() { [[ " ${options[*]}" = *" -p"[2-5]* ]]; }

# all_lines_in EXPECTED GOT: prints the lines of the file EXPECTED that no line of GOT contains
all_lines_in()
{
	local line

	while read -r line; do
		grep -qF -- "$line" "$2" || echo "not found on stderr: $line"
	done <"$1"
}

# document_judge SCRIPT OUTPUT ERROR KIND STATUS: OUTPUT, ERROR: expected texts, or empty
document_judge()
{
	if [[ -n $2 ]]; then
		diff -u --label expected --label got "$2" out
	elif [[ -s out && " ${options[*]}" != *" -p"* ]]; then
		echo "prints, but the document shows no output:"
		cat out
	fi
	[[ -z $3 ]] || all_lines_in "$3" err
	[[ -n $3 || ! -s err ]] || echo "an unexpected message"
	case $4 in
	error) [[ $5 != 0 && $5 -lt 99 ]] || echo "exit status $5, expected a failure" ;;
	*) [[ $5 = 0 ]] || echo "exit status $5" ;;
	esac
}

# document_example DIR N NAME: runs the script of block N; prints complaints
document_example()
{
	local dir=$1 n=$2 output="" error="" kind="" next status options arguments complaints info extra=()

	read -r info <"$dir/$n.info"
	document_command "$info"
	for next in $((10#$n + 1)) $((10#$n + 2)); do
		next=$(printf '%04d' "$next")
		[[ -e $dir/$next.info ]] || break
		read -r info <"$dir/$next.info"
		case $info in
		output) output=$dir/$next.text ;;
		error | warning) error=$dir/$next.text kind=$info ;;
		*) break ;;
		esac
	done
	# shellcheck disable=SC2206
	! document_needs_kernel || extra=($TAPC_ARGS)
	cp "$dir/$n.text" example.stp
	timeout 60 "$TAPC" "${extra[@]}" "${options[@]}" example.stp "${arguments[@]}" >out 2>err </dev/null
	status=$?
	complaints=$(document_judge "$dir/$n.text" "$output" "$error" "$kind" "$status")
	[[ -z $complaints ]] || { printf '%s:%s:\n%s\n' "$3" "$(<"$dir/$n.line")" "$complaints"; cat err; }
}

# document_run FILE text|kernel: runs the examples that need no kernel, or those that do; prints how many there were
document_run()
{
	local dir=$PWD/blocks file info n count=0 options arguments kind

	mkdir "$dir"
	document_blocks "$1" "$dir" || return
	for file in "$dir"/*.info; do
		read -r info <"$file"
		n=$(basename "$file" .info)
		case $info in
		"file "*) mkdir -p "$(dirname "${info#file }")"; cp "$dir/$n.text" "${info#file }" ;;
		tapc | "tapc "*)
			document_command "$info"
			kind=text
			! document_needs_kernel || kind=kernel
			[[ $kind = "$2" ]] || continue
			count=$((count + 1))
			document_example "$dir" "$n" "${1##*/}"
			;;
		esac
	done >complaints
	[[ ! -s complaints ]] || { cat complaints; return 1; }
	[[ $count -gt 0 ]] || { echo "no example found"; return 1; }
}
