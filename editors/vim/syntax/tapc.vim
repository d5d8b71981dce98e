" SPDX-License-Identifier: GPL-2.0-or-later
" Syntax of tapc's scripts. tests/editors/words.sh compares the words with the translator's tables.
if exists('b:current_syntax')
  finish
endif

syn include @tapcC syntax/c.vim
unlet! b:current_syntax

syn case match
syn sync minlines=200

syn keyword tapcDeclaration probe global private function
syn keyword tapcStatement if else for foreach in limit while break continue next return delete try catch
syn keyword tapcType string long
syn keyword tapcPrint print println printf printd printdln print_char sprint sprintln sprintf sprintd sprintdln
" a member or a part of a probe point may have the name of a keyword
syn match tapcMember "\%(->\s*\|\.\)\h\w*"

syn match tapcMacro "@\h\w*"
syn match tapcOperatorWord "@\%(count\|sum\|min\|max\|avg\|variance\|percentile\|hist_log\|hist_linear\)\>"
syn match tapcOperatorWord "@\%(cast\|var\|entry\|defined\|probewrite\|perf\|const\|kderef\|uderef\|kregister\|row\)\>"
syn match tapcOperatorWord "@\%(uregister\|enum\|enumname\|sizeof\|offsetof\|packet_matches\|container_of\|option\)\>"
syn match tapcDefine "@define\>"
syn match tapcTarget "\$\+\h[[:alnum:]_$]*"
syn match tapcArgument "[$@]\%(\d\+\|#\)"
syn match tapcNumber "\<\%(0[xX]\x\+\|\d\+\)\>"
syn match tapcCondition "%[(?:)]"

syn match tapcEscape contained "\\\%(\o\{1,3}\|x\x\+\|\_.\)"
syn match tapcFormat contained "%[-+ #0]*\%(\d\+\|\*\)\=\%(\.\%(\d\+\|\*\)\)\=[bcdiMmnopsuxX%]"
syn region tapcString start=+"+ skip=+\\\\\|\\"\|\\\n+ end=+"\|$+ contains=tapcEscape,tapcFormat

syn keyword tapcTodo contained TODO FIXME XXX
syn region tapcComment start="#" end="$" contains=tapcTodo,@Spell
syn region tapcComment start="//" end="$" contains=tapcTodo,@Spell
syn region tapcComment start="/\*" end="\*/" contains=tapcTodo,@Spell
syn region tapcEmbedded matchgroup=tapcEmbeddedMark start="%{" end="%}" contains=@tapcC keepend

hi def link tapcDeclaration Keyword
hi def link tapcStatement Statement
hi def link tapcType Type
hi def link tapcPrint Function
hi def link tapcMacro Macro
hi def link tapcOperatorWord Operator
hi def link tapcDefine Define
hi def link tapcTarget Identifier
hi def link tapcArgument Special
hi def link tapcNumber Number
hi def link tapcCondition PreCondit
hi def link tapcEscape SpecialChar
hi def link tapcFormat SpecialChar
hi def link tapcString String
hi def link tapcTodo Todo
hi def link tapcComment Comment
hi def link tapcEmbeddedMark Delimiter

let b:current_syntax = 'tapc'
