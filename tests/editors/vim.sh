#!/bin/bash
# Vim takes .stp and #! for tapc, colors the language, and indents as tapc --format does
# sanitizers: no
type vim >/dev/null && vim --version | grep -q +syntax || { echo "no vim with syntax files"; exit 77; }
fail() { echo "$*"; exit 1; }
cat >colors.stp <<'END'
probe kernel.function("vfs_read") {	# comment, not $1
	foreach (name in reads- limit $1) printf("%d\n", @count(reads[name]))
	%( $# > 0 %? x = @2 %: y = $file->limit %)	// if
}
function f:long () %{ int c; %}
@define m(a) %( @a + 0x10 %)
/* probe */ global text = "probe \"if\" \x41"
END
cat >colors.vim <<'END'
let failed = 0
function Is(line, text, nth, group)
  let from = 0
  for i in range(a:nth)
    let at = stridx(getline(a:line), a:text, from)
    let from = at + 1
  endfor
  let found = synIDattr(synID(a:line, at + 1, 1), 'name')
  if at < 0 || found !~# '^' . a:group . '$'
    call writefile([a:line . ' ' . a:text . ': ' . found . ', not ' . a:group], 'out', 'a')
  endif
endfunction
if &filetype !=# 'tapc' | call writefile(['filetype ' . &filetype], 'out', 'a') | endif
call Is(1, 'probe', 1, 'tapcDeclaration')
call Is(1, 'function', 1, 'tapcMember')
call Is(1, 'vfs', 1, 'tapcString')
call Is(1, '# c', 1, 'tapcComment')
call Is(1, '$1', 1, 'tapcComment')
call Is(2, 'foreach', 1, 'tapcStatement')
call Is(2, 'limit', 1, 'tapcStatement')
call Is(2, '$1', 1, 'tapcArgument')
call Is(2, 'printf', 1, 'tapcPrint')
call Is(2, '%d', 1, 'tapcFormat')
call Is(2, '\n', 1, 'tapcEscape')
call Is(2, '@count', 1, 'tapcOperatorWord')
call Is(3, '%(', 1, 'tapcCondition')
call Is(3, '$#', 1, 'tapcArgument')
call Is(3, '#', 1, 'tapcArgument')
call Is(3, '0', 1, 'tapcNumber')
call Is(3, '@2', 1, 'tapcArgument')
call Is(3, '$file', 1, 'tapcTarget')
call Is(3, 'limit', 1, 'tapcMember')
call Is(3, '// if', 1, 'tapcComment')
call Is(5, 'long', 1, 'tapcType')
call Is(5, '%{', 1, 'tapcEmbeddedMark')
call Is(5, 'int', 1, 'cType')
call Is(6, '@define', 1, 'tapcDefine')
call Is(6, '@a', 1, 'tapcMacro')
call Is(6, '0x10', 1, 'tapcNumber')
call Is(7, 'probe', 1, 'tapcComment')
call Is(7, 'probe', 2, 'tapcString')
call Is(7, 'if', 1, 'tapcString')
call Is(7, '\x41', 1, 'tapcEscape')
call writefile(['checked'], 'out', 'a')
qall!
END
# with a file, a script and the settings of this tree only
in_vim()
{
	HOME=$PWD vim -N -u NONE -i NONE -n -es --cmd "set runtimepath^=$SRC/editors/vim" -c 'filetype plugin indent on' \
		-c 'syntax on' -c "edit $1" -S "$2" </dev/null >log 2>&1
}
in_vim colors.stp colors.vim
[[ -e out && $(<out) = checked ]] || fail "$(cat out log)"

printf '#!/usr/bin/env tapc\nprobe begin { }\n' >named
echo 'call writefile([&filetype, &shiftwidth, &commentstring], "out") | qall!' >type.vim
in_vim named type.vim
[[ $(<out) = $'tapc\n8\n# %s' ]] || fail "$(cat out log)"

# the words of the files are compared in editors/words; here, indentation, with what the formatter makes of it
cp "$SRC/tests/editors/indent.script" indent.stp
"$TAPC" --format indent.stp >expected || exit 1
echo 'execute "normal! gg=G" | write! indented | qall!' >indent.vim
in_vim indent.stp indent.vim
cmp -s expected indented || { diff expected indented; fail "indented in another way"; }
