" SPDX-License-Identifier: GPL-2.0-or-later
" Indentation of tapc's scripts while typing: a tab per block, body and continued line. Statements have no
" terminator, so 'cindent' does not fit. tapc --format lays out whole scripts.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=TapcIndent(v:lnum) autoindent nocindent
setlocal indentkeys=0{,0},0),0],!^F,o,O,e,0=%),0=%:
let b:undo_indent = 'setlocal indentexpr< autoindent< cindent< indentkeys<'

if exists('*TapcIndent')
  finish
endif

" The line without strings and comments
function s:Code(lnum)
  let text = substitute(getline(a:lnum), '"\%([^"\\]\|\\.\)*"', '""', 'g')
  return substitute(text, '\s*\%([$@]\)\@<!#.*$\|\s*//.*$\|\s*/\*.\{-}\*/', '', 'g')
endfunction

" A line that has only a comment, or nothing
function s:Previous(lnum)
  let lnum = prevnonblank(a:lnum)
  while lnum > 0 && s:Code(lnum) =~# '^\s*$'
    let lnum = prevnonblank(lnum - 1)
  endwhile
  return lnum
endfunction

" 'if (x)', 'else': the next statement is its body
function s:IsHeader(text)
  return a:text =~# '^\s*}\=\s*\%(else\s\+\)\=\%(if\|while\|for\|foreach\)\>.*)\s*$' && s:Open(a:text) == 0
        \ || a:text =~# '\<else\s*$'
endfunction

" Parentheses that remain open
function s:Open(text)
  return count(a:text, '(') + count(a:text, '[') - count(a:text, ')') - count(a:text, ']')
endfunction

" The line where the statement begins that ends in line LNUM
function s:Start(lnum)
  let lnum = a:lnum
  let open = s:Open(s:Code(lnum))
  while open < 0 && lnum > 1
    let lnum = s:Previous(lnum - 1)
    let open += s:Open(s:Code(lnum))
  endwhile
  return lnum
endfunction

" The header of the outermost body without braces that ends with the statement in line LNUM; or LNUM
function s:Outermost(lnum)
  let lnum = a:lnum
  while 1
    let before = s:Previous(lnum - 1)
    if before == 0 || !s:IsHeader(s:Code(before)) || s:Code(lnum) =~# '^\s*{'
      return lnum
    endif
    let lnum = before
  endwhile
endfunction

" The line of 'probe' or 'function' whose body begins after line LNUM; 0: none
function s:Declaration(lnum)
  let lnum = a:lnum
  while lnum > 0 && s:Code(lnum) !~# '[{}]'
    if s:Code(lnum) =~# '^\s*\%(probe\|function\|private\)\>'
      return lnum
    endif
    let lnum = s:Previous(lnum - 1)
  endwhile
  return 0
endfunction

function TapcIndent(lnum)
  let previous = s:Previous(a:lnum - 1)
  if previous == 0
    return 0
  endif
  let text = s:Code(previous)
  let line = getline(a:lnum)
  let closes = line =~# '^\s*\%([])}]\|%)\)'
  let step = shiftwidth()

  if line =~# '^\s*{' && s:Declaration(previous)
    return indent(s:Declaration(previous))
  endif
  if text =~# '[{]\s*$\|%(\s*$'
    return indent(previous) + (closes ? 0 : step)
  endif
  if text =~# '^\s*\%(%(.*%?\|%:\|%)\)\s*$'
    return indent(previous)
  endif
  if s:Open(text) > 0
    return indent(previous) + (closes ? 0 : step)
  endif
  if s:IsHeader(text)
    return indent(previous) + (line =~# '^\s*{' ? 0 : step)
  endif
  if text =~# '^\s*probe\>.*[,=]\s*$'
    return indent(previous) + step
  endif
  let start = s:Outermost(s:Start(previous))
  return max([indent(start) - (line =~# '^\s*\%(}\|%)\)' ? step : 0), 0])
endfunction
