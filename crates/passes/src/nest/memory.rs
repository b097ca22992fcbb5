//! Alias analysis: which variables may share memory, and which of that memory may be overwritten.
//!
//! Variables are put into classes by union-find: whatever may share memory is in one class, regardless of the order of
//! statements. A class is *taken* if something consumes a member of it, or if a member must share memory with
//! nothing: a unique result, or the next value of a unique parameter. Memory of classes that are not
//! taken is never written after it was made, so it may be shared freely.
//!
//! ```text
//! let ys = index xs [0:k:1]      xs and ys are in one class
//! let zs = update xs [i] v       .. which is taken now: a copy of ys must stay
//! ```
//!
//! This is coarser than what the verifier knows (which also uses the order), and cheap: almost linear, and it can be updated
//! while a pass makes more variables share.

use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    ArrayExp, Atom, Body, CellExp, ControlExp, Elem, Exp, Fun, Lambda, Operator, Prog, ScalarExp, Stm, Type,
    Var, VarInfo,
};

/// What a caller has to know of each function: which parameters it consumes, and which results share no memory.
pub struct Signature {
    consumes: Vec<bool>,
    fresh: Vec<bool>,
}

impl Signature {
    /// Whether each result is new: scalars are not said to be.
    pub fn fresh(&self) -> &[bool] {
        &self.fresh
    }
}

pub fn signatures(prog: &Prog) -> Vec<Signature> {
    signatures_of(&prog.funs)
}

pub fn signatures_of(funs: &[Fun]) -> Vec<Signature> {
    let of = |fun: &Fun| Signature {
        consumes: fun.params.iter().map(|param| param.unique).collect(),
        fresh: fun.ret.iter().map(|ret| ret.unique).collect(),
    };
    funs.iter().map(of).collect()
}

pub struct Memory {
    classes: crate::classes::Classes,
    taken: Vec<bool>,
    /// Of each variable, the number of the statement that binds it, in the order of the text.
    bound_at: Vec<u32>,
    /// Of each class, the number of the last statement that mentions a member.
    last_use: Vec<u32>,
}

pub fn memory(signatures: &[Signature], fun: &Fun) -> Memory {
    let mut memory =
        Memory { classes: Default::default(), taken: Vec::new(), bound_at: Vec::new(), last_use: Vec::new() };
    memory.grow(fun.vars.len());
    let mut classes = Classes { signatures, vars: &fun.vars, memory, number: 0 };
    classes.body(&fun.body);
    for (ret, result) in fun.ret.iter().zip(&fun.body.result) {
        if ret.unique {
            classes.take(*result);
        }
    }
    classes.memory
}

impl Memory {
    /// Make room for variables that are new, and share nothing yet.
    pub fn grow(&mut self, vars: usize) {
        while self.classes.len() < vars {
            self.classes.add();
            self.make_room();
        }
    }

    /// Make room for a variable that shares whatever another one shares.
    pub fn grow_like(&mut self, var: Var) {
        self.classes.add_like(var.0);
        self.make_room();
    }

    fn make_room(&mut self) {
        self.taken.push(false);
        self.bound_at.push(u32::MAX);
        self.last_use.push(0);
    }

    /// Whether nothing that may share memory with the array is mentioned after the statement that binds the other.
    /// Statements that a pass has added since do not count.
    pub fn ends_before(&self, array: Var, other: Var) -> bool {
        let at = self.bound_at[other.0 as usize];
        at != u32::MAX && self.last_use[self.class(array) as usize] <= at
    }

    pub fn is_taken(&self, var: Var) -> bool {
        self.taken[self.class(var) as usize]
    }

    /// Let two variables share memory, if nothing is written to it.
    pub fn share(&mut self, a: Var, b: Var) -> bool {
        let free = !self.is_taken(a) && !self.is_taken(b);
        if free {
            self.join(a, b);
        }
        free
    }

    pub fn join(&mut self, a: Var, b: Var) {
        let (a, b) = self.classes.join(a.0, b.0);
        let taken = self.taken[a as usize] || self.taken[b as usize];
        let last = self.last_use[a as usize].max(self.last_use[b as usize]);
        self.taken[a.min(b) as usize] = taken;
        self.last_use[a.min(b) as usize] = last;
    }

    pub fn class(&self, var: Var) -> u32 {
        self.classes.of(var.0)
    }
}

/// What a statement overwrites, at any depth.
pub fn consumed(vars: &[VarInfo], stm: &Stm, signatures: &[Signature]) -> Vec<Var> {
    let mut found = Vec::new();
    consumed_inside(vars, &stm.exp, signatures, &mut found);
    found.retain(|var| has_memory(&vars[var.0 as usize].ty));
    found
}

fn consumed_inside(vars: &[VarInfo], exp: &Exp, signatures: &[Signature], found: &mut Vec<Var>) {
    let mut in_body =
        |body: &Body| body.stms.iter().for_each(|stm| consumed_inside(vars, &stm.exp, signatures, found));
    exp.for_each_part(&mut |part| match part {
        Part::Body(body) => in_body(body),
        Part::Lambda(lambda) => in_body(&lambda.body),
        Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
    consumed_by(vars, exp, signatures, found);
}

struct Classes<'a> {
    signatures: &'a [Signature],
    vars: &'a [VarInfo],
    memory: Memory,
    /// Of the statement that is looked at.
    number: u32,
}

impl Classes<'_> {
    fn mention(&mut self, var: Var) {
        if self.has_memory(var) {
            let class = self.memory.classes.shortened(var.0);
            self.memory.last_use[class as usize] = self.number;
        }
    }

    fn ty(&self, var: Var) -> &Type {
        &self.vars[var.0 as usize].ty
    }

    fn has_memory(&self, var: Var) -> bool {
        has_memory(self.ty(var))
    }

    fn has_cells(&self, var: Var) -> bool {
        has_cells(self.ty(var))
    }

    fn join(&mut self, a: Var, b: Var) {
        if self.has_memory(a) && self.has_memory(b) {
            self.memory.join(a, b);
        }
    }

    fn join_atom(&mut self, var: Var, atom: Atom) {
        if let Atom::Var(other) = atom {
            self.join(var, other);
        }
    }

    fn take(&mut self, atom: Atom) {
        if let Atom::Var(var) = atom
            && self.has_memory(var)
        {
            let class = self.memory.classes.shortened(var.0);
            self.memory.taken[class as usize] = true;
        }
    }

    fn body(&mut self, body: &Body) {
        body.stms.iter().for_each(|stm| self.stm(stm));
        self.number += 1;
        body.result.iter().filter_map(|atom| atom.var()).for_each(|var| self.mention(var));
    }

    fn stm(&mut self, stm: &Stm) {
        let mut operands: Vec<Var> = Vec::new();
        self.number += 1;
        stm.vars.iter().for_each(|var| self.memory.bound_at[var.0 as usize] = self.number);
        stm.for_each_part(&mut |part| match part {
            Part::Atom(Atom::Var(var)) | Part::Var(var) => {
                operands.push(*var);
                self.mention(*var);
            }
            Part::Body(body) => self.body(body),
            Part::Lambda(lambda) => self.body(&lambda.body),
            Part::Atom(Atom::Const(_)) | Part::Binder(_) => {}
        });
        self.exp(stm, &stm.exp, &operands);
    }

    /// What the statement, which is this expression, does with the memory of its operands.
    fn exp(&mut self, stm: &Stm, exp: &Exp, operands: &[Var]) {
        match exp {
            Exp::Scalar(ScalarExp::Atom(_))
            | Exp::Array(
                ArrayExp::Index { .. }
                | ArrayExp::Reshape { .. }
                | ArrayExp::Rearrange { .. }
                | ArrayExp::Coerce { .. }
                | ArrayExp::FlatIndex { .. }
                | ArrayExp::JoinRows(_),
            )
            | Exp::Cell(CellExp::Alloc { .. } | CellExp::Load { .. }) => self.all(stm, operands),
            Exp::Array(ArrayExp::Segment { lengths: _, array }) => self.all(stm, &[*array]),
            Exp::Control(ControlExp::If { cond: _, then, els }) => {
                self.results(&stm.vars, &then.result);
                self.results(&stm.vars, &els.result);
            }
            Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
                cases.iter().for_each(|(_, body)| self.results(&stm.vars, &body.result));
                self.results(&stm.vars, &default.result);
            }
            Exp::Control(ControlExp::Loop { params, form: _, body }) => {
                for (((param, initial), next), var) in params.iter().zip(&body.result).zip(&stm.vars) {
                    self.join(*var, param.var);
                    self.join_atom(*var, *initial);
                    self.join_atom(*var, *next);
                    if param.unique || matches!(self.ty(param.var), Type::Acc(_)) {
                        self.take(param.var.into());
                    }
                }
            }
            Exp::Control(ControlExp::Call { fun, args }) => {
                let callee = &self.signatures[fun.0 as usize];
                for (consumed, arg) in callee.consumes.iter().zip(args) {
                    if *consumed {
                        self.take(*arg);
                    }
                }
                let shared = stm.vars.iter().zip(&callee.fresh).filter(|(_, fresh)| !**fresh);
                let mut shared: Vec<Var> = shared.map(|(var, _)| *var).collect();
                shared.extend(stm.vars.iter().filter(|var| self.has_cells(**var)));
                self.all_of(&shared, operands);
            }
            // It belongs to all users, so nobody takes it.
            Exp::Control(ControlExp::Const(_)) => {}
            Exp::Array(ArrayExp::Update { array, .. } | ArrayExp::FlatUpdate { array, .. }) => {
                self.take((*array).into());
                self.cells(stm, operands);
            }
            Exp::Op(op) => {
                op.dests().iter().for_each(|dest| self.take((*dest).into()));
                self.operator(stm, operands);
                if let Operator::AccStream { .. } = op {
                    stm.vars.iter().for_each(|var| self.take((*var).into()));
                }
            }
            Exp::Array(ArrayExp::AccWrite { acc, .. }) => {
                self.take((*acc).into());
                self.all(stm, &[*acc]);
            }
            Exp::Scalar(
                ScalarExp::Un(..)
                | ScalarExp::Bin(..)
                | ScalarExp::Tri(..)
                | ScalarExp::Convert { .. }
                | ScalarExp::Workers
                | ScalarExp::Tunable(_),
            )
            | Exp::Control(ControlExp::Check(_))
            | Exp::Array(
                ArrayExp::ArrayLit(_)
                | ArrayExp::Range { .. }
                | ArrayExp::Replicate { .. }
                | ArrayExp::Concat { .. }
                | ArrayExp::Copy(_)
                | ArrayExp::Lengths(_)
                | ArrayExp::Ends(_),
            )
            | Exp::Cell(CellExp::Region | CellExp::Null(_) | CellExp::Tag { .. }) => {
                self.cells(stm, operands)
            }
        }
    }

    /// All that is bound shares memory with all of these.
    fn all(&mut self, stm: &Stm, others: &[Var]) {
        self.all_of(&stm.vars, others);
    }

    fn all_of(&mut self, vars: &[Var], others: &[Var]) {
        let members: Vec<Var> =
            vars.iter().chain(others).copied().filter(|var| self.has_memory(*var)).collect();
        members.windows(2).for_each(|pair| self.memory.join(pair[0], pair[1]));
    }

    fn results(&mut self, vars: &[Var], results: &[Atom]) {
        for (var, result) in vars.iter().zip(results) {
            self.join_atom(*var, *result);
        }
    }

    /// The arrays are new, but refs in them lead where those of the operands do.
    fn cells(&mut self, stm: &Stm, operands: &[Var]) {
        let cells: Vec<Var> = stm.vars.iter().copied().filter(|var| self.has_cells(*var)).collect();
        if !cells.is_empty() {
            self.all_of(&cells, operands);
        }
    }

    /// Results are new, and nobody writes to the parameters of lambdas, but refs lead where those of the
    /// operands do.
    fn operator(&mut self, stm: &Stm, operands: &[Var]) {
        let mut cells: Vec<Var> = stm.vars.iter().chain(operands).copied().collect();
        stm.for_each_part(&mut |part| {
            if let Part::Lambda(Lambda { params, body }) = part {
                cells.extend(params);
                cells.extend(body.result.iter().filter_map(|atom| atom.var()));
            }
        });
        cells.retain(|var| self.has_cells(*var));
        self.all_of(&cells, &[]);
    }
}

/// What an expression itself overwrites, its bodies aside.
fn consumed_by(vars: &[VarInfo], exp: &Exp, signatures: &[Signature], found: &mut Vec<Var>) {
    match exp {
        Exp::Array(ArrayExp::Update { array, .. } | ArrayExp::FlatUpdate { array, .. }) => found.push(*array),
        Exp::Op(op) => found.extend(op.dests()),
        Exp::Array(ArrayExp::AccWrite { acc, .. }) => found.push(*acc),
        Exp::Control(ControlExp::Call { fun, args }) => {
            let consumes = &signatures[fun.0 as usize].consumes;
            let taken = args.iter().zip(consumes).filter(|(_, consumed)| **consumed);
            found.extend(taken.filter_map(|(arg, _)| arg.var()));
        }
        // An accumulator is handed on whether the loop says so or not.
        Exp::Control(ControlExp::Loop { params, .. }) => {
            let is_acc = |var: Var| matches!(vars[var.0 as usize].ty, Type::Acc(_));
            let taken = params.iter().filter(|(param, _)| param.unique || is_acc(param.var));
            found.extend(taken.filter_map(|(_, initial)| initial.var()));
        }
        Exp::Scalar(_)
        | Exp::Control(
            ControlExp::If { .. } | ControlExp::Switch { .. } | ControlExp::Const(_) | ControlExp::Check(_),
        )
        | Exp::Array(
            ArrayExp::ArrayLit(_)
            | ArrayExp::Range { .. }
            | ArrayExp::Replicate { .. }
            | ArrayExp::Index { .. }
            | ArrayExp::Concat { .. }
            | ArrayExp::Reshape { .. }
            | ArrayExp::Rearrange { .. }
            | ArrayExp::Copy(_)
            | ArrayExp::Coerce { .. }
            | ArrayExp::FlatIndex { .. }
            | ArrayExp::Lengths(_)
            | ArrayExp::Ends(_)
            | ArrayExp::JoinRows(_)
            | ArrayExp::Segment { .. },
        )
        | Exp::Cell(_) => {}
    }
}

fn has_memory(ty: &Type) -> bool {
    ty.is_array() || matches!(ty, Type::Acc(_)) || has_cells(ty)
}

fn has_cells(ty: &Type) -> bool {
    matches!(ty.elem(), Some(Elem::Ref(..)))
}
