//! N4 for the arrays of operators, N8 for their lambdas.
//!
//! A value whose length varies goes into lambdas, and into and out of reductions, as two columns: the
//! length, then the value. What a lambda yields for an array of results is the row alone.

use crate::nest::{Atom, Elem, Lambda, Operator, Prim, Reduction, Sorted, StreamForm, Type, Var};
use crate::skeleton::verify::types::{SOME, packed, with_length};
use crate::skeleton::verify::{Checker, Rule};

pub fn verify(op: &Operator, checker: &mut Checker, bound: &[Type]) -> Option<Vec<Type>> {
    match op {
        Operator::Map { width, inputs, lambda } => map(checker, *width, inputs, lambda, bound),
        Operator::Reduce { width, inputs, op } => reduce(checker, *width, inputs, op),
        Operator::Scan { width, inputs, op } => scan(checker, *width, inputs, op),
        Operator::Fused { width, inputs, lambda, scans, reductions } => {
            let rows = rows(checker, *width, inputs)?;
            let found = checker.lambda(lambda, &rows, "the lambda of `fused`");
            fused(checker, &found, scans, reductions, bound)
        }
        Operator::Filter { width, inputs, lambda } | Operator::Partition { width, inputs, lambda } => {
            filter(checker, *width, inputs, lambda, bound)
        }
        Operator::Sort { width, keys, yields } => sort(checker, *width, *keys, *yields),
        Operator::Scatter { width, dests, inputs, lambda } => {
            Some(scatter(checker, *width, dests, inputs, lambda)?.0)
        }
        Operator::Hist { width, dests, inputs, lambda, op } => {
            let (dests, columns) = scatter(checker, *width, dests, inputs, lambda)?;
            checker.reduction(op, &columns);
            Some(dests)
        }
        Operator::Stream { width, inputs, form, lambda } => stream(checker, *width, inputs, form, lambda),
        Operator::AccStream { width, dests, inputs, op, lambda } => {
            acc_stream(checker, *width, dests, inputs, op.as_ref(), lambda)
        }
        Operator::Task(task) => super::task::verify(task, checker),
    }
}

fn map(
    checker: &mut Checker,
    width: Atom,
    inputs: &[Var],
    lambda: &Lambda,
    bound: &[Type],
) -> Option<Vec<Type>> {
    let rows = rows(checker, width, inputs)?;
    let found = checker.lambda(lambda, &rows, "the lambda of `map`");
    Some(checker.arrays_of(&found, bound))
}

fn reduce(checker: &mut Checker, width: Atom, inputs: &[Var], op: &Reduction) -> Option<Vec<Type>> {
    let rows = rows(checker, width, inputs)?;
    checker.reduction(op, &rows);
    Some(rows)
}

fn scan(checker: &mut Checker, width: Atom, inputs: &[Var], op: &Reduction) -> Option<Vec<Type>> {
    let rows = rows(checker, width, inputs)?;
    checker.reduction(op, &rows);
    checker.arrays(inputs)
}

/// `filter` and `partition` differ only in how long their results are.
fn filter(
    checker: &mut Checker,
    width: Atom,
    inputs: &[Var],
    lambda: &Lambda,
    bound: &[Type],
) -> Option<Vec<Type>> {
    let rows = rows(checker, width, inputs)?;
    let found = checker.lambda(lambda, &rows, "the lambda of `filter` or `partition`");
    let (holds, kept) = found.split_at(found.len().min(1));
    checker.yields(holds, &[Type::bool()], "The lambda of `filter` or `partition`");
    let arrays = checker.arrays_of(kept, bound.get(1..).unwrap_or_default());
    Some(std::iter::once(Type::i64()).chain(arrays).collect())
}

/// The destinations, and the columns of what is written at an index of each.
fn scatter(
    checker: &mut Checker,
    width: Atom,
    dests: &[Var],
    inputs: &[Var],
    lambda: &Lambda,
) -> Option<(Vec<Type>, Vec<Type>)> {
    let rows = rows(checker, width, inputs)?;
    let found = checker.lambda(lambda, &rows, "the lambda of `scatter` or `hist`");
    let Some(indices) = found.len().checked_sub(dests.len()).filter(|indices| *indices > 0) else {
        checker.fail(Rule::N8, "The lambda of `scatter` or `hist` yields no index.");
        return None;
    };
    let (dests, written) = written(checker, dests, indices)?;
    let mut expected = vec![Type::i64(); indices];
    // A row whose length varies is yielded alone, and may have any sizes inside.
    expected.extend(written.iter().filter_map(|ty| with_length(ty.clone()).pop()));
    let found: Vec<Type> =
        found.iter().zip(&expected).map(|(ty, expected)| packed(ty, Some(expected))).collect();
    checker.yields(&found, &expected, "The lambda of `scatter` or `hist`");
    Some((dests, written.into_iter().flat_map(with_length).collect()))
}

fn sort(checker: &mut Checker, width: Atom, keys: Var, yields: Sorted) -> Option<Vec<Type>> {
    checker.size(width);
    let ty = checker.array(keys)?;
    if !matches!(ty, Type::Value(Elem::Prim(_), _)) || ty.dims().len() != 1 {
        let ty = checker.show_ty(&ty);
        checker.fail(Rule::N4, format!("{ty} is sorted, but has no primitive elements."));
        return None;
    }
    let mut results = Vec::new();
    if yields.has_keys() {
        results.push(ty);
    }
    if yields.has_places() {
        results.push(Type::array(Prim::I64, vec![SOME]));
    }
    Some(results)
}

fn acc_stream(
    checker: &mut Checker,
    width: Atom,
    dests: &[Var],
    inputs: &[Var],
    op: Option<&Reduction>,
    lambda: &Lambda,
) -> Option<Vec<Type>> {
    checker.size(width);
    let rows = checker.rows(dests)?;
    if let Some(op) = op {
        checker.reduction(op, &rows);
    }
    let types = checker.arrays(dests)?;
    let acc = Type::Acc(types.clone());
    let inputs = checker.rows(inputs)?;
    let given: Vec<Type> = std::iter::once(acc.clone()).chain(inputs).collect();
    let found = checker.lambda(lambda, &given, "the lambda of `acc_stream`");
    checker.yields(&found, &[acc], "The lambda of `acc_stream`");
    Some(types)
}

/// What a lambda takes of the inputs of an operator.
fn rows(checker: &mut Checker, width: Atom, inputs: &[Var]) -> Option<Vec<Type>> {
    checker.size(width);
    checker.rows(inputs)
}

fn fused(
    checker: &mut Checker,
    found: &[Type],
    scans: &[Reduction],
    reductions: &[Reduction],
    bound: &[Type],
) -> Option<Vec<Type>> {
    let mut rest = found;
    let mut reduced = Vec::new();
    for (i, op) in scans.iter().chain(reductions).enumerate() {
        let Some((columns, after)) = rest.split_at_checked(op.neutral.len()) else {
            checker.fail(Rule::N8, "The lambda of `fused` yields too little for its scans and reductions.");
            return None;
        };
        checker.reduction(op, columns);
        if i >= scans.len() {
            reduced.extend_from_slice(columns);
        }
        rest = after;
    }
    let scanned = found.len() - rest.len() - reduced.len();
    let mut results = checker.arrays_of(&found[..scanned], bound);
    let arrays = checker.arrays_of(rest, bound.get(scanned + reduced.len()..).unwrap_or_default());
    results.extend(reduced);
    results.extend(arrays);
    Some(results)
}

/// The types of destinations, and of what is written at an index of each.
fn written(checker: &mut Checker, dests: &[Var], indices: usize) -> Option<(Vec<Type>, Vec<Type>)> {
    let types = checker.arrays(dests)?;
    let mut written = Vec::with_capacity(types.len());
    for ty in &types {
        let Some(rest) = ty.dims().get(indices..) else {
            let ty = checker.show_ty(ty);
            checker.fail(Rule::N4, format!("{ty} has too few dimensions for {indices} indices."));
            return None;
        };
        written.push(ty.with_dims(rest.to_vec()));
    }
    Some((types, written))
}

fn stream(
    checker: &mut Checker,
    width: Atom,
    inputs: &[Var],
    form: &StreamForm,
    lambda: &Lambda,
) -> Option<Vec<Type>> {
    checker.size(width);
    let chunks = checker.arrays(inputs)?;
    let mut given = vec![Type::i64()];
    let accs = match form {
        StreamForm::Map { any_order: _ } => Vec::new(),
        StreamForm::Reduce { any_order: _, op } => {
            let half = op.params.len() / 2;
            let accs: Vec<Type> = op.params[..half].iter().map(|var| checker.ty(*var)).collect();
            checker.combines(op, &accs);
            accs
        }
        StreamForm::Seq { init } => {
            given.extend(checker.types_of(init));
            checker.types_of(init)
        }
    };
    given.extend(chunks);
    let found = checker.lambda(lambda, &given, "the lambda of `stream`");
    if found.len() < accs.len() {
        checker.fail(Rule::N8, "The lambda of `stream` yields fewer values than it has accumulators.");
        return None;
    }
    checker.yields(&found[..accs.len()], &accs, "The lambda of `stream`");
    for ty in &found[accs.len()..] {
        if !ty.is_array() {
            let ty = checker.show_ty(ty);
            checker.fail(Rule::N8, format!("The lambda of `stream` yields {ty} where a chunk is expected."));
        }
    }
    Some(found)
}
