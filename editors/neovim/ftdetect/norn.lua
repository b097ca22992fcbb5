-- Programs end with .fut; Neovim takes those for another language otherwise.
if vim.filetype then
  vim.filetype.add({ extension = { fut = 'norn' } })
else
  vim.cmd('autocmd BufRead,BufNewFile *.fut setfiletype norn')
end
