//! What parts keep of a length that nobody knows before: each part leaves it in memory of its own, and the host appends all of it when all parts are done.
//!
//! ```text
//! #[apart]
//! let total: i64, all: [total]i32 = loop (kept: i64 = 0i64, before: [kept]i32 = ..) for part: i64 < parts {
//!   ..
//!   #[append]
//!   let more: i64 = add.i64 kept count
//!   #[append]
//!   let after: [more]i32 = concat more (before, found)
//!   in more, after
//! }
//!
//! counts, blocks: notes of the host, with a place for each part
//! launch part(counts, blocks, ..) in parts parts            counts[part] = count, blocks[part] = a copy of `found`
//! total = counts[0] + counts[1] + ..
//! for part: all[at ..] = blocks[part]                       by the device that has it
//! ```

use crate::imp_gen::repr::{Array, Part, Repr, prim_of};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{DeviceStmt, Elem, Exp, LoopForm, Prim, Stmt, Var as ImpVar};
use norn_ir::nest::grids::APPEND;
use norn_ir::nest::{ArrayExp, Atom, Body, Exp as NestExp, Param, ScalarExp, Stm, Var};

const NUMBER: Elem = Elem::Prim(Prim::I64);

/// What the host appends behind the loop, and the notes of what parts have kept.
pub struct Appended {
    count: Var,
    counts: Array,
    /// Of each array what the loop binds, and where its blocks are noted.
    arrays: Vec<(Var, Array)>,
}

impl Gen<'_> {
    /// Notes for what the parts of a loop append, which its parameters stand for in parts. Which of its results that is about.
    pub fn begin_appending(
        &mut self,
        stm: &Stm,
        params: &[(Param, Atom)],
        body: &Body,
        parts: &Exp,
    ) -> Vec<Appended> {
        let mut all: Vec<Appended> = Vec::new();
        for (at, (param, _)) in params.iter().enumerate() {
            if !is_appended(body, at) {
                continue;
            }
            let notes = self.notes(param.var, parts.clone());
            self.env.insert(param.var, Repr::Array(notes.clone()));
            match self.ty(param.var).is_scalar() {
                true => all.push(Appended { count: stm.vars[at], counts: notes, arrays: Vec::new() }),
                false => all
                    .last_mut()
                    .into_iter()
                    .for_each(|last| last.arrays.push((stm.vars[at], notes.clone()))),
            }
        }
        all
    }

    /// In a part, what it keeps is noted: a number, or a block, which is the host's from there on.
    pub fn append_part(&mut self, stm: &Stm) {
        let part = self.part.map(|kernel| kernel.chunk).expect("imp_gen: only parts append something");
        match &stm.exp {
            NestExp::Scalar(ScalarExp::Bin(_, _, Atom::Var(before), count)) => {
                let (notes, count) = (self.array(*before), self.scalar(*count));
                self.code.store(NUMBER, notes.data.ptr, part, count.clone());
                self.bind_scalar(stm.vars[0], count);
            }
            NestExp::Array(ArrayExp::Concat { arrays, size: _ }) => {
                let (notes, found) = (self.array(arrays[0]), self.array(arrays[1]));
                let copy = self.copy_array("kept", &found, "copy");
                copy.data.owner.into_iter().for_each(|owner| _ = self.owners.take(owner));
                let blocks = self.code.bind("blocks", Exp::cast(Elem::Block, notes.data.ptr));
                self.code.store(Elem::Block, blocks, part, copy.data.block.clone());
                self.bind(stm.vars[0], Repr::Array(found));
            }
            NestExp::Scalar(_)
            | NestExp::Array(_)
            | NestExp::Control(_)
            | NestExp::Cell(_)
            | NestExp::Op(_) => {
                panic!("imp_gen: nothing is appended in {}", self.fun.name)
            }
        }
    }

    /// Behind the loop: what parts have kept, one after the other.
    pub fn end_appending(&mut self, appended: Appended, parts: &Exp) {
        let counts = appended.counts.data.ptr;
        let total = self.code.new_i64("total");
        self.code.set(total, Exp::i64(0));
        self.for_each_part(parts, &mut |this, part| {
            this.code.set(total, Exp::Var(total).add(Exp::load(NUMBER, counts.clone(), part)));
        });
        self.bind(appended.count, Repr::Scalar(total.into()));
        for (var, notes) in appended.arrays {
            let ty = self.ty(var);
            let prim = prim_of(ty.elem().expect("imp_gen: an array of no values"));
            let sizes: Vec<Exp> =
                ty.dims().iter().filter_map(|dim| dim.atom()).map(|size| self.scalar(size)).collect();
            let all = self.new_array(var, prim, &sizes, "task");
            let elem = Elem::Prim(prim);
            let row = self.code.atom("row", Exp::product(sizes[1..].iter().cloned()));
            let blocks = self.code.bind("blocks", Exp::cast(Elem::Block, notes.data.ptr.clone()));
            let at = self.code.new_i64("at");
            self.code.set(at, Exp::i64(0));
            self.for_each_part(parts, &mut |this, part| {
                this.code.push(Stmt::Device(DeviceStmt::Part(part.into())));
                let count = this.code.bind("count", Exp::load(NUMBER, counts.clone(), part));
                let elements = this.code.bind("elements", Exp::Var(count).mul(row.clone()));
                let block = this.code.bind("block", Exp::load(Elem::Block, blocks, part));
                let from = this.code.bind("from", Exp::remote(elem, block));
                let to = this.code.bind("to", Exp::offset(elem, all.data.ptr.clone(), at));
                let (to, from, count) = (to.into(), from.into(), elements.into());
                this.code.push(Stmt::Device(DeviceStmt::Copy { elem, to, from, count }));
                this.code.release(block);
                this.code.set(at, Exp::Var(at).add(elements));
            });
            self.bind(var, Repr::Array(all));
        }
    }

    fn for_each_part(&mut self, parts: &Exp, each: &mut dyn FnMut(&mut Self, ImpVar)) {
        let part = self.code.new_i64("part");
        self.code.open();
        each(self, part);
        let body = self.code.close();
        self.code.for_(part, 0, parts.clone(), LoopForm::Plain, body);
    }

    /// So many numbers of the host's own.
    pub fn notes(&mut self, var: Var, count: Exp) -> Array {
        let (name, site) = (self.name(var), self.operator_site("task"));
        let sizes = [count];
        let block = self.code.new_var(name, norn_ir::imp::Type::Block);
        let bytes = Self::bytes(Prim::I64, &sizes);
        self.code.push(Stmt::Alloc { block, bytes, site });
        let ptr = self.code.bind(name, Exp::data(NUMBER, block));
        let owner = Some(self.owners.own(block.into()));
        self.row_major(Prim::I64, &sizes, Part { ptr: ptr.into(), block: block.into(), owner })
    }
}

/// Whether the result of a loop's body with this number is what parts append.
pub fn is_appended(body: &Body, at: usize) -> bool {
    let appends = |stm: &Stm| stm.attrs.iter().any(|attr| attr == APPEND);
    let found = body.result[at].var();
    body.stms.iter().any(|stm| appends(stm) && stm.vars.first().copied() == found)
}
