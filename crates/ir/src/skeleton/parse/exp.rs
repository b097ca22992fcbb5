//! Expressions: a word says which, as the printer writes them.

use super::Parser;
use crate::skeleton::{
    ArrayExp, Atom, BinOp, CellExp, Check, ConstId, ControlExp, DimIndex, Exp, FunId, Lambda, LoopForm,
    Operators, Reduction, ScalarExp, TriOp, UnOp, Var,
};
use crate::text::Parse;

impl Parser {
    pub(super) fn exp<O: Operators>(&mut self) -> Parse<Exp<O>> {
        let Some(word) = self.peek_word().map(str::to_string) else {
            return Ok(Exp::Scalar(ScalarExp::Atom(self.atom()?)));
        };
        let at = self.at;
        self.bump();
        if let Some(op) = O::parse(&word, self)? {
            return Ok(Exp::Op(op));
        }
        match word.as_str() {
            "convert" => {
                let from = self.dot_prim()?;
                let to = self.dot_prim()?;
                Ok(Exp::Scalar(ScalarExp::Convert { from, to, value: self.atom()? }))
            }
            "if" => {
                let cond = self.atom()?;
                let then = self.body()?;
                self.expect_word("else")?;
                Ok(Exp::Control(ControlExp::If { cond, then, els: self.body()? }))
            }
            "switch" => {
                let scrutinee = self.atom()?;
                let mut cases = Vec::new();
                while self.eat_word("case") {
                    cases.push((self.integer("the number of a case")?, self.body()?));
                }
                self.expect_word("else")?;
                Ok(Exp::Control(ControlExp::Switch { scrutinee, cases, default: self.body()? }))
            }
            "loop" => {
                let params = self.list(Parser::loop_param)?;
                let form = self.loop_form()?;
                Ok(Exp::Control(ControlExp::Loop { params, form, body: self.body()? }))
            }
            "call" => {
                let fun = FunId(self.id(|ids| &ids.funs, "a function")?);
                Ok(Exp::Control(ControlExp::Call { fun, args: self.atoms()? }))
            }
            "const" => {
                Ok(Exp::Control(ControlExp::Const(ConstId(self.id(|ids| &ids.consts, "a constant")?))))
            }
            "check" => Ok(Exp::Control(ControlExp::Check(self.check()?))),
            "array" => Ok(Exp::Array(ArrayExp::ArrayLit(self.atoms()?))),
            "range" => {
                let prim = self.dot_prim()?;
                let (count, start, step) = (self.atom()?, self.atom()?, self.atom()?);
                Ok(Exp::Array(ArrayExp::Range { prim, count, start, step }))
            }
            "replicate" => Ok(Exp::Array(ArrayExp::Replicate { count: self.atom()?, value: self.atom()? })),
            "index" => Ok(Exp::Array(ArrayExp::Index { array: self.var()?, slice: self.slice()? })),
            "update" => Ok(Exp::Array(ArrayExp::Update {
                array: self.var()?,
                slice: self.slice()?,
                value: self.atom()?,
            })),
            "concat" => Ok(Exp::Array(ArrayExp::Concat { size: self.atom()?, arrays: self.vars()? })),
            "reshape" => {
                let array = self.var()?;
                let old = self.integer("the number of old dimensions")?;
                Ok(Exp::Array(ArrayExp::Reshape { array, old, new: self.atoms()? }))
            }
            "rearrange" => {
                let array = self.var()?;
                let perm = self.list(|parser| parser.integer("the number of a dimension"))?;
                Ok(Exp::Array(ArrayExp::Rearrange { array, perm }))
            }
            "copy" => Ok(Exp::Array(ArrayExp::Copy(self.var()?))),
            "coerce" => Ok(Exp::Array(ArrayExp::Coerce { array: self.var()?, dims: self.dims()? })),
            "flat_index" => {
                let (array, offset) = (self.var()?, self.atom()?);
                Ok(Exp::Array(ArrayExp::FlatIndex { array, offset, dims: self.strided()? }))
            }
            "flat_update" => {
                let (array, offset, strides) = (self.var()?, self.atom()?, self.atoms()?);
                Ok(Exp::Array(ArrayExp::FlatUpdate { array, offset, strides, value: self.var()? }))
            }
            "lengths" => Ok(Exp::Array(ArrayExp::Lengths(self.var()?))),
            "ends" => Ok(Exp::Array(ArrayExp::Ends(self.var()?))),
            "join_rows" => Ok(Exp::Array(ArrayExp::JoinRows(self.var()?))),
            "segment" => Ok(Exp::Array(ArrayExp::Segment { lengths: self.var()?, array: self.var()? })),
            "acc_write" => {
                let (acc, index) = (self.var()?, self.atom()?);
                Ok(Exp::Array(ArrayExp::AccWrite { acc, index, values: self.atoms()? }))
            }
            "region" => Ok(Exp::Cell(CellExp::Region)),
            "alloc" => {
                let region = if self.eat_word("_") { None } else { Some(self.var()?) };
                let (data, constr) = self.constr()?;
                Ok(Exp::Cell(CellExp::Alloc { region, data, constr, fields: self.atoms()? }))
            }
            "null" => Ok(Exp::Cell(CellExp::Null(self.data_id()?))),
            "tag" => Ok(Exp::Cell(CellExp::Tag { cell: self.atom()? })),
            "load" => {
                // The data is that of the cell's type; in the text it is for the reader.
                let (_, constr) = self.constr()?;
                Ok(Exp::Cell(CellExp::Load { cell: self.atom()?, constr }))
            }
            "workers" => Ok(Exp::Scalar(ScalarExp::Workers)),
            "tunable" => Ok(Exp::Scalar(ScalarExp::Tunable(self.integer("the number of a tunable")?))),
            name => {
                if let Some(op) = UnOp::from_name(name) {
                    return Ok(Exp::Scalar(ScalarExp::Un(op, self.dot_prim()?, self.atom()?)));
                }
                if let Some(op) = BinOp::from_name(name) {
                    return Ok(Exp::Scalar(ScalarExp::Bin(op, self.dot_prim()?, self.atom()?, self.atom()?)));
                }
                if let Some(op) = TriOp::from_name(name) {
                    return Ok(Exp::Scalar(ScalarExp::Tri(
                        op,
                        self.dot_prim()?,
                        self.atom()?,
                        self.atom()?,
                        self.atom()?,
                    )));
                }
                self.at = at;
                Ok(Exp::Scalar(ScalarExp::Atom(self.atom()?)))
            }
        }
    }

    fn loop_form<O: Operators>(&mut self) -> Parse<LoopForm<O>> {
        if self.eat_word("for") {
            let var = self.binder()?;
            self.expect('<')?;
            return Ok(LoopForm::For(var, self.atom()?));
        }
        if !self.eat_word("while") {
            return self.expected("`for` or `while`");
        }
        let cond = self.body()?;
        self.expect_word("do")?;
        Ok(LoopForm::While(cond))
    }

    fn check(&mut self) -> Parse<Check> {
        let word = self.peek_word().unwrap_or_default().to_string();
        let at = self.at;
        self.bump();
        match word.as_str() {
            "index" => Ok(Check::Index { index: self.atom()?, length: self.atom()? }),
            "slice" => {
                let (start, count) = (self.atom()?, self.atom()?);
                let (stride, length) = (self.atom()?, self.atom()?);
                Ok(Check::Slice { start, count, stride, length })
            }
            "size" => Ok(Check::Size { expected: self.atom()?, found: self.atom()? }),
            "shape" => Ok(Check::Shape { array: self.var()?, dims: self.dims()? }),
            "nonnegative" => Ok(Check::NonNegative(self.atom()?)),
            "nonzero" => Ok(Check::NonZero(self.dot_prim()?, self.atom()?)),
            "exponent" => Ok(Check::Exponent(self.dot_prim()?, self.atom()?)),
            "range" => {
                let prim = self.dot_prim()?;
                let (start, second) = (self.atom()?, self.atom()?);
                let (end, ok) = (self.atom()?, self.atom()?);
                Ok(Check::Range { prim, start, second, end, ok })
            }
            "segments" => Ok(Check::Segments { lengths: self.var()?, total: self.atom()? }),
            "flat" => {
                let (offset, dims) = (self.atom()?, self.strided()?);
                Ok(Check::Flat { offset, dims, length: self.atom()? })
            }
            "assert" => Ok(Check::Assert { cond: self.atom()?, text: self.quoted()? }),
            "fail" => Ok(Check::Fail { text: self.quoted()? }),
            _ => Err(self.error_at(at, "After `check` stands the name of a check.")),
        }
    }

    // # Parts that several share

    /// The width and the arrays of an operator.
    pub(crate) fn over(&mut self) -> Parse<(Atom, Vec<Var>)> {
        Ok((self.atom()?, self.vars()?))
    }

    pub(crate) fn reduction<O: Operators>(&mut self) -> Parse<Reduction<O>> {
        let commutative = self.eat_word("commutative");
        self.expect_word("neutral")?;
        let neutral = self.atoms()?;
        Ok(Reduction { lambda: self.lambda()?, neutral, commutative })
    }

    pub(crate) fn lambda<O: Operators>(&mut self) -> Parse<Lambda<O>> {
        self.expect('\\')?;
        let params = self.list(Parser::binder)?;
        Ok(Lambda { params, body: self.body()? })
    }

    pub(crate) fn vars(&mut self) -> Parse<Vec<Var>> {
        self.list(Parser::var)
    }

    pub(crate) fn atoms(&mut self) -> Parse<Vec<Atom>> {
        self.list(Parser::atom)
    }

    /// `(n:s, m:t)`
    fn strided(&mut self) -> Parse<Vec<(Atom, Atom)>> {
        self.list(|parser| {
            let count = parser.atom()?;
            parser.expect(':')?;
            Ok((count, parser.atom()?))
        })
    }

    /// `[i, start:count:stride]`
    pub(crate) fn slice(&mut self) -> Parse<Vec<DimIndex>> {
        self.expect('[')?;
        self.until(']', |parser| {
            let first = parser.atom()?;
            if !parser.eat(':') {
                return Ok(DimIndex::Fix(first));
            }
            let count = parser.atom()?;
            parser.expect(':')?;
            Ok(DimIndex::Slice { start: first, count, stride: parser.atom()? })
        })
    }
}
