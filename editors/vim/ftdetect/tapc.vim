" SPDX-License-Identifier: GPL-2.0-or-later
" Scripts and macro files of tapc. Vim itself takes .stp for stored procedures of a database, so this is not 'setfiletype'.
autocmd BufNewFile,BufRead *.stp,*.stpm set filetype=tapc
autocmd BufNewFile,BufRead * if getline(1) =~# '^#!.*\<tapc\>' | set filetype=tapc | endif
