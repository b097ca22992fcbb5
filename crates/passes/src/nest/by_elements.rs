//! Turns replications, copies, concatenations and updates of rows into maps over their elements.
//!
//! ```text
//! map n (xs) \x {                                  map n (xs) \x {
//!   let row: [m]f32 = replicate m x         ==>      let row: [m]f32 = map m () \() { in x }
//!   in row                                           in row
//! }                                                }
//! ```
//! The same for copies, for arrays one after the other, and for rows that are written one by one. So elements have a thread each, of a device (`place/spread`) or of a group
//! (`flatten/levels`).

use super::mentions;
use norn_base::Span;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, DimIndex, Exp, Lambda, Operator, Prim, ScalarExp, Stm, Type,
    Var, VarInfo,
};

/// More rows than these, written one by one, are not chosen from.
const FEW: usize = 16;

/// So few elements are written down again for each of them.
const SHORT: usize = 4;

/// What stands at the bottom of a nest of maps, as maps, if it only puts an array together.
pub fn bottom(vars: &mut Vec<VarInfo>, exp: &mut Exp) {
    let Exp::Op(Operator::Map { lambda, .. }) = exp else { return };
    let Some((last, before)) = lambda.body.stms.split_last_mut() else { return };
    let yields = lambda.body.result.iter().map(|atom| atom.var()).eq(last.vars.iter().map(|var| Some(*var)));
    if !yields {
        return;
    }
    // What a group does together stays as it is.
    if last.grid.is_some() {
        return;
    }
    if let Exp::Op(Operator::Map { .. }) = &last.exp {
        return bottom(vars, &mut last.exp);
    }
    let [var] = last.vars[..] else { return };
    let ty = vars[var.0 as usize].ty.clone();
    let Some(sizes) = ty.dims().iter().map(|dim| dim.atom()).collect::<Option<Vec<Atom>>>() else { return };
    if sizes.is_empty() {
        return;
    }
    let literals = literals_in(before);
    let mut maps = Maps { vars, span: last.span };
    let mut needed = Vec::new();
    last.exp = match &last.exp {
        Exp::Array(ArrayExp::Copy(array)) => maps.copy(&sizes, *array),
        Exp::Array(ArrayExp::Replicate { count, value }) => {
            let mut body = Body::default();
            let value = match value {
                Atom::Var(array) if sizes.len() > 1 => {
                    let exp = maps.copy(&sizes[1..], *array);
                    maps.push(&mut body.stms, "row", ty.with_dims(ty.dims()[1..].to_vec()), exp).into()
                }
                value => *value,
            };
            body.result.push(value);
            Exp::map(*count, Vec::new(), Lambda::new(Vec::new(), body))
        }
        Exp::Array(ArrayExp::Concat { arrays, size: _ }) if before.iter().all(is_little) => {
            maps.by_places(&sizes, &ty, &[], &mut needed, &|maps, places, stms| {
                maps.one_of(&literals, arrays, places, stms)
            })
        }
        Exp::Array(ArrayExp::ArrayLit(rows)) if are_rows(maps.vars, rows) && before.iter().all(is_little) => {
            maps.by_places(&sizes, &ty, &[], &mut needed, &|maps, places, stms| {
                maps.row_of(&ty.with_dims(Vec::new()), rows, 0, places, stms)
            })
        }
        _ => return,
    };
    let at = before.len();
    lambda.body.stms.splice(at..at, needed);
    // Literals whose elements are there without them.
    let mut used = Vec::new();
    lambda.body.stms.iter().for_each(|stm| mentions::in_stm(vars, stm, &mut used));
    let is_literal = |stm: &Stm| literals.iter().any(|(array, _)| stm.vars == [*array]);
    lambda.body.stms.retain(|stm| !is_literal(stm) || used.contains(&stm.vars[0]));
}

/// Arrays whose elements are written one by one.
type Literals = Vec<(Var, Vec<Atom>)>;

fn literals_in(stms: &[Stm]) -> Literals {
    let literal = |stm: &Stm| match &stm.exp {
        Exp::Array(ArrayExp::ArrayLit(elements)) if !elements.is_empty() => {
            Some((stm.vars[0], elements.clone()))
        }
        _ => None,
    };
    stms.iter().filter_map(literal).collect()
}

/// Nothing that makes an array of more than a few elements, which could make it in its place.
fn is_little(stm: &Stm) -> bool {
    stm.exp.is_scalar_or_view()
        || matches!(stm.exp, Exp::Control(ControlExp::Check(_)))
        || matches!(&stm.exp, Exp::Array(ArrayExp::ArrayLit(elements)) if elements.len() <= SHORT)
}

/// What there is at places.
type Element<'e> = dyn Fn(&mut Maps, &[Var], &mut Vec<Stm>) -> Var + 'e;

/// Maps in the making.
pub struct Maps<'a> {
    pub vars: &'a mut Vec<VarInfo>,
    pub span: Span,
}

impl Maps<'_> {
    fn fresh(&mut self, name: &str, ty: Type) -> Var {
        self.vars.push(VarInfo::new(name, ty));
        Var(self.vars.len() as u32 - 1)
    }

    pub fn push(&mut self, stms: &mut Vec<Stm>, name: &str, ty: Type, exp: Exp) -> Var {
        let var = self.fresh(name, ty);
        stms.push(Stm::new(vec![var], exp, self.span));
        var
    }

    /// A copy of an array of these sizes.
    pub fn copy(&mut self, sizes: &[Atom], array: Var) -> Exp {
        let ty = self.vars[array.0 as usize].ty.clone();
        let row = ty.with_dims(ty.dims()[1..].to_vec());
        let param = self.fresh("element", row.clone());
        let mut body = Body::default();
        let copied = match sizes.len() {
            1 => param,
            _ => {
                let exp = self.copy(&sizes[1..], param);
                self.push(&mut body.stms, "row", row, exp)
            }
        };
        body.result.push(copied.into());
        Exp::map(sizes[0], vec![array], Lambda::new(vec![param], body))
    }

    /// An array of these sizes and this type, each element of which is what there is at its places. Those in the dimensions around it are given. What the
    /// map needs comes before it.
    fn by_places(
        &mut self,
        sizes: &[Atom],
        ty: &Type,
        around: &[Var],
        before: &mut Vec<Stm>,
        at: &Element,
    ) -> Exp {
        let range = Type::array(Prim::I64, vec![ty.dims()[0]]);
        let range = self.push(before, "places", range, Exp::iota(sizes[0]));
        let place = self.fresh("place", Type::i64());
        let places = [around, &[place]].concat();
        let mut body = Body::default();
        let made = if sizes.len() == 1 {
            at(self, &places, &mut body.stms)
        } else {
            let row = ty.with_dims(ty.dims()[1..].to_vec());
            let exp = self.by_places(&sizes[1..], &row, &places, &mut body.stms, at);
            self.push(&mut body.stms, "row", row, exp)
        };
        body.result.push(made.into());
        Exp::map(sizes[0], vec![range], Lambda::new(vec![place], body))
    }

    /// The element at these places of rows, or numbers, that are written one by one, so many of which are out of the question.
    fn row_of(
        &mut self,
        element: &Type,
        rows: &[Atom],
        passed: i64,
        places: &[Var],
        stms: &mut Vec<Stm>,
    ) -> Var {
        let own = match rows[0] {
            Atom::Var(row) if places.len() > 1 => {
                Exp::index(row, places[1..].iter().map(|place| DimIndex::Fix((*place).into())).collect())
            }
            number => Exp::Scalar(ScalarExp::Atom(number)),
        };
        if rows.len() == 1 {
            return self.push(stms, "element", element.clone(), own);
        }
        let mut then = Body::default();
        let chosen = self.push(&mut then.stms, "element", element.clone(), own);
        then.result.push(chosen.into());
        let mut els = Body::default();
        let chosen = self.row_of(element, &rows[1..], passed + 1, places, &mut els.stms);
        els.result.push(chosen.into());
        let is_own = Exp::bin(BinOp::Eq, Prim::I64, places[0].into(), Atom::i64(passed));
        let is_own = self.push(stms, "is_own", Type::bool(), is_own);
        self.push(stms, "element", element.clone(), Exp::if_(is_own.into(), then, els))
    }

    /// The element at these places of arrays that stand one after the other.
    fn one_of(&mut self, literals: &Literals, arrays: &[Var], places: &[Var], stms: &mut Vec<Stm>) -> Var {
        let (array, others) = (arrays[0], &arrays[1..]);
        let ty = self.vars[array.0 as usize].ty.clone();
        let element = ty.with_dims(Vec::new());
        let length = match (others, ty.dims()[0].atom()) {
            ([_, ..], Some(length)) => length,
            _ => return self.own_element(literals, array, places, stms),
        };
        let mut then = Body::default();
        let chosen = self.own_element(literals, array, places, &mut then.stms);
        then.result.push(chosen.into());
        let mut els = Body::default();
        let behind = Exp::bin(BinOp::Sub, Prim::I64, places[0].into(), length);
        let behind = self.push(&mut els.stms, "place", Type::i64(), behind);
        let chosen = self.one_of(literals, others, &[&[behind], &places[1..]].concat(), &mut els.stms);
        els.result.push(chosen.into());
        let inside = Exp::bin(BinOp::Lt, Prim::I64, places[0].into(), length);
        let inside = self.push(stms, "inside", Type::bool(), inside);
        self.push(stms, "element", element, Exp::if_(inside.into(), then, els))
    }

    /// The element at these places of an array.
    fn own_element(&mut self, literals: &Literals, array: Var, places: &[Var], stms: &mut Vec<Stm>) -> Var {
        let element = self.vars[array.0 as usize].ty.with_dims(Vec::new());
        if let Some((_, elements)) = literals.iter().find(|(literal, _)| *literal == array) {
            return self.row_of(&element, elements, 0, places, stms);
        }
        let slice = places.iter().map(|place| DimIndex::Fix((*place).into())).collect();
        self.push(stms, "element", element, Exp::index(array, slice))
    }
}

/// A few rows, written one by one.
pub fn are_rows(vars: &[VarInfo], rows: &[Atom]) -> bool {
    let is_array = |row: &Atom| row.var().is_some_and(|row| vars[row.0 as usize].ty.is_array());
    !rows.is_empty() && rows.len() <= FEW && rows.iter().all(is_array)
}
