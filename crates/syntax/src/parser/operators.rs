//! Infix operators, ranges and updates, by precedence.

use super::{Parse, Parser};
use crate::ast::*;
use crate::lexer::TokenKind;

/// How tightly an infix construct binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Level {
    Range,
    Backtick,
    With,
    PipeRight,
    PipeLeft,
    Or,
    And,
    Compare,
    Bits,
    Shift,
    Add,
    Multiply,
    Power,
    /// Tighter than every operator.
    Operand,
}

use Level::*;

/// Every operator begins with one of these and binds as the longest of them that it begins with.
const OPERATORS: [(&str, Level); 25] = [
    ("**", Power),
    ("*", Multiply),
    ("//", Multiply),
    ("/", Multiply),
    ("%%", Multiply),
    ("%", Multiply),
    ("+", Add),
    ("-", Add),
    ("<<", Shift),
    (">>", Shift),
    ("<|", PipeLeft),
    ("|>", PipeRight),
    ("||", Or),
    ("&&", And),
    ("&", Bits),
    ("^", Bits),
    ("|", Bits),
    ("==", Compare),
    ("!=", Compare),
    ("<=", Compare),
    (">=", Compare),
    ("<", Compare),
    (">", Compare),
    ("=", Compare),
    ("!", Compare),
];

impl Level {
    /// Of an operator without its modules.
    pub(crate) fn of(operator: &str) -> Level {
        let prefix = OPERATORS.iter().find(|(prefix, _)| operator.starts_with(prefix));
        prefix.map_or(Backtick, |(_, level)| *level)
    }

    pub(super) fn tighter(self) -> Level {
        const LEVELS: [Level; 14] = [
            Range, Backtick, With, PipeRight, PipeLeft, Or, And, Compare, Bits, Shift, Add, Multiply, Power,
            Operand,
        ];
        LEVELS[(self as usize + 1).min(LEVELS.len() - 1)]
    }

    /// `a <| b <| c` is `a <| (b <| c)`; most operators group to the left.
    fn groups_to_the_right(self) -> bool {
        matches!(self, PipeLeft | Range)
    }
}

/// Whether an operator before `)` is left for a section: `(x +)`.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Sections {
    Left,
    None,
}

impl Parser<'_> {
    /// An expression in which only constructs that bind at least as tightly as `loosest` stand
    /// outside brackets.
    pub(super) fn infix(&mut self, loosest: Level) -> Parse<Exp> {
        self.infix_with(loosest, Sections::None)
    }

    pub(super) fn infix_with(&mut self, loosest: Level, sections: Sections) -> Parse<Exp> {
        self.chain(|p| {
            let first = p.operand()?;
            p.infix_rest(first, loosest, sections)
        })
    }

    /// What follows a complete operand.
    pub(super) fn infix_rest(&mut self, mut left: Exp, loosest: Level, sections: Sections) -> Parse<Exp> {
        while let Some(level) = self.next_level() {
            if level < loosest || sections == Sections::Left && self.at_left_section() {
                break;
            }
            left = match level {
                Range => self.range(left)?,
                With => self.update(left)?,
                _ => {
                    let op = self.operator()?;
                    if self.at_increment(&op) {
                        return Ok(self.increment(&left, &op));
                    }
                    let right = self.right_operand(level)?;
                    let span = left.span.to(right.span);
                    self.new_exp(ExpKind::BinOp(Box::new(left), op, Box::new(right)), span)
                }
            };
            self.links(1)?;
        }
        Ok(left)
    }

    fn right_operand(&mut self, level: Level) -> Parse<Exp> {
        if level.groups_to_the_right() {
            self.nested(|p| p.infix(level))
        } else {
            self.infix(level.tighter())
        }
    }

    /// How the infix construct binds that the next token begins, if it begins one.
    fn next_level(&self) -> Option<Level> {
        match self.kind() {
            TokenKind::Operator
            | TokenKind::Star
            | TokenKind::Minus
            | TokenKind::Less
            | TokenKind::Hat
            | TokenKind::Pipe => Some(Level::of(self.text_of(self.span()))),
            TokenKind::QualOperator => {
                let text = self.text_of(self.span());
                let operator = text.find(|c: char| !c.is_ascii_alphanumeric() && !"_'.".contains(c));
                Some(Level::of(&text[operator.unwrap_or(0)..]))
            }
            TokenKind::Backtick => Some(Backtick),
            TokenKind::DotDot | TokenKind::DotDotDot | TokenKind::DotDotLess | TokenKind::DotDotGreater => {
                Some(Range)
            }
            // `with def` is the next member of a group of definitions.
            TokenKind::With if !matches!(self.nth(1), TokenKind::Def | TokenKind::Entry) => Some(With),
            _ => None,
        }
    }

    /// At an operator that only `)` follows.
    pub(super) fn at_left_section(&self) -> bool {
        let at_operator = self.at_operator() || self.at(TokenKind::Minus);
        at_operator && self.after_operator() == TokenKind::RParen
    }

    /// `a...b`, `a..<b`, `a..>b`, and each with a second element, `a..b...c`.
    fn range(&mut self, start: Exp) -> Parse<Exp> {
        let second = if self.at(TokenKind::DotDot) {
            let dots = self.bump();
            let second = self.infix(Range.tighter())?;
            if self.range_kind().is_none() {
                let message = "`..` alone does not make a range.";
                let help = "use `...`, `..<` or `..>`; `..` stands between the first element and the second";
                let problem = norn_base::Diagnostic::error(norn_base::codes::SYNTAX, dots, message);
                self.reports.push(problem.help(help));
                let span = start.span.to(second.span);
                return Ok(self.new_exp(ExpKind::Error, span));
            }
            Some(Box::new(second))
        } else {
            None
        };
        let Some(kind) = self.range_kind() else {
            return Err(self.unexpected("a range"));
        };
        self.bump();
        let end = self.right_operand(Range)?;
        let span = start.span.to(end.span);
        let (start, end) = (Box::new(start), Box::new(end));
        Ok(self.new_exp(ExpKind::Range { start, second, kind, end }, span))
    }

    pub(super) fn at_range(&self) -> bool {
        self.next_level() == Some(Range)
    }

    fn range_kind(&self) -> Option<RangeKind> {
        match self.kind() {
            TokenKind::DotDotDot => Some(RangeKind::To),
            TokenKind::DotDotLess => Some(RangeKind::UpTo),
            TokenKind::DotDotGreater => Some(RangeKind::DownTo),
            _ => None,
        }
    }

    /// `e with a[i].b = v`
    fn update(&mut self, updated: Exp) -> Parse<Exp> {
        self.bump();
        let mut steps = Vec::new();
        while self.at_bracket() || self.at_field() || self.at(TokenKind::Dot) {
            let step = if self.eat(TokenKind::Dot) { Step::Field(self.field()?) } else { self.step()? };
            steps.push(step);
        }
        if steps.is_empty() {
            let expected = "a field or an index in brackets";
            return Err(match self.text_of(self.span()) {
                "|" => self.unexpected_with_help(
                    expected,
                    "a case of a `match` begins with `case`: `match x case p -> ..`",
                ),
                _ => self.unexpected(expected),
            });
        }
        self.expect_equals()?;
        let value = self.infix(With.tighter())?;
        let span = updated.span.to(value.span);
        Ok(self.new_exp(ExpKind::Update(Box::new(updated), steps, Box::new(value)), span))
    }
}
