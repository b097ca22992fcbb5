//! A kernel of one group becomes the epilogue of the kernel before it.
//!
//! ```text
//! launch_groups sum(n, xs, partial, total) in groups #0
//! release(partial_block)
//! next_block: block = alloc_device(8) #1
//! next: remote f64 = remote.f64(next_block)
//! launch_groups step(best, total, next) in 1 #1             // next[0] = max(best[0], total[0])
//! ```
//! becomes
//! ```text
//! next_block: block = alloc_device(8) #1
//! next: remote f64 = remote.f64(next_block)
//! launch_groups sum(n, xs, partial, total, best, next) in groups #0
//! release(partial_block)
//! ```
//! where the last group of `sum`, which has combined what all groups have, goes on with the body of `step`. So a step of a loop that ends in a reduction and some
//! arithmetic with its result (gradient descent, power iteration, the best of a wavefront) is one launch instead of two.
//!
//! A kernel has a last group if its body ends in `if is_last {..}`, or if it has one group anyway; so a chain of small kernels becomes one.
//!
//! Needs: a valid program of a device and its host. Gives: the same, without kernels that nobody launches any more. Keeps: results, failures (the epilogue of a kernel
//! that failed does nothing, as a launch behind a failed one does nothing), the order of what else the host asks for. Refuses:
//! - epilogues with shared arrays or barriers, or of more than `MOST_STATEMENTS`: they would cost all groups of the first kernel memory and registers;
//! - kernels that may run out of memory for their threads, since these run again;
//! - kernels between which the host waits, branches, or does anything but name and allocate what the second one needs;
//! - a first kernel that may have no groups: its epilogue would not run.
//!
//! Cost: linear, and each launch looks back at most `FAR` statements for what it knows of a number of groups.

use crate::motion::{join_neighbours, may_be_crossed, move_along, moved_along};
use crate::numbering::{keep, numbering, renumber};
use norn_ir::imp::walk::{PartMut, assigned, for_each_stmt, for_each_stmt_mut, for_each_var_mut, holds};
use norn_ir::imp::{
    BinOp, Block, DeviceStmt, Exp, GroupExp, GroupKernel, GroupKernelId, GroupStmt, Prog, Reach, Scalar,
    SiteId, Stmt, Type, Var, VarInfo,
};

/// How many statements an epilogue may have.
const MOST_STATEMENTS: usize = 96;
/// How far to look for the definition of a number of groups.
const FAR: usize = 64;

pub fn epilogue(prog: &mut Prog) {
    if prog.group_kernels.is_empty() {
        return;
    }
    let mut joining = Joining { kernels: std::mem::take(&mut prog.group_kernels), joined: Vec::new() };
    let is_launch = |stmt: &Stmt| Launch::of(stmt).is_some();
    join_neighbours(prog, is_launch, may_be_crossed, &mut |done, first, launch| {
        if let Some(joined) = first.and_then(|at| joining.join(done, at, &launch)) {
            return joined;
        }
        done.push(launch);
        done.len() - 1
    });
    let has_joined = !joining.joined.is_empty();
    prog.group_kernels = joining.kernels;
    if has_joined {
        forget_unlaunched(prog);
    }
}

struct Joining {
    kernels: Vec<GroupKernel>,
    joined: Vec<Joined>,
}

/// Two kernels, and the one that does what both do. Of each parameter of the second: which of the first has the same argument.
struct Joined {
    first: GroupKernelId,
    second: GroupKernelId,
    shared: Vec<Option<usize>>,
    kernel: GroupKernelId,
}

/// The parts of a launch.
struct Launch<'a> {
    kernel: GroupKernelId,
    args: &'a [Exp],
    reaches: &'a [Reach],
    groups: &'a Exp,
    site: SiteId,
}

impl<'a> Launch<'a> {
    fn of(stmt: &'a Stmt) -> Option<Launch<'a>> {
        match stmt {
            Stmt::Device(DeviceStmt::Launch { kernel, args, reaches, groups, site }) => {
                Some(Launch { kernel: *kernel, args, reaches, groups, site: *site })
            }
            _ => None,
        }
    }
}

impl Joining {
    /// Lets the launch at this place do what the second one does, too, if it can. Returns where it is then.
    fn join(&mut self, done: &mut Block, at: usize, second_stmt: &Stmt) -> Option<usize> {
        let (first, second) = (Launch::of(&done[at])?, Launch::of(second_stmt)?);
        if bounds(done, second.groups) != (1, 1) || bounds(&done[..at], first.groups).0 < 1 {
            return None;
        }
        let is_one_group = bounds(&done[..at], first.groups) == (1, 1);
        if !self.can_follow(first.kernel, second.kernel, is_one_group) {
            return None;
        }
        let moved = moved_along(&done[at..], second_stmt)?;
        let params = |id: GroupKernelId| {
            let kernel = &self.kernels[id.0 as usize];
            kernel.params.iter().map(|var| kernel.vars[var.0 as usize].ty).collect::<Vec<Type>>()
        };
        let (types, own_types) = (params(first.kernel), params(second.kernel));
        let first_kernel = &self.kernels[first.kernel.0 as usize];
        let changed = assigned(&first_kernel.body);
        let same = |arg: &Exp, ty: Type| {
            let mut params = first.args.iter().zip(&types).zip(&first_kernel.params);
            params.position(|((other, other_ty), param)| {
                other == arg && *other_ty == ty && changed.binary_search(param).is_err()
            })
        };
        let shared: Vec<Option<usize>> =
            second.args.iter().zip(own_types).map(|(arg, ty)| same(arg, ty)).collect();
        let mut args = first.args.to_vec();
        let reaches = joined_reaches(&first, &second, &shared);
        let own = second.args.iter().zip(&shared).filter(|(_, shared)| shared.is_none());
        args.extend(own.map(|(arg, _)| arg.clone()));
        let (groups, site) = (first.groups.clone(), first.site);
        let kernel = self.joined(first.kernel, second.kernel, shared, is_one_group);
        done[at] = Stmt::Device(DeviceStmt::Launch { kernel, args, reaches, groups, site });

        Some(move_along(done, at, &moved))
    }

    fn can_follow(&self, first: GroupKernelId, second: GroupKernelId, is_one_group: bool) -> bool {
        let (first, second) = (&self.kernels[first.0 as usize], &self.kernels[second.0 as usize]);
        let has_last_group = is_one_group || last_group(&first.body).is_some();
        let mut count = 0;
        let mut is_plain = true;
        for_each_stmt(&second.body, &mut |stmt| {
            count += 1;
            is_plain &= is_of_threads(stmt);
        });
        has_last_group
            && first.size == second.size
            && second.arrays.is_empty()
            && is_plain
            && count <= MOST_STATEMENTS
            && !holds(&first.body, Stmt::takes_memory)
    }

    /// The kernel that does what both do, made once.
    fn joined(
        &mut self,
        first: GroupKernelId,
        second: GroupKernelId,
        shared: Vec<Option<usize>>,
        is_one_group: bool,
    ) -> GroupKernelId {
        let same =
            |joined: &&Joined| (joined.first, joined.second, &joined.shared) == (first, second, &shared);
        if let Some(joined) = self.joined.iter().find(same) {
            return joined.kernel;
        }
        let (a, b) = (&self.kernels[first.0 as usize], &self.kernels[second.0 as usize]);
        let mut kernel = a.clone();
        let offset = kernel.vars.len() as u32;
        kernel.vars.extend(b.vars.iter().cloned());
        let mut number: Vec<Var> = (0..b.vars.len() as u32).map(|var| Var(offset + var)).collect();
        for (param, shared) in b.params.iter().zip(&shared) {
            match shared {
                Some(at) => number[param.0 as usize] = a.params[*at],
                None => kernel.params.push(number[param.0 as usize]),
            }
        }
        let mut end = b.body.clone();
        for_each_var_mut(&mut end, &mut |var| *var = number[var.0 as usize]);
        in_one_group(&mut end);
        if holds(&a.body, |stmt| matches!(stmt, Stmt::Fail { .. })) {
            let has_failed = Var(kernel.vars.len() as u32);
            kernel
                .vars
                .push(VarInfo { name: "has_failed".into(), ty: Type::Scalar(norn_ir::imp::Prim::Bool) });
            end = vec![
                Stmt::Group(GroupStmt::HasFailed { var: has_failed }),
                Stmt::If { cond: Exp::Var(has_failed).not(), then: end, els: Block::new() },
            ];
        }
        let body = match is_one_group {
            true => &mut kernel.body,
            false => last_group_mut(&mut kernel.body).expect("epilogue: a kernel without a last group"),
        };
        body.push(Stmt::Group(GroupStmt::Barrier));
        body.extend(end);
        let id = GroupKernelId(self.kernels.len() as u32);
        self.kernels.push(kernel);
        self.joined.push(Joined { first, second, shared, kernel: id });
        id
    }
}

// # What may stand where

/// Whether threads do it each for itself, without memory that they would have to ask for.
fn is_of_threads(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Set(..)
        | Stmt::Store { .. }
        | Stmt::Copy { .. }
        | Stmt::If { .. }
        | Stmt::Switch { .. }
        | Stmt::For { .. }
        | Stmt::While { .. }
        | Stmt::Fail { .. } => true,
        Stmt::Group(group) => !group.meets() && !matches!(group, GroupStmt::Pool { .. }),
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
        | Stmt::Device(_) => false,
    }
}

/// What the last group of a kernel does at its end.
fn last_group(body: &Block) -> Option<&Block> {
    let Stmt::If { cond: Exp::Var(cond), then, els } = body.last()? else { return None };
    let is_last = |stmt: &Stmt| matches!(stmt, Stmt::Group(GroupStmt::IsLast { var, .. }) if var == cond);
    (els.is_empty() && body.iter().any(is_last)).then_some(then)
}

fn last_group_mut(body: &mut Block) -> Option<&mut Block> {
    last_group(body)?;
    match body.last_mut() {
        Some(Stmt::If { then, .. }) => Some(then),
        _ => None,
    }
}

/// The same code where there is only this group.
fn in_one_group(block: &mut Block) {
    fn in_exp(exp: &mut Exp) {
        match exp {
            Exp::Group(GroupExp::Group) => *exp = Exp::i64(0),
            Exp::Group(GroupExp::Groups) => *exp = Exp::i64(1),
            _ => exp.for_each_child_mut(&mut in_exp),
        }
    }
    for stmt in block {
        stmt.for_each_part_mut(&mut |part| match part {
            PartMut::Exp(exp) => in_exp(exp),
            PartMut::Block(inside) => in_one_group(inside),
            PartMut::Assigned(_) | PartMut::Accumulator(_) => {}
        });
    }
}

/// What is known of what a joined kernel reads and writes by each argument. By an argument of both it may be anything, unless both know the same.
fn joined_reaches(first: &Launch, second: &Launch, shared: &[Option<usize>]) -> Vec<Reach> {
    let mut reaches = Vec::new();
    for reach in first.reaches {
        let others = (0..shared.len()).filter(|arg| shared[*arg] == Some(reach.arg));
        let agrees = |arg: usize| {
            let mut known = second.reaches.iter().filter(|other| other.arg == arg);
            known.any(|other| {
                (other.elem, &other.from, &other.count) == (reach.elem, &reach.from, &reach.count)
            })
        };
        if others.into_iter().all(agrees) {
            reaches.push(reach.clone());
        }
    }
    let mut next = first.args.len();
    for (arg, shared) in shared.iter().enumerate() {
        if shared.is_none() {
            let own = second.reaches.iter().filter(|reach| reach.arg == arg);
            reaches.extend(own.map(|reach| Reach { arg: next, ..reach.clone() }));
            next += 1;
        }
    }
    reaches
}

/// Between which numbers this one is, behind these statements of a block.
fn bounds(stmts: &[Stmt], exp: &Exp) -> (i64, i64) {
    const ANY: (i64, i64) = (i64::MIN, i64::MAX);
    match exp {
        Exp::Const(Scalar::I64(value)) => (*value, *value),
        Exp::DeviceGroups => (1, i64::MAX),
        Exp::Bin(op @ (BinOp::Min | BinOp::Max), _, x, y) => {
            let (x, y) = (bounds(stmts, x), bounds(stmts, y));
            match op {
                BinOp::Min => (x.0.min(y.0), x.1.min(y.1)),
                _ => (x.0.max(y.0), x.1.max(y.1)),
            }
        }
        Exp::Var(var) => {
            for (at, stmt) in stmts.iter().enumerate().rev().take(FAR) {
                match stmt {
                    Stmt::Set(other, exp) if other == var => return bounds(&stmts[..at], exp),
                    Stmt::Set(..) | Stmt::Retain(_) | Stmt::Release(_) => {}
                    Stmt::Device(DeviceStmt::Alloc { .. } | DeviceStmt::Launch { .. }) => {}
                    _ => return ANY,
                }
            }
            ANY
        }
        _ => ANY,
    }
}

/// Removes the kernels that no host launches.
fn forget_unlaunched(prog: &mut Prog) {
    let mut is_launched = vec![false; prog.group_kernels.len()];
    let bodies =
        || prog.funs.iter().map(|fun| &fun.body).chain(prog.kernels.iter().map(|kernel| &kernel.body));
    for body in bodies() {
        for_each_stmt(body, &mut |stmt| {
            if let Some(launch) = Launch::of(stmt) {
                is_launched[launch.kernel.0 as usize] = true;
            }
        });
    }
    let numbers = numbering(is_launched.len(), |id| is_launched[id]);
    keep(&mut prog.group_kernels, |id| is_launched[id]);
    let bodies = prog.funs.iter_mut().map(|fun| &mut fun.body);
    for body in bodies.chain(prog.kernels.iter_mut().map(|kernel| &mut kernel.body)) {
        for_each_stmt_mut(body, &mut |stmt| {
            if let Stmt::Device(DeviceStmt::Launch { kernel, .. }) = stmt {
                renumber(&mut kernel.0, &numbers);
            }
        });
    }
}
