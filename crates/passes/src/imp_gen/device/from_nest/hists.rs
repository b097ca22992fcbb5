//! Histograms: columns that have nothing to do with each other may take different lines, and what costs more than a little is computed once.
//!
//! ```text
//! hist n (sums, counts) \(a, b, x, y) { a + x, b + y } (xs) \(x: f32) { .. in i, y, 1i32 }
//!
//! is, ys = grid (i < n |) { .. in i, y } map                     unless that is little
//! grid (| i < n) { in is[i], ys[i] } hist .. into (sums) how hist.decks
//! grid (| i < n) { in is[i], 1i32 } hist .. into (counts) how hist.atomic
//! ```
//!
//! Columns of one line stay together, if their rows are alike: elements are read, or sorted, once for all of them.

use super::super::hist::operator::line_of;
use super::super::kernel::Kernel;
use super::super::map::is_little;
use super::{KernelBuilder, whole};
use crate::imp_gen::operators::sort::rank::bits_of;
use crate::nest::mentions;
use norn_ir::flat::{Extent, How, Level, Line, Out, SpaceDim, Tunable};
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    Atom, BinOp, Body, Dim, DimIndex, Exp, Lambda, Prim, Reduction, ScalarExp, Stm, Type, UnOp, Var, VarInfo,
};

/// How many copies of the bins there are at most.
const DECKS: i64 = 1 << 13;
/// How many elements that are sorted by bin a thread combines.
const SORTED: i64 = 16;
/// How often all elements of a histogram are gone through at most.
const PASSES: i64 = 4;

pub struct Hists {
    /// A map that comes first, and the arrays that it makes.
    pub stored: Option<(Kernel, Vec<Var>)>,
    /// Each with the numbers of its columns.
    pub kernels: Vec<(Kernel, Vec<usize>)>,
}

/// Columns that are combined by one kernel.
struct HistGroup {
    columns: Vec<usize>,
    op: Reduction,
    line: Line,
}

impl KernelBuilder<'_> {
    pub(super) fn hists(
        &mut self,
        width: Atom,
        dests: &[Var],
        op: &Reduction,
        inputs: &[Var],
        lambda: &Lambda,
    ) -> Hists {
        let indices = lambda.body.result.len() - dests.len();
        let groups = groups_of(self.vars, op);
        // An element is computed for each kernel, for its bin and for its value, and for each position of its row.
        let rows = dests.iter().any(|dest| self.ty(*dest).rank() > indices);
        let again = rows || groups.len() > 1 || groups.iter().any(|group| group.line != Line::HistAtomic);
        let i = self.new_var("i", Type::i64());
        let (stored, body) = match again && !is_little(&lambda.body.stms) {
            true => {
                let (map, stored, body) = self.stored(width, (dests, indices), inputs, lambda, i);
                (Some((map, stored)), body)
            }
            false => (None, self.body_of(i, inputs, Some(lambda))),
        };
        let (at, values) = body.result.split_at(indices);
        let mut kernels = Vec::with_capacity(groups.len());
        for HistGroup { columns, mut op, line } in groups {
            if matches!(line, Line::HistSwap | Line::HistLock) {
                self.choose_in_any_order(&mut op.lambda.body);
            }
            let result: Vec<Atom> = at.iter().copied().chain(columns.iter().map(|c| values[*c])).collect();
            // All that can fail is in the first.
            let stms = match kernels.is_empty() {
                true => body.stms.clone(),
                false => {
                    let mut live = Vec::new();
                    mentions::in_atoms(&result, &mut live);
                    mentions::needed(self.vars, &body.stms, &mut live)
                }
            };
            let dests: Vec<Var> = columns.iter().map(|column| dests[*column]).collect();
            let outs = vec![Out::Hist { op, indices, into: whole(&dests) }];
            let through = vec![SpaceDim { var: i, extent: Extent::Size(width) }];
            let (level, points, how) = (Level::Grid, Vec::new(), Some(self.tuned(how_of(line), i64::MAX)));
            let body = Body { stms, result };
            kernels.push((Kernel { level, points, through, when: None, body, outs, how }, columns));
        }
        Hists { stored, kernels }
    }

    /// Of two floats of which neither is the smaller, zeros of both signs or no numbers, `min` and `max` choose the first. Both choices together, bit by bit, are
    /// the same for both orders, and what any third is added to.
    ///
    /// ```text
    /// r = min x y
    ///
    /// a = min x y   b = min y x   r = from_bits (to_bits a | to_bits b)
    /// ```
    fn choose_in_any_order(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            let (op, prim, x, y) = match stm.exp {
                Exp::Scalar(ScalarExp::Bin(op @ (BinOp::Min | BinOp::Max), prim, x, y))
                    if prim.is_float() =>
                {
                    (op, prim, x, y)
                }
                _ => {
                    stm.exp.for_each_part_mut(&mut |part| match part {
                        PartMut::Body(body) => self.choose_in_any_order(body),
                        PartMut::Lambda(lambda) => self.choose_in_any_order(&mut lambda.body),
                        PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
                    });
                    body.stms.push(stm);
                    continue;
                }
            };
            let word = bits_of(prim);
            let mut bind = |name: &str, prim: Prim, exp: ScalarExp| {
                let var = self.new_var(name, Type::scalar(prim));
                body.stms.push(Stm::new(vec![var], Exp::Scalar(exp), stm.span));
                Atom::Var(var)
            };
            let [a, b] = [(x, y), (y, x)].map(|(x, y)| {
                let chosen = bind("chosen", prim, ScalarExp::Bin(op, prim, x, y));
                bind("bits", word, ScalarExp::Un(UnOp::ToBits, prim, chosen))
            });
            let both = bind("both", word, ScalarExp::Bin(BinOp::Or, word, a, b));
            stm.exp = Exp::Scalar(ScalarExp::Un(UnOp::FromBits, word, both));
            body.stms.push(stm);
        }
    }

    /// A map that stores what the lambda computes; its arrays, and a body that loads it.
    fn stored(
        &mut self,
        width: Atom,
        (dests, indices): (&[Var], usize),
        inputs: &[Var],
        lambda: &Lambda,
        i: Var,
    ) -> (Kernel, Vec<Var>, Body) {
        let (mut results, mut stored) = (Vec::new(), Vec::new());
        let mut stms = self.elements_at(i, inputs, &lambda.params);
        let mut result = Vec::with_capacity(lambda.body.result.len());
        for (at, atom) in lambda.body.result.iter().enumerate() {
            let computed = atom.var().filter(|var| self.inside.contains(var) && !lambda.params.contains(var));
            let Some(var) = computed else {
                result.push(*atom);
                continue;
            };
            // Rows are as long as those of the destination.
            let row = match at.checked_sub(indices) {
                None => self.ty(var).clone(),
                Some(column) => (0..indices).fold(self.ty(dests[column]).clone(), |ty, _| {
                    ty.row().expect("imp_gen: a destination with too few dimensions")
                }),
            };
            let array = self.new_var("computed", row.array_of(Dim::Size(width)));
            let element = self.new_var("element", row);
            let exp = Exp::index(array, vec![DimIndex::Fix(Atom::Var(i))]);
            stms.push(Stm::new(vec![element], exp, self.stm.span));
            results.push(*atom);
            stored.push(array);
            result.push(Atom::Var(element));
        }
        let first = self.new_var("i", Type::i64());
        let mut body = self.body_of(first, inputs, Some(lambda));
        body.result = results;
        let outs = vec![Out::Map { values: stored.len(), into: Vec::new() }];
        let how = Some(How { line: Line::MapThread, args: Vec::new() });
        let points = vec![SpaceDim { var: first, extent: Extent::Size(width) }];
        let (level, through) = (Level::Grid, Vec::new());
        let map = Kernel { level, points, through, when: None, body, outs, how };
        (map, stored, Body { stms, result })
    }
}

fn how_of(line: Line) -> How {
    let args = match line {
        Line::HistDecks => vec![(Tunable::Decks, DECKS), (Tunable::Each, SORTED)],
        Line::HistSort => vec![(Tunable::Each, SORTED)],
        Line::HistAtomic => vec![(Tunable::Passes, 1)],
        Line::HistSwap => vec![(Tunable::Passes, 1), (Tunable::Each, SORTED)],
        _ => vec![(Tunable::Passes, PASSES), (Tunable::Each, SORTED)],
    };
    How { line, args }
}

/// Columns that depend on each other, and those that take the same line.
fn groups_of(vars: &[VarInfo], op: &Reduction) -> Vec<HistGroup> {
    let mut groups: Vec<HistGroup> = Vec::new();
    for columns in dependent_columns(vars, op) {
        let part = columns_of(vars, op, &columns);
        let line = line_of(vars, &part.lambda);
        // A word is one word for all of its columns, and rows that are combined position by position are so together, or each alone.
        let joined = |group: &HistGroup| {
            let alike = group.line == line
                && line != Line::HistSwap
                && dims(vars, op, group.columns[0]) == dims(vars, op, columns[0]);
            let mut columns: Vec<usize> = group.columns.iter().chain(&columns).copied().collect();
            columns.sort_unstable();
            let op = alike.then(|| columns_of(vars, op, &columns))?;
            (line_of(vars, &op.lambda) == line).then_some(HistGroup { columns, op, line })
        };
        match groups.iter_mut().find_map(|group| Some((joined(group)?, group))) {
            Some((joined, group)) => *group = joined,
            None => groups.push(HistGroup { columns, op: part, line }),
        }
    }
    groups
}

fn dims<'v>(vars: &'v [VarInfo], op: &Reduction, column: usize) -> &'v [Dim] {
    vars[op.lambda.params[column].0 as usize].ty.dims()
}

/// The columns in parts, of which none needs what is in another.
fn dependent_columns(vars: &[VarInfo], op: &Reduction) -> Vec<Vec<usize>> {
    let count = op.neutral.len();
    let mut part_of: Vec<usize> = (0..count).collect();
    for column in 0..count {
        let mut needs = Vec::new();
        mentions::in_atoms(&op.lambda.body.result[column..=column], &mut needs);
        mentions::needed(vars, &op.lambda.body.stms, &mut needs);
        for (at, param) in op.lambda.params.iter().enumerate() {
            if needs.contains(param) {
                let (from, to) = (part_of[at % count], part_of[column]);
                part_of.iter_mut().filter(|part| **part == from).for_each(|part| *part = to);
            }
        }
    }
    let mut parts: Vec<Vec<usize>> = vec![Vec::new(); count];
    part_of.iter().enumerate().for_each(|(column, part)| parts[*part].push(column));
    parts.retain(|part| !part.is_empty());
    parts.sort_unstable();
    parts
}

/// What an operator does with some of its columns.
fn columns_of(vars: &[VarInfo], op: &Reduction, columns: &[usize]) -> Reduction {
    let count = op.neutral.len();
    if columns.len() == count {
        return op.clone();
    }
    let result: Vec<Atom> = columns.iter().map(|column| op.lambda.body.result[*column]).collect();
    let mut live = Vec::new();
    mentions::in_atoms(&result, &mut live);
    let stms = mentions::needed(vars, &op.lambda.body.stms, &mut live);
    let second = columns.iter().map(|column| column + count);
    let params = columns.iter().copied().chain(second).map(|at| op.lambda.params[at]).collect();
    Reduction {
        lambda: Lambda::new(params, Body { stms, result }),
        neutral: columns.iter().map(|column| op.neutral[*column]).collect(),
        commutative: op.commutative,
    }
}
