//! Liveness: which variables each state needs when it begins.
//!
//! Backward over trees of statements, until nothing is added. A call needs its arguments and what is live where it returns to, but for its results; what
//! the members of the component share in variables is in the arguments, since every call hands it on.

use super::states::{End, Member, StateId, Tree};
use norn_ir::imp::walk::Part;
use norn_ir::imp::{Block, Exp, LoopForm, Stmt, Var};

/// A set of variables.
#[derive(Clone, PartialEq, Eq)]
pub struct Vars {
    words: Vec<u64>,
}

impl Vars {
    pub fn none(count: usize) -> Vars {
        Vars { words: vec![0; count.div_ceil(64)] }
    }

    pub fn add(&mut self, var: Var) {
        self.words[var.0 as usize / 64] |= 1 << (var.0 % 64);
    }

    pub fn remove(&mut self, var: Var) {
        self.words[var.0 as usize / 64] &= !(1 << (var.0 % 64));
    }

    pub fn contains(&self, var: Var) -> bool {
        self.words[var.0 as usize / 64] >> (var.0 % 64) & 1 == 1
    }

    pub fn add_all(&mut self, other: &Vars) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, more)| *word |= more);
    }

    pub fn iter(&self) -> impl Iterator<Item = Var> + '_ {
        (0..self.words.len() as u32 * 64).map(Var).filter(|var| self.contains(*var))
    }
}

/// What is live at the beginning of each state, in a table of so many variables.
pub fn live(states: &[Option<Tree>], members: &[Member], count: usize) -> Vec<Vars> {
    let mut flow = Liveness { members, live: vec![Vars::none(count); states.len()] };
    loop {
        let mut grown = false;
        // What comes later in the text is made first (`states`).
        for (id, tree) in states.iter().enumerate() {
            let Some(tree) = tree else { continue };
            let now = flow.before_tree(tree);
            if now != flow.live[id] {
                flow.live[id] = now;
                grown = true;
            }
        }
        if !grown {
            return flow.live;
        }
    }
}

struct Liveness<'a> {
    members: &'a [Member],
    live: Vec<Vars>,
}

impl Liveness<'_> {
    fn at(&self, id: StateId) -> Vars {
        self.live[id.0].clone()
    }

    fn before_tree(&self, tree: &Tree) -> Vars {
        let mut live = self.before_end(&tree.end);
        before_block(tree.stmts.iter(), &mut live);
        live
    }

    fn before_end(&self, end: &End) -> Vars {
        let count = self.live.first().map_or(0, |vars| vars.words.len() * 64);
        let mut live = Vars::none(count);
        match end {
            End::Goto(id) => live = self.at(*id),
            End::Return(member) => {
                self.members[*member].results.iter().for_each(|exp| add_exp(exp, &mut live));
            }
            End::Jump { member: _, args } => args.iter().for_each(|arg| add_exp(arg, &mut live)),
            End::Call { member: _, args, results, then } => {
                live = self.at(*then);
                results.iter().for_each(|var| live.remove(*var));
                args.iter().for_each(|arg| add_exp(arg, &mut live));
            }
            End::If { cond, then, els } => {
                live = self.before_tree(then);
                live.add_all(&self.before_tree(els));
                add_exp(cond, &mut live);
            }
            End::Switch { scrutinee, cases, default } => {
                live = self.before_tree(default);
                cases.iter().for_each(|(_, tree)| live.add_all(&self.before_tree(tree)));
                add_exp(scrutinee, &mut live);
            }
        }
        live
    }
}

fn add_exp(exp: &Exp, live: &mut Vars) {
    exp.for_each_var(&mut |var| live.add(var));
}

/// From what is live behind statements to what is live before them.
fn before_block<'a>(stmts: impl DoubleEndedIterator<Item = &'a Stmt>, live: &mut Vars) {
    stmts.rev().for_each(|stmt| before_stmt(stmt, live));
}

fn before_stmt(stmt: &Stmt, live: &mut Vars) {
    match stmt {
        Stmt::If { cond, then, els } => {
            let behind = live.clone();
            before_block(then.iter(), live);
            before_branch(els, behind, live);
            add_exp(cond, live);
        }
        Stmt::Switch { scrutinee, cases, default } => {
            let behind = live.clone();
            before_block(default.iter(), live);
            cases.iter().for_each(|(_, block)| before_branch(block, behind.clone(), live));
            add_exp(scrutinee, live);
        }
        Stmt::For { var, from, to, form, body } => {
            if let LoopForm::Reduce(accs) = form {
                accs.iter().for_each(|acc| live.add(acc.var));
            }
            before_loop(live, &mut |live| before_block(body.iter(), live));
            live.remove(*var);
            add_exp(from, live);
            add_exp(to, live);
        }
        Stmt::While { before, cond, body } => {
            // The condition is between the two, and the last to be reached.
            add_exp(cond, live);
            before_block(before.iter(), live);
            before_loop(live, &mut |live| {
                before_block(body.iter(), live);
                add_exp(cond, live);
                before_block(before.iter(), live);
            });
        }
        // What is behind is never reached.
        Stmt::Fail { .. } => {
            live.words.fill(0);
            before_other(stmt, live);
        }
        Stmt::Set(..)
        | Stmt::Store { .. }
        | Stmt::StoreLanes { .. }
        | Stmt::Scatter { .. }
        | Stmt::Copy { .. }
        | Stmt::Alloc { .. }
        | Stmt::Retain(_)
        | Stmt::Release(_)
        | Stmt::RegionNew(_)
        | Stmt::RegionEnd(_)
        | Stmt::CellNew { .. }
        | Stmt::Show { .. }
        | Stmt::Call { .. }
        | Stmt::Const { .. }
        | Stmt::Launch { .. }
        | Stmt::Await { .. }
        | Stmt::Signal { .. }
        | Stmt::Group(_)
        | Stmt::Device(_) => before_other(stmt, live),
    }
}

fn before_branch(block: &Block, mut behind: Vars, live: &mut Vars) {
    before_block(block.iter(), &mut behind);
    live.add_all(&behind);
}

/// A body that is run any number of times, and what is live where it may begin.
fn before_loop(live: &mut Vars, before_body: &mut dyn FnMut(&mut Vars)) {
    loop {
        let mut around = live.clone();
        before_body(&mut around);
        around.add_all(live);
        if around == *live {
            return;
        }
        *live = around;
    }
}

fn before_other(stmt: &Stmt, live: &mut Vars) {
    stmt.for_each_part(&mut |part| match part {
        Part::Assigned(var) => live.remove(var),
        Part::Exp(_) | Part::Accumulator(_) | Part::Block(_) => {}
    });
    stmt.for_each_part(&mut |part| match part {
        Part::Exp(exp) => add_exp(exp, live),
        Part::Accumulator(acc) => live.add(acc.var),
        Part::Block(block) => before_block(block.iter(), live),
        Part::Assigned(_) => {}
    });
}
