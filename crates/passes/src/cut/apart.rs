//! Parts at the same time: the results of each have a place of their own, so that no part waits for another.
//!
//! ```text
//! #[apart]
//! let kept: [n]f32, counts: [parts]i64 = loop (all: *[n]f32 = .., counts: *[parts]i64 = ..) for part: i64 < parts {
//!   ..
//!   let all.2: [n]f32 = update all [from:count:1i64] found
//!   #[note]
//!   let counts.2: [parts]i64 = update counts [part] count
//!   in all.2, counts.2
//! }
//! ```
//!
//! Iterations of such a loop do nothing but write to different places of what the loop carries, so that whoever runs it can have a thread for each device. Rows go to the rows of the result, and what is partial to an
//! array with a place for each part, which is reduced afterwards. What a part keeps goes to the rows that it has; the host notes how many these are, and has them moved together when all are done. A part
//! of a scan reduces what the parts before have in total, which a loop before has computed, with a place for each; where there is one part only, there is nothing to compute.
//!
//! Floats are combined in blocks (`blocks`).
//!
//! What has no place before it is known how long it is, as the elements of rows that parts make with different lengths, is appended: each part keeps its own, and all come together when all are done.

use super::blocks::{AllBlocks, Blocks, before_blocks, in_blocks, is_rounded};
use super::parts::{Parts, reduction, with_rows};
use super::{Division, TaskResults, bin, directive, slice, zeroes};
use crate::nest::subst::Names;
use norn_base::Span;
use norn_ir::nest::grids::{
    APART, APPEND, BRING, NOTE, NOTED, NOTES, OWN_COUNT, OWN_FROM, PART, PROCESSOR, WHOLE,
};
use norn_ir::nest::task::{Join, Task};
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, LoopForm, Param, Prim, Reduction, Stm, Type,
    Var,
};
use std::collections::HashMap;

/// Whether it is known before the parts are run where their results go.
pub(super) fn are_places_known(task: &Task) -> bool {
    let mut results = &task.lambda.body.result[..];
    task.joins.iter().all(|join| {
        let (found, rest) = results.split_at(join.results());
        results = rest;
        match join {
            Join::Kept(_) => are_fewer_than_rows(task, found[0]),
            Join::Rows | Join::Partial(_) => true,
        }
    })
}

/// Whether a part keeps as many as it has rows at most: those that it filters, and not the elements of rows.
fn are_fewer_than_rows(task: &Task, kept: Atom) -> bool {
    let joins_rows = |stm: &Stm| matches!(stm.exp, Exp::Array(ArrayExp::JoinRows(_)));
    !task.lambda.body.stms.iter().any(|stm| joins_rows(stm) && kept == stm.vars[0].into())
}

/// What follows when all parts are done.
pub(super) fn task(
    names: &mut Names,
    out: &mut Vec<Stm>,
    task: &Task,
    division: &Division,
    made: TaskResults,
) -> Vec<Stm> {
    let TaskResults { mut vars, certs, span } = made;
    let totals = totals(names, out, task, division, span);
    let mut these = begin(names, division, span);
    let mut known = &task.lambda.params[2..];
    let mut before_blocks = Vec::new();
    for (carry, totals) in task.carries.iter().zip(totals) {
        let (before, rest) = known.split_at(carry.op.neutral.len());
        match totals {
            Totals::OfParts(totals) => {
                these.before(names, &carry.op, &totals, before);
                before_blocks.push(None);
            }
            Totals::BeforeBlocks(totals) => {
                // Each block begins with what is before it; there is nothing that the part as a whole lacks.
                for (before, neutral) in before.iter().zip(&carry.op.neutral) {
                    these.bind(*before, Exp::atom(*neutral));
                }
                before_blocks.push(Some(totals));
            }
        }
        known = rest;
    }
    let carried = task.lambda.params.len() - 2 - known.len();
    let (lambda, found) = match division.blocks {
        Some(blocks) => {
            let hists = blocks.hists.map(|hists| hists.rows);
            let rows = (blocks.long.rows, blocks.short.rows, hists);
            in_blocks(names, task.lambda.clone(), rows, before_blocks, span)
        }
        None => (task.lambda.clone(), HashMap::new()),
    };
    let block_totals = |atoms: &[Atom]| -> Option<Vec<Var>> {
        atoms.iter().map(|atom| found.get(&atom.var()?).copied()).collect()
    };
    let results = these.portion(names, task, lambda, carried);
    let mut results = &results[..];
    let (mut kept, mut combined) = (Vec::new(), Vec::new());
    for join in &task.joins {
        let (bound, rest) = vars.split_at(join.results());
        let (found, others) = results.split_at(join.results());
        match join {
            Join::Rows => these.rows(names, out, bound[0], found[0]),
            Join::Kept(_) if are_fewer_than_rows(task, found[0]) => {
                kept.push(these.kept_apart(names, out, division, bound, found));
            }
            Join::Kept(_) => these.kept_behind(names, out, bound, found, &[APPEND]),
            Join::Partial(op) => match bound.iter().all(|var| names.ty(*var).is_scalar()) {
                true => match (division.blocks, block_totals(found)) {
                    (Some(AllBlocks { long, .. }), Some(totals)) => {
                        let collected = these.block_totals(names, out, long, &totals);
                        let stm = reduction(long.count, op.clone(), collected, bound.to_vec(), span);
                        these.after.push(stm);
                    }
                    _ => these.reduced(names, out, division.parts, op, bound, found),
                },
                false => {
                    let hists = division.blocks.and_then(|blocks| blocks.hists);
                    combined.push(match (hists, block_totals(found)) {
                        (Some(hists), Some(totals)) => {
                            (op, bound, these.block_totals(names, out, hists, &totals), hists.count)
                        }
                        _ => {
                            let collected = these.collected(names, out, division.parts, found, bound);
                            (op, bound, collected, division.parts.into())
                        }
                    });
                }
            },
        }
        (vars, results) = (rest, others);
    }
    let (stm, mut after) = these.finish(division.parts.into(), certs, division.attrs());
    out.push(stm);
    kept.into_iter().for_each(|kept| kept.together(names, out, division, span));
    for (op, bound, collected, count) in combined {
        after.push(combine(names, op, bound, &collected, count, span));
    }
    after
}

impl Division {
    /// Of loops whose iterations may be run at the same time.
    fn attrs(&self) -> &'static [&'static str] {
        if self.processor_can { &[APART, PROCESSOR] } else { &[APART] }
    }
}

fn begin(names: &mut Names, division: &Division, span: Span) -> Parts {
    let part = names.fresh("part", Type::i64());
    let mut stms = Vec::new();
    let rows = division.rows_of(names, &mut stms, part, span);
    let numbers = [(OWN_FROM, rows.0.into()), (OWN_COUNT, rows.1.into()), (WHOLE, division.width)];
    stms.extend(numbers.map(|(attr, number)| directive(names, attr, number, span)));
    Parts::begin(part, rows, stms, span)
}

/// What is known of a carry before parts are run: arrays that the devices of all parts have.
enum Totals {
    /// The totals of parts. If there is one part, nobody needs it.
    OfParts(Vec<Var>),
    /// What comes before each block.
    BeforeBlocks(Vec<Var>),
}

fn totals(
    names: &mut Names,
    out: &mut Vec<Stm>,
    task: &Task,
    division: &Division,
    span: Span,
) -> Vec<Totals> {
    if task.carries.is_empty() {
        return Vec::new();
    }
    let mut these = begin(names, division, span);
    let mut all = Vec::new();
    for carry in &task.carries {
        let blocks = division.blocks.filter(|_| is_rounded(names, &carry.op));
        all.push(match blocks {
            Some(AllBlocks { short, .. }) => {
                let (lambda, found) =
                    in_blocks(names, carry.total.clone(), (short.rows, short.rows, None), Vec::new(), span);
                let results = these.portion(names, task, lambda, 0);
                let totals = results.iter().filter_map(|atom| found.get(&atom.var()?).copied());
                let totals: Vec<Var> = totals.collect();
                assert_eq!(totals.len(), results.len(), "cut: a total that no block has");
                Totals::BeforeBlocks(these.block_totals(names, out, short, &totals))
            }
            None => {
                let found = these.portion(names, task, carry.total.clone(), 0);
                let like = &carry.op.lambda.params[..carry.op.neutral.len()];
                Totals::OfParts(these.collected(names, out, division.parts, &found, like))
            }
        });
    }
    let mut summed: Atom = division.parts.into();
    if !all.iter().any(|totals| matches!(totals, Totals::BeforeBlocks(_))) {
        let several = names.fresh("several", Type::scalar(Prim::Bool));
        out.push(Stm::new(vec![several], Exp::bin(BinOp::Lt, Prim::I64, Atom::i64(1), summed), span));
        let once = names.fresh("once", Type::i64());
        out.push(Stm::new(vec![once], Exp::convert(Prim::Bool, Prim::I64, several.into()), span));
        summed = bin(names, out, "summed", BinOp::Mul, once.into(), summed, span).into();
    }
    let (stm, _) = these.finish(summed, Vec::new(), division.attrs());
    out.push(stm);
    for (carry, totals) in task.carries.iter().zip(&mut all) {
        if let (Totals::BeforeBlocks(totals), Some(AllBlocks { short, .. })) = (totals, division.blocks) {
            *totals = before_blocks(names, out, &carry.op, totals, short, span);
        }
    }
    // Before one of them is busy, as with all that parts read.
    let part = names.fresh("part", Type::i64());
    let mut stms = vec![directive(names, PART, part.into(), span)];
    let arrays = all.iter().flat_map(|(Totals::OfParts(arrays) | Totals::BeforeBlocks(arrays))| arrays);
    for array in arrays {
        let brought = names.like(&[*array]);
        stms.push(Stm {
            attrs: vec![BRING.to_string()],
            ..Stm::new(brought, Exp::atom((*array).into()), span)
        });
    }
    out.push(for_each(part, summed, Vec::new(), Body { stms, result: Vec::new() }, Vec::new(), span));
    all
}

fn for_each(
    part: Var,
    bound: Atom,
    params: Vec<(Param, Atom)>,
    body: Body,
    vars: Vec<Var>,
    span: Span,
) -> Stm {
    let form = LoopForm::For(part, bound);
    Stm::new(vars, Exp::Control(ControlExp::Loop { params, form, body }), span)
}

/// What parts have kept: the result's variables, the rows in the places of the parts, and how many each part has.
struct KeptApart {
    vars: Vec<Var>,
    all: Vec<Var>,
    counts: Var,
}

impl Parts {
    /// What the parts before have in total.
    fn before(&mut self, names: &mut Names, op: &Reduction, totals: &[Var], before: &[Var]) {
        let mut inputs = Vec::new();
        for total in totals {
            let input = names.fresh("totals", with_rows(names, *total, self.part.into()));
            self.bind(input, Exp::index(*total, slice(Atom::i64(0), self.part.into())));
            inputs.push(input);
        }
        let op = Reduction { lambda: names.copy_lambda(&op.lambda), ..op.clone() };
        self.stms.push(reduction(self.part.into(), op, inputs, before.to_vec(), self.span));
    }

    /// The totals of the blocks of this part go to where those of all blocks are. The arrays behind the loop.
    fn block_totals(
        &mut self,
        names: &mut Names,
        out: &mut Vec<Stm>,
        blocks: Blocks,
        totals: &[Var],
    ) -> Vec<Var> {
        let first =
            bin(names, &mut self.stms, "first", BinOp::Quot, self.from.into(), blocks.rows, self.span);
        let mut collected = Vec::new();
        for totals in totals {
            let count = names.ty(*totals).dims()[0].atom().expect("totals are an array of so many");
            let last =
                self.in_place(names, out, with_rows(names, *totals, blocks.count), |these, names, all| {
                    these.update(names, all, slice(first.into(), count), (*totals).into())
                });
            collected.push(last);
        }
        collected
    }

    fn kept_apart(
        &mut self,
        names: &mut Names,
        out: &mut Vec<Stm>,
        division: &Division,
        vars: &[Var],
        found: &[Atom],
    ) -> KeptApart {
        let mut kept = Vec::new();
        for (var, part) in vars[1..].iter().zip(&found[1..]) {
            let ty = with_rows(names, *var, division.width);
            kept.push(self.in_place(names, out, ty, |these, names, all| {
                these.update(names, all, slice(these.from.into(), found[0]), *part)
            }));
        }
        let ty = Type::i64().array_of(Dim::size(division.parts));
        let [none, all, next, last] =
            ["none", "counts", "counts", "counts"].map(|name| names.fresh(name, ty.clone()));
        let exp = Exp::replicate(division.parts.into(), Atom::i64(0));
        out.push(Stm { attrs: vec![NOTES.to_string()], ..Stm::new(vec![none], exp, self.span) });
        self.params.push((Param::unique(all), none.into()));
        let slice = vec![DimIndex::Fix(self.part.into())];
        let exp = Exp::Array(ArrayExp::Update { array: all, slice, value: found[0] });
        self.stms.push(Stm { attrs: vec![NOTE.to_string()], ..Stm::new(vec![next], exp, self.span) });
        self.next.push(next.into());
        self.bound.push(last);
        KeptApart { vars: vars.to_vec(), all: kept, counts: last }
    }
}

impl KeptApart {
    /// What parts have kept comes together, each where those before end.
    fn together(self, names: &mut Names, out: &mut Vec<Stm>, division: &Division, span: Span) {
        let noted = |names: &mut Names, stms: &mut Vec<Stm>, part: Var| {
            let count = names.fresh("count", Type::i64());
            let exp = Exp::index(self.counts, vec![DimIndex::Fix(part.into())]);
            stms.push(Stm { attrs: vec![NOTED.to_string()], ..Stm::new(vec![count], exp, span) });
            count
        };
        let [part, at] = ["part", "at"].map(|name| names.fresh(name, Type::i64()));
        let mut stms = Vec::new();
        let count = noted(names, &mut stms, part);
        let next = bin(names, &mut stms, "next", BinOp::Add, at.into(), count.into(), span);
        let (params, body) =
            (vec![(Param::plain(at), Atom::i64(0))], Body { stms, result: vec![next.into()] });
        out.push(for_each(part, division.parts.into(), params, body, vec![self.vars[0]], span));

        let [part, at] = ["part", "at"].map(|name| names.fresh(name, Type::i64()));
        let mut stms = Vec::new();
        let (from, _) = division.part(names, &mut stms, part, span);
        let count = noted(names, &mut stms, part);
        let next = bin(names, &mut stms, "next", BinOp::Add, at.into(), count.into(), span);
        let (mut params, mut results) = (vec![(Param::plain(at), Atom::i64(0))], vec![next.into()]);
        for (var, all) in self.vars[1..].iter().zip(&self.all) {
            let ty = names.ty(*var).clone();
            let none = zeroes(names, out, &ty, span);
            let [before, next] = ["all", "all"].map(|name| names.fresh(name, ty.clone()));
            params.push((Param::unique(before), none));
            let rows = names.fresh("rows", with_rows(names, *var, count.into()));
            stms.push(Stm::new(vec![rows], Exp::index(*all, slice(from.into(), count.into())), span));
            let exp =
                ArrayExp::Update { array: before, slice: slice(at.into(), count.into()), value: rows.into() };
            stms.push(Stm::new(vec![next], Exp::Array(exp), span));
            results.push(next.into());
        }
        let mut vars = vec![names.fresh("end", Type::i64())];
        vars.extend(&self.vars[1..]);
        out.push(for_each(part, division.parts.into(), params, Body { stms, result: results }, vars, span));
    }
}

/// Arrays that are partial are combined in the order of parts, or of blocks.
fn combine(names: &mut Names, op: &Reduction, vars: &[Var], all: &[Var], count: Atom, span: Span) -> Stm {
    let part = names.fresh("part", Type::i64());
    let before = names.like(vars);
    let params =
        before.iter().zip(&op.neutral).map(|(var, neutral)| (Param::plain(*var), *neutral)).collect();
    let mut these = Parts::begin(part, (part, part), Vec::new(), span);
    let found = names.like(vars);
    for (found, all) in found.iter().zip(all) {
        these.bind(*found, Exp::index(*all, vec![DimIndex::Fix(part.into())]));
    }
    let args: Vec<Atom> = before.iter().chain(&found).map(|var| (*var).into()).collect();
    let result = these.apply(&op.lambda, &args);
    for_each(part, count, params, Body { stms: these.stms, result }, vars.to_vec(), span)
}
