//! The kinds of tokens. The rules that find them are in `scan`.

/// What a token is. Its text is found through its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    Newline,
    Comment,

    Name,
    /// `#name`
    Constructor,
    Number,
    Str,
    Char,
    /// `???`
    Hole,

    LParen,
    RParen,
    LBracket,
    /// A `[` right after a name, a literal or a closing bracket, with nothing between: it indexes.
    IndexBracket,
    RBracket,
    LBrace,
    RBrace,
    /// `#[`
    AttrBracket,

    Comma,
    Underscore,
    Question,
    Arrow,
    Colon,
    ColonGreater,
    Backslash,
    Tilde,
    Apostrophe,
    ApostropheHat,
    ApostropheTilde,
    Backtick,
    Dot,
    DotDot,
    DotDotDot,
    DotDotLess,
    DotDotGreater,

    Equals,
    Star,
    Minus,
    Less,
    Hat,
    Pipe,
    Bang,
    /// Any other operator.
    Operator,
    /// `m.n.+`
    QualOperator,

    Assert,
    Case,
    Def,
    Do,
    Else,
    Entry,
    False,
    For,
    If,
    Import,
    In,
    Include,
    Let,
    Local,
    Loop,
    Match,
    Module,
    Open,
    Then,
    True,
    Type,
    Val,
    While,
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
