//! Operands of concatenations, and rows of array literals, are computed where the whole array will be.
//!
//! ```text
//! let xs: [n]f32 = map ..                 the memory of `zs` is made here, and `xs` lies in it
//! let ys: [m]f32 = map ..                 so does `ys`
//! let zs: [k]f32 = concat k (xs, ys)      nothing is left to do
//! ```
//!
//! So are rows that a part of a task makes for the array of all parts, which nobody reads meanwhile:
//!
//! ```text
//! let ys: [count]f32 = map ..                               lies in `all`
//! let all.2: [n]f32 = update all [from:count:1i64] ys       nothing is left to do
//! ```
//!
//! So is, on a processor, what a map makes of the very part of an array that is updated with it, if it reads nothing of the array that it has written before (`updates`).
//!
//! So are rows that are computed element after element, by a scan or a loop, for an array that is only transposed:
//!
//! ```text
//! let rows: [m][n]f32 = map m (columns) \(column: [n]f32) { .. scan .. }      lies in `ys`, whose memory is made here, under the strides of its columns
//! let ys: [n][m]f32 = rearrange rows (1, 0)                                   nothing is left to do
//! ```
//!
//! Vectors have an element of several such rows then, which are side by side. Rows that are computed all at once are written as they are, and copied. So are rows that are made of
//! rows of their own that are contiguous: to write the one with strides costs more than to read what is transposed.
//!
//! An operand qualifies if it is bound in the same body, used by nothing else, and if all sizes that say where it will
//! lie are known before its statement.

use super::repr::{Array, Repr, prim_of};
use super::state::{Gen, Where};
use super::updates::Updates;
use super::views::At;
use norn_ir::imp::Exp;
use norn_ir::nest::{
    ArrayExp, Atom, Body, ControlExp, Dim, DimIndex, Exp as NestExp, Lambda, Operator, Stm, Var,
};
use rustc_hash::FxHashMap;

/// For each statement of a body the operands of later concatenations that it binds.
#[derive(Default)]
pub struct Plan {
    operands: FxHashMap<usize, Vec<Operand>>,
}

#[derive(Clone)]
struct Operand {
    var: Var,
    whole: Var,
    at: OperandPlace,
}

/// Where an operand lies in the whole array.
#[derive(Clone)]
enum OperandPlace {
    /// Behind these.
    Behind(Vec<Var>),
    /// It is the row with this number.
    Row(usize),
    /// These rows of the whole are updated with it.
    Update(Vec<DimIndex>),
    /// It is the whole with its dimensions in this order.
    Transposed(Vec<usize>),
}

/// The memory of an array whose statement comes later, with what lies in it already.
#[derive(Clone)]
pub struct Reserved {
    pub array: Array,
    pub parts: FxHashMap<Var, Array>,
}

impl Gen<'_> {
    pub fn plan_concatenations(&self, body: &Body) -> Plan {
        let mut plan = Plan::default();
        if !body.stms.iter().any(|stm| self.joins_arrays(&stm.exp)) {
            return plan;
        }
        let mut bound_at = FxHashMap::default();
        let mut uses: FxHashMap<Var, usize> = FxHashMap::default();
        for (at, stm) in body.stms.iter().enumerate() {
            stm.vars.iter().for_each(|var| {
                bound_at.insert(*var, at);
            });
            super::owners::uses_of_stm(stm, &mut |var| *uses.entry(var).or_default() += 1);
        }
        body.result.iter().filter_map(|atom| atom.var()).for_each(|var| *uses.entry(var).or_default() += 1);
        for (by, stm) in body.stms.iter().enumerate().filter(|(_, stm)| self.joins_arrays(&stm.exp)) {
            let whole = stm.vars[0];
            if self.ty(whole).dims().contains(&Dim::Irregular) {
                continue;
            }
            let whole = match &stm.exp {
                NestExp::Array(ArrayExp::Update { array, .. }) => *array,
                _ => whole,
            };
            let operands: Vec<(Var, OperandPlace)> = match &stm.exp {
                NestExp::Array(ArrayExp::Update { array: _, slice, value: Atom::Var(value) }) => {
                    vec![(*value, OperandPlace::Update(slice.clone()))]
                }
                NestExp::Array(ArrayExp::Rearrange { array, perm }) => {
                    vec![(*array, OperandPlace::Transposed(inverse(perm)))]
                }
                NestExp::Array(ArrayExp::Concat { arrays, size: _ }) => {
                    let place = |i: usize| OperandPlace::Behind(arrays[..i].to_vec());
                    arrays.iter().enumerate().map(|(i, var)| (*var, place(i))).collect()
                }
                NestExp::Array(ArrayExp::ArrayLit(rows)) => {
                    let rows = rows.iter().enumerate();
                    rows.filter_map(|(i, row)| Some((row.var()?, OperandPlace::Row(i)))).collect()
                }
                _ => continue,
            };
            for (var, place) in operands {
                let Some(at) = bound_at.get(&var).copied() else { continue };
                let known =
                    |atom: Atom| atom.var().is_none_or(|var| bound_at.get(&var).is_none_or(|b| *b < at));
                let sizes = self.ty(whole).dims().iter().filter_map(|dim| dim.atom());
                let before = match &place {
                    OperandPlace::Behind(before) => &before[..],
                    OperandPlace::Row(_) | OperandPlace::Update(_) | OperandPlace::Transposed(_) => &[],
                };
                let bounds = match &place {
                    OperandPlace::Update(slice) => &slice[..],
                    OperandPlace::Behind(_) | OperandPlace::Row(_) | OperandPlace::Transposed(_) => &[],
                };
                let bounds = bounds.iter().flat_map(|dim| match dim {
                    DimIndex::Fix(at) => vec![*at],
                    DimIndex::Slice { start, count, stride } => vec![*start, *count, *stride],
                });
                let lengths = before.iter().filter_map(|var| self.ty(*var).dims()[0].atom());
                let own = self.ty(var).dims().iter().filter_map(|dim| dim.atom());
                let sizes_known = sizes.chain(lengths).chain(own).chain(bounds).all(known);
                if uses.get(&var) != Some(&1) || !sizes_known {
                    continue;
                }
                let made_in = match &place {
                    OperandPlace::Transposed(_) => makes_rows_in_order(&body.stms[at], var).then_some(whole),
                    OperandPlace::Update(_) if !self.rooms.contains(&whole) => {
                        self.updates().made_in(body, at, by)
                    }
                    OperandPlace::Behind(_) | OperandPlace::Row(_) | OperandPlace::Update(_) => {
                        makes_memory(&body.stms[at].exp).then_some(whole)
                    }
                };
                if let Some(whole) = made_in {
                    plan.operands.entry(at).or_default().push(Operand { var, whole, at: place });
                }
            }
        }
        plan
    }

    fn updates(&self) -> &Updates<'_> {
        self.updates.get_or_init(|| Updates::of(self.prog, self.fun))
    }

    fn joins_arrays(&self, exp: &NestExp) -> bool {
        let is_array = |row: &Atom| row.var().is_some_and(|var| self.ty(var).is_array());
        match exp {
            NestExp::Array(ArrayExp::Concat { .. }) => true,
            NestExp::Array(ArrayExp::ArrayLit(rows)) => rows.iter().all(is_array),
            NestExp::Array(ArrayExp::Update { array, value, .. }) => {
                (self.at == Where::Cpu || self.rooms.contains(array)) && is_array(value)
            }
            NestExp::Array(ArrayExp::Rearrange { array, perm }) => {
                self.at == Where::Cpu && perm.len() == self.ty(*array).rank()
            }
            _ => false,
        }
    }

    /// Before a statement: what it binds is to be computed within the memory of arrays that are concatenated later.
    pub fn reserve(&mut self, plan: &Plan, at: usize, stm: &Stm) {
        for operand in plan.operands.get(&at).cloned().unwrap_or_default() {
            let Operand { var, whole, at } = operand;
            if self.places.contains_key(&var) {
                continue;
            }
            if matches!(at, OperandPlace::Transposed(_)) && self.goes_through_rows(stm, var) {
                continue;
            }
            if let OperandPlace::Update(slice) = &at {
                let slice: Vec<At> = slice.iter().map(|dim| self.at(dim)).collect();
                let whole = self.array(whole);
                if let Some(Repr::Array(mut place)) = self.part_of(&whole, &slice).pop() {
                    place.data = super::repr::Part::lent(place.data.ptr);
                    self.places.insert(var, place.clone());
                    self.updates_in_place.insert(var, place);
                }
                continue;
            }
            let mut reserved = match self.reserved.remove(&whole) {
                Some(reserved) => reserved,
                None => {
                    let sizes = self.sizes(self.ty(whole).dims());
                    let sizes: Vec<Exp> = sizes.into_iter().flatten().collect();
                    let prim = prim_of(self.ty(whole).elem().expect("imp_gen: an array of no values"));
                    let array = self.new_array(whole, prim, &sizes, "array");
                    // It lives until the whole is not used any more.
                    let owners: Vec<_> = array.parts().filter_map(|part| part.owner).collect();
                    owners.into_iter().for_each(|owner| self.owners.join(owner, whole));
                    Reserved { array, parts: FxHashMap::default() }
                }
            };
            if let OperandPlace::Transposed(order) = &at {
                let mut place = reserved.array.lead_in_order(order);
                place.data = super::repr::Part::lent(place.data.ptr);
                self.places.insert(var, place.clone());
                reserved.parts.insert(var, place);
                self.reserved.insert(whole, reserved);
                continue;
            }
            let slice = match at {
                OperandPlace::Update(_) | OperandPlace::Transposed(_) => {
                    panic!("imp_gen: an operand that is no slice")
                }
                OperandPlace::Row(number) => [At::Fix(Exp::i64(number as i64))],
                OperandPlace::Behind(before) => {
                    let lengths = before.iter().map(|var| self.ty(*var).dims()[0].atom());
                    let lengths: Vec<Exp> = lengths.flatten().map(|atom| self.scalar(atom)).collect();
                    let start = self.code.atom("start", Exp::sum(lengths));
                    let length = self.ty(var).dims()[0].atom().map(|atom| self.scalar(atom));
                    let count = length.unwrap_or_else(|| panic!("imp_gen: an operand of no length"));
                    [At::Slice { start, count, stride: Exp::i64(1) }]
                }
            };
            if let Some(Repr::Array(mut place)) = self.part_of(&reserved.array, &slice).pop() {
                place.data = super::repr::Part::lent(place.data.ptr);
                self.places.insert(var, place.clone());
                reserved.parts.insert(var, place);
            }
            self.reserved.insert(whole, reserved);
        }
    }
}

impl Gen<'_> {
    /// Whether the map that makes these rows goes through rows of arrays that are contiguous, and through no others.
    fn goes_through_rows(&self, stm: &Stm, var: Var) -> bool {
        let mut inputs = Vec::new();
        is_made_by_maps(stm, var, &mut |own, _, _| {
            inputs.extend_from_slice(own);
            true
        });
        let mut are_contiguous = inputs.iter().filter_map(|input| match self.env.get(input) {
            Some(Repr::Array(array)) if array.is_regular() && array.rank() > 1 => {
                Some(array.lead.last()?.stride == Exp::i64(1))
            }
            Some(_) | None => None,
        });
        are_contiguous.next().is_some_and(|first| first && are_contiguous.all(|other| other))
    }
}

/// Where each dimension comes from, if the other direction is known.
fn inverse(perm: &[usize]) -> Vec<usize> {
    let mut from = vec![0; perm.len()];
    perm.iter().enumerate().for_each(|(to, dim)| from[*dim] = to);
    from
}

/// The statement, or each branch of it, makes an array whose rows are computed element after element.
fn makes_rows_in_order(stm: &Stm, var: Var) -> bool {
    is_made_by_maps(stm, var, &mut |_, lambda, at| {
        maker(&lambda.body, at).is_some_and(|(stm, _)| match &stm.exp {
            NestExp::Op(Operator::Scan { .. }) | NestExp::Control(ControlExp::Loop { .. }) => true,
            NestExp::Op(Operator::Fused { scans, .. }) => !scans.is_empty(),
            _ => false,
        })
    })
}

/// Whether the array is made by a map, or by one in each branch, and `is_right` says of each, by its inputs, its lambda and which of its results this is, that it is right.
fn is_made_by_maps(stm: &Stm, var: Var, is_right: &mut dyn FnMut(&[Var], &Lambda, usize) -> bool) -> bool {
    let Some(at) = stm.vars.iter().position(|bound| *bound == var) else { return false };
    match &stm.exp {
        NestExp::Control(ControlExp::If { cond: _, then, els }) => [then, els]
            .into_iter()
            .all(|body| maker(body, at).is_some_and(|(stm, var)| is_made_by_maps(stm, var, is_right))),
        NestExp::Op(Operator::Map { width: _, inputs, lambda }) => is_right(inputs, lambda, at),
        _ => false,
    }
}

/// The statement of a body that binds one of its results.
fn maker(body: &Body, at: usize) -> Option<(&Stm, Var)> {
    let var = body.result[at].var()?;
    Some((body.stms.iter().find(|stm| stm.vars.contains(&var))?, var))
}

/// The statement makes memory of its own for what it binds, of a size that is known before.
fn makes_memory(exp: &NestExp) -> bool {
    matches!(
        exp,
        NestExp::Op(Operator::Map { .. } | Operator::Fused { .. } | Operator::Scan { .. })
            | NestExp::Array(
                ArrayExp::Replicate { .. }
                    | ArrayExp::Range { .. }
                    | ArrayExp::Copy(_)
                    | ArrayExp::ArrayLit(_)
            )
    )
}
