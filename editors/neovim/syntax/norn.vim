" Colours for who has neither semantic tokens nor the grammar for tree-sitter.
if exists('b:current_syntax')
  finish
endif
syntax keyword nornKeyword assert case do else for if in let loop match then while with
syntax keyword nornDeclare def entry type module val local open import include rec
syntax keyword nornBool true false
syntax keyword nornType i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool
syntax match nornNumber '\<\d[0-9a-zA-Z_]*\(\.\d[0-9a-zA-Z_]*\)\?\([eE][+-]\?\d\+\)\?'
syntax match nornConstructor '#\h[0-9A-Za-z_']*'
syntax match nornParameter "'[~^]\?\h\w*"
syntax match nornChar "'\(\\.\|[^'\\]\)'"
syntax region nornString start='"' skip='\\.' end='"'
syntax region nornAttribute start='#\[' end='\]'
syntax match nornComment '--.*$' contains=@Spell
highlight default link nornKeyword Keyword
highlight default link nornDeclare Statement
highlight default link nornBool Boolean
highlight default link nornType Type
highlight default link nornNumber Number
highlight default link nornConstructor Constant
highlight default link nornParameter Special
highlight default link nornChar Character
highlight default link nornString String
highlight default link nornAttribute PreProc
highlight default link nornComment Comment
let b:current_syntax = 'norn'
