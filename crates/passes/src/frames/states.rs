//! The bodies of a component as states: statements without calls of members, which end in a jump, a call or a return.
//!
//! ```text
//! if n < 2 { r = n } else {                 1: if n < 2 { r = n; return } else { call fib(n - 1), a, then 2 }
//!   a = call fib(n - 1)              ==>    2: call fib(n - 2), b, then 3
//!   b = call fib(n - 2)                     3: r = a + b; return
//!   r = a + b
//! }
//! ```
//!
//! Only statements around a call are taken apart; loops and branches without one stay as they are. A loop around a call has a state where it begins, which tests its
//! condition. Where branches meet is a state of its own; if one way leads there, or if it only moves values and returns, it becomes part of the states that go there (`simplified`).
//! A call whose results are what its function returns is then seen to be a jump.

use norn_ir::imp::walk::{Part, for_each_stmt};
use norn_ir::imp::{Block, Exp, Fun, FunId, Stmt, Type, Var, VarInfo};
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StateId(pub usize);

/// Statements, and how they end.
#[derive(Clone, Debug)]
pub struct Tree {
    pub stmts: VecDeque<Stmt>,
    pub end: End,
}

#[derive(Clone, Debug)]
pub enum End {
    Goto(StateId),
    /// From the member with this number, whose results are computed here.
    Return(usize),
    /// A member is called that returns to `then`.
    Call {
        member: usize,
        args: Vec<Exp>,
        results: Vec<Var>,
        then: StateId,
    },
    /// The same, but it returns in place of the function that it is called from.
    Jump {
        member: usize,
        args: Vec<Exp>,
    },
    If {
        cond: Exp,
        then: Box<Tree>,
        els: Box<Tree>,
    },
    Switch {
        scrutinee: Exp,
        cases: Vec<(i64, Tree)>,
        default: Box<Tree>,
    },
}

/// A function of the component; its variables are those of the table that all members share.
pub struct Member {
    pub name: String,
    pub params: Vec<Var>,
    pub results: Vec<Exp>,
    pub ret: Vec<Type>,
    pub begin: StateId,
}

pub struct States<'a> {
    pub vars: &'a mut Vec<VarInfo>,
    member: &'a dyn Fn(FunId) -> Option<usize>,
    trees: Vec<Option<Tree>>,
}

impl<'a> States<'a> {
    pub fn new(vars: &'a mut Vec<VarInfo>, member: &'a dyn Fn(FunId) -> Option<usize>) -> States<'a> {
        States { vars, member, trees: Vec::new() }
    }

    /// The state in which a member begins.
    pub fn member(&mut self, number: usize, fun: &Fun, body: Block) -> StateId {
        debug_assert!(fun.arrays.is_empty(), "frames: {} has arrays of its own", fun.name);
        let tree = self.block(body, End::Return(number).into());
        self.add(tree)
    }

    /// All states, of which some are not needed any more; the members' first ones are kept.
    pub fn simplified(mut self, members: &[Member]) -> Vec<Option<Tree>> {
        while self.simplify_once(members) {}
        let ids: Vec<usize> = (0..self.trees.len()).collect();
        for id in &ids {
            let Some(mut tree) = self.trees[*id].take() else { continue };
            self.find_jumps(&mut tree, members);
            self.trees[*id] = Some(tree);
        }
        let used = self.uses(members);
        ids.into_iter().filter(|id| used[*id] == 0).for_each(|id| self.trees[id] = None);
        self.trees
    }

    fn add(&mut self, tree: Tree) -> StateId {
        self.trees.push(Some(tree));
        StateId(self.trees.len() - 1)
    }

    fn calls(&self, stmt: &Stmt) -> bool {
        let is_call = |stmt: &Stmt| matches!(stmt, Stmt::Call { fun, .. } if (self.member)(*fun).is_some());
        let mut found = is_call(stmt);
        stmt.for_each_part(&mut |part| {
            if let Part::Block(block) = part {
                for_each_stmt(block, &mut |stmt| found |= is_call(stmt));
            }
        });
        found
    }

    /// A block, and what comes after it.
    fn block(&mut self, block: Block, after: Tree) -> Tree {
        let mut tree = after;
        for stmt in block.into_iter().rev() {
            if self.calls(&stmt) {
                let end = self.end_for_several(tree);
                tree = self.split(stmt, end);
            } else {
                tree.stmts.push_front(stmt);
            }
        }
        tree
    }

    /// What leads to this tree, from several places.
    fn end_for_several(&mut self, tree: Tree) -> End {
        match &tree.end {
            end @ (End::Goto(_) | End::Return(_)) if tree.stmts.is_empty() => end.clone(),
            End::Goto(_)
            | End::Return(_)
            | End::Call { .. }
            | End::Jump { .. }
            | End::If { .. }
            | End::Switch { .. } => End::Goto(self.add(tree)),
        }
    }

    /// A statement with calls, and where it leads.
    fn split(&mut self, stmt: Stmt, after: End) -> Tree {
        match stmt {
            Stmt::Call { fun, args, results, site: _ } => {
                let member = (self.member)(fun).unwrap_or_else(|| unreachable!("frames: another's call"));
                let then = self.add(after.into());
                End::Call { member, args, results, then }.into()
            }
            Stmt::If { cond, then, els } => {
                let then = Box::new(self.block(then, after.clone().into()));
                let els = Box::new(self.block(els, after.into()));
                End::If { cond, then, els }.into()
            }
            Stmt::Switch { scrutinee, cases, default } => {
                let of_case =
                    |(number, block): (i64, Block)| (number, self.block(block, after.clone().into()));
                let cases = cases.into_iter().map(of_case).collect();
                let default = Box::new(self.block(default, after.into()));
                End::Switch { scrutinee, cases, default }.into()
            }
            Stmt::While { before, cond, body } => {
                let head = self.add(after.clone().into());
                let then = Box::new(self.block(body, End::Goto(head).into()));
                let test = End::If { cond, then, els: Box::new(after.into()) };
                let tree = self.block(before, test.into());
                self.trees[head.0] = Some(tree);
                End::Goto(head).into()
            }
            Stmt::For { var, from, to, form: _, body } => {
                let end = Var(self.vars.len() as u32);
                self.vars.push(VarInfo { name: "end".into(), ty: Type::I64 });
                let head = self.add(after.clone().into());
                let mut next: Tree = End::Goto(head).into();
                next.stmts.push_front(Stmt::Set(var, Exp::Var(var).add(1)));
                let then = Box::new(self.block(body, next));
                let cond = Exp::Var(var).lt(end);
                self.trees[head.0] = Some(End::If { cond, then, els: Box::new(after.into()) }.into());
                let stmts = [Stmt::Set(end, to), Stmt::Set(var, from)].into();
                Tree { stmts, end: End::Goto(head) }
            }
            _ => unreachable!("frames: a call inside of a statement without blocks"),
        }
    }

    /// How many ends lead to each state, first ones from outside included.
    fn uses(&self, members: &[Member]) -> Vec<usize> {
        let mut uses = vec![0; self.trees.len()];
        // Only what can be reached counts.
        let mut next: Vec<StateId> = members.iter().map(|member| member.begin).collect();
        next.iter().for_each(|id| uses[id.0] += 1);
        let mut at = 0;
        while let Some(id) = next.get(at).copied() {
            at += 1;
            if let Some(tree) = &self.trees[id.0] {
                each_target(tree, &mut |id| {
                    uses[id.0] += 1;
                    if uses[id.0] == 1 {
                        next.push(id);
                    }
                });
            }
        }
        uses
    }

    /// Whether something has become part of something else.
    fn simplify_once(&mut self, members: &[Member]) -> bool {
        let uses = self.uses(members);
        let mut changed = false;
        for id in 0..self.trees.len() {
            if uses[id] == 0 {
                self.trees[id] = None;
            }
            let Some(mut tree) = self.trees[id].take() else { continue };
            self.absorb(&mut tree, &uses, &mut changed);
            self.trees[id] = Some(tree);
        }
        changed
    }

    fn absorb(&mut self, tree: &mut Tree, uses: &[usize], changed: &mut bool) {
        while let End::Goto(to) = tree.end {
            let more = match &self.trees[to.0] {
                Some(_) if uses[to.0] == 1 => self.trees[to.0].take(),
                Some(other) if is_short(other) => Some(other.clone()),
                // It is a part of something already, or what we are in.
                Some(_) | None => None,
            };
            let Some(more) = more else { break };
            tree.stmts.extend(more.stmts);
            tree.end = more.end;
            *changed = true;
        }
        match &mut tree.end {
            End::Goto(_) | End::Return(_) | End::Call { .. } | End::Jump { .. } => {}
            End::If { cond: _, then, els } => {
                self.absorb(then, uses, changed);
                self.absorb(els, uses, changed);
            }
            End::Switch { scrutinee: _, cases, default } => {
                cases.iter_mut().for_each(|(_, tree)| self.absorb(tree, uses, changed));
                self.absorb(default, uses, changed);
            }
        }
    }

    fn find_jumps(&self, tree: &mut Tree, members: &[Member]) {
        match &mut tree.end {
            End::Call { member, args, results, then } => {
                let Some(behind) = &self.trees[then.0] else { return };
                if returns(behind, results, &members[*member], members) {
                    tree.end = End::Jump { member: *member, args: std::mem::take(args) };
                }
            }
            End::Goto(_) | End::Return(_) | End::Jump { .. } => {}
            End::If { cond: _, then, els } => {
                self.find_jumps(then, members);
                self.find_jumps(els, members);
            }
            End::Switch { scrutinee: _, cases, default } => {
                cases.iter_mut().for_each(|(_, tree)| self.find_jumps(tree, members));
                self.find_jumps(default, members);
            }
        }
    }
}

impl From<End> for Tree {
    fn from(end: End) -> Tree {
        Tree { stmts: VecDeque::new(), end }
    }
}

fn each_target(tree: &Tree, f: &mut dyn FnMut(StateId)) {
    match &tree.end {
        End::Goto(to) | End::Call { then: to, .. } => f(*to),
        End::Return(_) | End::Jump { .. } => {}
        End::If { cond: _, then, els } => {
            each_target(then, f);
            each_target(els, f);
        }
        End::Switch { scrutinee: _, cases, default } => {
            cases.iter().for_each(|(_, tree)| each_target(tree, f));
            each_target(default, f);
        }
    }
}

/// Some values are moved, and the function returns: to do that in several places costs nothing.
fn is_short(tree: &Tree) -> bool {
    const MOST_MOVES: usize = 4;
    let moves = |stmt: &Stmt| matches!(stmt, Stmt::Set(_, exp) if exp.is_atom());
    matches!(tree.end, End::Return(_)) && tree.stmts.len() <= MOST_MOVES && tree.stmts.iter().all(moves)
}

/// Whether what comes behind a call returns its results, and does nothing else.
fn returns(behind: &Tree, results: &[Var], callee: &Member, members: &[Member]) -> bool {
    let End::Return(caller) = behind.end else { return false };
    let mut value: BTreeMap<Var, Exp> = BTreeMap::new();
    for stmt in &behind.stmts {
        let Stmt::Set(var, exp) = stmt else { return false };
        let moved = match exp {
            Exp::Var(from) => value.get(from).unwrap_or(exp).clone(),
            _ if exp.is_atom() => exp.clone(),
            _ => return false,
        };
        value.insert(*var, moved);
    }
    let caller = &members[caller];
    let is_result = |(exp, result): (&Exp, &Var)| match exp {
        Exp::Var(var) => *value.get(var).unwrap_or(exp) == Exp::Var(*result),
        _ => false,
    };
    caller.ret == callee.ret
        && caller.results.len() == results.len()
        && caller.results.iter().zip(results).all(is_result)
}
