; Colours. What comes later counts.
(identifier) @variable
((identifier) @type.builtin
 (#match? @type.builtin "^([iu](8|16|32|64)|f(16|32|64)|bool)$"))
(field name: (_) @variable.other.member)
(constructor) @constructor
(type_parameter) @type.parameter
(number) @constant.numeric
(string) @string
(character) @constant.character
(boolean) @constant.builtin.boolean
(hole) @keyword
(attribute) @attribute
(operator) @operator
(keyword) @keyword.control
["def" "entry" "val" "type" "rec" "module" "local"] @keyword
["import" "open" "include"] @keyword.control.import
[":" ":>" "->" "=" "\\"] @operator
["(" ")" "[" "]" "{" "}" "#["] @punctuation.bracket
["," "."] @punctuation.delimiter
(definition name: (identifier) @function)
(specification name: (identifier) @function)
(type_declaration name: (identifier) @type)
(module_declaration name: (identifier) @namespace)
(module_type_declaration name: (identifier) @namespace)
(comment) @comment
(doc_comment) @comment.block.documentation
