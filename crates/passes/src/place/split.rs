//! Histograms of several columns, taken apart: a map computes indices and values, and each destination has a histogram of its own.
//!
//! On the processor one pass over the elements is best. Kernels have histograms of single columns, some of which compute an
//! element several times.

use super::new_var;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{Atom, Body, Dim, Exp, Fun, Lambda, Operator, Reduction, Stm, Type, Var, VarInfo};

/// The statements that do the same, or the statement as it was.
pub fn split_hist(fun: &mut Fun, stm: Stm) -> Vec<Stm> {
    match parts(fun, &stm) {
        Some(stms) => stms,
        None => vec![stm],
    }
}

fn parts(fun: &mut Fun, stm: &Stm) -> Option<Vec<Stm>> {
    let Exp::Op(Operator::Hist { width, dests, op, inputs, lambda }) = &stm.exp else { return None };
    let indices = lambda.body.result.len().checked_sub(dests.len())?;
    let rows = dests.iter().any(|dest| fun.vars[dest.0 as usize].ty.rank() > indices);
    if dests.len() == 1 && (!rows || lambda.body.stms.is_empty()) {
        return None;
    }
    let regular = |var: &Var| !fun.vars[var.0 as usize].ty.dims().contains(&Dim::Irregular);
    if !dests.iter().chain(inputs).all(regular) || lambda.params.len() != inputs.len() {
        return None;
    }
    let operators: Vec<Lambda> = (0..dests.len()).map(|at| column(op, at)).collect::<Option<_>>()?;
    // What two columns share would be bound twice.
    let bound =
        || operators.iter().flat_map(|lambda| lambda.body.stms.iter().flat_map(|stm| stm.vars.iter()));
    if bound().enumerate().any(|(at, var)| bound().skip(at + 1).any(|other| other == var)) {
        return None;
    }
    let (index_atoms, values) = lambda.body.result.split_at(indices);

    // Where each index and each value is found: in an array that the map yields, or without it.
    let mut names = Names { fun, width: *width };
    let mut yielded: Vec<(Atom, Var)> = Vec::new();
    let mut sources = Vec::with_capacity(lambda.body.result.len());
    for (at, atom) in index_atoms.iter().chain(values).enumerate() {
        let source = match atom {
            Atom::Const(_) => Source::Same(*atom),
            Atom::Var(var) => match lambda.params.iter().position(|param| param == var) {
                Some(input) => Source::Array(inputs[input], *var),
                None => match yielded.iter().find(|(known, _)| known == atom) {
                    Some((_, array)) => Source::Array(*array, *var),
                    None if is_outside(lambda, *var) => Source::Same(*atom),
                    None => {
                        let array =
                            names.array_of(lambda, *var, if at < indices { "index" } else { "value" })?;
                        yielded.push((*atom, array));
                        Source::Array(array, *var)
                    }
                },
            },
        };
        sources.push(source);
    }
    let mut stms = Vec::with_capacity(dests.len() + 1);
    if !yielded.is_empty() {
        let result = yielded.iter().map(|(atom, _)| *atom).collect();
        let body = Body { stms: lambda.body.stms.clone(), result };
        let lambda = Lambda { params: lambda.params.clone(), body };
        let exp = Exp::map(*width, inputs.clone(), lambda);
        stms.push(Stm { vars: yielded.iter().map(|(_, array)| *array).collect(), exp, ..stm.clone() });
    }
    let (index_sources, value_sources) = sources.split_at(indices);
    for (at, (dest, operator)) in dests.iter().zip(operators).enumerate() {
        let mut inputs = Vec::new();
        let mut params = Vec::new();
        let mut result = Vec::new();
        for source in index_sources.iter().chain([&value_sources[at]]) {
            match source {
                Source::Same(atom) => result.push(*atom),
                Source::Array(array, like) => {
                    let param = names.like(*like);
                    inputs.push(*array);
                    params.push(param);
                    result.push(param.into());
                }
            }
        }
        let lambda = Lambda { params, body: Body { stms: Vec::new(), result } };
        let op = Reduction { lambda: operator, neutral: vec![op.neutral[at]], commutative: op.commutative };
        let exp = Exp::Op(Operator::Hist { width: *width, dests: vec![*dest], op, inputs, lambda });
        stms.push(Stm { vars: vec![stm.vars[at]], exp, ..stm.clone() });
    }
    Some(stms)
}

enum Source {
    /// An array, and what its rows are like.
    Array(Var, Var),
    Same(Atom),
}

struct Names<'a> {
    fun: &'a mut Fun,
    width: Atom,
}

impl Names<'_> {
    /// A variable for an array of such rows, if these all have sizes that are known outside.
    fn array_of(&mut self, lambda: &Lambda, var: Var, name: &str) -> Option<Var> {
        let row = self.fun.vars[var.0 as usize].ty.clone();
        let mut known = matches!(row, Type::Value(..)) && !row.dims().contains(&Dim::Irregular);
        row.for_each_var(&mut |size| known &= is_outside(lambda, size));
        let ty = row.array_of(Dim::Size(self.width));
        known.then(|| new_var(self.fun, name, ty))
    }

    fn like(&mut self, var: Var) -> Var {
        let VarInfo { name, ty, .. } = self.fun.vars[var.0 as usize].clone();
        new_var(self.fun, &name, ty)
    }
}

/// Whether a variable is bound around a lambda.
fn is_outside(lambda: &Lambda, var: Var) -> bool {
    !lambda.params.contains(&var) && !lambda.body.stms.iter().any(|stm| stm.vars.contains(&var))
}

/// What an operator does with one column, if that has to do with no other.
fn column(op: &Reduction, at: usize) -> Option<Lambda> {
    let count = op.neutral.len();
    let params = [*op.lambda.params.get(at)?, *op.lambda.params.get(count + at)?];
    let result = *op.lambda.body.result.get(at)?;
    let mut needed: Vec<Var> = result.var().into_iter().collect();
    let mut stms: Vec<Stm> = Vec::new();
    for stm in op.lambda.body.stms.iter().rev() {
        if stm.vars.iter().any(|var| needed.contains(var)) {
            mentioned(&stm.exp, &mut needed);
            stms.push(stm.clone());
        }
    }
    stms.reverse();
    let foreign = op.lambda.params.iter().any(|param| needed.contains(param) && !params.contains(param));
    let shared = op.lambda.body.result.iter().enumerate().any(|(other, atom)| {
        other != at && atom.var().is_some_and(|var| stms.iter().any(|stm| stm.vars.contains(&var)))
    });
    (!foreign && !shared)
        .then(|| Lambda { params: params.to_vec(), body: Body { stms, result: vec![result] } })
}

fn mentioned(exp: &Exp, needed: &mut Vec<Var>) {
    exp.for_each_part(&mut |part| match part {
        Part::Atom(Atom::Var(var)) | Part::Var(var) => needed.push(*var),
        Part::Atom(Atom::Const(_)) | Part::Binder(_) => {}
        Part::Body(body) => in_body(body, needed),
        Part::Lambda(lambda) => in_body(&lambda.body, needed),
    });
}

fn in_body(body: &Body, needed: &mut Vec<Var>) {
    body.stms.iter().for_each(|stm| mentioned(&stm.exp, needed));
    needed.extend(body.result.iter().filter_map(|atom| atom.var()));
}
