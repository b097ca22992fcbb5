//! The kinds of tokens, and the rules that find them.
//!
//! The rules are those that need no look at what stands before a token. The two that do need one
//! (a bracket right after a name indexes it, a dot before an operator qualifies it) are applied
//! afterwards, in `lexer`.

use logos::{Lexer, Logos};

/// What a token is. Its text is found through its place.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[logos(skip r"[ \t\r\x0B\x0C]+")]
pub enum TokenKind {
    #[token("\n")]
    Newline,
    #[regex(r"--[^\n]*", priority = 100, allow_greedy = true)]
    Comment,

    #[regex(r"[a-zA-Z][a-zA-Z0-9_']*|_[a-zA-Z0-9][a-zA-Z0-9_']*")]
    Name,
    /// `#name`
    #[regex(r"#([a-zA-Z][a-zA-Z0-9_']*|_[a-zA-Z0-9][a-zA-Z0-9_']*)")]
    Constructor,
    #[regex(r"[0-9]", super::number::scan)]
    Number,
    #[token("\"", scan_string)]
    Str,
    #[regex(r"'([^'\\\n]|\\[^\n][a-zA-Z0-9]*)'")]
    Char,
    /// `???`
    #[token("???")]
    Hole,

    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    /// A `[` right after a name, a literal or a closing bracket, with nothing between: it indexes.
    IndexBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    /// `#[`
    #[token("#[")]
    AttrBracket,

    #[token(",")]
    Comma,
    #[token("_")]
    Underscore,
    #[token("?")]
    Question,
    #[token("->", priority = 50)]
    Arrow,
    #[token(":")]
    Colon,
    #[token(":>")]
    ColonGreater,
    #[token("\\")]
    Backslash,
    #[token("~")]
    Tilde,
    #[token("'")]
    Apostrophe,
    #[token("'^")]
    ApostropheHat,
    #[token("'~")]
    ApostropheTilde,
    #[token("`")]
    Backtick,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token("...")]
    DotDotDot,
    #[token("..<")]
    DotDotLess,
    #[token("..>")]
    DotDotGreater,

    #[token("=", priority = 50)]
    Equals,
    #[token("*", priority = 50)]
    Star,
    #[token("-", priority = 50)]
    Minus,
    #[token("<", priority = 50)]
    Less,
    #[token("^", priority = 50)]
    Hat,
    #[token("|", priority = 50)]
    Pipe,
    #[token("!", priority = 50)]
    Bang,
    /// Any other operator.
    #[regex(r"[+\-*/%=!<>|&\^][+\-*/%=!<>|&\^.]*", priority = 10)]
    Operator,
    /// `m.n.+`
    QualOperator,

    #[token("assert", priority = 50)]
    Assert,
    #[token("case", priority = 50)]
    Case,
    #[token("def", priority = 50)]
    Def,
    #[token("do", priority = 50)]
    Do,
    #[token("else", priority = 50)]
    Else,
    #[token("entry", priority = 50)]
    Entry,
    #[token("false", priority = 50)]
    False,
    #[token("for", priority = 50)]
    For,
    #[token("if", priority = 50)]
    If,
    #[token("import", priority = 50)]
    Import,
    #[token("in", priority = 50)]
    In,
    #[token("include", priority = 50)]
    Include,
    #[token("let", priority = 50)]
    Let,
    #[token("local", priority = 50)]
    Local,
    #[token("loop", priority = 50)]
    Loop,
    #[token("match", priority = 50)]
    Match,
    #[token("module", priority = 50)]
    Module,
    #[token("open", priority = 50)]
    Open,
    #[token("then", priority = 50)]
    Then,
    #[token("true", priority = 50)]
    True,
    #[token("type", priority = 50)]
    Type,
    #[token("val", priority = 50)]
    Val,
    #[token("while", priority = 50)]
    While,
    #[token("with", priority = 50)]
    With,

    /// Text that is no token. It has been reported; the parser passes over it in silence.
    Invalid,
    Eof,
}

impl TokenKind {
    pub const CLOSERS: [TokenKind; 3] = [TokenKind::RParen, TokenKind::RBracket, TokenKind::RBrace];

    pub fn is_keyword(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Assert | Case | Def | Do | Else | Entry | False | For | If | Import | In | Include | Let | Local
        ) || matches!(self, Loop | Match | Module | Open | Then | True | Type | Val | While | With)
    }

    /// Begins something that can stand between two operands, other than `-`, which can be a sign.
    pub fn is_infix(self) -> bool {
        use TokenKind::*;
        matches!(self, Operator | QualOperator | Star | Less | Hat | Pipe | Backtick)
    }

    /// Can stand between two operands, or is an operator that cannot only because it is a prefix
    /// or a sign of the grammar: what a module's name and a dot in front turn into an operator of
    /// that module.
    pub fn is_operator_text(self) -> bool {
        use TokenKind::*;
        matches!(self, Operator | Equals | Star | Minus | Less | Hat | Pipe | Bang | Arrow)
    }

    /// The bracket that closes this one.
    pub fn closer(self) -> Option<TokenKind> {
        match self {
            TokenKind::LParen => Some(TokenKind::RParen),
            TokenKind::LBrace => Some(TokenKind::RBrace),
            TokenKind::LBracket | TokenKind::IndexBracket | TokenKind::AttrBracket => {
                Some(TokenKind::RBracket)
            }
            _ => None,
        }
    }

    pub fn is_closer(self) -> bool {
        TokenKind::CLOSERS.contains(&self)
    }

    /// The spelling of a kind that has only one.
    pub fn spelling(self) -> &'static str {
        match self {
            TokenKind::RParen => ")",
            TokenKind::RBracket => "]",
            TokenKind::RBrace => "}",
            TokenKind::Arrow => "->",
            TokenKind::Equals => "=",
            TokenKind::Colon => ":",
            TokenKind::Dot => ".",
            TokenKind::Backtick => "`",
            TokenKind::Comma => ",",
            TokenKind::In => "in",
            TokenKind::Then => "then",
            TokenKind::Else => "else",
            TokenKind::Do => "do",
            TokenKind::Case => "case",
            _ => "",
        }
    }
}

/// Goes on to the closing quote, or to the end of the line where there is none.
fn scan_string(lexer: &mut Lexer<'_, TokenKind>) {
    let rest = lexer.remainder().as_bytes();
    let mut i = 0;
    while i < rest.len() && rest[i] != b'\n' {
        match rest[i] {
            b'"' => {
                i += 1;
                break;
            }
            b'\\' if i + 1 < rest.len() && rest[i + 1] != b'\n' => i += 2,
            _ => i += 1,
        }
    }
    lexer.bump(i);
}
