//! Which kernels may be in one cluster, judged two at a time.
//!
//! Horizontally, `no` where the forms of nest have no operator that does both:
//!
//! | | map | reduce | scan | fused | filter | partition | scatter | hist | stream | sequence | accumulate |
//! |---|---|---|---|---|---|---|---|---|---|---|---|
//! | map | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes | yes |
//! | reduce | | yes | yes | yes | yes | | | | yes | | |
//! | scan | | | yes | yes | yes | | | | | | |
//! | fused | | | | yes | yes | | | | | | |
//! | filter | | | | | yes | | yes | yes | | | |
//! | scatter | | | | | | | same indices | | | | |
//! | hist | | | | | | | | same indices | | | |
//! | stream | | | | | | | | | yes | | |
//! | sequence | | | | | | | | | | yes | |
//!
//! Vertically the same holds, and the one must flow into the other: out of a map, out of the arrays that a fused
//! operator or a stream keeps, and out of a filter into what has its count as width. What several
//! kernels together must obey stands in `plan`.

use super::graph::{Graph, OperatorKind};
use crate::nest::inputs::param_groups;
use norn_ir::nest::{Atom, Body, Exp, Operator, Stm, Var, VarInfo};

/// Whether these kernels of a block may be in one cluster, as far as they alone can tell; `a` comes first.
pub fn fit(graph: &Graph, body: &Body, vars: &[VarInfo], a: usize, b: usize) -> bool {
    let (first, second) = (&graph.kernels[a], &graph.kernels[b]);
    let (one, other) = (&body.stms[first.stm], &body.stms[second.stm]);
    !first.alone
        && !second.alone
        && !second.before.contains(a)
        && kinds_fit(first.kind, second.kind)
        && one.attrs == other.attrs
        && widths_meet(graph, a, b)
        && fit_as_writers(vars, one, other)
        && (first.kind.max(second.kind) != OperatorKind::Stream || regular(vars, one) && regular(vars, other))
}

fn kinds_fit(a: OperatorKind, b: OperatorKind) -> bool {
    let (low, high) = (a.min(b), a.max(b));
    match low {
        OperatorKind::Map => true,
        OperatorKind::Reduce => {
            matches!(
                high,
                OperatorKind::Reduce
                    | OperatorKind::Scan
                    | OperatorKind::Fused
                    | OperatorKind::Filter
                    | OperatorKind::Stream
            )
        }
        OperatorKind::Scan => matches!(high, OperatorKind::Scan | OperatorKind::Fused | OperatorKind::Filter),
        OperatorKind::Fused => matches!(high, OperatorKind::Fused | OperatorKind::Filter),
        OperatorKind::Filter => {
            matches!(high, OperatorKind::Filter | OperatorKind::Scatter | OperatorKind::Hist)
        }
        OperatorKind::Scatter | OperatorKind::Hist | OperatorKind::Stream | OperatorKind::Sequence => {
            low == high
        }
        OperatorKind::Partition | OperatorKind::Accumulate => false,
    }
}

/// Whether the widths are equal, or could be once filters are fused with what they flow into.
fn widths_meet(graph: &Graph, a: usize, b: usize) -> bool {
    let chain = |from: usize| std::iter::successors(Some(from), |at| graph.kernels[*at].filter);
    chain(a).any(|x| chain(b).any(|y| same_width(graph, x, y)))
}

/// Whether the widths are the same size; known at the later of the two.
pub fn same_width(graph: &Graph, a: usize, b: usize) -> bool {
    let (first, second) = (&graph.kernels[a.min(b)], &graph.kernels[a.max(b)]);
    second.equal.names.contains(&first.width)
}

/// Scatters, and histograms, become one if they write at the same indices of arrays of the same size.
fn fit_as_writers(vars: &[VarInfo], one: &Stm, other: &Stm) -> bool {
    let (Some((a, c)), Some((b, d))) = (writer(vars, one), writer(vars, other)) else { return true };
    let (Some(a), Some(b)) = (a, b) else { return false };
    let mut outer = c.iter().chain(d).map(|var| vars[var.0 as usize].ty.dims().get(..a.len()));
    let first = outer.next();
    a == b && outer.all(|dims| Some(dims) == first)
}

/// The arrays that a scatter or histogram takes its indices from, if it takes them as they are, and its
/// destinations.
fn writer<'a>(vars: &[VarInfo], stm: &'a Stm) -> Option<(Option<Vec<Var>>, &'a [Var])> {
    let Exp::Op(
        Operator::Scatter { dests, inputs, lambda, .. } | Operator::Hist { dests, inputs, lambda, .. },
    ) = &stm.exp
    else {
        return None;
    };
    let indices = &lambda.body.result[..lambda.body.result.len() - dests.len()];
    let groups = param_groups(vars, inputs, &lambda.params);
    let array = |index: &Atom| {
        let at = groups.iter().position(|group| index.var().is_some_and(|var| group[..] == [var]))?;
        Some(inputs[at])
    };
    Some((indices.iter().map(array).collect(), dests))
}

/// Whether all columns of a reduction are rows of one shape: what a stream combines has no `?`.
pub fn regular(vars: &[VarInfo], stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Op(Operator::Reduce { inputs, .. } | Operator::Scan { inputs, .. }) => {
            !inputs.iter().any(|var| vars[var.0 as usize].ty.has_irregular_rows())
        }
        _ => true,
    }
}
