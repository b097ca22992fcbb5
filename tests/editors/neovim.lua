-- Neovim, without a screen, as a user of `norn lsp`: opens a file with an error, sees it, hovers, goes to a definition, renames, completes and formats.
--
--     NORN=path/to/norn nvim --headless -u NONE -c 'luafile tests/editors/neovim.lua'
--
-- Ends with exit code 0 and "all well", or says what was not as expected.

local norn = os.getenv('NORN') or 'norn'
local folder = vim.fn.tempname()
vim.fn.mkdir(folder, 'p')

local function finish(message, code)
  io.stdout:write(message .. '\n')
  io.stdout:flush()
  for _, client in pairs(vim.lsp.get_active_clients and vim.lsp.get_active_clients() or vim.lsp.get_clients()) do
    client.stop(true)
  end
  vim.fn.delete(folder, 'rf')
  if code == 0 then vim.cmd('qall!') else vim.cmd('cquit ' .. code) end
end

local function expect(condition, what)
  if not condition then error(what, 2) end
end

-- Write a file, open it, and connect it with the server.
local function open(name, lines)
  vim.fn.writefile(lines, folder .. '/' .. name)
  vim.cmd('edit ' .. folder .. '/' .. name)
  local config = { name = 'norn', cmd = { norn, 'lsp' }, root_dir = folder }
  if vim.lsp.start then
    vim.lsp.start(config)
  else
    -- Before Neovim 0.8.
    local client = _G.client or vim.lsp.start_client(config)
    _G.client = client
    vim.lsp.buf_attach_client(0, client)
  end
  return vim.api.nvim_get_current_buf()
end

-- Ask the server something about the place of the cursor.
local function ask(method, more)
  local params = vim.tbl_extend('force', vim.lsp.util.make_position_params(0, 'utf-16'), more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 10000)
  for _, answer in pairs(answers or {}) do
    expect(not answer.err, method .. ': ' .. vim.inspect(answer.err))
    return answer.result
  end
  error(method .. ' was not answered')
end

local function diagnostics(buffer, count)
  local reached = vim.wait(10000, function() return #vim.diagnostic.get(buffer) == count end, 10)
  expect(reached, 'expected ' .. count .. ' diagnostics: ' .. vim.inspect(vim.diagnostic.get(buffer)))
  return vim.diagnostic.get(buffer)
end

local function text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
end

local function scenario()
  -- The cursor stands behind the last character, as it does while one types.
  vim.o.virtualedit = 'onemore'

  -- The file type of the repository's set-up.
  vim.opt.runtimepath:append(vim.fn.getcwd() .. '/editors/neovim')
  vim.cmd('filetype plugin on')
  vim.cmd('runtime! ftdetect/*.lua')

  local buffer = open('a.fut', {
    '-- A program.',
    'def twice (x: i32) = x * 2',
    '',
    'entry main [n] (xs: [n]i32) : [n]i32 = map twise xs',
  })
  if vim.fn.has('nvim-0.8') == 1 then expect(vim.bo.filetype == 'norn', 'the file type is ' .. vim.bo.filetype) end

  -- An error, with the place and a correction.
  local found = diagnostics(buffer, 1)[1]
  expect(found.lnum == 3 and found.message:find('twise'), vim.inspect(found))
  expect(found.message:find('did you mean `twice`'), found.message)
  vim.api.nvim_buf_set_text(buffer, 3, 43, 3, 48, { 'twice' })
  diagnostics(buffer, 0)

  -- Types with sizes.
  vim.api.nvim_win_set_cursor(0, { 4, 50 })
  local hover = ask('textDocument/hover')
  expect(hover.contents.value:find('xs : [n]i32', 1, true), vim.inspect(hover))

  -- A definition.
  vim.api.nvim_win_set_cursor(0, { 4, 44 })
  local definition = ask('textDocument/definition')
  expect(definition.range.start.line == 1 and definition.range.start.character == 4, vim.inspect(definition))

  -- Renaming, done by the editor itself.
  vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', { newName = 'double' }), 'utf-16')
  expect(text(buffer):find('def double') and text(buffer):find('map double xs'), text(buffer))
  diagnostics(buffer, 0)

  -- Completion of a member and of a local name.
  vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { '', 'def root (value: f32) = f32.sq' })
  vim.api.nvim_win_set_cursor(0, { 6, 30 })
  local completions = ask('textDocument/completion')
  expect(completions.items[1].label == 'sqrt', vim.inspect(completions))
  vim.api.nvim_buf_set_lines(buffer, -2, -1, false, { 'def root (value:f32) =f32.sqrt va' })
  vim.api.nvim_win_set_cursor(0, { 6, 33 })
  completions = ask('textDocument/completion')
  expect(completions.items[1].label == 'value', vim.inspect(completions))
  vim.api.nvim_buf_set_lines(buffer, -2, -1, false, { 'def root (value:f32) =f32.sqrt value' })

  -- The layout.
  local edits = ask('textDocument/formatting', { options = { tabSize = 2, insertSpaces = true } })
  vim.lsp.util.apply_text_edits(edits, buffer, 'utf-16')
  expect(text(buffer):find('def root (value: f32) = f32.sqrt value', 1, true), text(buffer))
  diagnostics(buffer, 0)

  -- An import that another program changes: noticed when the file is saved, if the editor does not watch files.
  vim.fn.writefile({ 'def known (x: i32) = x' }, folder .. '/b.fut')
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, { 'import "b"', 'entry main (x: i32) = known x' })
  diagnostics(buffer, 0)
  vim.fn.writefile({ 'def renamed (x: i32) = x' }, folder .. '/b.fut')
  vim.cmd('silent write')
  expect(diagnostics(buffer, 1)[1].message:find('known'), 'the import was not read again')
end

local ok, message = xpcall(scenario, debug.traceback)
if ok then finish('all well', 0) else finish(message, 1) end
