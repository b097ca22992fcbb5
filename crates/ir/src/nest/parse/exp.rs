//! Expressions: a word says which, as the printer writes them.

use super::Parser;
use crate::nest::{
    Atom, BinOp, Check, ConstId, DimIndex, Exp, FunId, Lambda, LoopForm, Reduction, Sorted, StreamForm,
    TriOp, UnOp, Var,
};
use crate::text::Parse;

impl Parser {
    pub(super) fn exp(&mut self) -> Parse<Exp> {
        let Some(word) = self.peek_word().map(str::to_string) else {
            return Ok(Exp::Atom(self.atom()?));
        };
        let at = self.at;
        self.bump();
        match word.as_str() {
            "convert" => {
                let from = self.dot_prim()?;
                let to = self.dot_prim()?;
                Ok(Exp::Convert { from, to, value: self.atom()? })
            }
            "if" => {
                let cond = self.atom()?;
                let then = self.body()?;
                self.expect_word("else")?;
                Ok(Exp::If { cond, then, els: self.body()? })
            }
            "switch" => {
                let scrutinee = self.atom()?;
                let mut cases = Vec::new();
                while self.eat_word("case") {
                    cases.push((self.integer("the number of a case")?, self.body()?));
                }
                self.expect_word("else")?;
                Ok(Exp::Switch { scrutinee, cases, default: self.body()? })
            }
            "loop" => {
                let params = self.list(Parser::loop_param)?;
                let form = self.loop_form()?;
                Ok(Exp::Loop { params, form, body: self.body()? })
            }
            "call" => {
                let fun = FunId(self.id(|ids| &ids.funs, "a function")?);
                Ok(Exp::Call { fun, args: self.atoms()? })
            }
            "const" => Ok(Exp::Const(ConstId(self.id(|ids| &ids.consts, "a constant")?))),
            "check" => Ok(Exp::Check(self.check()?)),
            "array" => Ok(Exp::ArrayLit(self.atoms()?)),
            "range" => {
                let prim = self.dot_prim()?;
                let (count, start, step) = (self.atom()?, self.atom()?, self.atom()?);
                Ok(Exp::Range { prim, count, start, step })
            }
            "replicate" => Ok(Exp::Replicate { count: self.atom()?, value: self.atom()? }),
            "index" => Ok(Exp::Index { array: self.var()?, slice: self.slice()? }),
            "update" => Ok(Exp::Update { array: self.var()?, slice: self.slice()?, value: self.atom()? }),
            "concat" => Ok(Exp::Concat { size: self.atom()?, arrays: self.vars()? }),
            "reshape" => {
                let array = self.var()?;
                let old = self.integer("the number of old dimensions")?;
                Ok(Exp::Reshape { array, old, new: self.atoms()? })
            }
            "rearrange" => {
                let array = self.var()?;
                let perm = self.list(|parser| parser.integer("the number of a dimension"))?;
                Ok(Exp::Rearrange { array, perm })
            }
            "copy" => Ok(Exp::Copy(self.var()?)),
            "coerce" => Ok(Exp::Coerce { array: self.var()?, dims: self.dims()? }),
            "flat_index" => {
                let (array, offset) = (self.var()?, self.atom()?);
                Ok(Exp::FlatIndex { array, offset, dims: self.strided()? })
            }
            "flat_update" => {
                let (array, offset, strides) = (self.var()?, self.atom()?, self.atoms()?);
                Ok(Exp::FlatUpdate { array, offset, strides, value: self.var()? })
            }
            "lengths" => Ok(Exp::Lengths(self.var()?)),
            "join_rows" => Ok(Exp::JoinRows(self.var()?)),
            "segment" => Ok(Exp::Segment { lengths: self.var()?, array: self.var()? }),
            "map" => {
                let (width, inputs) = self.over()?;
                Ok(Exp::Map { width, inputs, lambda: self.lambda()? })
            }
            "filter" => {
                let (width, inputs) = self.over()?;
                Ok(Exp::Filter { width, inputs, lambda: self.lambda()? })
            }
            "partition" => {
                let (width, inputs) = self.over()?;
                Ok(Exp::Partition { width, inputs, lambda: self.lambda()? })
            }
            "sort" => {
                let (width, keys, wanted) = (self.atom()?, self.var()?, self.sorted()?);
                Ok(Exp::Sort { width, keys, wanted })
            }
            "reduce" => {
                let (width, inputs) = self.over()?;
                Ok(Exp::Reduce { width, inputs, op: self.reduction()? })
            }
            "scan" => {
                let (width, inputs) = self.over()?;
                Ok(Exp::Scan { width, inputs, op: self.reduction()? })
            }
            "fused" => self.fused(),
            "scatter" => {
                let (width, dests) = self.over()?;
                let inputs = self.from()?;
                Ok(Exp::Scatter { width, dests, inputs, lambda: self.lambda()? })
            }
            "hist" => {
                let (width, dests) = self.over()?;
                let (inputs, lambda) = (self.from()?, self.lambda()?);
                self.expect_word("reduce")?;
                Ok(Exp::Hist { width, dests, inputs, lambda, op: self.reduction()? })
            }
            "stream" => {
                let (width, inputs) = self.over()?;
                let form = self.stream_form()?;
                Ok(Exp::Stream { width, inputs, form, lambda: self.lambda()? })
            }
            "acc_stream" => {
                let (width, dests) = self.over()?;
                let inputs = self.from()?;
                let op = if self.peek_word() == Some("do") { None } else { Some(self.reduction()?) };
                self.expect_word("do")?;
                Ok(Exp::AccStream { width, dests, inputs, op, lambda: self.lambda()? })
            }
            "acc_write" => {
                let (acc, index) = (self.var()?, self.atom()?);
                Ok(Exp::AccWrite { acc, index, values: self.atoms()? })
            }
            "region" => Ok(Exp::Region),
            "alloc" => {
                let region = if self.eat_word("_") { None } else { Some(self.var()?) };
                let (data, constr) = self.constr()?;
                Ok(Exp::Alloc { region, data, constr, fields: self.atoms()? })
            }
            "null" => Ok(Exp::Null(self.data_id()?)),
            "tag" => Ok(Exp::Tag { cell: self.atom()? }),
            "load" => {
                // The data is that of the cell's type; in the text it is for the reader.
                let (_, constr) = self.constr()?;
                Ok(Exp::Load { cell: self.atom()?, constr })
            }
            "workers" => Ok(Exp::Workers),
            name => {
                if let Some(op) = UnOp::from_name(name) {
                    return Ok(Exp::Un(op, self.dot_prim()?, self.atom()?));
                }
                if let Some(op) = BinOp::from_name(name) {
                    return Ok(Exp::Bin(op, self.dot_prim()?, self.atom()?, self.atom()?));
                }
                if let Some(op) = TriOp::from_name(name) {
                    return Ok(Exp::Tri(op, self.dot_prim()?, self.atom()?, self.atom()?, self.atom()?));
                }
                self.at = at;
                Ok(Exp::Atom(self.atom()?))
            }
        }
    }

    fn fused(&mut self) -> Parse<Exp> {
        let (width, inputs) = self.over()?;
        let lambda = self.lambda()?;
        let mut scans = Vec::new();
        while self.eat_word("scan") {
            scans.push(self.reduction()?);
        }
        let mut reductions = Vec::new();
        while self.eat_word("reduce") {
            reductions.push(self.reduction()?);
        }
        Ok(Exp::Fused { width, inputs, lambda, scans, reductions })
    }

    fn loop_form(&mut self) -> Parse<LoopForm> {
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

    fn stream_form(&mut self) -> Parse<StreamForm> {
        if self.eat_word("map") {
            return Ok(StreamForm::Map { any_order: self.eat_word("any_order") });
        }
        if self.eat_word("reduce") {
            let any_order = self.eat_word("any_order");
            let op = self.lambda()?;
            self.expect_word("do")?;
            return Ok(StreamForm::Reduce { any_order, op });
        }
        if self.eat_word("seq") {
            return Ok(StreamForm::Seq { init: self.atoms()? });
        }
        self.expected("`map`, `reduce` or `seq`")
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
    fn over(&mut self) -> Parse<(Atom, Vec<Var>)> {
        Ok((self.atom()?, self.vars()?))
    }

    /// What is written into destinations is made of these.
    fn from(&mut self) -> Parse<Vec<Var>> {
        self.expect_word("from")?;
        self.vars()
    }

    fn sorted(&mut self) -> Parse<Sorted> {
        let all = [Sorted::Keys, Sorted::Places, Sorted::Both];
        match all.into_iter().find(|wanted| self.eat_word(wanted.name())) {
            Some(wanted) => Ok(wanted),
            None => self.expected("`keys`, `places` or `both`"),
        }
    }

    fn reduction(&mut self) -> Parse<Reduction> {
        let commutative = self.eat_word("commutative");
        self.expect_word("neutral")?;
        let neutral = self.atoms()?;
        Ok(Reduction { lambda: self.lambda()?, neutral, commutative })
    }

    fn lambda(&mut self) -> Parse<Lambda> {
        self.expect('\\')?;
        let params = self.list(Parser::binder)?;
        Ok(Lambda { params, body: self.body()? })
    }

    fn vars(&mut self) -> Parse<Vec<Var>> {
        self.list(Parser::var)
    }

    fn atoms(&mut self) -> Parse<Vec<Atom>> {
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
    fn slice(&mut self) -> Parse<Vec<DimIndex>> {
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
