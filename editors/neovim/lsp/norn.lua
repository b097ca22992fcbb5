-- The language server, for `vim.lsp.enable('norn')`.
return {
  cmd = { 'norn', 'lsp' },
  filetypes = { 'norn' },
  root_markers = { 'futhark.pkg', '.git' },
}
