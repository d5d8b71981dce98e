" SPDX-License-Identifier: GPL-2.0-or-later
" Settings for tapc's scripts: tabs, comments, and tapc --format for gq.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal noexpandtab shiftwidth=8 softtabstop=0 tabstop=8 textwidth=120
setlocal comments=s1:/*,mb:*,ex:*/,://,b:# commentstring=#\ %s
setlocal formatoptions-=t formatoptions+=croql
setlocal iskeyword+=$
setlocal suffixesadd=.stp,.stpm
if executable('tapc')
  setlocal formatprg=tapc\ --format
endif

let b:undo_ftplugin = 'setlocal expandtab< shiftwidth< softtabstop< tabstop< textwidth< comments< commentstring<'
      \ . ' formatoptions< iskeyword< suffixesadd< formatprg<'
