# SPDX-License-Identifier: GPL-2.0-or-later
# Generates files from the tables of options (options.def), which are its input, the program's table first:
#
#	awk -v make=man -v page=doc/tapc.1.in -f options.awk TABLE...	the manual: a line `.\" options: GROUP` of PAGE
#									is replaced by the options of this group
#	awk -v make=bash|zsh|fish -v program=tapc ...			completion for this shell
#	awk -v make=list ...						LETTER|NAME|HELP, one line each
#
# Any POSIX awk works. A row's fields up to KIND are on its first line, the help is the last string.

function quoted(text) { gsub(/^"|"$/, "", text); return text }
function roff(text) { gsub(/-/, "\\-", text); return text }

# the comment above a row: its text in the manual
/^\/\*/ { comment = $0; sub(/^\/\* ?/, "", comment); in_comment = 1 }
in_comment && !/^\/\*/ { line = $0; sub(/^ \* ?/, "", line); comment = comment "\n" line }
in_comment {
	if (sub(/ *\*\/$/, "", comment))
		in_comment = 0
	next
}

# names for -D, from limits.def
/^LIMIT\(/ {
	split($0, field, /[(,]/)
	limits = limits " " field[2] "="
}

# names for -a, from arches.def
/^ARCH\(/ {
	split($0, field, /[()]/)
	architectures = architectures " " field[2]
}

/^(OPTION|SHARED)\(/ {
	split($0, field, /, /)
	n++
	group[n] = field[1]
	sub(/.*\(/, "", group[n])
	letter[n] = field[2] == "0" ? "" : substr(field[2], 2, 1)
	name[n] = quoted(field[3])
	argument[n] = quoted(field[4])
	kind[n] = field[5]
	sub(/,$/, "", kind[n])
	text[n] = comment
	comment = ""
	last = ""
	open = 1
}
open {
	last = last $0
	if (/\)$/) {
		open = 0
		sub(/"\)$/, "", last)
		match(last, /"[^"]*$/)
		for (at = RSTART; substr(last, at - 1, 1) == "\\"; at = RSTART) {	# \" within the help
			match(substr(last, 1, at - 1), /"[^"]*$/)
		}
		help[n] = substr(last, at + 1)
		gsub(/\\"/, "\"", help[n])
	}
}

END {
	if (make == "man")
		manual()
	else if (make == "bash")
		bash()
	else if (make == "zsh")
		zsh()
	else if (make == "fish")
		fish()
	else if (make == "list")
		rows()
	else
		exit 2
}

# ---- for tests ----

function rows(	i) {
	for (i = 1; i <= n; i++)
		if (help[i] != "")
			print letter[i] "|" name[i] "|" help[i]
}

# ---- the manual ----

# "\fB-v\fR, \fB--verbose\fR", "\fB--vm\fR[=\fIRELEASE\fR]"
function heading(i,	head, what) {
	what = argument[i]
	if (letter[i] != "")
		head = "\\fB\\-" letter[i] "\\fR"
	if (name[i] != "")
		head = head (head == "" ? "" : ", ") "\\fB\\-\\-" roff(name[i]) "\\fR"
	if (sub(/^\[/, "", what)) {
		sub(/\]$/, "", what)
		return head "[=\\fI" roff(what) "\\fR]"
	}
	sub(/^ /, "", what)
	return head (what == "" ? "" : " \\fI" roff(what) "\\fR")
}

function entries(of,	i, found) {
	for (i = 1; i <= n; i++) {
		if (group[i] != of || help[i] == "")
			continue
		print ".TP\n" heading(i) "\n" text[i]
		found++
	}
	if (!found) {
		print page ": no option is in group " of | "cat >&2"
		failed = 1
	}
}

function manual(	line) {
	while ((getline line <page) > 0) {
		if (line ~ /^\.\\" options: /) {
			sub(/.*: /, "", line)
			entries(line)
			shown[line] = 1
		} else {
			print line
		}
	}
	for (i = 1; i <= n; i++)
		if (help[i] != "" && !(group[i] in shown)) {
			print page ": no place for group " group[i] | "cat >&2"
			failed = 1
		}
	exit failed
}

# ---- completion ----

function optional(i) { return argument[i] ~ /^\[/ }
function has_value(i) { return argument[i] != "" && argument[i] !~ /^ / }
# "auto|always|never" of a WORD
function words(i,	list) {
	list = argument[i]
	gsub(/[][]/, "", list)
	gsub(/\|/, " ", list)
	return list
}
# the options whose argument is of this kind, as a shell pattern: "-o | --lock"
function of_kind(i,	j, list) {
	for (j = i; j <= n; j++) {
		if (kind[j] != kind[i] || !has_value(j) || kind[j] == "WORD" && words(j) != words(i))
			continue
		done[j] = 1
		if (letter[j] != "" && !optional(j))
			list = list " | -" letter[j]
		if (name[j] != "")
			list = list " | --" name[j]
	}
	return substr(list, 4)
}
function script_suffix() { return program == "taprun" ? "ko" : "stp" }

# The function is _PROGRAM_NAME in each shell. Kernels are the directories in /lib/modules, sessions those in
# /proc/tap:NAME.
function bash_values(i) {
	if (kind[i] == "FILE" || kind[i] == "FOLDER")
		return "compopt -o filenames; values=$(compgen -" (kind[i] == "FILE" ? "f" : "d") " -- \"$cur\")"
	if (kind[i] == "COMMAND")
		return "values=$(compgen -c -- \"$cur\")"
	if (kind[i] == "HOST")
		return "values=$(compgen -A hostname -- \"$cur\")"
	if (kind[i] == "WORD")
		return "offer " words(i)
	return "offer $(_" program "_values " kind[i] ")"
}

# A shell function, the same text in bash and zsh: the possible words of an argument
function value_lists() {
	print "_" program "_values()\n{\n\tcase $1 in"
	print "\tKERNEL) ls /lib/modules ;;"
	print "\tSESSION) ls /proc | sed -n 's/^tap://p' ;;"
	print "\tPROCESS) ls /proc | grep -x '[0-9]*' ;;"
	print "\tPOINT) tapc --dump-probe-types | sed 's/(.*//' | sort -u; tapc --dump-probe-aliases | sed 's/ .*//; /^__/d' ;;"
	print "\tFUNCTION) tapc --dump-functions | sed 's/[:(].*//' ;;"
	print "\tPASS) echo 1 2 3 4 5 ;;"
	print "\tARCH) echo" architectures " ;;"
	if (program == "tapc") {
		print "\tTOOL) tapc --tools | sed 's/ .*//' ;;"
		print "\t# of the tool in the words so far, if there is one; a script of the user's might run\n\tTOOL_OPTION)"
		print "\t\tshift"
		print "\t\tfor word; do"
		print "\t\t\tif tapc --tools | grep -q \"^$word \"; then"
		print "\t\t\t\ttapc \"$word\" --help | sed -n 's/^  [-a-z, ]*\\(--[-a-z]*=*\\).*/\\1/p'"
		print "\t\t\t\treturn"
		print "\t\t\tfi"
		print "\t\tdone ;;"
	}
	print "\tLIMIT) echo" limits " ;;"
	print "\tesac 2>/dev/null\n}\n"
}

function all_words(	i, list) {
	for (i = 1; i <= n; i++) {
		if (help[i] == "")
			continue
		if (letter[i] != "")
			list = list " -" letter[i]
		if (name[i] != "")
			list = list " --" name[i] (optional(i) ? " --" name[i] "=" : "")
	}
	return substr(list, 2)
}

function bash(	i) {
	print "# bash completion for " program ", made from its table of options by doc/options.awk"
	print "# shellcheck shell=bash disable=SC2046,SC2207"
	value_lists()
	print "_" program "()\n{"
	print "\tlocal cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} values= IFS=$' \\t\\n'\n"
	print "\toffer() { values=$(compgen -W \"$*\" -- \"$cur\"); }"
	print "\t# bash divides --vm=6.1 into three words"
	print "\tif [[ $cur = = ]]; then"
	print "\t\tcur="
	print "\telif [[ $option = = ]]; then"
	print "\t\toption=${COMP_WORDS[COMP_CWORD - 2]}"
	print "\telse"
	print "\t\tcase $option in"
	for (i = 1; i <= n; i++)
		if (optional(i))
			print "\t\t--" name[i] ") option= ;;"
	print "\t\tesac"
	print "\tfi"
	print "\tcase $option in"
	for (i = 1; i <= n; i++)
		if (help[i] != "" && has_value(i) && !(i in done) && kind[i] != "TEXT" && kind[i] != "NUMBER")
			print "\t" of_kind(i) ") " bash_values(i) " ;;"
	for (i = 1; i <= n; i++)
		if (help[i] != "" && has_value(i) && !(i in done))
			print "\t" of_kind(i) ") ;;"
	for (i = 1; i <= n; i++)
		if (argument[i] ~ /^ / && kind[i] == "SESSION")
			print "\t" (letter[i] != "" ? "-" letter[i] : "--" name[i]) ") offer $(_" program "_values SESSION) ;;"
	print "\t*)"
	print "\t\tif [[ $cur = -* ]]; then"
	print "\t\t\toffer '" all_words() "'" (program == "tapc" ? \
		" $(_tapc_values TOOL_OPTION \"${COMP_WORDS[@]:1:COMP_CWORD-1}\")" : "")
	print "\t\telse"
	print "\t\t\tcompopt -o filenames"
	print "\t\t\tvalues=$(compgen -f -X '!*." script_suffix() "' -- \"$cur\"; compgen -d -- \"$cur\"" \
		(program == "tapc" ? "\n\t\t\t\tcompgen -W \"$(_tapc_values TOOL)\" -- \"$cur\"" : "") ")"
	print "\t\tfi ;;"
	print "\tesac"
	print "\tunset -f offer"
	print "\tIFS=$'\\n'"
	print "\tCOMPREPLY=($values)"
	print "\t[[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace"
	print "}"
	print "complete -F _" program " " program
}

# text within _arguments' '...[text]:message:action'
function zsh_text(text) {
	gsub(/'/, "'\\''", text)
	gsub(/\[/, "\\[", text)
	gsub(/\]/, "\\]", text)
	return text
}
function zsh_action(i) {
	if (kind[i] == "FILE") return "_files"
	if (kind[i] == "FOLDER") return "_files -/"
	if (kind[i] == "COMMAND") return "_cmdstring"
	if (kind[i] == "HOST") return "_hosts"
	if (kind[i] == "PROCESS") return "_pids"
	if (kind[i] == "WORD") return "(" words(i) ")"
	if (kind[i] == "TEXT" || kind[i] == "NUMBER") return " "
	return "compadd -- $(_" program "_values " kind[i] ")"
}
function zsh_spec(i, option, after,	what) {
	what = argument[i]
	gsub(/[]:[]/, "", what)
	sub(/^ /, "", what)
	printf "\t\t'*%s%s[%s]%s' \\\n", option, has_value(i) ? after : "", zsh_text(help[i]),
		has_value(i) ? (optional(i) ? "::" : ":") zsh_text(what) ":" zsh_action(i) : ""
}
function zsh(	i) {
	print "#compdef " program
	print "# zsh completion for " program ", made from its table of options by doc/options.awk"
	value_lists()
	print "_" program "()\n{"
	if (program == "tapc") {
		print "\tlocal -a of_tool=($(_tapc_values TOOL_OPTION ${words[2,CURRENT-1]}))\n"
		print "\tof_tool=(\"${(@)of_tool/%=/=:value: }\")"
	}
	print "\t_arguments -s -S " (program == "tapc" ? "\"${(@)of_tool}\" " : "") "\\"
	for (i = 1; i <= n; i++) {
		if (help[i] == "")
			continue
		if (letter[i] != "")
			zsh_spec(i, "-" letter[i], "+")
		if (name[i] != "")
			zsh_spec(i, "--" name[i], optional(i) ? "=-" : "=")
	}
	print "\t\t'*:" (program == "taprun" ? "module:_files -g \"*.ko(-.)\"" : \
		"script:{ compadd -- $(_tapc_values TOOL); _files -g \"*.stp(-.)\" }") "'"
	print "}\n"
	print "_" program " \"$@\""
}

function fish_quoted(text) { gsub(/'/, "\\'", text); return "'" text "'" }
function fish_values(i) {
	if (!has_value(i)) return ""
	if (kind[i] == "FILE") return " -r -F"
	if (kind[i] == "FOLDER") return " -x -a '(__fish_complete_directories)'"
	if (kind[i] == "COMMAND") return " -x -a '(__fish_complete_command)'"
	if (kind[i] == "HOST") return " -x -a '(__fish_print_hostnames)'"
	if (kind[i] == "PROCESS") return " -x -a '(__fish_complete_pids)'"
	if (kind[i] == "WORD") return (optional(i) ? " -f" : " -x") " -a '" words(i) "'"
	if (kind[i] == "KERNEL") return (optional(i) ? " -f" : " -x") " -a '(command ls /lib/modules 2>/dev/null)'"
	if (kind[i] == "SESSION") return (optional(i) ? " -f" : " -x") " -a '(command ls /proc | string replace -rf \"^tap:\" \"\")'"
	if (kind[i] == "POINT") return " -x -a '(tapc --dump-probe-aliases 2>/dev/null | string replace -r \" .*\" \"\")'"
	if (kind[i] == "FUNCTION") return " -x -a '(tapc --dump-functions 2>/dev/null | string replace -r \"[:(].*\" \"\")'"
	if (kind[i] == "PASS") return " -x -a '1 2 3 4 5'"
	return optional(i) ? " -f" : " -x"
}
function fish(	i) {
	print "# fish completion for " program ", made from its table of options by doc/options.awk"
	for (i = 1; i <= n; i++)
		if (help[i] != "")
			print "complete -c " program (letter[i] != "" ? " -s " letter[i] : "") \
				(name[i] != "" ? " -l " name[i] : "") fish_values(i) " -d " fish_quoted(help[i])
	if (program == "tapc")
		print "complete -c tapc -a '(tapc --tools 2>/dev/null | string replace -r \" +\" \"\\t\")'"
}
