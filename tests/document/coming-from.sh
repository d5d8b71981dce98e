#!/bin/bash
# default: no
# sanitizers: no
# Every line of tapc's columns in doc/coming-from.md is translated for the default kernel.
[[ -n $KREL ]] || { echo "no kernel to look into"; exit 77; }
cd "$SRC" || exit
work=$OLDPWD

# The code of the last cell of each row, as LINE KIND CODE, separated by tabs; KIND is the heading of the column
lines()
{
	awk -F '\t' -v OFS='\t' '
		/^\|/ {
			line = $0
			gsub(/\\\|/, "\001", line)
			n = split(line, cell, "|")
			last = cell[n - 1]
			if (!in_table) {
				kind = last
				gsub(/^ +| +$/, "", kind)
				in_table = 1
			} else if (kind == "tapc" || kind == "command" || kind == "in a handler") {
				parts = split(last, code, "`")
				for (i = 2; i <= parts; i += 2) {
					gsub("\001", "|", code[i])
					print NR, kind, code[i]
				}
			}
			next
		}
		{ in_table = 0 }' doc/coming-from.md
}

# translated KIND CODE
translated()
{
	local words word before=()

	case $1 in
	tapc) words=(-e "$2") ;;
	"in a handler") words=(-e "probe kernel.function(\"vfs_read\") { $2 }") ;;
	command) eval "words=(${2#tapc })" ;;
	esac
	# the last -p counts, but after the name of a script of the gallery it is the script's
	for word in "${words[@]}"; do
		[[ $word != examples/* && ! -e $(echo examples/*/"$word.stp") ]] || before+=(-p2)
		before+=("$word")
	done
	[[ " ${before[*]} " = *' -p2 '* ]] || before+=(-p2)
	# shellcheck disable=SC2086
	timeout 60 "$TAPC" $TAPC_ARGS "${before[@]}" </dev/null
}

bad=0 count=0
while IFS=$'\t' read -r line kind code; do
	count=$((count + 1))
	translated "$kind" "$code" >"$work/out" 2>"$work/err" && continue
	echo "doc/coming-from.md:$line: $code"
	cat "$work/err"
	bad=1
done < <(lines)
[[ $count -gt 100 ]] || { echo "only $count lines were found"; exit 1; }
exit $bad
