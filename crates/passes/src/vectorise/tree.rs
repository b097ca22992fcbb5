//! The body of a loop as a tree of statements with liveness, which `plan`, `shape` and `widen` read.
//!
//! Liveness is that of structured code: each block knows what it uses before it assigns it (`needs`) and what it assigns on
//! every path (`sets`), both computed bottom-up, so that loops need no fixed-point iteration.
//!
//! `read` refuses (`None`) bodies with what lanes cannot do side by side: calls, launches, allocation, release, and regions.

use norn_ir::imp::walk::Part;
use norn_ir::imp::{Block, Elem, Exp, LoopForm, SiteId, Stmt, Var};
use std::collections::BTreeSet;

pub type VarSet = BTreeSet<Var>;

pub struct Body<'a> {
    pub nodes: Vec<Node<'a>>,
    /// Used before it is assigned here.
    pub needs: VarSet,
    /// Assigned here on every way to the end.
    pub sets: VarSet,
    /// Assigned somewhere in it.
    pub assigns: VarSet,
    /// The end is never reached: it fails.
    pub ends: bool,
}

pub struct Node<'a> {
    pub kind: NodeKind<'a>,
    /// Live after it.
    pub after: VarSet,
}

pub enum NodeKind<'a> {
    Set(Var, &'a Exp),
    Store { elem: Elem, ptr: &'a Exp, index: &'a Exp, value: &'a Exp },
    Copy { elem: Elem, to: &'a Exp, from: &'a Exp, count: &'a Exp },
    If { cond: &'a Exp, then: Body<'a>, els: Body<'a> },
    Switch { scrutinee: &'a Exp, cases: Vec<(i64, Body<'a>)>, default: Body<'a> },
    For { var: Var, from: &'a Exp, to: &'a Exp, form: &'a LoopForm, body: Body<'a> },
    While { before: Body<'a>, cond: &'a Exp, body: Body<'a> },
    Fail { site: SiteId, operands: &'a [Exp] },
}

/// The body of a loop after which these are live (at its end, that is: accumulators are).
pub fn read<'a>(block: &'a Block, after: &VarSet) -> Option<Body<'a>> {
    let mut body = read_block(block)?;
    let mut around = after.clone();
    around.extend(&body.needs);
    body.settle(around);
    Some(body)
}

impl Body<'_> {
    /// What is live before it, given what is live after it.
    pub fn before(&self, after: &VarSet) -> VarSet {
        let mut live = self.needs.clone();
        if !self.ends {
            live.extend(after.difference(&self.sets));
        }
        live
    }

    /// Write down what is live after each node.
    fn settle(&mut self, after: VarSet) {
        let mut live = after;
        for node in self.nodes.iter_mut().rev() {
            node.after = live.clone();
            live = node.kind.settle(live);
        }
    }
}

impl NodeKind<'_> {
    /// From what is live after it to what is live before it, writing down what is live inside.
    fn settle(&mut self, after: VarSet) -> VarSet {
        match self {
            NodeKind::Set(var, exp) => {
                let mut live = after;
                live.remove(var);
                add_vars(exp, &mut live);
                live
            }
            NodeKind::Store { ptr, index, value, .. } => {
                let mut live = after;
                [ptr, index, value].iter().for_each(|exp| add_vars(exp, &mut live));
                live
            }
            NodeKind::Copy { to, from, count, .. } => {
                let mut live = after;
                [to, from, count].iter().for_each(|exp| add_vars(exp, &mut live));
                live
            }
            NodeKind::If { cond, then, els } => {
                let mut live = then.before(&after);
                live.extend(els.before(&after));
                then.settle(after.clone());
                els.settle(after);
                add_vars(cond, &mut live);
                live
            }
            NodeKind::Switch { scrutinee, cases, default } => {
                let mut live = default.before(&after);
                for (_, case) in cases {
                    live.extend(case.before(&after));
                    case.settle(after.clone());
                }
                default.settle(after);
                add_vars(scrutinee, &mut live);
                live
            }
            NodeKind::For { var, from, to, body, .. } => {
                let mut live = after;
                live.extend(body.needs.iter().filter(|needed| *needed != var));
                body.settle(live.clone());
                add_vars(from, &mut live);
                add_vars(to, &mut live);
                live
            }
            NodeKind::While { before, cond, body } => {
                let mut inside = after;
                add_vars(cond, &mut inside);
                inside.extend(&body.needs);
                let live = before.before(&inside);
                body.settle(live.clone());
                inside.extend(live.difference(&body.sets));
                before.settle(inside);
                live
            }
            NodeKind::Fail { operands, .. } => {
                let mut live = VarSet::new();
                operands.iter().for_each(|exp| add_vars(exp, &mut live));
                live
            }
        }
    }
}

fn add_vars(exp: &Exp, to: &mut VarSet) {
    exp.for_each_var(&mut |var| {
        to.insert(var);
    });
}

fn read_block(block: &Block) -> Option<Body<'_>> {
    let mut body = Body {
        nodes: Vec::new(),
        needs: VarSet::new(),
        sets: VarSet::new(),
        assigns: VarSet::new(),
        ends: false,
    };
    for stmt in block {
        let kind = read_stmt(stmt)?;
        body.follow(stmt, &kind);
        body.nodes.push(Node { kind, after: VarSet::new() });
    }
    Some(body)
}

fn read_stmt(stmt: &Stmt) -> Option<NodeKind<'_>> {
    Some(match stmt {
        Stmt::Set(var, exp) => NodeKind::Set(*var, exp),
        Stmt::Store { elem, ptr, index, value } => NodeKind::Store { elem: *elem, ptr, index, value },
        Stmt::Copy { elem, to, from, count } => NodeKind::Copy { elem: *elem, to, from, count },
        Stmt::If { cond, then, els } => NodeKind::If { cond, then: read_block(then)?, els: read_block(els)? },
        Stmt::Switch { scrutinee, cases, default } => {
            let cases = cases.iter().map(|(value, block)| Some((*value, read_block(block)?)));
            NodeKind::Switch {
                scrutinee,
                cases: cases.collect::<Option<_>>()?,
                default: read_block(default)?,
            }
        }
        Stmt::For { var, from, to, form, body } => {
            NodeKind::For { var: *var, from, to, form, body: read_block(body)? }
        }
        Stmt::While { before, cond, body } => {
            NodeKind::While { before: read_block(before)?, cond, body: read_block(body)? }
        }
        Stmt::Fail { site, operands } => NodeKind::Fail { site: *site, operands },
        Stmt::StoreLanes { .. }
        | Stmt::Scatter { .. }
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
        | Stmt::Device(_) => return None,
    })
}

impl Body<'_> {
    /// One more statement at the end.
    fn follow(&mut self, stmt: &Stmt, kind: &NodeKind<'_>) {
        let mut needs = VarSet::new();
        stmt.for_each_part(&mut |part| match part {
            Part::Exp(exp) => add_vars(exp, &mut needs),
            Part::Assigned(var) => {
                self.assigns.insert(var);
            }
            Part::Block(_) | Part::Accumulator(_) => {}
        });
        let mut sets = VarSet::new();
        let mut ends = false;
        match kind {
            NodeKind::Set(var, _) => {
                sets.insert(*var);
            }
            NodeKind::Store { .. } | NodeKind::Copy { .. } => {}
            NodeKind::If { then, els, .. } => ends = branches(&[then, els], &mut needs, &mut sets),
            NodeKind::Switch { cases, default, .. } => {
                let mut all: Vec<&Body<'_>> = cases.iter().map(|(_, case)| case).collect();
                all.push(default);
                ends = branches(&all, &mut needs, &mut sets);
            }
            NodeKind::For { var, body, .. } => {
                needs.extend(body.needs.iter().filter(|needed| *needed != var))
            }
            NodeKind::While { before, cond, body } => {
                let mut inside = body.needs.clone();
                add_vars(cond, &mut inside);
                needs = before.before(&inside);
                sets = before.sets.clone();
                ends = before.ends;
            }
            NodeKind::Fail { .. } => ends = true,
        }
        if !self.ends {
            self.needs.extend(needs.difference(&self.sets));
            self.sets.extend(sets);
            self.ends = ends;
        }
        kind.bodies().iter().for_each(|body| self.assigns.extend(&body.assigns));
    }
}

/// Adds what one of these bodies needs, and what all of them assign that do not fail; returns whether all fail.
fn branches(bodies: &[&Body<'_>], needs: &mut VarSet, sets: &mut VarSet) -> bool {
    bodies.iter().for_each(|body| needs.extend(&body.needs));
    let mut ways = bodies.iter().filter(|body| !body.ends);
    let Some(first) = ways.next() else { return true };
    *sets = ways.fold(first.sets.clone(), |all, body| all.intersection(&body.sets).copied().collect());
    false
}

impl<'a> NodeKind<'a> {
    pub fn bodies(&self) -> Vec<&Body<'a>> {
        match self {
            NodeKind::Set(..) | NodeKind::Store { .. } | NodeKind::Copy { .. } | NodeKind::Fail { .. } => {
                Vec::new()
            }
            NodeKind::If { then, els, .. } => vec![then, els],
            NodeKind::Switch { cases, default, .. } => {
                let mut all: Vec<&Body<'a>> = cases.iter().map(|(_, case)| case).collect();
                all.push(default);
                all
            }
            NodeKind::For { body, .. } => vec![body],
            NodeKind::While { before, body, .. } => vec![before, body],
        }
    }
}
