//! Statements.

use super::Parser;
use super::exp::Target;
use crate::imp::{Accumulator, Block, ConstId, DeviceStmt, FunId, KernelId, LoopForm, Split, Stmt, Var};
use crate::text::Parse;
use crate::text::lexer::Token;

impl Parser {
    /// `{`, statements, `}`
    pub(super) fn block(&mut self) -> Parse<Block> {
        self.nested(|parser| {
            parser.expect('{')?;
            let mut stmts = Vec::new();
            while !parser.eat('}') {
                stmts.push(parser.stmt()?);
            }
            Ok(stmts)
        })
    }

    pub(super) fn stmt(&mut self) -> Parse<Stmt> {
        let word = self.peek_word().unwrap_or_default().to_string();
        let at = self.at;
        self.bump();
        match word.as_str() {
            "copy" => {
                let elem = self.dot_elem()?;
                let [to, from, count] = self.exactly()?;
                Ok(Stmt::Copy { elem, to, from, count })
            }
            "retain" => {
                let [block] = self.exactly()?;
                Ok(Stmt::Retain(block))
            }
            "release" => {
                let [block] = self.exactly()?;
                Ok(Stmt::Release(block))
            }
            "end_region" => {
                let [region] = self.exactly()?;
                Ok(Stmt::RegionEnd(region))
            }
            "show" => {
                let [words, count] = self.exactly()?;
                Ok(Stmt::Show { words, count })
            }
            "if" => self.if_(),
            "switch" => {
                let scrutinee = self.exp()?;
                let mut cases = Vec::new();
                while self.eat_word("case") {
                    cases.push((self.integer("the number of a case")?, self.block()?));
                }
                self.expect_word("else")?;
                Ok(Stmt::Switch { scrutinee, cases, default: self.block()? })
            }
            "for" => {
                let var = self.binder()?;
                self.expect('=')?;
                let from = self.exp()?;
                self.dots()?;
                let to = self.exp()?;
                let form = self.loop_form()?;
                Ok(Stmt::For { var, from, to, form, body: self.block()? })
            }
            "while" => {
                let before = if self.is('{') { self.block()? } else { Block::new() };
                let cond = self.exp()?;
                Ok(Stmt::While { before, cond, body: self.block()? })
            }
            "call" => self.call(Vec::new()),
            "const" => self.const_(Vec::new()),
            "launch" => self.launch(),
            "await" => {
                let [ptr, index] = self.exactly()?;
                Ok(Stmt::Await { ptr, index })
            }
            "signal" => {
                let [ptr, index] = self.exactly()?;
                Ok(Stmt::Signal { ptr, index })
            }
            "fail" => {
                let operands = self.exps()?;
                Ok(Stmt::Fail { operands, site: self.site()? })
            }
            _ => match self.device_action(&word)? {
                Some(stmt) => Ok(stmt),
                None => {
                    self.at = at;
                    self.assignment()
                }
            },
        }
    }

    fn if_(&mut self) -> Parse<Stmt> {
        self.nested(|parser| {
            let cond = parser.exp()?;
            let then = parser.block()?;
            let els = if !parser.eat_word("else") {
                Block::new()
            } else if parser.eat_word("if") {
                vec![parser.if_()?]
            } else {
                parser.block()?
            };
            Ok(Stmt::If { cond, then, els })
        })
    }

    fn loop_form(&mut self) -> Parse<LoopForm> {
        if self.eat_word("independent") {
            return Ok(LoopForm::Independent);
        }
        if !self.eat_word("reduce") {
            return Ok(LoopForm::Plain);
        }
        let accs = self.list(|parser| {
            let op = parser.bin_op()?;
            let prim = parser.dot_prim()?;
            let var = parser.var()?;
            parser.expect_word("neutral")?;
            match parser.constant()? {
                Some(neutral) => Ok(Accumulator { var, op, prim, neutral }),
                None => parser.expected("a constant"),
            }
        })?;
        Ok(LoopForm::Reduce(accs))
    }

    fn call(&mut self, results: Vec<Var>) -> Parse<Stmt> {
        let fun = FunId(self.id(|ids| &ids.funs, "a function")?);
        let args = self.exps()?;
        Ok(Stmt::Call { fun, args, results, site: self.site()? })
    }

    fn const_(&mut self, results: Vec<Var>) -> Parse<Stmt> {
        let id = ConstId(self.id(|ids| &ids.consts, "a constant")?);
        Ok(Stmt::Const { id, results, site: self.site()? })
    }

    fn launch(&mut self) -> Parse<Stmt> {
        let kernel = KernelId(self.id(|ids| &ids.kernels, "a kernel")?);
        let args = self.exps()?;
        self.expect_word("over")?;
        let width = self.exp()?;
        self.expect_word("in")?;
        let chunks = self.exp()?;
        let split = if self.eat_word("by") {
            Split::ByOffsets(self.exp()?)
        } else if self.eat_word("ordered") {
            Split::Ordered
        } else if self.eat_word("parts") {
            Split::Parts { wait: self.eat_word("wait") }
        } else {
            Split::Even
        };
        Ok(Stmt::Launch { kernel, args, width, chunks, split, site: self.site()? })
    }

    /// `x = ..`, `x: TYPE, y: TYPE = ..`, or `ptr[index].elem = ..`
    fn assignment(&mut self) -> Parse<Stmt> {
        if self.is_binder() {
            let results = self.until('=', Parser::binder)?;
            return self.assigned(results);
        }
        let at = self.at;
        let target = match Target::of(self.operand()?) {
            Some(target) => target,
            None => return Err(self.error_at(at, "This is no statement.")),
        };
        self.expect('=')?;
        let value = self.exp()?;
        Ok(match target {
            Target::Element { elem, ptr, index } => Stmt::Store { elem, ptr, index, value },
            Target::Lanes { prim, ptr, index, mask } => Stmt::StoreLanes { prim, ptr, index, value, mask },
            Target::Each { prim, ptr, index, mask } => Stmt::Scatter { prim, ptr, index, value, mask },
        })
    }

    /// Whether a variable comes next that is assigned.
    fn is_binder(&self) -> bool {
        let after = if self.is('%') { self.at + 2 } else { self.at + 1 };
        let after = self.tokens.get(after).map(|placed| &placed.token);
        matches!(self.peek(), Token::Name { .. } | Token::Punct('%'))
            && matches!(after, Some(Token::Punct('=' | ':' | ',')))
    }

    fn assigned(&mut self, results: Vec<Var>) -> Parse<Stmt> {
        if self.eat_word("call") {
            return self.call(results);
        }
        if self.eat_word("const") {
            return self.const_(results);
        }
        if self.eat_word("read") {
            return self.read(results);
        }
        if let [ptr, block] = results[..]
            && self.eat_word("cell_place")
        {
            let [region, cell] = self.exactly()?;
            let stmt = DeviceStmt::CellPlace { ptr, block, region, cell, site: self.site()? };
            return Ok(Stmt::Device(stmt));
        }
        let [var] = results[..] else {
            return self.expected("`call`, `const` or `read`, since there are several variables,");
        };
        if self.eat_word("alloc") {
            let [bytes] = self.exactly()?;
            return Ok(Stmt::Alloc { block: var, bytes, site: self.site()? });
        }
        if self.eat_word("new_region") {
            return Ok(Stmt::RegionNew(var));
        }
        if self.eat_word("new_cell") {
            let [region, words] = self.exactly()?;
            return Ok(Stmt::CellNew { cell: var, region, words, site: self.site()? });
        }
        match self.device_assigned(var)? {
            Some(stmt) => Ok(stmt),
            None => Ok(Stmt::Set(var, self.exp()?)),
        }
    }
}
