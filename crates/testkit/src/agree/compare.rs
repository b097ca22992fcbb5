//! Whether two results are the same, as their type says: what a sum holds for other constructors does not
//! matter, and recursive values and functions cannot be looked into.

use crate::fixed;
use crate::nestfuzz::outcome::close;
use norn::{TOLERANCE, compare_all};
use norn_interp::Value;
use norn_ir::nest::iface::payload_columns;
use norn_ir::nest::{IfaceId, IfaceShape, Prog};

/// How many characters of a value are shown.
const SHOWN: usize = 400;

/// Where two results of an entry point differ, in words.
pub fn difference(
    prog: &Prog,
    entry: usize,
    expected: &[Value],
    found: &[Value],
    backend: &str,
) -> Option<String> {
    let result = prog.entries[entry].result;
    let width = prog.ifaces[result.0 as usize].columns.len();
    let (Some(a), Some(b)) = (last(expected, width), last(found, width)) else {
        return Some(format!("interp: {} columns\n{backend}: {} columns", expected.len(), found.len()));
    };
    if same(prog, result, a, b) {
        return None;
    }
    let show = |columns: &[Value]| columns.iter().map(shortened).collect::<Vec<_>>().join(" ");
    Some(format!("{}interp: {}\n{backend}: {}", first_difference(a, b), show(a), show(b)))
}

/// Where columns differ that can be determined at once, with a line break.
fn first_difference(a: &[Value], b: &[Value]) -> String {
    let differ = |(a, b): (&Value, &Value)| compare_all(&[a.to_host()?], &[b.to_host()?], TOLERANCE).err();
    a.iter().zip(b).find_map(differ).map_or(String::new(), |mismatch| format!("{mismatch}\n"))
}

/// Sizes and the like come in front.
fn last(columns: &[Value], count: usize) -> Option<&[Value]> {
    columns.get(columns.len().checked_sub(count)?..)
}

fn same(prog: &Prog, id: IfaceId, a: &[Value], b: &[Value]) -> bool {
    let width = |id: &IfaceId| prog.ifaces[id.0 as usize].columns.len();
    let parts = |ids: Vec<IfaceId>| {
        let mut at = 0;
        ids.into_iter().all(|id| {
            let range = at..at + width(&id);
            at = range.end;
            same(prog, id, &a[range.clone()], &b[range])
        })
    };
    match &prog.ifaces[id.0 as usize].shape {
        IfaceShape::Scalar(_) | IfaceShape::Array(..) => near(&a[0], &b[0]),
        IfaceShape::Record(fields) => parts(fields.iter().map(|(_, id)| *id).collect()),
        IfaceShape::Sum(constrs) => {
            let (Value::Scalar(one), Value::Scalar(other)) = (&a[0], &b[0]) else { return false };
            let number = one.bits() as usize;
            let first = payload_columns(&prog.ifaces, constrs);
            let same_part = |(id, first): (&IfaceId, &usize)| {
                let range = *first..first + width(id);
                same(prog, *id, &a[range.clone()], &b[range])
            };
            let payload = constrs.get(number).zip(first.get(number));
            one == other && payload.is_some_and(|((_, ids), first)| ids.iter().zip(first).all(same_part))
        }
        // As one, so that what is allowed of floats is measured by the largest.
        IfaceShape::OpaqueArray(elem, _) if !has_sum(prog, *elem) => a.iter().zip(b).all(|(a, b)| near(a, b)),
        IfaceShape::OpaqueArray(elem, rank) => same_rows(prog, *elem, *rank, a, b),
        IfaceShape::Recursive(_) | IfaceShape::Opaque => true,
    }
}

/// Equal, but for the rounding of floats: the expectations of tests measure it by the greatest element, here it is the largest
/// in either direction.
fn near(a: &Value, b: &Value) -> bool {
    close(a, b) || fixed::near(a, b, TOLERANCE)
}

fn has_sum(prog: &Prog, id: IfaceId) -> bool {
    match &prog.ifaces[id.0 as usize].shape {
        IfaceShape::Scalar(_) | IfaceShape::Array(..) => false,
        IfaceShape::OpaqueArray(elem, _) => has_sum(prog, *elem),
        IfaceShape::Record(fields) => fields.iter().any(|(_, id)| has_sum(prog, *id)),
        // What is in an opaque value is not looked at.
        IfaceShape::Sum(_) | IfaceShape::Recursive(_) | IfaceShape::Opaque => true,
    }
}

/// Arrays of such elements. Each row is looked at alone, since what matters in it depends on it.
fn same_rows(prog: &Prog, elem: IfaceId, rank: usize, a: &[Value], b: &[Value]) -> bool {
    if rank == 0 {
        return same(prog, elem, a, b);
    }
    let count = |columns: &[Value]| columns.first().and_then(|column| column.shape().first().copied());
    let row = |columns: &[Value], i| columns.iter().map(|column| column.index_outer(i)).collect();
    let rows = count(a).unwrap_or(0);
    count(a) == count(b)
        && (0..rows).all(|i| match (row(a, i), row(b, i)) {
            (Some(a), Some(b)) => {
                let (a, b): (Vec<Value>, Vec<Value>) = (a, b);
                same_rows(prog, elem, rank - 1, &a, &b)
            }
            (Some(_) | None, _) => false,
        })
}

/// The beginning of a value as text.
pub fn shortened(value: &Value) -> String {
    let text = match (value.to_host(), value.shape().first()) {
        (Some(host), _) => host.to_string(),
        (None, Some(rows)) => {
            let rows: Vec<String> =
                (0..*rows).filter_map(|i| value.index_outer(i)).map(|row| shortened(&row)).collect();
            format!("[{}]", rows.join(", "))
        }
        (None, None) => format!("{value:?}"),
    };
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}.. (shape {:?})", &text[..end], value.shape()),
        None => text,
    }
}
