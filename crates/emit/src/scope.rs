//! Where the variables of a function are declared: in the innermost block that has all mentions of them, right before the first.
//!
//! A variable that is only mentioned inside of a loop needs no value from an iteration before, since it
//! is assigned on every way to its use (I2), also in the first iteration.

use norn_ir::imp::walk::Part;
use norn_ir::imp::{Block, Exp, Stmt, Var};
use std::collections::HashMap;

pub(crate) struct Scopes {
    /// The variables to declare before a statement, by its address.
    before: HashMap<*const Stmt, Vec<Var>>,
    /// The loops that declare their counter.
    counters: HashMap<*const Stmt, Var>,
}

impl Scopes {
    /// Of a body and what is computed at its end; variables that are given are declared elsewhere.
    pub fn of(body: &Block, results: &[Exp], count: usize, given: &[Var]) -> Scopes {
        let mut finder = Finder { path: Vec::new(), blocks: 0, homes: vec![None; count] };
        let outermost = finder.open();
        finder.stmts(body, outermost);
        finder.path.push(Place { block: outermost, stmt: std::ptr::null(), is_counter: false });
        for result in results {
            result.for_each_var(&mut |var| finder.mention(var));
        }
        for var in given {
            finder.homes[var.0 as usize] = None;
        }
        let mut scopes = Scopes { before: HashMap::new(), counters: HashMap::new() };
        for (i, home) in finder.homes.iter().enumerate() {
            let Some(home) = home else { continue };
            let var = Var(i as u32);
            let place = &home.first[home.depth];
            if place.is_counter {
                scopes.counters.insert(place.stmt, var);
            } else {
                scopes.before.entry(place.stmt).or_default().push(var);
            }
        }
        scopes
    }

    pub fn before(&self, stmt: &Stmt) -> &[Var] {
        self.before.get(&(stmt as *const Stmt)).map_or(&[], Vec::as_slice)
    }

    pub fn declares_counter(&self, stmt: &Stmt) -> bool {
        self.counters.contains_key(&(stmt as *const Stmt))
    }
}

/// A statement, and the block that it is in.
#[derive(Clone)]
struct Place {
    block: usize,
    stmt: *const Stmt,
    /// The place is the counter of the loop, which belongs to its body.
    is_counter: bool,
}

#[derive(Clone)]
struct Home {
    /// The way to the first mention.
    first: Vec<Place>,
    /// How much of it all mentions have in common, less one.
    depth: usize,
}

struct Finder {
    path: Vec<Place>,
    blocks: usize,
    homes: Vec<Option<Home>>,
}

impl Finder {
    fn block(&mut self, block: &Block) {
        let id = self.open();
        self.stmts(block, id);
    }

    fn open(&mut self) -> usize {
        self.blocks += 1;
        self.blocks - 1
    }

    fn stmts(&mut self, block: &Block, id: usize) {
        for stmt in block {
            self.path.push(Place { block: id, stmt, is_counter: false });
            self.stmt(stmt);
            self.path.pop();
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::For { var, from, to, form: _, body } => {
                from.for_each_var(&mut |var| self.mention(var));
                to.for_each_var(&mut |var| self.mention(var));
                let id = self.open();
                self.path.push(Place { block: id, stmt, is_counter: true });
                self.mention(*var);
                self.path.pop();
                self.stmts(body, id);
            }
            // All of it is one block in C.
            Stmt::While { before, cond, body } => {
                let id = self.open();
                self.stmts(before, id);
                self.path.push(Place { block: id, stmt, is_counter: false });
                cond.for_each_var(&mut |var| self.mention(var));
                self.path.pop();
                self.stmts(body, id);
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
            | Stmt::If { .. }
            | Stmt::Switch { .. }
            | Stmt::Call { .. }
            | Stmt::Const { .. }
            | Stmt::Launch { .. }
            | Stmt::Await { .. }
            | Stmt::Signal { .. }
            | Stmt::Group(_)
            | Stmt::Device(_)
            | Stmt::Fail { .. } => stmt.for_each_part(&mut |part| match part {
                Part::Assigned(var) => self.mention(var),
                Part::Exp(exp) => exp.for_each_var(&mut |var| self.mention(var)),
                Part::Block(block) => self.block(block),
                Part::Accumulator(_) => {}
            }),
        }
    }

    fn mention(&mut self, var: Var) {
        let path = &self.path;
        match &mut self.homes[var.0 as usize] {
            Some(home) => {
                let common = home.first.iter().zip(path).take_while(|(a, b)| a.block == b.block).count();
                home.depth = home.depth.min(common - 1);
            }
            home @ None => *home = Some(Home { first: path.clone(), depth: path.len() - 1 }),
        }
    }
}
