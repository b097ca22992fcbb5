//! What a loop does to one element of the arrays that it hands on: the body of the map that it becomes.
//!
//! A walk over the statements keeps, for each array over the loop's width, the atom that is its element at the place of the thread. What has nothing to do with such
//! arrays is uniform, and goes into the thread as it is. Whatever cannot be said of one element ends the walk.

use super::super::mentions;
use super::super::subst::Names;
use super::uniform::is_cheap;
use norn_base::Span;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Lambda, LoopForm, Operator, Param, Prim,
    ScalarExp, Stm, Type, Var,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A loop that was taken apart.
pub(super) struct Taken {
    /// Those of a thread; the last is the loop over elements.
    pub stms: Vec<Stm>,
    /// What a thread yields.
    pub results: Vec<Atom>,
    /// Arrays from outside, and what stands for their elements.
    pub inputs: Vec<(Var, Var)>,
    /// The number of the element, if anything needs it.
    pub position: Option<Var>,
    /// An iteration reads arrays at places that depend on the element, beside those that the loop hands on.
    pub reads_elsewhere: bool,
    /// All arrays that are computed by elements.
    pub arrays: FxHashSet<Var>,
}

pub(super) struct Elementwise<'a> {
    names: &'a mut Names,
    iotas: &'a FxHashSet<Var>,
    width: Atom,
    /// Of the loop.
    span: Span,
    /// Of arrays that are made inside of the loop, or handed on by it.
    element: FxHashMap<Var, Atom>,
    inputs: Vec<(Var, Var)>,
    position: Option<Var>,
    /// Variables that are the number of the element.
    positions: FxHashSet<Var>,
    /// What is bound inside of the loop.
    inside: FxHashSet<Var>,
    reads_elsewhere: bool,
}

impl<'a> Elementwise<'a> {
    pub fn new(names: &'a mut Names, iotas: &'a FxHashSet<Var>, width: Atom, stm: &Stm) -> Elementwise<'a> {
        Elementwise {
            names,
            iotas,
            width,
            span: stm.span,
            element: FxHashMap::default(),
            inputs: Vec::new(),
            position: None,
            positions: FxHashSet::default(),
            inside: mentions::bound_inside(stm).into_iter().collect(),
            reads_elsewhere: false,
        }
    }

    pub fn outermost(mut self, stm: &Stm) -> Option<Taken> {
        if self.width.var().is_some_and(|width| self.inside.contains(&width)) {
            return None;
        }
        let mut stms = Vec::new();
        let vars = self.names.like(&stm.vars);
        self.control(&Stm { vars: vars.clone(), certs: Vec::new(), ..stm.clone() }, &mut stms)?;
        let results = vars.iter().filter_map(|var| self.element.get(var).copied()).collect();
        let Elementwise { inputs, position, reads_elsewhere, element, .. } = self;
        Some(Taken {
            stms,
            results,
            inputs,
            position,
            reads_elsewhere,
            arrays: element.into_keys().collect(),
        })
    }

    fn stms(&mut self, stms: &[Stm], out: &mut Vec<Stm>) -> Option<()> {
        stms.iter().try_for_each(|stm| self.stm(stm, out))
    }

    fn stm(&mut self, stm: &Stm, out: &mut Vec<Stm>) -> Option<()> {
        if stm.is_opaque() {
            return None;
        }
        match &stm.exp {
            Exp::Scalar(ScalarExp::Atom(Atom::Var(array))) | Exp::Array(ArrayExp::Copy(array))
                if self.is_elementwise(*array) =>
            {
                let element = self.element_of(*array, out)?;
                self.element.insert(stm.vars[0], element);
                Some(())
            }
            // Columns of an array of rows.
            Exp::Array(ArrayExp::Index { array, slice })
                if slice.first() == Some(&DimIndex::whole(self.width)) && self.is_elementwise(*array) =>
            {
                let row = self.element_of(*array, out)?;
                let mut element = row;
                if slice.len() > 1 {
                    let part = self.part_of(row, &slice[1..])?;
                    let var = self.names.fresh("x", self.names.ty(stm.vars[0]).row()?);
                    out.push(Stm { certs: stm.certs.clone(), ..Stm::new(vec![var], part, stm.span) });
                    element = var.into();
                }
                self.element.insert(stm.vars[0], element);
                Some(())
            }
            Exp::Array(ArrayExp::Replicate { count, value }) if *count == self.width => {
                if value.var().is_some_and(|value| self.element.contains_key(&value)) {
                    return None;
                }
                self.element.insert(stm.vars[0], *value);
                Some(())
            }
            Exp::Array(ArrayExp::Range { prim, count, start, step }) if *count == self.width => {
                let number = self.position();
                let element = self.in_range(*prim, number, *start, *step, out);
                self.element.insert(stm.vars[0], element);
                Some(())
            }
            Exp::Op(Operator::Map { width, inputs, lambda }) if *width == self.width => {
                self.map(stm, inputs, lambda, out)
            }
            Exp::Control(ControlExp::If { .. } | ControlExp::Loop { .. }) if self.has_elements(stm) => {
                self.control(stm, out)
            }
            _ if is_cheap(stm) && !self.mentions_elements(stm) => {
                out.push(stm.clone());
                Some(())
            }
            _ => None,
        }
    }

    /// Whether it is an array over the width, which can be taken by elements.
    fn is_elementwise(&self, array: Var) -> bool {
        let dims = self.names.ty(array).dims();
        dims.first() == Some(&Dim::Size(self.width)) && !dims.contains(&Dim::Irregular)
    }

    fn position(&mut self) -> Var {
        if let Some(position) = self.position {
            return position;
        }
        let position = self.names.fresh("e", Type::i64());
        self.positions.insert(position);
        self.position = Some(position);
        position
    }

    /// The element at the thread's place.
    fn element_of(&mut self, array: Var, out: &mut Vec<Stm>) -> Option<Atom> {
        if let Some(element) = self.element.get(&array) {
            return Some(*element);
        }
        if !self.is_elementwise(array) {
            return None;
        }
        if self.iotas.contains(&array) {
            return Some(self.position().into());
        }
        let ty = self.names.ty(array).row()?;
        if !self.inside.contains(&array) {
            let known = self.inputs.iter().find(|(input, _)| *input == array);
            let param = known.map(|(_, param)| *param).unwrap_or_else(|| {
                let param = self.names.fresh("x", ty);
                self.inputs.push((array, param));
                param
            });
            return Some(param.into());
        }
        // A view that each iteration makes anew, such as a row of a matrix.
        self.reads_elsewhere = true;
        let element = self.names.fresh("x", ty);
        let slice = vec![DimIndex::Fix(self.position().into())];
        out.push(Stm::new(vec![element], Exp::index(array, slice), self.span));
        Some(element.into())
    }

    /// `start + number * step`
    fn in_range(&mut self, prim: Prim, number: Var, start: Atom, step: Atom, out: &mut Vec<Stm>) -> Atom {
        let span = self.span;
        let mut bind = |exp: Exp| {
            let var = self.names.fresh("x", Type::scalar(prim));
            out.push(Stm::new(vec![var], exp, span));
            Atom::from(var)
        };
        let mut value = Atom::from(number);
        if prim != Prim::I64 {
            value = bind(Exp::convert(Prim::I64, prim, value));
        }
        if step != Atom::int(prim, 1) {
            value = bind(Exp::bin(BinOp::Mul, prim, value, step));
        }
        if start != Atom::int(prim, 0) {
            value = bind(Exp::bin(BinOp::Add, prim, start, value));
        }
        if let (Atom::Var(var), Prim::I64) = (value, prim)
            && var == number
        {
            self.positions.insert(var);
        }
        value
    }

    /// What the lambda does with one element.
    fn map(&mut self, stm: &Stm, inputs: &[Var], lambda: &Lambda, out: &mut Vec<Stm>) -> Option<()> {
        if inputs.iter().any(|input| !self.is_elementwise(*input)) {
            return None;
        }
        for (input, param) in inputs.iter().zip(&lambda.params) {
            let element = self.element_of(*input, out)?;
            if element.var().is_some_and(|element| self.positions.contains(&element)) {
                self.positions.insert(*param);
            }
            out.push(Stm::new(vec![*param], Exp::atom(element), stm.span));
        }
        let mut body = lambda.body.clone();
        let from = out.len();
        self.reads_of(&mut body)?;
        out.extend(body.stms);
        // Checks rely on nothing.
        for inside in
            out[from..].iter_mut().filter(|inside| !matches!(inside.exp, Exp::Control(ControlExp::Check(_))))
        {
            inside.certs.extend(&stm.certs);
        }
        for (array, element) in stm.vars.iter().zip(body.result) {
            self.element.insert(*array, element);
        }
        Some(())
    }

    /// What a lambda reads of arrays that the loop computes is its own element.
    fn reads_of(&mut self, body: &mut Body) -> Option<()> {
        for stm in &mut body.stms {
            if let Exp::Array(array) = &stm.exp {
                if let ArrayExp::Index { array, slice } = array
                    && let Some(element) = self.element.get(array).copied()
                {
                    let Some(DimIndex::Fix(Atom::Var(place))) = slice.first() else { return None };
                    if !self.positions.contains(place) {
                        return None;
                    }
                    stm.exp = self.part_of(element, &slice[1..])?;
                } else {
                    self.reads_elsewhere = true;
                }
            }
            let mut fine = true;
            stm.exp.for_each_part_mut(&mut |part| match part {
                PartMut::Atom(Atom::Var(var)) => fine &= !self.element.contains_key(var),
                PartMut::Var(var) => fine &= !self.element.contains_key(var),
                PartMut::Atom(Atom::Const(_)) | PartMut::Binder(_) => {}
                PartMut::Body(body) => fine = fine && self.reads_of(body).is_some(),
                PartMut::Lambda(lambda) => fine = fine && self.reads_of(&mut lambda.body).is_some(),
            });
            if !fine {
                return None;
            }
        }
        self.has_no_elements(&body.result).then_some(())
    }

    /// An element, which may be a row, at further indices.
    fn part_of(&self, element: Atom, slice: &[DimIndex]) -> Option<Exp> {
        match element.var().filter(|element| self.names.ty(*element).is_array()) {
            Some(row) if slice.is_empty() => {
                let count = self.names.ty(row).dims()[0].atom()?;
                Some(Exp::index(row, vec![DimIndex::whole(count)]))
            }
            Some(row) => Some(Exp::index(row, slice.to_vec())),
            None => slice.is_empty().then(|| Exp::atom(element)),
        }
    }

    /// A branch or loop, for one element: what it takes and yields of arrays are elements.
    fn control(&mut self, stm: &Stm, out: &mut Vec<Stm>) -> Option<()> {
        let exp = match &stm.exp {
            Exp::Control(ControlExp::If { cond, then, els }) => {
                let then = self.branch(then, &stm.vars)?;
                let els = self.branch(els, &stm.vars)?;
                Exp::if_(*cond, then, els)
            }
            Exp::Control(ControlExp::Loop { params, form, body }) => {
                let mut of_element = Vec::new();
                for (param, init) in params {
                    of_element.push(self.param(param, *init, out)?);
                }
                let form = match form {
                    LoopForm::For(index, bound) => LoopForm::For(*index, *bound),
                    LoopForm::While(cond) => LoopForm::While(self.branch(cond, &[])?),
                };
                let body = self.branch(body, &stm.vars)?;
                Exp::Control(ControlExp::Loop { params: of_element, form, body })
            }
            _ => return None,
        };
        let vars = stm.vars.iter().map(|var| self.result(*var)).collect::<Option<_>>()?;
        out.push(Stm { vars, exp, ..stm.clone() });
        Some(())
    }

    /// What a branch or loop yields, of one element.
    fn result(&mut self, var: Var) -> Option<Var> {
        if !self.names.ty(var).is_array() {
            return Some(var);
        }
        if !self.is_elementwise(var) {
            return None;
        }
        let row = self.names.ty(var).row()?;
        let element = self.names.fresh(&self.names.name(var), row);
        self.element.insert(var, element.into());
        Some(element)
    }

    fn param(&mut self, param: &Param, init: Atom, out: &mut Vec<Stm>) -> Option<(Param, Atom)> {
        if !self.names.ty(param.var).is_array() {
            return (!matches!(self.names.ty(param.var), Type::Acc(_) | Type::Region))
                .then_some((param.clone(), init));
        }
        let init = self.element_of(init.var()?, out)?;
        Some((Param::plain(self.result(param.var)?), init))
    }

    /// A body that yields elements in place of arrays. Without variables it yields what is uniform.
    fn branch(&mut self, body: &Body, vars: &[Var]) -> Option<Body> {
        let mut stms = Vec::new();
        self.stms(&body.stms, &mut stms)?;
        let mut result = Vec::new();
        for (at, atom) in body.result.iter().enumerate() {
            let is_array = vars.get(at).is_some_and(|var| self.names.ty(*var).is_array());
            result.push(match atom {
                Atom::Var(array) if is_array => self.element_of(*array, &mut stms)?,
                _ => *atom,
            });
        }
        Some(Body { stms, result })
    }

    fn has_no_elements(&self, atoms: &[Atom]) -> bool {
        atoms.iter().filter_map(|atom| atom.var()).all(|var| !self.element.contains_key(&var))
    }

    /// Whether a branch or loop has to do with arrays over the width.
    fn has_elements(&self, stm: &Stm) -> bool {
        stm.vars.iter().any(|var| self.names.ty(*var).is_array()) || self.mentions_elements(stm)
    }

    fn mentions_elements(&self, stm: &Stm) -> bool {
        let mut mentioned = Vec::new();
        mentions::in_stm(&self.names.vars, stm, &mut mentioned);
        mentioned.iter().any(|var| self.element.contains_key(var))
    }
}
