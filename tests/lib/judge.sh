# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Compare the results of a test with the files next to it, and report.
#
#	NAME.out NAME.err	expected stdout, stderr; without .err stderr must be empty
#	NAME.status		the exit status; default: 0, or with .err a failure that is not a crash
#	NAME.filter		a shell script that filters both outputs first; $1: stdout, stderr
#	NAME.check		a shell script that reads stdout and decides; for a test that runs in a guest as a lone
#				NAME.sh, in the directory where that has left its files: what reads them in Python takes
#				a tenth of the time on the host
#
# At least one of .out, .err and .check must exist.
#
# In .out and .err, paths of this machine are replaced by SRC, BUILD, PREFIX, and the kernel release by KREL.

results=		# a directory with one file per test; set by tests/run
verbose=
accept=

# report NAME pass|skip|fail [TEXT]: one write, so that parallel tests do not mix lines
report()
{
	local line

	case $2 in
	pass) line="ok $1" ;;
	skip) line="skip $1: ${3:-no reason given}" ;;
	fail) line="not ok $1"$'\n'"    ${3//$'\n'/$'\n'    }" ;;
	esac
	echo "$2" >"$results/${1//\//,}"
	[[ $2 = pass && -z $verbose ]] || printf '%s\n' "$line"
}

# report_judged NAME COMPLAINTS: passes if COMPLAINTS is empty
report_judged()
{
	if [[ -n $2 ]]; then
		report "$1" fail "$2"
	else
		report "$1" pass
	fi
}

# judge BASE STDOUT STDERR STATUS: prints complaints, nothing if the result is as expected
judge()
{
	[[ -e $1.out || -e $1.err || -e $1.check ]] || echo "no expectation: none of .out, .err, .check exists"
	judge_status "$1" "$4"
	judge_text stdout "$1" "$1.out" "$2"
	if [[ -e $1.err ]]; then
		judge_text stderr "$1" "$1.err" "$3"
	elif [[ -s $3 ]]; then
		echo "on stderr:"
		head -n 40 "$3"
	fi
	judge_check "$1.check" "$2"
}

# judge_check SCRIPT STDOUT
judge_check()
{
	[[ ! -e $1 ]] || shell_run "$1" <"$2" >"$2.check" 2>&1 && return
	echo "${1##*/} rejects:"
	head -n 60 "$2.check" "$2"
}

judge_status()
{
	local want

	if [[ -e $1.status ]]; then
		read -r want <"$1.status"
		[[ $2 = "$want" ]] || echo "exit status $2, expected $want"
	elif [[ ! -e $1.err ]]; then
		[[ $2 = 0 ]] || echo "exit status $2"
	elif [[ $2 = 0 ]]; then
		echo "exit status 0, expected a failure"
	elif (($2 >= 99)); then
		echo "exit status $2, a crash or a timeout"	# 99: a sanitizer's
	fi
}

judge_text()
{
	local label=$1 base=$2 expected=$3 got=$4

	[[ -e $expected ]] || return 0
	if [[ -e $base.filter ]]; then
		shell_run "$base.filter" "$label" <"$got" >"$got.filtered"
		got=$got.filtered
	fi
	cmp -s "$expected" "$got" && return
	neutral <"$got" >"$got.neutral"
	cmp -s "$expected" "$got.neutral" && return
	if [[ -n $accept ]]; then
		cp "$got.neutral" "$expected"
		return
	fi
	echo "$label differs:"
	diff -u "$expected" "$got.neutral" | tail -n +3 | head -n 60
}

# Replaces paths of this machine by their names. The longest first: the prefix may be in the build tree.
neutral()
{
	sed -e "s#${SYSROOT:-/none/}#PREFIX#g" -e "s#${KREL:-/none/}#KREL#g" \
		-e "s#$BUILD#BUILD#g" -e "s#$SRC#SRC#g"
}

# Runs a shell script of a test: with bash if its first line says so, otherwise with sh.
shell_run()
{
	local shell=sh line

	IFS= read -r line <"$1"
	[[ $line != '#!'*bash* ]] || shell=bash
	"$shell" "$@"
}

# The directives of tests: lines `# WORD: text` within the first eight lines of a file. There are thousands of tests to
# select from for each kernel, so all files are read at once, without starting a process per file.
declare -A directive_lines=()	# FILE:WORD to the texts, one per line
declare -A directive_files=()	# files that have been read

# directives_read FILE...: in the first eight lines, and in a longer comment that the file begins with
directives_read()
{
	local file word text key files=()

	for file; do
		[[ -z ${directive_files[$file]:-} ]] || continue
		directive_files[$file]=1
		[[ ! -e $file ]] || files+=("$file")
	done
	[[ ${#files[@]} -gt 0 ]] || return 0
	while IFS=$'\t' read -r file word text; do
		key=$file:$word
		directive_lines[$key]=${directive_lines[$key]+${directive_lines[$key]}$'\n'}$text
	done < <(awk 'FNR == 1 || !/^#/ { head = FNR == 1 }
		FNR > 8 && !head { nextfile }
		match($0, /^[#\/[:space:]]*[a-z0-9.-]+:/) {
			text = substr($0, RLENGTH + 1)
			word = substr($0, 1, RLENGTH - 1)
			sub(/^[#\/[:space:]]*/, "", word)
			sub(/^[[:space:]]/, "", text)
			print FILENAME "\t" word "\t" text
		}' "${files[@]}")
}

# directive_of FILE WORD: sets directive to the texts after `# WORD:`, one per line; false if there is no such line
directive_of()
{
	[[ -n ${directive_files[$1]:-} ]] || directives_read "$1"
	directive=${directive_lines[$1:$2]-}
	[[ -n ${directive_lines[$1:$2]+there} ]]
}

# directive FILE WORD: the same, printed
directive()
{
	local directive

	directive_of "$1" "$2" && echo "$directive"
}
