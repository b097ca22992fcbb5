//! Parses expressions of imp. There is at most one operator between two operands; more need parentheses, so that the text needs no precedence.
//!
//! ```text
//! x + y      (a *.f32 b) +.f32 c      xs[i].f32      &xs[i].f32      xs[each is where mask].f32
//! ```
//!
//! Without a type suffix, arithmetic and comparisons are of `i64`, `&` and `|` of `bool`, and numbers are `i64`. The printer writes the same, so that parsing a printed program gives it back.

use super::Parser;
use crate::imp::names::INFIX;
use crate::imp::{BinOp, Elem, Exp, GroupExp, Prim, Scalar, TriOp, UnOp};
use crate::text::Parse;
use crate::text::lexer::Token;

impl Parser {
    pub(super) fn exp(&mut self) -> Parse<Exp> {
        let x = self.operand()?;
        let Some((op, prim)) = self.infix()? else {
            return Ok(x);
        };
        let y = self.operand()?;
        Ok(Exp::bin(op, prim, x, y))
    }

    /// An operator between operands, with its type: `+`, `+.f32`.
    fn infix(&mut self) -> Parse<Option<(BinOp, Prim)>> {
        // Those of two characters come before those that begin like them.
        for (op, symbol, plain) in INFIX {
            let mut chars = symbol.chars();
            let first = chars.next().is_some_and(|c| self.is(c));
            let second = chars.next().is_none_or(|c| *self.second() == Token::Punct(c));
            if first && second {
                self.at += symbol.len();
                let suffixed = self.is('.');
                return Ok(Some((op, if suffixed { self.dot_prim()? } else { plain })));
            }
        }
        Ok(None)
    }

    pub(super) fn operand(&mut self) -> Parse<Exp> {
        self.nested(|parser| {
            if parser.eat('!') {
                return Ok(Exp::un(UnOp::Not, Prim::Bool, parser.operand()?));
            }
            let at = parser.at;
            if parser.eat('&') {
                return match parser.operand()? {
                    Exp::Load { elem, ptr, index } => Ok(Exp::Offset { elem, ptr, index }),
                    _ => Err(parser.error_at(at, "After `&` stands the place of one element: `&xs[i].f32`.")),
                };
            }
            let mut exp = parser.primary()?;
            while parser.eat('[') {
                exp = parser.element(exp)?;
            }
            Ok(exp)
        })
    }

    /// What follows `ptr[`.
    fn element(&mut self, ptr: Exp) -> Parse<Exp> {
        if self.eat_word("each") {
            let index = self.exp()?;
            let mask = self.mask()?;
            self.expect(']')?;
            return Ok(Exp::gather(self.dot_prim()?, ptr, index, mask));
        }
        let index = self.exp()?;
        if self.is_dots() {
            self.dots()?;
            let mask = self.mask()?;
            self.expect(']')?;
            self.expect('.')?;
            // What is stored has as many lanes as it has.
            let (prim, lanes) = match self.peek_word().and_then(Prim::from_name) {
                Some(prim) => {
                    self.bump();
                    (prim, 0)
                }
                None => self.vector()?,
            };
            return Ok(Exp::load_lanes(prim, lanes, ptr, index, mask));
        }
        self.expect(']')?;
        Ok(Exp::load(self.dot_elem()?, ptr, index))
    }

    fn mask(&mut self) -> Parse<Option<Exp>> {
        if self.eat_word("where") { Ok(Some(self.exp()?)) } else { Ok(None) }
    }

    fn primary(&mut self) -> Parse<Exp> {
        if self.eat('(') {
            let exp = self.exp()?;
            self.expect(')')?;
            return Ok(exp);
        }
        if let Some(scalar) = self.constant()? {
            return Ok(Exp::Const(scalar));
        }
        let Some(word) = self.peek_word().map(str::to_string) else {
            return Ok(Exp::Var(self.var()?));
        };
        let at = self.at;
        self.bump();
        match word.as_str() {
            "convert" => {
                let (from, to) = (self.dot_prim()?, self.dot_prim()?);
                Ok(Exp::Convert { from, to, value: self.one()? })
            }
            "select" => {
                let [cond, x, y] = self.three()?;
                Ok(Exp::Select(cond, x, y))
            }
            "cast" => Ok(Exp::Cast(self.dot_elem()?, self.one()?)),
            "null" => {
                self.expect('(')?;
                let ty = self.ty()?;
                self.expect(')')?;
                Ok(Exp::Null(ty))
            }
            "data" => Ok(Exp::Data(self.dot_elem()?, self.one()?)),
            "remote" => Ok(Exp::Remote(self.dot_elem()?, self.one()?)),
            "cell" => {
                let [region, cell] = self.two()?;
                Ok(Exp::Cell { region, cell })
            }
            "cell_block" => {
                let [region, cell] = self.two()?;
                Ok(Exp::CellBlock { region, cell })
            }
            "capacity" => Ok(Exp::Capacity(self.one()?)),
            "static_data" => {
                let prim = self.dot_prim()?;
                let mut values = Vec::new();
                self.expect('(')?;
                while !self.eat(')') {
                    match self.constant()? {
                        Some(value) => values.push(value),
                        None => return self.expected("a constant"),
                    }
                    if !self.eat(',') {
                        self.expect(')')?;
                        break;
                    }
                }
                Ok(Exp::Table(prim, values.into()))
            }
            "splat" => {
                self.expect('(')?;
                let lanes = self.integer("a number of lanes")?;
                self.expect(',')?;
                let value = self.exp()?;
                self.expect(')')?;
                Ok(Exp::splat(lanes, value))
            }
            "lanes" => {
                self.expect('.')?;
                let (prim, lanes) = self.vector()?;
                Ok(Exp::Lanes(prim, lanes))
            }
            "lane" => {
                let [vector, lane] = self.two()?;
                Ok(Exp::Lane(vector, lane))
            }
            "combine" => {
                self.expect('.')?;
                let op = self.bin_op()?;
                Ok(Exp::Combine(op, self.dot_prim()?, self.one()?))
            }
            "any" => Ok(Exp::Any(self.one()?)),
            "workers" => Ok(Exp::Workers),
            "chunks" => {
                let [width, work] = self.two()?;
                Ok(Exp::Chunks { width, work })
            }
            "device_groups" => Ok(Exp::DeviceGroups),
            "device_pool" => Ok(Exp::DevicePool),
            "tunable" => {
                self.expect('(')?;
                let number = self.integer("the number of a tunable")?;
                self.expect(')')?;
                Ok(Exp::Tunable(number))
            }
            "this_thread" => Ok(Exp::Group(GroupExp::Thread)),
            "this_group" => Ok(Exp::Group(GroupExp::Group)),
            "group_count" => Ok(Exp::Group(GroupExp::Groups)),
            name => {
                if let Some(op) = UnOp::from_name(name) {
                    return Ok(Exp::Un(op, self.dot_prim()?, self.one()?));
                }
                if let Some(op) = BinOp::from_name(name) {
                    let prim = self.dot_prim()?;
                    let [x, y] = self.two()?;
                    return Ok(Exp::Bin(op, prim, x, y));
                }
                if let Some(op) = TriOp::from_name(name) {
                    let prim = self.dot_prim()?;
                    let [x, y, z] = self.three()?;
                    return Ok(Exp::Tri(op, prim, x, y, z));
                }
                self.at = at;
                Ok(Exp::Var(self.var()?))
            }
        }
    }

    /// A number without suffix is an `i64`.
    pub(super) fn constant(&mut self) -> Parse<Option<Scalar>> {
        if let Token::Number(text) = self.peek()
            && let Ok(value) = text.parse()
        {
            self.bump();
            return Ok(Some(Scalar::I64(value)));
        }
        self.scalar()
    }

    pub(super) fn bin_op(&mut self) -> Parse<BinOp> {
        match self.peek_word().and_then(BinOp::from_name) {
            Some(op) => {
                self.bump();
                Ok(op)
            }
            None => self.expected("an operator on two operands"),
        }
    }

    // # Operands in parentheses

    pub(super) fn exps(&mut self) -> Parse<Vec<Exp>> {
        self.list(Parser::exp)
    }

    pub(super) fn exactly<const N: usize>(&mut self) -> Parse<[Exp; N]> {
        let at = self.at;
        let exps = self.exps()?;
        exps.try_into().map_err(|_| self.error_at(at, format!("Expected {N} operands here.")))
    }

    fn one(&mut self) -> Parse<Box<Exp>> {
        let [x] = self.exactly()?;
        Ok(Box::new(x))
    }

    fn two(&mut self) -> Parse<[Box<Exp>; 2]> {
        Ok(self.exactly::<2>()?.map(Box::new))
    }

    fn three(&mut self) -> Parse<[Box<Exp>; 3]> {
        Ok(self.exactly::<3>()?.map(Box::new))
    }
}

/// A place of elements that an expression reads, as a statement writes there.
pub(super) enum Target {
    Element { elem: Elem, ptr: Exp, index: Exp },
    Lanes { prim: Prim, ptr: Exp, index: Exp, mask: Option<Exp> },
    Each { prim: Prim, ptr: Exp, index: Exp, mask: Option<Exp> },
}

impl Target {
    pub(super) fn of(exp: Exp) -> Option<Target> {
        match exp {
            Exp::Load { elem, ptr, index } => Some(Target::Element { elem, ptr: *ptr, index: *index }),
            Exp::LoadLanes { prim, lanes: 0, ptr, index, mask } => {
                Some(Target::Lanes { prim, ptr: *ptr, index: *index, mask: mask.map(|mask| *mask) })
            }
            Exp::Gather { prim, ptr, index, mask } => {
                Some(Target::Each { prim, ptr: *ptr, index: *index, mask: mask.map(|mask| *mask) })
            }
            _ => None,
        }
    }
}
