// The grammar of Norn for editors: declarations, names, and what brackets enclose.
//
// Inside of a declaration the text is a sequence of words and brackets, not a tree of expressions: colours, folding and moving by
// brackets need no more, and programs that are being typed have a tree as long as their brackets fit. What words mean is for `norn lsp`.

const name = /[\p{L}_][\p{L}\p{N}_']*/
const keywords = [
  'assert', 'case', 'do', 'else', 'for', 'if', 'in', 'let', 'loop', 'match', 'then', 'while', 'with'
]

module.exports = grammar({
  name: 'norn',

  word: $ => $.identifier,

  extras: $ => [/\s/, $.comment, $.doc_comment],

  rules: {
    source_file: $ => repeat(choice($._declaration, $._word)),

    _declaration: $ => choice(
      $.definition, $.type_declaration, $.module_declaration, $.module_type_declaration, $.specification,
      $.open, $.include, 'local'),

    definition: $ => prec.right(seq(
      choice('def', 'entry'), field('name', choice($.identifier, $.parentheses, $.operator)), repeat($._word))),
    specification: $ => prec.right(seq(
      'val', field('name', choice($.identifier, $.parentheses, $.operator)), repeat($._word))),
    type_declaration: $ => prec.right(seq(
      'type', optional(choice('~', '^')), optional('rec'), field('name', $.identifier), repeat($._word))),
    module_declaration: $ => prec.right(seq('module', field('name', $.identifier), repeat($._word))),
    module_type_declaration: $ => prec.right(seq('module', 'type', field('name', $.identifier), repeat($._word))),
    import: $ => seq('import', field('path', $.string)),
    open: $ => prec.right(seq('open', repeat($._word))),
    include: $ => prec.right(seq('include', repeat($._word))),

    _word: $ => choice(
      $.identifier, $.field, $.constructor, $.type_parameter, $.number, $.string, $.character, $.boolean, $.hole,
      $.attribute, $.operator, $.keyword, $.parentheses, $.brackets, $.braces, $.import,
      ',', ':', ':>', '->', '=', '\\', '.', '`', '?', '_', '~'),

    parentheses: $ => seq('(', repeat($._word), ')'),
    brackets: $ => seq('[', repeat($._word), ']'),
    braces: $ => seq('{', repeat(choice($._word, $._declaration)), '}'),
    attribute: $ => seq('#[', repeat($._word), ']'),

    field: $ => prec(1, seq('.', field('name', choice($.identifier, alias(token.immediate(/[0-9]+/), $.number))))),
    keyword: _ => choice(...keywords),
    boolean: _ => choice('true', 'false'),
    hole: _ => '???',

    identifier: _ => name,
    constructor: _ => token(seq('#', name)),
    type_parameter: _ => token(seq("'", optional(/[~^]/), name)),
    operator: _ => token(choice(
      /[-+*\/%=!<>|&^][-+*\/%=!<>|&^.]*/,
      '..', '...', '..<', '..>')),
    number: _ => token(seq(
      choice(
        /0[xX][0-9a-fA-F_]+(\.[0-9a-fA-F_]+)?([pP][+-]?[0-9_]+)?/,
        /0[bB][01_]+/,
        /[0-9][0-9_]*(\.[0-9][0-9_]*)?([eE][+-]?[0-9_]+)?/),
      optional(/[iu](8|16|32|64)|f(16|32|64)/))),
    string: _ => token(seq('"', repeat(choice(/[^"\\\n]/, /\\(.|\n)/)), '"')),
    character: _ => token(seq("'", choice(/[^'\\\n]/, /\\(x[0-9a-fA-F]+|u\{[0-9a-fA-F]+\}|[0-9]+|.)/), "'")),

    doc_comment: _ => token(prec(3, seq('-- |', /[^\n]*/))),
    comment: _ => token(prec(2, seq('--', /[^\n]*/)))
  }
})
