//! Clusters as single statements (section 9 of the paper).
//!
//! | members | become |
//! |---|---|
//! | maps | a map |
//! | maps, reductions, scans, filters with what they flow into | a fused operator |
//! | maps, then filters with what is mapped of the last, or a partition | a filter or partition |
//! | maps, then an accumulation | an accumulation |
//! | maps and filters, then scatters, or histograms, at the same indices | one with several destinations, of which what is not chosen lies outside |
//! | streams with maps and reductions | a stream, by the rules in `streams` |

use super::compose::Compose;
use super::graph::{Graph, OperatorKind, operator};
use crate::nest::streams;
use crate::nest::subst::Names;
use norn_ir::nest::{Atom, BinOp, Exp, Lambda, Operator, Prim, Reduction, Scalar, Stm, Type, Var};

/// The members in the order of the block; `needed` says which variables something outside mentions.
pub fn rewrite(names: &mut Names, members: Vec<Stm>, needed: &dyn Fn(Var) -> bool) -> Stm {
    let kinds: Vec<OperatorKind> =
        members.iter().filter_map(|stm| operator(&stm.exp)).map(|(kind, ..)| kind).collect();
    let has = |kind: OperatorKind| kinds.contains(&kind);
    let frame = Frame::of(&members);
    let (vars, exp) = if has(OperatorKind::Scatter) || has(OperatorKind::Hist) {
        writes(names, &frame, members)
    } else if has(OperatorKind::Stream) || has(OperatorKind::Sequence) {
        streams::compose(names, members, needed, has(OperatorKind::Sequence))
    } else if has(OperatorKind::Accumulate) {
        accumulation(names, &frame, members)
    } else if has(OperatorKind::Partition) || is_selection(&members, needed) {
        selection(names, &frame, members, needed)
    } else {
        Fusion::new(names, &frame, needed).run(members)
    };
    Stm { certs: frame.certs, attrs: frame.attrs, ..Stm::new(vars, exp, frame.span) }
}

/// One stream, by the rules for streams.
pub fn stream(names: &mut Names, members: Vec<Stm>, needed: &dyn Fn(Var) -> bool, sequential: bool) -> Stm {
    let frame = Frame::of(&members);
    let (vars, exp) = streams::compose(names, members, needed, sequential);
    Stm { certs: frame.certs, attrs: frame.attrs, ..Stm::new(vars, exp, frame.span) }
}

/// What the statement of a cluster has besides its expression.
struct Frame {
    width: Atom,
    certs: Vec<Var>,
    attrs: Vec<String>,
    span: norn_base::Span,
}

impl Frame {
    fn of(members: &[Stm]) -> Frame {
        let mut certs: Vec<Var> = members.iter().flat_map(|stm| stm.certs.iter().copied()).collect();
        certs.sort_unstable();
        certs.dedup();
        let first = operator(&members[0].exp).map_or(Atom::i64(0), |(_, width, _)| width);
        let last = &members[members.len() - 1];
        Frame { width: first, certs, attrs: last.attrs.clone(), span: last.span }
    }
}

/// Maps, reductions, scans and filters for one element, and what becomes of their results.
struct Fusion<'a> {
    compose: Compose<'a>,
    width: Atom,
    needed: &'a dyn Fn(Var) -> bool,
    scans: Vec<Folded>,
    reductions: Vec<Folded>,
    kept: Vec<(Atom, Var)>,
    /// An array that could be kept if nothing else is.
    spare: Option<(Atom, Var)>,
}

struct Folded {
    op: Reduction,
    values: Vec<Atom>,
    types: Vec<Type>,
    vars: Vec<Var>,
    domain: usize,
}

impl<'a> Fusion<'a> {
    fn new(names: &'a mut Names, frame: &Frame, needed: &'a dyn Fn(Var) -> bool) -> Fusion<'a> {
        Fusion {
            compose: Compose::new(names, frame.span),
            width: frame.width,
            needed,
            scans: Vec::new(),
            reductions: Vec::new(),
            kept: Vec::new(),
            spare: None,
        }
    }

    fn run(mut self, members: Vec<Stm>) -> (Vec<Var>, Exp) {
        members.into_iter().for_each(|stm| self.member(stm));
        while self.compose.domains.len() > 1 {
            self.close_domain();
        }
        if self.scans.is_empty() && self.reductions.is_empty() && self.kept.is_empty() {
            self.kept.extend(self.spare);
        }
        let folded = || self.scans.iter().chain(&self.reductions);
        let mut vars: Vec<Var> = folded().flat_map(|fold| fold.vars.iter().copied()).collect();
        vars.extend(self.kept.iter().map(|(_, var)| *var));
        let mut result: Vec<Atom> = folded().flat_map(|fold| fold.values.iter().copied()).collect();
        result.extend(self.kept.iter().map(|(atom, _)| *atom));
        let (inputs, lambda) = self.compose.finish(result);
        let width = self.width;
        if self.scans.is_empty() && self.reductions.is_empty() {
            return (vars, Exp::map(width, inputs, lambda));
        }
        let ops = |folds: Vec<Folded>| folds.into_iter().map(|fold| fold.op).collect();
        let (scans, reductions) = (ops(self.scans), ops(self.reductions));
        (vars, Exp::Op(Operator::Fused { width, inputs, lambda, scans, reductions }))
    }

    fn member(&mut self, stm: Stm) {
        match stm.exp {
            Exp::Op(Operator::Map { inputs, lambda, .. }) => {
                let (rows, domain) = self.compose.apply(&[], &inputs, lambda);
                self.keep(&stm.vars, &rows, domain);
            }
            Exp::Op(Operator::Reduce { op, inputs, .. }) => {
                let (values, domain) = self.compose.elements(&inputs);
                let types = inputs.iter().filter_map(|var| self.compose.names.ty(*var).row()).collect();
                self.reductions.push(Folded { op, values, types, vars: stm.vars, domain });
            }
            Exp::Op(Operator::Scan { op, inputs, .. }) => {
                let (values, domain) = self.compose.elements(&inputs);
                self.scans.push(Folded { op, values, types: Vec::new(), vars: stm.vars, domain });
            }
            Exp::Op(Operator::Fused { inputs, lambda, scans, reductions, .. }) => {
                let (values, domain) = self.compose.apply(&[], &inputs, lambda);
                let mut at = 0;
                for (is_scan, op) in
                    scans.into_iter().map(|op| (true, op)).chain(reductions.into_iter().map(|op| (false, op)))
                {
                    let columns = at..at + op.neutral.len();
                    at = columns.end;
                    let (values, vars) = (values[columns.clone()].to_vec(), stm.vars[columns].to_vec());
                    let fold = Folded { op, values, types: Vec::new(), vars, domain };
                    if is_scan { self.scans.push(fold) } else { self.reductions.push(fold) }
                }
                self.keep(&stm.vars[at..], &values[at..], domain);
            }
            Exp::Op(Operator::Filter { inputs, lambda, .. }) => self.filter(&stm.vars, &inputs, lambda),
            _ => {}
        }
    }

    fn keep(&mut self, vars: &[Var], rows: &[Atom], domain: usize) {
        for (var, row) in vars.iter().zip(rows) {
            self.compose.define(*var, *row, domain);
            if (self.needed)(*var) {
                self.kept.push((*row, *var));
            } else if domain == 0 {
                self.spare = Some((*row, *var));
            }
        }
    }

    fn filter(&mut self, vars: &[Var], inputs: &[Var], lambda: Lambda) {
        let (result, domain) = self.compose.apply(&[], inputs, lambda);
        let chosen = self.compose.new_domain(domain, result[0]);
        for (var, row) in vars[1..].iter().zip(&result[1..]) {
            self.compose.define(*var, *row, chosen);
        }
        // Nobody may need the number itself, but something relies on its computation: a check in
        // a guarded lambda must not be lost.
        let op = self.compose.names.reduction(BinOp::Add, Prim::I64, Atom::i64(0), self.compose.span);
        let var =
            if (self.needed)(vars[0]) { vars[0] } else { self.compose.names.fresh("count", Type::i64()) };
        let (values, types) = (vec![Atom::i64(1)], vec![Type::i64()]);
        self.reductions.push(Folded { op, values, types, vars: vec![var], domain: chosen });
    }

    /// What is reduced in the last domain is neutral where its condition does not hold.
    fn close_domain(&mut self) {
        let last = self.compose.domains.len() - 1;
        let parent = self.compose.domains[last].parent;
        // A count that nobody needs goes as soon as something else depends on the domain.
        let others = |fold: &Folded| fold.domain == last && (self.needed)(fold.vars[0]);
        if self.reductions.iter().any(others) {
            let idle = |fold: &Folded| {
                let counts = fold.values == [Atom::i64(1)] && fold.types == [Type::i64()];
                fold.domain == last && counts && !(self.needed)(fold.vars[0])
            };
            self.reductions.retain(|fold| !idle(fold));
        }
        let inside: Vec<&Folded> = self.reductions.iter().filter(|fold| fold.domain == last).collect();
        let types = inside.iter().flat_map(|fold| fold.types.clone()).collect();
        let then = inside.iter().flat_map(|fold| fold.values.clone()).collect();
        let els = inside.iter().flat_map(|fold| fold.op.neutral.clone()).collect();
        let mut values = self.compose.close(types, then, els).into_iter();
        for fold in self.reductions.iter_mut().filter(|fold| fold.domain == last) {
            fold.values.iter_mut().for_each(|value| *value = values.next().unwrap_or(*value));
            fold.domain = parent;
        }
    }
}

/// Whether something is needed of what a filter chooses.
fn is_selection(members: &[Stm], needed: &dyn Fn(Var) -> bool) -> bool {
    let is_filter = |stm: &&Stm| matches!(stm.exp, Exp::Op(Operator::Filter { .. }));
    let counts: Vec<Atom> = members.iter().filter(is_filter).map(|stm| stm.vars[0].into()).collect();
    members.iter().any(|stm| match &stm.exp {
        Exp::Op(Operator::Filter { .. }) => stm.vars[1..].iter().any(|var| needed(*var)),
        Exp::Op(Operator::Map { width, .. }) => {
            counts.contains(width) && stm.vars.iter().any(|var| needed(*var))
        }
        _ => false,
    })
}

/// One filter out of several with what is mapped before and after, or a partition with what is mapped before.
fn selection(
    names: &mut Names,
    frame: &Frame,
    members: Vec<Stm>,
    needed: &dyn Fn(Var) -> bool,
) -> (Vec<Var>, Exp) {
    let mut compose = Compose::new(names, frame.span);
    // The columns of what is chosen in the end.
    let mut outputs: Vec<(Var, Atom)> = Vec::new();
    let mut count = None;
    let mut condition = Atom::bool(true);
    let mut partition = false;
    for stm in members {
        match stm.exp {
            Exp::Op(Operator::Map { inputs, lambda, .. }) => {
                let (rows, domain) = compose.apply(&[], &inputs, lambda);
                for (var, row) in stm.vars.iter().zip(rows) {
                    compose.define(*var, row, domain);
                    if needed(*var) {
                        outputs.push((*var, row));
                    }
                }
            }
            Exp::Op(
                Operator::Filter { ref inputs, ref lambda, .. }
                | Operator::Partition { ref inputs, ref lambda, .. },
            ) => {
                partition = matches!(stm.exp, Exp::Op(Operator::Partition { .. }));
                let (result, domain) = compose.apply(&[], inputs, lambda.clone());
                condition = result[0];
                let chosen = compose.new_domain(domain, condition);
                outputs = stm.vars[1..].iter().copied().zip(result[1..].iter().copied()).collect();
                outputs.iter().for_each(|(var, row)| compose.define(*var, *row, chosen));
                count = Some(stm.vars[0]);
            }
            _ => {}
        }
    }
    let Some(count) = count else { return (Vec::new(), Exp::atom(condition)) };
    outputs.retain(|(var, _)| needed(*var));
    // What only the elements of a domain have becomes something for the others, too.
    let last = compose.domains.len() - 1;
    while compose.domains.len() > 1 {
        let innermost = compose.domains.len() - 1;
        let inside = |row: Atom| row.var().is_some_and(|var| compose.binds(innermost, var));
        let found: Vec<usize> = (0..outputs.len()).filter(|i| inside(outputs[*i].1)).collect();
        let mut then: Vec<Atom> = found.iter().map(|i| outputs[*i].1).collect();
        let mut types: Vec<Type> =
            then.iter().filter_map(|row| row.var()).map(|var| compose.names.ty(var).clone()).collect();
        let zero = |ty: &Type| ty.prim().map_or(Atom::bool(false), |prim| Scalar::zero(prim).into());
        let mut els: Vec<Atom> = types.iter().map(zero).collect();
        if innermost < last {
            then.push(condition);
            types.push(Type::bool());
            els.push(Atom::bool(false));
        } else if compose.domains[innermost].stms.is_empty() {
            compose.domains.pop();
            continue;
        }
        let chosen = compose.close(types, then, els);
        found.iter().zip(&chosen).for_each(|(i, row)| outputs[*i].1 = *row);
        if innermost < last {
            condition = chosen[found.len()];
        }
    }
    let mut vars = vec![count];
    vars.extend(outputs.iter().map(|(var, _)| *var));
    let mut result = vec![condition];
    result.extend(outputs.iter().map(|(_, row)| *row));
    let (inputs, lambda) = compose.finish(result);
    let width = frame.width;
    let exp = if partition {
        Exp::Op(Operator::Partition { width, inputs, lambda })
    } else {
        Exp::filter(width, inputs, lambda)
    };
    (vars, exp)
}

fn accumulation(names: &mut Names, frame: &Frame, members: Vec<Stm>) -> (Vec<Var>, Exp) {
    let mut compose = Compose::new(names, frame.span);
    let mut last = None;
    for stm in members {
        match stm.exp {
            Exp::Op(Operator::Map { inputs, lambda, .. }) => {
                let (rows, domain) = compose.apply(&[], &inputs, lambda);
                stm.vars.iter().zip(rows).for_each(|(var, row)| compose.define(*var, row, domain));
            }
            Exp::Op(Operator::AccStream { dests, op, inputs, lambda, .. }) => {
                let acc = lambda.params[0];
                let (result, _) = compose.apply(&[acc.into()], &inputs, lambda);
                last = Some((stm.vars, dests, op, acc, result));
            }
            _ => {}
        }
    }
    let Some((vars, dests, op, acc, result)) = last else {
        return (Vec::new(), Exp::atom(Atom::bool(true)));
    };
    let (inputs, mut lambda) = compose.finish(result);
    lambda.params.insert(0, acc);
    (vars, Exp::Op(Operator::AccStream { width: frame.width, dests, op, inputs, lambda }))
}

/// Scatters, or histograms, at the same indices, with what is mapped and filtered before them. Operators of histograms
/// stand side by side: the left halves of all parameters, then the right halves.
fn writes(names: &mut Names, frame: &Frame, members: Vec<Stm>) -> (Vec<Var>, Exp) {
    let mut compose = Compose::new(names, frame.span);
    let (mut vars, mut dests) = (Vec::new(), Vec::new());
    let (mut indices, mut values) = (Vec::new(), Vec::new());
    let mut combined: Option<Reduction> = None;
    for stm in members {
        let (own, inputs, lambda, op) = match stm.exp {
            Exp::Op(Operator::Map { inputs, lambda, .. }) => {
                let (rows, domain) = compose.apply(&[], &inputs, lambda);
                stm.vars.iter().zip(rows).for_each(|(var, row)| compose.define(*var, row, domain));
                continue;
            }
            Exp::Op(Operator::Filter { inputs, lambda, .. }) => {
                let (result, domain) = compose.apply(&[], &inputs, lambda);
                let chosen = compose.new_domain(domain, result[0]);
                stm.vars[1..]
                    .iter()
                    .zip(&result[1..])
                    .for_each(|(var, row)| compose.define(*var, *row, chosen));
                continue;
            }
            Exp::Op(Operator::Scatter { dests, inputs, lambda, .. }) => (dests, inputs, lambda, None),
            Exp::Op(Operator::Hist { dests, op, inputs, lambda, .. }) => (dests, inputs, lambda, Some(op)),
            _ => continue,
        };
        let (mut result, _) = compose.apply(&[], &inputs, lambda);
        values.extend(result.split_off(result.len() - own.len()));
        indices = result;
        dests.extend(own);
        vars.extend(stm.vars);
        combined = match (combined, op) {
            (Some(left), Some(right)) => Some(side_by_side(left, right)),
            (left, right) => left.or(right),
        };
    }
    let index_count = indices.len();
    indices.append(&mut values);
    let mut result = indices;
    while compose.domains.len() > 1 {
        let prim = |atom: &Atom| match atom {
            Atom::Var(var) => {
                compose.names.ty(*var).prim().expect("fuse: what a guarded writer writes is a number")
            }
            Atom::Const(scalar) => scalar.prim(),
        };
        let prims: Vec<Prim> = result.iter().map(prim).collect();
        let outside =
            |at: usize| if at < index_count { Atom::i64(-1) } else { Scalar::zero(prims[at]).into() };
        let els = (0..result.len()).map(outside).collect();
        result = compose.close(prims.iter().map(|prim| Type::scalar(*prim)).collect(), result, els);
    }
    let (inputs, lambda) = compose.finish(result);
    let width = frame.width;
    let exp = match combined {
        Some(op) => Exp::Op(Operator::Hist { width, dests, op, inputs, lambda }),
        None => Exp::Op(Operator::Scatter { width, dests, inputs, lambda }),
    };
    (vars, exp)
}

fn side_by_side(left: Reduction, right: Reduction) -> Reduction {
    let (mut first, mut second) = (left.lambda, right.lambda);
    let mut params = first.params;
    let mut later = params.split_off(params.len() / 2);
    let half = second.params.split_off(second.params.len() / 2);
    params.append(&mut second.params);
    later.extend(half);
    params.extend(later);
    first.body.stms.append(&mut second.body.stms);
    first.body.result.append(&mut second.body.result);
    Reduction {
        lambda: Lambda::new(params, first.body),
        neutral: [left.neutral, right.neutral].concat(),
        commutative: left.commutative && right.commutative,
    }
}

/// A unit of the new order: the statements of one cluster, or a single statement.
pub type Unit = Vec<usize>;

/// The order of units in the block after fusion: each after what it depends on, as near to the old order as that
/// allows. A unit stands where its last member stood.
pub fn order(graph: &Graph, units: &[Unit]) -> Vec<usize> {
    let mut unit_of = vec![Vec::new(); graph.deps.len()];
    for (number, unit) in units.iter().enumerate() {
        unit.iter().for_each(|stm| unit_of[*stm].push(number));
    }
    let mut waits = vec![0usize; units.len()];
    let mut wakes: Vec<Vec<usize>> = vec![Vec::new(); units.len()];
    for (number, unit) in units.iter().enumerate() {
        let deps = unit.iter().flat_map(|stm| graph.deps[*stm].iter());
        let mut before: Vec<usize> =
            deps.filter(|dep| !unit.contains(dep)).flat_map(|dep| unit_of[*dep].iter().copied()).collect();
        before.sort_unstable();
        before.dedup();
        waits[number] = before.len();
        before.into_iter().for_each(|dep| wakes[dep].push(number));
    }
    let key = |unit: usize| (units[unit].iter().max().copied().unwrap_or(0), unit);
    let mut ready: std::collections::BTreeSet<(usize, usize)> =
        (0..units.len()).filter(|unit| waits[*unit] == 0).map(key).collect();
    let mut sorted = Vec::with_capacity(units.len());
    while let Some((_, unit)) = ready.pop_first() {
        sorted.push(unit);
        for woken in &wakes[unit] {
            waits[*woken] -= 1;
            if waits[*woken] == 0 {
                ready.insert(key(*woken));
            }
        }
    }
    sorted
}
