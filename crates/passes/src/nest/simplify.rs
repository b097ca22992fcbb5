//! Compute what is known, and leave out what it makes superfluous.
//!
//! Before:
//! ```text
//! let r: [n]i64 = range.i64 n 0i64 1i64
//! let c: [n]f32 = copy xs
//! let ys: [n]f32 = map n (r, c) \(i: i64, x: f32) {
//!   let ok: cert = check index i n
//!   let y: f32 = <ok> index ws [i]
//!   let z: f32 = mul.f32 y 1f32
//!   in z
//! }
//! ```
//! After:
//! ```text
//! let ys: [n]f32 = map n (r, xs) \(i: i64, x: f32) {
//!   let y: f32 = index ws [i]
//!   in y
//! }
//! ```
//!
//! Needs: a valid program. Gives: no `Atom` statements, no operations on constants alone, no checks
//! that hold by what is known of their operands.
//! Keeps: results bit by bit (floats are neither reassociated nor are their zeros or NaN ignored), and failures.
//! Refuses: to let memory be shared that somebody writes to (see `memory`): such copies stay.
//! Method: one walk in the order of statements with a table of what variables are (their definitions, bounds,
//! and what stands in their place), by rules: `scalars`, `checks`, `control`, `arrays`, `operators`. What is
//! known of a variable holds wherever it is visible, so a check that was left out never kept a statement in its
//! place. Repeated while something changes, at most `ROUNDS` times.
//! Cost: linear in the size of the program for each round.

mod arrays;
mod checks;
mod control;
mod operators;
mod scalars;

use super::memory::{Memory, memory};
use super::subst::Subst;
use norn_ir::nest::calls::call_groups;
use norn_ir::nest::normalise::normalise_fun;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    Atom, Body, Const, Dim, Exp, Fun, FunId, Lambda, LoopForm, Prog, Stm, Type, Var, VarInfo,
};

const ROUNDS: usize = 4;

pub fn simplify(prog: &mut Prog) {
    for FunId(id) in call_groups(prog).into_iter().flatten() {
        let index = id as usize;
        for _ in 0..ROUNDS {
            let memory = memory(prog, &prog.funs[index]);
            let consts = constants(prog);
            if !simplify_fun(&mut prog.funs[index], memory, &consts) {
                break;
            }
        }
    }
}

/// The values of constants that need no computing.
fn constants(prog: &Prog) -> Vec<Option<Vec<Atom>>> {
    let value = |constant: &Const| {
        let fun = &prog.funs[constant.fun.0 as usize];
        let known = fun.params.is_empty()
            && fun.body.stms.is_empty()
            && fun.body.result.iter().all(|atom| atom.constant().is_some());
        known.then(|| fun.body.result.clone())
    };
    prog.consts.iter().map(value).collect()
}

/// Whether anything changed.
fn simplify_fun(fun: &mut Fun, memory: Memory, consts: &[Option<Vec<Atom>>]) -> bool {
    let count = fun.vars.len();
    let mut walk = Walk {
        vars: std::mem::take(&mut fun.vars),
        memory,
        consts,
        subst: Subst::default(),
        known: (0..count).map(|_| Known::default()).collect(),
        clock: 1,
        bodies: 1,
        body: 0,
        out: Vec::new(),
        changed: false,
    };
    for param in &fun.params {
        walk.bind(param.var);
    }
    walk.sizes_of(&fun.params.iter().map(|param| param.var).collect::<Vec<_>>());
    walk.block(&mut fun.body);
    let Walk { vars, subst, changed, .. } = walk;
    fun.vars = vars;
    if !subst.is_empty() {
        subst.types(fun);
    }
    normalise_fun(fun);
    changed
}

/// What is known of a variable. It holds wherever the variable is visible.
#[derive(Default)]
struct Known {
    /// What it is bound to, for expressions without bodies, with the checks that it relies on.
    def: Option<(Exp, Vec<Var>)>,
    /// It is an index: from 0 up to this size.
    below: Option<Atom>,
    not_negative: bool,
    /// It is a certificate of a check that always holds.
    holds: bool,
    /// When it was bound; 0 if it was not yet.
    bound_at: u32,
    /// The body that it is bound in.
    home: u32,
}

struct Walk<'a> {
    vars: Vec<VarInfo>,
    memory: Memory,
    consts: &'a [Option<Vec<Atom>>],
    subst: Subst,
    known: Vec<Known>,
    clock: u32,
    /// How many bodies there have been, and the innermost.
    bodies: u32,
    body: u32,
    /// The statements of the innermost body so far.
    out: Vec<Stm>,
    changed: bool,
}

/// What becomes of a statement.
// Statements are moved, never stored as outcomes: boxing would cost an allocation for each.
#[allow(clippy::large_enum_variant)]
enum Outcome {
    Keep(Stm),
    /// It is gone: its variables have been replaced, or others bind them now.
    Gone,
}

impl Walk<'_> {
    // # Variables

    fn ty(&self, var: Var) -> &Type {
        &self.vars[var.0 as usize].ty
    }

    fn known(&self, atom: Atom) -> Option<&Known> {
        atom.var().map(|var| &self.known[var.0 as usize])
    }

    fn known_mut(&mut self, var: Var) -> &mut Known {
        &mut self.known[var.0 as usize]
    }

    /// What a variable is bound to, if that is known.
    fn def(&self, atom: Atom) -> Option<&Exp> {
        self.known(atom).and_then(|known| known.def.as_ref()).map(|(exp, _)| exp)
    }

    fn bind(&mut self, var: Var) {
        let (bound_at, home) = (self.clock, self.body);
        self.clock += 1;
        let known = self.known_mut(var);
        known.bound_at = bound_at;
        known.home = home;
    }

    /// Whether it was visible before the clock showed this.
    fn is_older(&self, atom: Atom, clock: u32) -> bool {
        self.known(atom).is_none_or(|known| known.bound_at > 0 && known.bound_at < clock)
    }

    /// A new variable, bound by a statement that is emitted now.
    fn emit(&mut self, name: &str, ty: Type, exp: Exp, like: &Stm) -> Var {
        let var = Var(self.vars.len() as u32);
        self.vars.push(VarInfo { name: name.to_string(), ty });
        self.known.push(Known::default());
        self.memory.grow(self.vars.len());
        let stm = Stm { vars: vec![var], certs: like.certs.clone(), exp, attrs: Vec::new(), span: like.span };
        self.push(stm);
        var
    }

    /// Put an atom in the place of a variable.
    fn replace(&mut self, var: Var, atom: Atom) -> Outcome {
        self.subst.set(var, atom);
        self.changed = true;
        Outcome::Gone
    }

    /// Put an array in the place of one that was in memory of its own. Refuses where that would be noticed.
    fn replace_shared(&mut self, var: Var, array: Var) -> bool {
        let free = self.ty(var).is_scalar() || self.memory.share(var, array);
        if free {
            self.replace(var, array.into());
        }
        free
    }

    /// Same elements, same rank, `?` in the same places.
    fn agree(&self, a: Var, b: Var) -> bool {
        same_shape(self.ty(a), self.ty(b))
    }

    // # The walk

    fn body(&mut self, body: &mut Body) {
        self.in_scope(|walk| walk.block(body));
    }

    /// What is bound inside belongs to a body of its own.
    fn in_scope(&mut self, inside: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.body, self.bodies);
        self.bodies += 1;
        inside(self);
        self.body = outer;
    }

    fn block(&mut self, body: &mut Body) {
        let outer = std::mem::take(&mut self.out);
        self.stms(std::mem::take(&mut body.stms));
        body.result.iter_mut().for_each(|atom| *atom = self.subst.atom(*atom));
        body.stms = std::mem::replace(&mut self.out, outer);
    }

    fn stms(&mut self, stms: Vec<Stm>) {
        for mut stm in stms {
            self.subst.operands(&mut stm.exp);
            self.certs(&mut stm.certs);
            match self.stm(stm) {
                Outcome::Keep(stm) => self.push(stm),
                Outcome::Gone => {}
            }
        }
    }

    /// Without those that always hold.
    fn certs(&mut self, certs: &mut Vec<Var>) {
        certs.iter_mut().for_each(|cert| *cert = self.subst.var(*cert));
        certs.retain(|cert| !self.known[cert.0 as usize].holds);
        certs.sort_unstable();
        certs.dedup();
    }

    fn stm(&mut self, stm: Stm) -> Outcome {
        match &stm.exp {
            Exp::Atom(atom) => {
                let atom = *atom;
                self.replace(stm.vars[0], atom)
            }
            Exp::Un(..) | Exp::Bin(..) | Exp::Tri(..) | Exp::Convert { .. } => self.scalar(stm),
            Exp::Check(_) => self.check(stm),
            Exp::If { .. } | Exp::Switch { .. } | Exp::Loop { .. } => self.control(stm),
            Exp::Range { .. }
            | Exp::Replicate { .. }
            | Exp::ArrayLit(_)
            | Exp::Index { .. }
            | Exp::Concat { .. }
            | Exp::Reshape { .. }
            | Exp::Rearrange { .. }
            | Exp::Copy(_)
            | Exp::Coerce { .. }
            | Exp::Lengths(_)
            | Exp::Segment { .. } => self.array(stm),
            Exp::Map { .. } | Exp::Reduce { .. } => self.operator(stm),
            Exp::Scan { .. }
            | Exp::Fused { .. }
            | Exp::Filter { .. }
            | Exp::Partition { .. }
            | Exp::Scatter { .. }
            | Exp::Hist { .. }
            | Exp::Stream { .. }
            | Exp::AccStream { .. } => self.inside(stm),
            Exp::Const(id) => match &self.consts[id.0 as usize] {
                Some(values) => {
                    stm.vars.iter().zip(values).for_each(|(var, value)| {
                        self.replace(*var, *value);
                    });
                    Outcome::Gone
                }
                None => Outcome::Keep(stm),
            },
            Exp::Call { .. }
            | Exp::Update { .. }
            | Exp::FlatIndex { .. }
            | Exp::FlatUpdate { .. }
            | Exp::JoinRows(_)
            | Exp::AccWrite { .. }
            | Exp::Region
            | Exp::Alloc { .. }
            | Exp::Null(_)
            | Exp::Tag { .. }
            | Exp::Load { .. } => Outcome::Keep(stm),
        }
    }

    /// Only what is inside it is simplified.
    fn inside(&mut self, mut stm: Stm) -> Outcome {
        stm.exp.for_each_part_mut(&mut |part| match part {
            PartMut::Lambda(lambda) => self.lambda(lambda),
            PartMut::Body(body) => self.body(body),
            PartMut::Binder(var) => self.bind(*var),
            PartMut::Atom(_) | PartMut::Var(_) => {}
        });
        Outcome::Keep(stm)
    }

    fn lambda(&mut self, lambda: &mut Lambda) {
        self.in_scope(|walk| {
            lambda.params.iter().for_each(|param| walk.bind(*param));
            walk.sizes_of(&lambda.params);
            walk.block(&mut lambda.body);
        });
    }

    /// Emit a statement, and note what it says about its variables.
    fn push(&mut self, stm: Stm) {
        stm.vars.iter().for_each(|var| self.bind(*var));
        self.sizes_of(&stm.vars);
        if let [var] = stm.vars[..]
            && is_noted(&stm.exp)
        {
            self.known_mut(var).def = Some((stm.exp.clone(), stm.certs.clone()));
        }
        if let [length, row] = stm.vars[..]
            && self.ty(row).dims().first() == Some(&Dim::Size(length.into()))
        {
            self.known_mut(length).not_negative = true;
        }
        self.out.push(stm);
    }

    /// Dimensions are not negative; noted where the array is bound in the same body as the size.
    fn sizes_of(&mut self, vars: &[Var]) {
        for var in vars {
            let dims = self.ty(*var).dims().to_vec();
            for dim in dims {
                if let Some(Atom::Var(size)) = dim.atom().map(|size| self.subst.atom(size)) {
                    let here = self.body;
                    let known = self.known_mut(size);
                    known.not_negative |= known.home == here;
                }
            }
        }
    }
}

/// Worth knowing where the variable is used: no bodies, and nothing that depends on order.
fn is_noted(exp: &Exp) -> bool {
    matches!(
        exp,
        Exp::Un(..)
            | Exp::Bin(..)
            | Exp::Convert { .. }
            | Exp::Range { .. }
            | Exp::Replicate { .. }
            | Exp::ArrayLit(_)
            | Exp::Index { .. }
            | Exp::Reshape { .. }
            | Exp::Rearrange { .. }
            | Exp::Coerce { .. }
            | Exp::Segment { .. }
    )
}

fn same_shape(a: &Type, b: &Type) -> bool {
    let irregular = |ty: &Type| ty.dims().iter().map(|dim| *dim == Dim::Irregular).collect::<Vec<_>>();
    a.elem().is_some() && a.elem() == b.elem() && irregular(a) == irregular(b)
}

/// The variable that a counting loop counts with.
fn counter(form: &LoopForm) -> Option<(Var, Atom)> {
    match form {
        LoopForm::For(var, bound) => Some((*var, *bound)),
        LoopForm::While(_) => None,
    }
}
