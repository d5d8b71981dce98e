#!/bin/bash
# Neovim, with the configuration of editors/README.md, as a client of the language server: diagnostics, completion, hover,
# definition, outline, rename, formatting
# sanitizers: no
type nvim >/dev/null || { echo "no nvim (Debian: neovim)"; exit 77; }
"$TAPC" --language-server </dev/null 2>err
[[ $? != 2 ]] || { cat err; exit 77; }
fail() { echo "$*"; cat nvim.log 2>/dev/null; exit 1; }
export HOME=$PWD XDG_CONFIG_HOME=$PWD XDG_DATA_HOME=$PWD XDG_CACHE_HOME=$PWD XDG_STATE_HOME=$PWD
mkdir bin && ln -s "$TAPC" bin/tapc
export PATH=$PWD/bin:$PATH
# vim.lsp.start came with version 0.8
wanted="For versions from 0.8"
nvim --headless -u NONE +'lua os.exit(vim.lsp.start and 0 or 1)' 2>/dev/null || wanted="Version 0.7"
sed -n "/^$wanted/,/^end)\$\|^    })\$/p" "$SRC/editors/README.md" | sed -n 's/^    //p' >init.lua
grep -q language-server init.lua || fail "no configuration in editors/README.md"
printf 'global reads\nprobe begin {\n\treads++; println("é😀", foo())\n}\nprobe end{println(strlen("x"))}\n' >x.stp
cat >test.lua <<'END'
local function check(condition, what)
  if not condition then
    io.stderr:write(what .. '\n')
    vim.cmd('cquit')
  end
end
local function wait(what, condition)
  check(vim.wait(10000, condition, 20), 'waited for ' .. what .. ': ' .. vim.inspect(vim.diagnostic.get(0)))
end
local function lines() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') end
local function request(method, more)
  local params = vim.tbl_extend('force', vim.lsp.util.make_position_params(0, 'utf-16'), more or {})
  for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/' .. method, params, 10000)) do
    check(not answer.error, method .. ': ' .. vim.inspect(answer.error))
    return answer.result
  end
  check(false, 'no answer to ' .. method)
end
check(vim.bo.filetype == 'tapc', 'the file type is ' .. vim.bo.filetype)

-- diagnostics, with columns in bytes; while typing
wait('a diagnostic', function() return #vim.diagnostic.get(0) == 1 end)
local found = vim.diagnostic.get(0)[1]
check(found.message:match("unknown function 'foo'"), found.message)
check(found.lnum == 2 and found.col == 28 and found.end_col == 33, vim.inspect(found))
check(found.severity == vim.diagnostic.severity.ERROR, 'the severity is ' .. found.severity)
vim.api.nvim_buf_set_text(0, 2, 28, 2, 31, { 'ctime' })
wait('no diagnostic', function() return #vim.diagnostic.get(0) == 0 end)

-- completion: the item is inserted by the editor
vim.api.nvim_buf_set_lines(0, -1, -1, true, { 'probe error { 😀strle' })
vim.api.nvim_win_set_cursor(0, { 6, 23 })
local items = vim.lsp.util.text_document_completion_list_to_complete_items(request('completion'), 'strle')
check(#items == 1 and items[1].word == 'strlen', vim.inspect(items))
vim.api.nvim_buf_set_lines(0, 5, -1, true, {})

-- hover
vim.api.nvim_win_set_cursor(0, { 5, 20 })
local text = request('hover').contents.value
check(text:match('the length of a string in bytes'), text)

-- outline
vim.lsp.buf.document_symbol()
wait('the outline', function() return #vim.fn.getqflist() == 3 or #vim.fn.getloclist(0) == 3 end)
vim.cmd('cclose | lclose')
vim.cmd('wincmd t')

-- rename
vim.api.nvim_win_set_cursor(0, { 3, 2 })
vim.lsp.buf.rename('seen')
wait('the new name', function() return lines():match('global seen\n') end)
check(lines():match('\tseen%+%+;'), lines())

-- formatting
if vim.lsp.buf.format then vim.lsp.buf.format() else vim.lsp.buf.formatting_sync(nil, 10000) end
check(lines():match('probe end { println%(strlen%("x"%)%) }'), lines())

-- definition, in the library
vim.cmd('write')
vim.api.nvim_win_set_cursor(0, { vim.fn.search('strlen'), vim.fn.stridx(vim.fn.getline(vim.fn.search('strlen', 'n')), 'strlen') })
vim.lsp.buf.definition()
wait('the definition', function() return vim.api.nvim_buf_get_name(0):match('string%.stp$') end)
check(vim.fn.getline('.'):match('^function strlen'), vim.fn.getline('.'))
vim.cmd('qall!')
END
timeout 60 nvim --headless -n -u init.lua --cmd "set runtimepath^=$SRC/editors/vim" x.stp \
	+'lua local good, e = pcall(dofile, "test.lua") if not good then print(e) vim.cmd("cquit") end' \
	>nvim.log 2>&1 </dev/null || fail "status $?"
