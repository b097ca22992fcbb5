//! Rows and elements at an index that only the device knows: kernels read and write them, and check the index.
//!
//! ```text
//! let r: i64 = reduce n (xs) ..                   let r: i64 = reduce n (xs) ..
//! let ok: cert = check index r n                  let rows: [1][m]f32 = map 1 (only) \(o: i64) {
//! let row: [m]f32 = <ok> index xss [r]              let ok: cert = check index r n
//! let own: [m]f32 = copy row                ==>     let row: [m]f32 = map m (js) \(j: i64) { <ok> index xss [r, j] .. }
//! let yss: [n][m]f32 = update xss [r] zs            in row
//!                                                 }
//!                                                 let own: [m]f32 = index rows [0]
//!                                                 let yss: [n][m]f32 = scatter m (xss) (js, zs) \(j: i64, z: f32) { in r, j, z }
//! ```
//!
//! So the exchange of rows in an elimination, or the choice of the best of what is left, does not make the host wait in each step. Kernels that follow one
//! whose check fails do nothing, so that what relies on the check need not state it. A check that no row waits for is a kernel of one thread.
//!
//! Refuses: parts of arrays that begin where only the device knows; rows of different lengths; updates of more than one dimension.

use super::plan::Found;
use crate::nest::mentions;
use crate::nest::subst::{Names, Subst};
use norn_base::Span;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, Check, ControlExp, Dim, DimIndex, Elem, Exp, Lambda, Operator, Prim, Stm,
    Type, Var, VarInfo,
};

/// Whether threads can check it: it is about numbers.
pub fn is_of_numbers(check: &Check) -> bool {
    match check {
        Check::Index { .. } | Check::NonZero(..) | Check::Exponent(..) | Check::Assert { .. } => true,
        Check::Slice { .. }
        | Check::Size { .. }
        | Check::Shape { .. }
        | Check::NonNegative(_)
        | Check::Range { .. }
        | Check::Segments { .. }
        | Check::Flat { .. }
        | Check::Fail { .. } => false,
    }
}

/// The indices of a statement that reads a row, or writes one or an element, which the host need not know.
pub fn indices_for_kernels(vars: &[VarInfo], stm: &Stm) -> Vec<Atom> {
    let is_plain = |var: &Var| {
        let ty = &vars[var.0 as usize].ty;
        matches!(ty, Type::Value(Elem::Prim(_), _)) && !ty.dims().contains(&Dim::Irregular)
    };
    let is_array = |var: &Var| vars[var.0 as usize].ty.is_array();
    let (array, slice, most) = match &stm.exp {
        Exp::Array(ArrayExp::Index { array, slice }) if stm.vars.iter().all(is_array) => {
            (array, slice, usize::MAX)
        }
        Exp::Array(ArrayExp::Update { array, slice, .. }) => (array, slice, 1),
        _ => return Vec::new(),
    };
    let fixed: Vec<Atom> = slice.iter().filter_map(fixed).collect();
    let left = vars[array.0 as usize].ty.rank() - fixed.len();
    let fits = is_plain(array) && stm.vars.iter().all(is_plain) && left <= most;
    if fits { fixed } else { Vec::new() }
}

/// The part in each dimension of the array: all of those that are not mentioned.
fn in_all_dimensions(names: &Names, array: Var, slice: &[DimIndex]) -> Vec<DimIndex> {
    let others = names.ty(array).dims()[slice.len()..].iter().filter_map(|dim| dim.atom());
    let whole = others.map(|count| DimIndex::Slice { start: Atom::i64(0), count, stride: Atom::i64(1) });
    slice.iter().cloned().chain(whole).collect()
}

fn fixed(at: &DimIndex) -> Option<Atom> {
    match at {
        DimIndex::Fix(at) => Some(*at),
        DimIndex::Slice { .. } => None,
    }
}

/// In all bodies of the host; whether there was something.
pub fn indexed(names: &mut Names, found: &Found, body: &mut Body) -> bool {
    let mut indexed = Indexed { names, found, done: Vec::new(), checks: Vec::new(), changed: false };
    indexed.body(body);
    let Indexed { done, changed, .. } = indexed;
    body.stms.iter_mut().for_each(|stm| mentions::retain_certs(stm, &|cert| !done.contains(&cert)));
    changed
}

struct Indexed<'a> {
    names: &'a mut Names,
    found: &'a Found,
    /// Certificates of checks that kernels do.
    done: Vec<Var>,
    /// What kernels bind that only check.
    checks: Vec<Vec<Var>>,
    changed: bool,
}

impl Indexed<'_> {
    fn body(&mut self, body: &mut Body) {
        let mut stms = std::mem::take(&mut body.stms);
        // A check that the next row which relies on it does.
        let mut waiting: Option<Stm> = None;
        let mut copies: Vec<Var> = Vec::new();
        for number in 0..stms.len() {
            let (before, after) = stms.split_at_mut(number + 1);
            let stm = &mut before[number];
            if stm.vars.iter().any(|var| copies.contains(var)) {
                continue;
            }
            stm.for_each_part_mut(&mut |part| {
                if let PartMut::Body(body) = part {
                    self.body(body);
                }
            });
            if let Exp::Control(ControlExp::Check(check)) = &stm.exp
                && is_of_numbers(check)
                && self.needs_device(stm)
            {
                self.changed = true;
                self.done.extend(&stm.vars);
                let relies = |other: &&Stm| {
                    let mut certs = Vec::new();
                    mentions::certs(other, &mut certs);
                    stm.vars.iter().any(|cert| certs.contains(cert))
                };
                match after.iter().find(relies) {
                    Some(first) if waiting.is_none() && self.is_row(first) => waiting = Some(stm.clone()),
                    _ => self.checked(stm, &mut body.stms),
                }
            } else if self.is_row(stm) {
                let check = waiting.take_if(|check| check.vars.iter().any(|cert| stm.certs.contains(cert)));
                let copy = self.only_copy(stm.vars[0], after, &body.result);
                copies.extend(copy);
                self.row(stm, check, copy, &mut body.stms);
            } else {
                if self.stays_among(&indices_for_kernels(&self.names.vars, stm)) {
                    self.written(stm, &mut body.stms);
                }
                body.stms.push(stm.clone());
            }
        }
    }

    fn stays_among(&self, atoms: &[Atom]) -> bool {
        atoms.iter().any(|atom| atom.var().is_some_and(|var| self.found.stays(var)))
    }

    fn needs_device(&self, stm: &Stm) -> bool {
        let mut mentioned = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut mentioned);
        mentioned.into_iter().any(|var| self.found.stays(var))
    }

    /// Whether the statement looks at a row at an index that stays on the device.
    fn is_row(&self, stm: &Stm) -> bool {
        matches!(stm.exp, Exp::Array(ArrayExp::Index { .. }))
            && self.stays_among(&indices_for_kernels(&self.names.vars, stm))
    }

    /// The copy of a row, if nothing else becomes of it.
    fn only_copy(&self, row: Var, after: &[Stm], result: &[Atom]) -> Option<Var> {
        let mut mentioned = Vec::new();
        after.iter().for_each(|stm| mentions::in_stm(&self.names.vars, stm, &mut mentioned));
        mentions::in_atoms(result, &mut mentioned);
        let is_copy = |stm: &&Stm| matches!(stm.exp, Exp::Array(ArrayExp::Copy(of)) if of == row);
        let copy = after.iter().find(is_copy)?;
        (mentioned.iter().filter(|var| **var == row).count() == 1).then(|| copy.vars[0])
    }

    /// One thread checks, and does so together with the check before if only numbers are computed between them.
    fn checked(&mut self, stm: &Stm, out: &mut Vec<Stm>) {
        let check = self.names.copy_stm(&mut Subst::default(), stm);
        let numbers = out.iter().rev().take_while(|stm| matches!(stm.exp, Exp::Scalar(_))).count();
        if let Some(at) = (out.len() - numbers).checked_sub(1)
            && self.checks.contains(&out[at].vars)
        {
            out[at..].rotate_left(1);
            if let Some(Exp::Op(Operator::Map { lambda, .. })) = out.last_mut().map(|stm| &mut stm.exp) {
                lambda.body.stms.push(check);
            }
            return;
        }
        let only = self.numbers("only", Atom::i64(1), stm.span, out);
        let param = self.names.row_params(only)[0];
        let lambda = Lambda::new(vec![param], Body { stms: vec![check], result: vec![param.into()] });
        let checked = self.names.fresh("checked", Type::array(Prim::I64, vec![Dim::Size(Atom::i64(1))]));
        self.checks.push(vec![checked]);
        out.push(Stm::new(vec![checked], Exp::map(Atom::i64(1), vec![only], lambda), stm.span));
    }

    /// A kernel reads the row, and checks where that is if it has to. Inside a map of one element the check is done for rows without elements, too.
    fn row(&mut self, stm: &Stm, check: Option<Stm>, copy: Option<Var>, out: &mut Vec<Stm>) {
        self.changed = true;
        let var = copy.unwrap_or(stm.vars[0]);
        let Some(check) = check else {
            let exp = self.elements(stm, out);
            return out.push(Stm { vars: vec![var], exp, ..stm.clone() });
        };
        let only = self.numbers("only", Atom::i64(1), stm.span, out);
        let param = self.names.row_params(only)[0];
        let row = self.names.fresh(&self.names.name(var), self.names.ty(var).clone());
        let exp = self.elements(stm, out);
        let lambda = Lambda::new(
            vec![param],
            Body { stms: vec![check, Stm { vars: vec![row], exp, ..stm.clone() }], result: vec![row.into()] },
        );
        let lambda = self.names.copy_lambda(&lambda);
        let rows = self.names.ty(var).clone().array_of(Dim::Size(Atom::i64(1)));
        let rows = self.names.fresh("rows", rows);
        out.push(Stm::new(vec![rows], Exp::map(Atom::i64(1), vec![only], lambda), stm.span));
        out.push(Stm::new(vec![var], Exp::index(rows, vec![DimIndex::Fix(Atom::i64(0))]), stm.span));
    }

    /// Maps over the dimensions of a row.
    fn elements(&mut self, stm: &Stm, out: &mut Vec<Stm>) -> Exp {
        let Exp::Array(ArrayExp::Index { array, slice }) = &stm.exp else {
            panic!("sink: a row of no array")
        };
        let ty = self.names.ty(stm.vars[0]).clone();
        let sizes: Vec<Atom> = ty.dims().iter().filter_map(|dim| dim.atom()).collect();
        let numbers: Vec<Var> = sizes.iter().map(|size| self.numbers("js", *size, stm.span, out)).collect();
        let params: Vec<Var> = numbers.iter().map(|numbers| self.names.row_params(*numbers)[0]).collect();
        let mut stms = Vec::new();
        let slice = in_all_dimensions(self.names, *array, slice);
        let at = self.places(&slice, &params, stm.span, &mut stms);
        let prim =
            ty.elem().and_then(|elem| elem.prim()).unwrap_or_else(|| panic!("sink: a row of no numbers"));
        let element = self.names.fresh("e", Type::scalar(prim));
        stms.push(Stm::new(vec![element], Exp::index(*array, at), stm.span));
        let mut body = Body { stms, result: vec![element.into()] };
        for (depth, (numbers, param)) in numbers.iter().zip(params).enumerate().rev() {
            let exp = Exp::map(sizes[depth], vec![*numbers], Lambda::new(vec![param], body));
            if depth == 0 {
                return exp;
            }
            let row = self.names.fresh("row", ty.with_dims(ty.dims()[depth..].to_vec()));
            body = Body { stms: vec![Stm::new(vec![row], exp, stm.span)], result: vec![row.into()] };
        }
        panic!("sink: a row without dimensions")
    }

    /// The update is a scatter, of one element or of the elements of a row.
    fn written(&mut self, stm: &mut Stm, out: &mut Vec<Stm>) {
        let span = stm.span;
        let Exp::Array(ArrayExp::Update { array, slice, value }) = stm.exp.clone() else { return };
        self.changed = true;
        let slice = in_all_dimensions(self.names, array, &slice);
        let part = slice.iter().find_map(|at| match at {
            DimIndex::Fix(_) => None,
            DimIndex::Slice { count, .. } => Some(*count),
        });
        let width = part.unwrap_or(Atom::i64(1));
        let numbers = self.numbers("js", width, span, out);
        let number = self.names.row_params(numbers)[0];
        let (mut inputs, mut params) = (vec![numbers], vec![number]);
        let value = match (part, value) {
            (Some(_), Atom::Var(values)) => {
                inputs.push(values);
                params.extend(self.names.row_params(values));
                params[1].into()
            }
            (_, value) => value,
        };
        let mut stms = Vec::new();
        let at = self.places(&slice, &[number], span, &mut stms);
        let result = at.iter().filter_map(fixed).chain([value]).collect();
        let lambda = Lambda::new(params, Body { stms, result });
        stm.exp = Exp::Op(Operator::Scatter { width, dests: vec![array], inputs, lambda });
    }

    /// The index of an element in all dimensions, by its numbers in those that are not fixed.
    fn places(
        &mut self,
        slice: &[DimIndex],
        numbers: &[Var],
        span: Span,
        stms: &mut Vec<Stm>,
    ) -> Vec<DimIndex> {
        let mut numbers = numbers.iter();
        let mut number =
            || Atom::Var(*numbers.next().unwrap_or_else(|| panic!("sink: a part without numbers")));
        let mut at = Vec::with_capacity(slice.len());
        for dim in slice {
            at.push(DimIndex::Fix(match dim {
                DimIndex::Fix(at) => *at,
                DimIndex::Slice { start, count: _, stride } => {
                    let mut place = number();
                    for (op, by, nothing) in [(BinOp::Mul, *stride, 1), (BinOp::Add, *start, 0)] {
                        if by != Atom::i64(nothing) {
                            let next = self.names.fresh("at", Type::i64());
                            stms.push(Stm::new(vec![next], Exp::bin(op, Prim::I64, place, by), span));
                            place = next.into();
                        }
                    }
                    place
                }
            }));
        }
        at
    }

    fn numbers(&mut self, name: &str, count: Atom, span: Span, out: &mut Vec<Stm>) -> Var {
        let numbers = self.names.fresh(name, Type::array(Prim::I64, vec![Dim::Size(count)]));
        out.push(Stm::new(vec![numbers], Exp::iota(count), span));
        numbers
    }
}
