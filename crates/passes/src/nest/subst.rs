//! Substitution of variables, and copies of statements and lambdas with fresh names.
//!
//! - `Subst` maps variables to atoms, and replaces them in bodies and types. It does not rename binders: names are unique in a
//!   function, so that nothing can be captured.
//! - `Names` owns the variables of a function while a pass rewrites it. `copy_stm` and `copy_lambda` copy with fresh binders, so that the copy
//!   may stand beside the original (alpha-renaming).
//!
//! ```text
//! subst {x -> y}      let z = add.i64 x 1i64    ==>   let z = add.i64 y 1i64
//! copy_stm            let z = add.i64 x 1i64    ==>   let z.2 = add.i64 x 1i64, and z -> z.2 in the substitution
//! ```

use super::memory::{Memory, Signature, memory, signatures};
use norn_base::Span;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    Atom, BinOp, Body, Dim, Elem, Exp, Fun, Lambda, Prim, Prog, Reduction, Stm, Type, Var, VarInfo,
};
use std::collections::HashMap;

/// Of some variables, what stands in their place.
#[derive(Default)]
pub struct Subst {
    /// Looked up only, never enumerated.
    to: HashMap<Var, Atom>,
}

impl Subst {
    /// These variables, and what stands for each.
    pub fn of(vars: &[Var], to: impl IntoIterator<Item = Atom>) -> Subst {
        let mut subst = Subst::default();
        vars.iter().zip(to).for_each(|(var, to)| subst.set(*var, to));
        subst
    }

    pub fn set(&mut self, var: Var, to: impl Into<Atom>) {
        let to = self.atom(to.into());
        if to != Atom::Var(var) {
            self.to.insert(var, to);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.to.is_empty()
    }

    pub fn atom(&self, atom: Atom) -> Atom {
        let mut atom = atom;
        while let Atom::Var(var) = atom
            && let Some(to) = self.to.get(&var)
        {
            atom = *to;
        }
        atom
    }

    /// For places where only a variable can stand: arrays, regions, certificates.
    pub fn var(&self, var: Var) -> Var {
        self.atom(var.into()).var().unwrap_or(var)
    }

    /// The operands of an expression; not what its bodies use.
    pub fn operands(&self, exp: &mut Exp) {
        exp.for_each_part_mut(&mut |part| self.operand(part));
    }

    /// Those of a statement.
    pub fn operands_of(&self, stm: &mut Stm) {
        stm.for_each_part_mut(&mut |part| self.operand(part));
    }

    fn operand(&self, part: PartMut) {
        match part {
            PartMut::Atom(atom) => *atom = self.atom(*atom),
            PartMut::Var(var) => *var = self.var(*var),
            PartMut::Binder(_) | PartMut::Body(_) | PartMut::Lambda(_) => {}
        }
    }

    /// All that a body uses, those inside included.
    pub fn body(&self, body: &mut Body) {
        for stm in &mut body.stms {
            stm.certs.iter_mut().for_each(|cert| *cert = self.var(*cert));
            self.stm(stm);
        }
        body.result.iter_mut().for_each(|atom| *atom = self.atom(*atom));
    }

    pub fn stm(&self, stm: &mut Stm) {
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Atom(atom) => *atom = self.atom(*atom),
            PartMut::Var(var) => *var = self.var(*var),
            PartMut::Binder(_) => {}
            PartMut::Body(body) => self.body(body),
            PartMut::Lambda(lambda) => self.body(&mut lambda.body),
        });
    }

    pub fn ty(&self, ty: &mut Type) {
        ty.for_each_dim(&mut |dim| match dim {
            Dim::Size(atom) => *atom = self.atom(*atom),
            Dim::Irregular | Dim::Result(_) => {}
        });
        ty.for_each_elem_mut(&mut |elem| match elem {
            Elem::Ref(_, Some(region)) => *region = self.var(*region),
            Elem::Prim(_) | Elem::Ref(_, None) => {}
        });
    }

    /// The type of what a function yields where it is called: sizes that are results are these.
    pub fn returned(&self, ty: &Type, results: &[Var]) -> Type {
        let mut ty = ty.clone();
        self.ty(&mut ty);
        ty.for_each_dim(&mut |dim| {
            if let Dim::Result(at) = dim {
                *dim = Dim::size(results[*at]);
            }
        });
        ty
    }

    /// The types of all variables of a function.
    pub fn types(&self, fun: &mut Fun) {
        fun.vars.iter_mut().for_each(|info| self.ty(&mut info.ty));
    }

    /// All that a body uses, and the types of what it binds.
    pub fn body_and_types(&self, vars: &mut [VarInfo], body: &mut Body) {
        if self.is_empty() {
            return;
        }
        body.stms.iter_mut().for_each(|stm| self.stm_and_types(vars, stm));
        body.result.iter_mut().for_each(|atom| *atom = self.atom(*atom));
    }

    pub fn stm_and_types(&self, vars: &mut [VarInfo], stm: &mut Stm) {
        if self.is_empty() {
            return;
        }
        self.types_of(vars, &stm.vars);
        stm.certs.iter_mut().for_each(|cert| *cert = self.var(*cert));
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Atom(atom) => *atom = self.atom(*atom),
            PartMut::Var(var) => *var = self.var(*var),
            PartMut::Binder(var) => self.types_of(vars, &[*var]),
            PartMut::Body(body) => self.body_and_types(vars, body),
            PartMut::Lambda(lambda) => {
                self.types_of(vars, &lambda.params);
                self.body_and_types(vars, &mut lambda.body);
            }
        });
    }

    pub fn types_of(&self, vars: &mut [VarInfo], of: &[Var]) {
        of.iter().for_each(|var| self.ty(&mut vars[var.0 as usize].ty));
    }
}

/// The variables of a function, and which may share memory.
pub struct Names {
    pub vars: Vec<VarInfo>,
    pub memory: Memory,
}

/// In all functions, each statement, after those inside it, becomes those that `make` emits; `make` returns whether they differ.
/// Whether any are.
pub fn replace_statements(
    prog: &mut Prog,
    make: &mut dyn FnMut(&mut Names, Stm, &mut Vec<Stm>) -> bool,
) -> bool {
    let signatures = signatures(prog);
    let mut changed = false;
    for fun in &mut prog.funs {
        let mut names = Names::of(&signatures, fun);
        changed |= names.replace_in(&mut fun.body, make);
        fun.vars = names.vars;
    }
    if changed {
        normalise(prog);
    }
    changed
}

impl Names {
    /// Those of a function, which has none until it gets them back.
    pub fn of(signatures: &[Signature], fun: &mut Fun) -> Names {
        Names { memory: memory(signatures, fun), vars: std::mem::take(&mut fun.vars) }
    }

    /// In a body, each statement, after those inside it, becomes those that `make` emits. Whether any do not stay as they are.
    pub fn replace_in(
        &mut self,
        body: &mut Body,
        make: &mut dyn FnMut(&mut Names, Stm, &mut Vec<Stm>) -> bool,
    ) -> bool {
        let mut changed = false;
        for mut stm in std::mem::take(&mut body.stms) {
            stm.for_each_part_mut(&mut |part| match part {
                PartMut::Body(body) => changed |= self.replace_in(body, make),
                PartMut::Lambda(lambda) => changed |= self.replace_in(&mut lambda.body, make),
                PartMut::Atom(_) | PartMut::Var(_) | PartMut::Binder(_) => {}
            });
            changed |= make(self, stm, &mut body.stms);
        }
        changed
    }

    pub fn ty(&self, var: Var) -> &Type {
        &self.vars[var.0 as usize].ty
    }

    pub fn name(&self, var: Var) -> String {
        self.vars[var.0 as usize].name.clone()
    }

    pub fn fresh(&mut self, name: &str, ty: Type) -> Var {
        self.vars.push(VarInfo::new(name, ty));
        self.memory.grow(self.vars.len());
        Var(self.vars.len() as u32 - 1)
    }

    /// A reduction of numbers by an operator that is associative and commutative.
    pub fn reduction(&mut self, op: BinOp, prim: Prim, neutral: Atom, span: Span) -> Reduction {
        let [a, b, both] = ["a", "b", "both"].map(|name| self.fresh(name, Type::scalar(prim)));
        let stm = Stm::new(vec![both], Exp::bin(op, prim, a.into(), b.into()), span);
        let lambda = Lambda::new(vec![a, b], Body { stms: vec![stm], result: vec![both.into()] });
        Reduction { lambda, neutral: vec![neutral], commutative: true }
    }

    /// New variables like these, whose types may mention each other.
    pub fn like(&mut self, vars: &[Var]) -> Vec<Var> {
        let new: Vec<Var> =
            vars.iter().map(|var| self.fresh(&self.name(*var), self.ty(*var).clone())).collect();
        Subst::of(vars, new.iter().map(|var| Atom::Var(*var))).types_of(&mut self.vars, &new);
        new
    }

    /// The lambda, or one that yields the rows of these inputs.
    pub fn lambda_or_rows(&mut self, lambda: Option<&Lambda>, inputs: &[Var]) -> Lambda {
        lambda.cloned().unwrap_or_else(|| {
            let params: Vec<Var> = inputs.iter().flat_map(|input| self.row_params(*input)).collect();
            let result = params.iter().map(|param| (*param).into()).collect();
            Lambda::new(params, Body { stms: Vec::new(), result })
        })
    }

    /// Variables for what a lambda takes of an array: the row, or the row's length and the row.
    pub fn row_params(&mut self, array: Var) -> Vec<Var> {
        let ty = self.ty(array).clone();
        let mut row = ty.row().unwrap_or(Type::bool());
        let name = self.name(array);
        let mut params = Vec::new();
        if ty.has_irregular_rows() {
            let length = self.fresh("length", Type::i64());
            let mut dims = row.dims().to_vec();
            dims[0] = Dim::size(length);
            row = row.with_dims(dims);
            params.push(length);
        }
        params.push(self.fresh(&name, row));
        params
    }

    /// The statement again, binding new variables. What stands for its old ones is added to the substitution.
    pub fn copy_stm(&mut self, subst: &mut Subst, stm: &Stm) -> Stm {
        let mut copy = stm.clone();
        self.rebind_stm(subst, &mut copy);
        subst.stm_and_types(&mut self.vars, &mut copy);
        copy
    }

    /// The lambda again, with new variables.
    pub fn copy_lambda(&mut self, lambda: &Lambda) -> Lambda {
        let mut copy = lambda.clone();
        let mut subst = Subst::default();
        copy.params.iter_mut().for_each(|var| self.rebind(&mut subst, var));
        copy.body.stms.iter_mut().for_each(|stm| self.rebind_stm(&mut subst, stm));
        subst.types_of(&mut self.vars, &copy.params);
        subst.body_and_types(&mut self.vars, &mut copy.body);
        copy
    }

    fn rebind_stm(&mut self, subst: &mut Subst, stm: &mut Stm) {
        stm.vars.iter_mut().for_each(|var| self.rebind(subst, var));
        stm.for_each_part_mut(&mut |part| match part {
            PartMut::Atom(_) | PartMut::Var(_) => {}
            PartMut::Binder(var) => self.rebind(subst, var),
            PartMut::Body(body) => body.stms.iter_mut().for_each(|stm| self.rebind_stm(subst, stm)),
            PartMut::Lambda(lambda) => {
                lambda.params.iter_mut().for_each(|var| self.rebind(subst, var));
                lambda.body.stms.iter_mut().for_each(|stm| self.rebind_stm(subst, stm));
            }
        });
    }

    fn rebind(&mut self, subst: &mut Subst, var: &mut Var) {
        let copy = Var(self.vars.len() as u32);
        self.vars.push(self.vars[var.0 as usize].clone());
        self.memory.grow_like(*var);
        subst.set(*var, copy);
        *var = copy;
    }
}
