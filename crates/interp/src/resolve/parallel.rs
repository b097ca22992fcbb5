//! Parallel operators, streams and accumulators: from nest to the interpreter's code.
//!
//! Each operator becomes one instruction with the blocks of its lambdas. A block reads its parameters from places of the
//! frame, into which the instruction puts the element of each input, and leaves its results in other places, from which
//! the instruction takes them. Where the last use of a value lies is decided here, so that the instruction can move rows
//! instead of copying them.
//!
//! Elements are visited in order, and an operator is applied from left to right: that defines the meaning for programs whose
//! operator is not associative after all, or whose scatter writes to one place twice.

use super::{At, Resolver, assign, last_use};
use crate::code::{
    AccOp, AccStream, AccWrite, Bind, Block, Choose, Combine, Fused, Input, Op, Operand, Operator, Out,
    Place, Scan, Scatter, Use,
};
use crate::resolve::live::{Live, Mentions};
use norn_ir::nest::{Atom, Lambda, Reduction, StreamForm, Type, Var};
use std::sync::Arc;

impl Resolver<'_> {
    pub(super) fn map(&mut self, width: Atom, inputs: &[Var], lambda: &Lambda, at: &mut At) {
        self.fused(width, inputs, lambda, &[], &[], at);
    }

    pub(super) fn reduce(&mut self, width: Atom, op: &Reduction, inputs: &[Var], at: &mut At) {
        self.repeat(at, |mentions| mentions.lambda(&op.lambda));
        let operator = self.operator(op, at.live);
        let inputs = self.inputs(inputs, values_of(op), at.live);
        let neutral = self.operands(&op.neutral, at.live);
        let acc = operator.acc.clone();
        at.push_all(neutral.iter().zip(&acc).flat_map(|(operand, place)| assign(*operand, *place)));
        let fused = Fused {
            width: self.word_of(width),
            inputs,
            lambda: Block::empty(),
            scans: Box::new([]),
            reductions: Box::new([operator]),
            outs: Box::new([]),
        };
        at.push(Op::Fused(Box::new(fused)));
        self.deliver(&acc, &at.stm.vars, at);
    }

    pub(super) fn scan(&mut self, width: Atom, op: &Reduction, inputs: &[Var], at: &mut At) {
        self.repeat(at, |mentions| mentions.lambda(&op.lambda));
        let operator = self.operator(op, at.live);
        let inputs = self.inputs(inputs, values_of(op), at.live);
        let neutral = self.operands(&op.neutral, at.live);
        let acc = &operator.acc;
        at.push_all(neutral.iter().zip(acc).flat_map(|(operand, place)| assign(*operand, *place)));
        let scan = self.scan_of(operator, &at.stm.vars, at);
        let fused = Fused {
            width: self.word_of(width),
            inputs,
            lambda: Block::empty(),
            scans: Box::new([scan]),
            reductions: Box::new([]),
            outs: Box::new([]),
        };
        at.push(Op::Fused(Box::new(fused)));
    }

    pub(super) fn fused(
        &mut self,
        width: Atom,
        inputs: &[Var],
        lambda: &Lambda,
        scans: &[Reduction],
        reductions: &[Reduction],
        at: &mut At,
    ) {
        self.repeat(at, |mentions| {
            mentions.lambda(lambda);
            scans.iter().chain(reductions).for_each(|op| mentions.lambda(&op.lambda));
        });
        let scans_ops: Vec<Operator> = scans.iter().map(|op| self.operator(op, at.live)).collect();
        let reduction_ops: Vec<Operator> = reductions.iter().map(|op| self.operator(op, at.live)).collect();

        // The first results of the lambda are operands of the operators, the others rows of arrays.
        let values: Vec<Var> =
            scans.iter().chain(reductions).flat_map(|op| values_of(op).iter().copied()).collect();
        let (operands, rows) = lambda.body.result.split_at(values.len());
        let mut vars = &at.stm.vars[..];
        let mut take = |count: usize| {
            let (first, rest) = vars.split_at(count);
            vars = rest;
            first
        };
        let scan_vars: Vec<&[Var]> = scans.iter().map(|op| take(self.arrays_of(values_of(op)))).collect();
        let reduction_vars: Vec<&[Var]> = reduction_ops.iter().map(|op| take(op.acc.len())).collect();
        let row_vars = vars;

        let mut inner = at.live.clone();
        let (pack, outs) = self.packed_rows(rows, row_vars, &mut inner);
        let operands = self.operands(operands, &mut inner);
        let tail = operands.iter().zip(&values).flat_map(|(operand, var)| assign(*operand, self.place(*var)));
        let tail = tail.chain(pack).collect();
        let ops = self.body(&lambda.body, &mut inner, tail);
        let block = self.block(&lambda.params, &inner, ops);

        let inputs = self.inputs(inputs, &lambda.params, at.live);
        let neutral: Vec<Atom> = scans.iter().chain(reductions).flat_map(|op| op.neutral.clone()).collect();
        let neutral = self.operands(&neutral, at.live);
        let accs = scans_ops.iter().chain(&reduction_ops).flat_map(|op| op.acc.iter().copied());
        at.push_all(neutral.iter().zip(accs).flat_map(|(operand, place)| assign(*operand, place)));
        let mut scan_blocks = Vec::new();
        for (op, vars) in scans_ops.into_iter().zip(scan_vars) {
            scan_blocks.push(self.scan_of(op, vars, at));
        }
        let accs: Vec<Box<[Place]>> = reduction_ops.iter().map(|op| op.acc.clone()).collect();
        let fused = Fused {
            width: self.word_of(width),
            inputs,
            lambda: block,
            scans: scan_blocks.into(),
            reductions: reduction_ops.into(),
            outs,
        };
        at.push(Op::Fused(Box::new(fused)));
        for (acc, vars) in accs.iter().zip(reduction_vars) {
            self.deliver(acc, vars, at);
        }
    }

    /// Given what is needed after the statement and by all its lambdas.
    pub(super) fn operator(&mut self, op: &Reduction, live: &Live) -> Operator {
        let (acc, value) = op.lambda.params.split_at(op.lambda.params.len() / 2);
        let (acc, value) = (self.dsts(acc), self.dsts(value));
        let mut inner = live.clone();
        let results = self.operands(&op.lambda.body.result, &mut inner);
        let tail = self.assign_all(&results, &acc);
        let ops = self.body(&op.lambda.body, &mut inner, tail);
        let block = self.block(&op.lambda.params, &inner, ops);
        Operator { block, acc, value, commutative: op.commutative }
    }

    /// A scan into these arrays. What is accumulated at the end is dropped. The length that stands
    /// before a row of an irregular array is known from the row.
    fn scan_of(&mut self, op: Operator, vars: &[Var], at: &mut At) -> Scan {
        let mut outs = Vec::new();
        let mut acc = op.acc.iter();
        for var in vars {
            let length = if self.ty(*var).has_irregular_rows() { acc.next() } else { None };
            let kept = match acc.next().or(length) {
                Some(Place::Word(place)) => Operand::Word(*place),
                Some(Place::Object(place)) => {
                    at.dead.push(*place);
                    Operand::Object(Use { place: *place, last: false })
                }
                Some(Place::Nothing) | None => panic!("a scan accumulates a row of each array"),
            };
            outs.push((kept, self.out(*var)));
        }
        Scan { op, outs: outs.into() }
    }

    fn deliver(&mut self, acc: &[Place], vars: &[Var], at: &mut At) {
        let dsts = self.dsts(vars);
        at.push_all(acc.iter().zip(dsts).flat_map(|(place, dst)| assign(last_use(*place), dst)));
    }

    /// How many of the variables of an operator's operand are not lengths of rows.
    fn arrays_of(&self, vars: &[Var]) -> usize {
        vars.len() - vars.windows(2).filter(|pair| self.is_length(pair[0], pair[1])).count()
    }

    /// Whether a parameter is the length of the row after it.
    fn is_length(&self, var: Var, row: Var) -> bool {
        self.ty(row).dims().first().and_then(|dim| dim.atom()) == Some(var.into())
    }

    /// Results of a lambda that are rows of these arrays, and what makes them such rows.
    fn packed_rows(
        &mut self,
        results: &[Atom],
        vars: &[Var],
        live: &mut Live,
    ) -> (Vec<Op>, Box<[(Operand, Out)]>) {
        let operands = self.operands(results, live);
        let (mut ops, mut outs) = (Vec::new(), Vec::new());
        for ((operand, result), var) in operands.into_iter().zip(results).zip(vars) {
            let expected = self.ty(*var).row().unwrap_or_else(|| panic!("{} is no array", self.name(*var)));
            let (op, packed) = self.packed(operand, *result, &expected);
            ops.extend(op);
            outs.push((packed, self.out(*var)));
        }
        (ops, outs.into())
    }

    /// What takes the elements of arrays.
    fn binds(&self, arrays: &[Var], params: &[Var]) -> Box<[Bind]> {
        let mut params = params.iter();
        let mut next = || *params.next().expect("a lambda has a parameter for each input");
        let bind = |array: &Var| {
            let ty = self.ty(*array);
            if ty.rank() == 1 {
                Bind::Word(self.word(next()))
            } else if ty.has_irregular_rows() {
                Bind::Entry { length: self.word(next()), row: self.object(next()) }
            } else {
                Bind::Row(self.object(next()))
            }
        };
        arrays.iter().map(bind).collect()
    }

    fn inputs(&mut self, arrays: &[Var], params: &[Var], live: &mut Live) -> Box<[Input]> {
        let binds = self.binds(arrays, params);
        let uses = self.uses(arrays, live);
        uses.iter().zip(binds).map(|(array, bind)| Input { array: *array, bind }).collect()
    }

    pub(super) fn choose(
        &mut self,
        width: Atom,
        inputs: &[Var],
        lambda: &Lambda,
        keep_rest: bool,
        at: &mut At,
    ) {
        self.repeat(at, |mentions| mentions.lambda(lambda));
        let mut inner = at.live.clone();
        let holds = self.word_of(lambda.body.result[0]);
        let (pack, outs) = self.packed_rows(&lambda.body.result[1..], &at.stm.vars[1..], &mut inner);
        let ops = self.body(&lambda.body, &mut inner, pack);
        let block = self.block(&lambda.params, &inner, ops);
        let choose = Choose {
            width: self.word_of(width),
            inputs: self.inputs(inputs, &lambda.params, at.live),
            lambda: block,
            holds,
            keep_rest,
            count: self.word(at.stm.vars[0]),
            outs,
        };
        at.push(Op::Choose(Box::new(choose)));
    }

    pub(super) fn scatter(
        &mut self,
        width: Atom,
        dests: &[Var],
        op: Option<&Reduction>,
        inputs: &[Var],
        lambda: &Lambda,
        at: &mut At,
    ) {
        self.repeat(at, |mentions| {
            mentions.lambda(lambda);
            op.iter().for_each(|op| mentions.lambda(&op.lambda));
        });
        let op = op.map(|op| self.combine(op, at.live));
        let (indices, rows) = lambda.body.result.split_at(lambda.body.result.len() - dests.len());
        let mut inner = at.live.clone();
        let operands = self.operands(rows, &mut inner);
        let (mut pack, mut values) = (Vec::new(), Vec::new());
        for ((operand, row), dest) in operands.into_iter().zip(rows).zip(dests) {
            let ty = self.ty(*dest);
            let expected = ty.with_dims(ty.dims()[indices.len()..].to_vec());
            let (op, value) = self.packed(operand, *row, &expected);
            pack.extend(op);
            values.push(value);
        }
        let ops = self.body(&lambda.body, &mut inner, pack);
        let lambda_block = self.block(&lambda.params, &inner, ops);
        let scatter = Scatter {
            width: self.word_of(width),
            inputs: self.inputs(inputs, &lambda.params, at.live),
            dests: self.uses(dests, at.live),
            lambda: lambda_block,
            indices: indices.iter().map(|index| self.word_of(*index)).collect(),
            values: values.into(),
            op,
            dsts: at.stm.vars.iter().map(|var| self.object(*var)).collect(),
        };
        at.push(Op::Scatter(Box::new(scatter)));
    }

    /// How rows of arrays are combined.
    fn combine(&mut self, op: &Reduction, live: &Live) -> Combine {
        let (acc, value) = op.lambda.params.split_at(op.lambda.params.len() / 2);
        let (acc, value) = (self.row_binds(acc), self.row_binds(value));
        let is_word = |bind: &Bind| match bind {
            Bind::Word(_) => true,
            Bind::Row(_) | Bind::Entry { .. } => false,
        };
        let neutral = (self.is_free && acc.iter().all(is_word))
            .then(|| op.neutral.iter().map(|atom| self.word_of(*atom)).collect());
        Combine { acc, value, neutral, block: self.operator(op, live).block }
    }

    /// As `binds`, for arrays of which several dimensions may be indexed at once: what remains is what a
    /// parameter's type says.
    fn row_binds(&self, params: &[Var]) -> Box<[Bind]> {
        let mut binds = Vec::new();
        let mut rest = params;
        while let [param, after @ ..] = rest {
            rest = after;
            match (self.place(*param), after) {
                (Place::Word(length), [row, after @ ..]) if self.is_length(*param, *row) => {
                    binds.push(Bind::Entry { length, row: self.object(*row) });
                    rest = after;
                }
                (Place::Word(place), _) => binds.push(Bind::Word(place)),
                (Place::Object(place), _) => binds.push(Bind::Row(place)),
                (Place::Nothing, _) => panic!("a certificate is no element"),
            }
        }
        binds.into()
    }

    /// All of the input is one chunk, so that a stream is its lambda.
    pub(super) fn stream(
        &mut self,
        width: Atom,
        form: &StreamForm,
        inputs: &[Var],
        lambda: &Lambda,
        at: &mut At,
    ) {
        let init: &[Atom] = match form {
            StreamForm::Map { any_order: _ } | StreamForm::Reduce { any_order: _, op: _ } => &[],
            StreamForm::Seq { init } => init,
        };
        let dsts = self.dsts(&at.stm.vars);
        let results = self.operands(&lambda.body.result, at.live);
        let tail = results.iter().zip(dsts).flat_map(|(result, dst)| assign(*result, dst)).collect();
        let ops = self.body(&lambda.body, at.live, tail);
        let entry = self.enter(&lambda.params, at.live);
        lambda.params.iter().for_each(|param| at.live.remove(*param));
        let chunks: Vec<Atom> = inputs.iter().map(|input| (*input).into()).collect();
        let args: Vec<Atom> = [width].iter().chain(init).chain(&chunks).copied().collect();
        let args = self.operands(&args, at.live);
        let params = self.dsts(&lambda.params);
        at.push_all(args.iter().zip(params).flat_map(|(arg, param)| assign(*arg, param)));
        at.ops.extend(entry);
        at.ops.extend(ops);
    }

    pub(super) fn acc_stream(
        &mut self,
        width: Atom,
        dests: &[Var],
        op: Option<&Reduction>,
        inputs: &[Var],
        lambda: &Lambda,
        at: &mut At,
    ) {
        self.repeat(at, |mentions| {
            mentions.lambda(lambda);
            op.iter().for_each(|op| mentions.lambda(&op.lambda));
        });
        let op = op.map(|op| {
            let captured = self.captured(&op.lambda);
            Arc::new(AccOp { combine: self.combine(op, at.live), captured })
        });
        let mut inner = at.live.clone();
        let ops = self.body(&lambda.body, &mut inner, Vec::new());
        let block = self.block(&lambda.params, &inner, ops);
        let inputs = self.inputs(inputs, &lambda.params[1..], at.live);
        let stream = AccStream {
            width: self.word_of(width),
            dests: self.uses(dests, at.live),
            op,
            inputs,
            acc: self.object(lambda.params[0]),
            lambda: block,
            dsts: at.stm.vars.iter().map(|var| self.object(*var)).collect(),
        };
        at.push(Op::AccStream(Box::new(stream)));
    }

    /// The objects around a lambda that it may use: arrays it mentions, and all regions.
    fn captured(&self, lambda: &Lambda) -> Box<[u32]> {
        let mut mentions = Mentions::none(self.fun.vars.len());
        mentions.lambda(lambda);
        let mut captured: Vec<u32> = Vec::new();
        let object = |var: Var| match self.place(var) {
            Place::Object(place) => Some(place),
            Place::Word(_) | Place::Nothing => None,
        };
        captured.extend(mentions.free().into_iter().filter_map(object));
        let vars = (0..self.fun.vars.len()).map(|i| Var(i as u32));
        captured.extend(vars.filter(|var| *self.ty(*var) == Type::Region).filter_map(object));
        captured.into()
    }

    pub(super) fn acc_write(&mut self, acc: Var, index: Atom, values: &[Atom], at: &mut At) {
        let values = self.operands(values, at.live).into();
        let write = AccWrite {
            dst: self.object(at.stm.vars[0]),
            acc: self.use_of(acc, at.live),
            index: self.word_of(index),
            values,
        };
        at.push(Op::AccWrite(Box::new(write)));
    }
}

/// The variables of an operator's second operand.
fn values_of(op: &Reduction) -> &[Var] {
    &op.lambda.params[op.lambda.params.len() / 2..]
}
