//! Grids: kernels with what they capture, and how their range is split.

use crate::imp_gen::owners::{uses_of_body, uses_of_lambda, uses_of_part};
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::build::KernelVars;
use norn_ir::imp::{Exp, LoopForm, Prim, Split, Stmt};
use norn_ir::nest::walk::Part;
use norn_ir::nest::{self, Body, Lambda, Var};
use rustc_hash::FxHashSet;

/// An operator that runs all over the device.
pub struct Grid {
    /// About how many scalar operations it takes.
    pub work: Exp,
    /// An input by whose elements it is split.
    pub balance: Option<Var>,
    /// The variables around it that it may use.
    pub captured: Vec<Var>,
}

/// How a kernel is launched.
pub struct Launch<'a> {
    pub name: &'a str,
    pub width: Exp,
    pub chunks: Exp,
    pub split: Split,
}

/// How many bytes of input a piece of an ordered launch has: it is read again from a cache.
const PIECE_BYTES: i64 = 1 << 16;

impl Gen<'_> {
    /// Launch a kernel that sees what the grid captures. `extra` goes in too, and is handed to `make`.
    pub fn launch(
        &mut self,
        grid: &Grid,
        launch: Launch,
        extra: &[Repr],
        make: &mut dyn FnMut(&mut Self, KernelVars, Vec<Repr>),
    ) {
        let (kernel, args) = self.make_kernel(launch.name, &grid.captured, extra, make);
        let site = self.operator_site(launch.name);
        let Launch { name: _, width, chunks, split } = launch;
        self.code.push(Stmt::Launch { kernel, args, width, chunks, split, site });
    }

    /// How many chunks a grid of this width has, as a variable.
    pub fn chunks(&mut self, grid: &Grid, width: &Exp) -> Exp {
        self.code.bind("chunks", Exp::chunks(width.clone(), grid.work.clone())).into()
    }

    /// How many pieces an ordered launch over these inputs has: each can be read twice from a cache.
    pub fn pieces(&mut self, grid: &Grid, width: &Exp, inputs: &[Var]) -> Exp {
        let chunks = self.chunks(grid, width);
        let bytes = inputs.iter().map(|input| {
            let array = self.array(*input);
            let row = array.lead[1..].iter().map(|lead| lead.size.clone());
            Exp::product(row).mul(array.prim.size() as i64)
        });
        let bytes = Exp::sum(bytes).max(1);
        let pieces = width.clone().mul(bytes).quot(PIECE_BYTES).max(chunks.clone()).min(width.clone());
        let pieces = Exp::select(chunks.clone().le(1), Exp::i64(1), pieces.max(1));
        self.code.bind("pieces", pieces).into()
    }

    /// By the elements of the input that is to be balanced, if these are where a launch can look.
    pub fn split(&self, grid: &Grid) -> Split {
        let balance = grid.balance.map(|var| self.array(var));
        match balance {
            Some(Array { lead, row_major_from: 0, offsets, .. })
                if lead.len() == 1 && !offsets.is_empty() =>
            {
                Split::ByOffsets(offsets[0].ptr.clone())
            }
            Some(_) | None => Split::Even,
        }
    }

    /// A loop over a range, whose body is made for its index.
    pub fn each(
        &mut self,
        from: impl Into<Exp>,
        to: impl Into<Exp>,
        form: LoopForm,
        body: &mut dyn FnMut(&mut Self, Exp),
    ) {
        let i = self.code.new_i64("i");
        self.code.open();
        self.inside_loops += 1;
        body(self, i.into());
        self.inside_loops -= 1;
        let body = self.code.close();
        self.code.for_(i, from, to, form, body);
    }

    /// What `make` owns is released where it ends, within a branch for example.
    pub fn scoped(&mut self, make: &mut dyn FnMut(&mut Self)) {
        self.owners.enter(&Body::default());
        make(self);
        self.end_body();
    }

    /// `count` numbers that are 0, or begin as that.
    pub fn zeros(&mut self, name: &str, count: Exp) -> Array {
        let zeros = self.new_array_named(name, Prim::I64, std::slice::from_ref(&count), name);
        let array = zeros.clone();
        self.each(0, count, LoopForm::Independent, &mut |this, i| {
            this.store(&array, &[i], Exp::i64(0));
        });
        zeros
    }

    /// Every variable around a body that its code can ask for: what it mentions, and what the types of these and of the
    /// variables inside mention.
    pub fn captured_by_body(&self, body: &Body) -> Vec<Var> {
        let mut captured = Captured::default();
        bound_in_body(body, &mut |var| captured.hide(var));
        bound_in_body(body, &mut |var| captured.types(self, var));
        uses_of_body(body, &mut |var| captured.add(self, var));
        captured.vars
    }

    /// The same around an operator, and what the types of the variables that it binds mention.
    pub fn captured(&self, vars: &[Var], op: &nest::Operator) -> Vec<Var> {
        let mut captured = Captured::default();
        vars.iter().for_each(|var| captured.hide(*var));
        op.for_each_part(&mut |part| bound_in(part, &mut |var| captured.hide(var)));
        vars.iter().for_each(|var| captured.types(self, *var));
        op.for_each_part(&mut |part| bound_in(part, &mut |var| captured.types(self, var)));
        op.for_each_part(&mut |part| uses_of_part(part, &mut |var| captured.add(self, var)));
        captured.vars
    }
}

#[derive(Default)]
struct Captured {
    seen: FxHashSet<Var>,
    vars: Vec<Var>,
}

impl Captured {
    /// A variable that is bound inside. If it has a value here, that is of another time.
    fn hide(&mut self, var: Var) {
        self.seen.insert(var);
    }

    fn types(&mut self, this: &Gen, var: Var) {
        this.ty(var).for_each_var(&mut |var| self.add(this, var));
    }

    fn add(&mut self, this: &Gen, var: Var) {
        if !self.seen.insert(var) {
            return;
        }
        self.vars.push(var);
        self.types(this, var);
        // What is written to an accumulator is combined where it is written.
        if let Some(Repr::Acc(acc)) = this.env.get(&var)
            && let Some(op) = &acc.op
        {
            bound_in_lambda(&op.lambda, &mut |var| self.hide(var));
            bound_in_lambda(&op.lambda, &mut |var| self.types(this, var));
            uses_of_lambda(&op.lambda, &mut |var| self.add(this, var));
        }
    }
}

/// Every variable that is bound inside a part of an expression.
fn bound_in(part: Part, f: &mut dyn FnMut(Var)) {
    match part {
        Part::Atom(_) | Part::Var(_) => {}
        Part::Binder(var) => f(*var),
        Part::Body(body) => bound_in_body(body, f),
        Part::Lambda(lambda) => bound_in_lambda(lambda, f),
    }
}

fn bound_in_lambda(lambda: &Lambda, f: &mut dyn FnMut(Var)) {
    lambda.params.iter().for_each(|param| f(*param));
    bound_in_body(&lambda.body, f);
}

fn bound_in_body(body: &Body, f: &mut dyn FnMut(Var)) {
    for stm in &body.stms {
        stm.vars.iter().for_each(|var| f(*var));
        stm.for_each_part(&mut |part| bound_in(part, f));
    }
}
