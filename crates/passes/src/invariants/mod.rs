//! What launches compute from the same memory in each iteration of a host's loop, they compute once.
//!
//! ```text
//! for i: i64 = 0 .. times {                            is_first: bool = true
//!   offsets: block = alloc_device(..)                  offsets = null(block)
//!   at: remote i64 = remote.i64(offsets)               total = 0
//!   launch_groups segment(n, lens, at) in 1            for i: i64 = 0 .. times {
//!   total: i64 = read.i64(at, n)                ==>      if is_first {
//!   launch_groups sums(n, at, x, y) in total               offsets = alloc_device(..)
//!   release(offsets)                                     }
//!   ..                                                   at: remote i64 = remote.i64(offsets)
//! }                                                      if is_first {
//!                                                          launch_groups segment(n, lens, at) in 1
//!                                                          total = read.i64(at, n)
//!                                                          is_first = false
//!                                                        }
//!                                                        launch_groups sums(n, at, x, y) in total
//!                                                        ..
//!                                                      }
//!                                                      if !is_first { release(offsets) }
//! ```
//!
//! An example is a sparse matrix in an iterative solver: where its rows begin does not change, and how many elements they have, the host waits for only once. What a
//! nest computes for itself leaves loops before (`hoist`); this is for what kernels need beside, of which nest knows nothing.
//!
//! The first iteration that gets there computes it, in its place: so nothing is computed that was not before, and failures come in their order.
//!
//! Needs and gives: a valid program of a device and its host. Keeps: results, failures, the order of everything else. Refuses:
//! - memory that is not allocated and released in one block of the loop, or that others know (`memory`);
//! - what is written from memory that anything else in the loop writes, or is written there again;
//! - loops over the parts of a task, whose memory is where a plan says.
//!
//! Method: all allocations, launches, clears and reads in an outermost loop are taken for invariant, until one of them depends on what is not. Then the same for the loops inside.
//! Cost: linear in the statements of a loop, for each loop around them, times how often that has to be repeated.

mod access;
mod memory;

use access::Access;
use memory::Memory;
use norn_ir::imp::walk::{Part, PartMut, for_each_stmt};
use norn_ir::imp::{Block, DeviceStmt, Elem, Exp, Fun, Prog, Scalar, Stmt, Type, Var, VarInfo};
use rustc_hash::{FxHashMap, FxHashSet};

pub fn invariants(prog: &mut Prog) {
    if prog.group_kernels.is_empty() {
        return;
    }
    let kernels: Vec<Access> = prog.group_kernels.iter().map(Access::of).collect();
    for fun in &mut prog.funs {
        let mut loops = 0;
        for_each_stmt(&fun.body, &mut |stmt| loops += usize::from(is_loop(stmt)));
        for number in 0..loops {
            if let Some(plan) = plan(fun, &kernels, number) {
                let mut body = std::mem::take(&mut fun.body);
                Rewrite { vars: &mut fun.vars, plan, seen: 0, loop_number: number }.find(&mut body);
                fun.body = body;
            }
        }
    }
}

fn is_loop(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::For { .. } | Stmt::While { .. })
}

/// What the first iteration of a loop does for all. Statements inside of the loop are numbered in the order of the text, and so are its blocks.
struct Plan {
    once: FxHashSet<usize>,
    /// What is released behind the loop: the statement, and the block that allocates it.
    released: FxHashMap<usize, usize>,
    /// Of each block with such statements, the last one.
    last: FxHashMap<usize, usize>,
}

/// A statement in a loop.
struct Inside<'a> {
    stmt: &'a Stmt,
    block: usize,
}

fn inside<'a>(stmt: &'a Stmt, blocks: &mut usize, list: &mut Vec<Inside<'a>>) {
    stmt.for_each_part(&mut |part| {
        if let Part::Block(block) = part {
            let number = *blocks;
            *blocks += 1;
            for stmt in block {
                list.push(Inside { stmt, block: number });
                inside(stmt, blocks, list);
            }
        }
    });
}

/// What this loop of the function does in each iteration, and need not, if there is anything.
fn plan(fun: &Fun, kernels: &[Access], number: usize) -> Option<Plan> {
    let mut found = None;
    let mut loops = 0;
    for_each_stmt(&fun.body, &mut |stmt| {
        if is_loop(stmt) {
            if loops == number {
                found = Some(stmt);
            }
            loops += 1;
        }
    });
    let around = found?;
    let mut list = Vec::new();
    inside(around, &mut 0, &mut list);
    if list.iter().any(|inside| is_of_tasks(inside.stmt)) {
        return None;
    }
    let mut once: FxHashSet<usize> =
        (0..list.len()).filter(|number| is_candidate(list[*number].stmt, kernels)).collect();
    if once.is_empty() {
        return None;
    }
    let search = Search::of(fun, kernels, around, list);
    loop {
        let before = once.len();
        search.narrow(&mut once);
        if once.len() == before {
            break;
        }
    }
    let saves = |number: &usize| !matches!(search.list[*number].stmt, Stmt::Device(DeviceStmt::Alloc { .. }));
    once.iter().any(saves).then(|| search.plan(once))
}

/// Where memory is, a plan says, or another device.
fn is_of_tasks(stmt: &Stmt) -> bool {
    matches!(
        stmt,
        Stmt::Device(
            DeviceStmt::Select(_)
                | DeviceStmt::Plan { .. }
                | DeviceStmt::Part(_)
                | DeviceStmt::Planned { .. }
                | DeviceStmt::Bring { .. }
                | DeviceStmt::Here { .. }
                | DeviceStmt::Written { .. }
        )
    )
}

fn is_candidate(stmt: &Stmt, kernels: &[Access]) -> bool {
    match stmt {
        Stmt::Device(DeviceStmt::Alloc { .. } | DeviceStmt::Clear { .. }) => true,
        Stmt::Device(DeviceStmt::Read { elem, .. }) => matches!(elem, Elem::Prim(_)),
        Stmt::Device(DeviceStmt::Launch { kernel, .. }) => kernels[kernel.0 as usize].is_plain,
        _ => false,
    }
}

/// How memory is used in a loop.
struct Search<'a> {
    kernels: &'a [Access],
    memory: Memory<'a>,
    list: Vec<Inside<'a>>,
    /// The variables that the loop assigns.
    assigned: FxHashSet<Var>,
    /// The classes of memory that are mentioned nowhere but in the loop.
    local: FxHashSet<usize>,
}

/// What writes memory of a class.
#[derive(Default)]
struct Writers {
    /// By statements that are not done once.
    others: FxHashSet<usize>,
    /// By statements that are: in which blocks, and the last one.
    once: FxHashMap<usize, (FxHashSet<usize>, usize)>,
}

impl<'a> Search<'a> {
    fn of(fun: &'a Fun, kernels: &'a [Access], around: &'a Stmt, list: Vec<Inside<'a>>) -> Search<'a> {
        let memory = Memory::of(fun);
        let mut assigned = FxHashSet::default();
        let mut mentions: FxHashMap<usize, u32> = FxHashMap::default();
        for stmt in list.iter().map(|inside| inside.stmt).chain([around]) {
            stmt.for_each_part(&mut |part| match part {
                Part::Assigned(var) => {
                    assigned.insert(var);
                    memory.class(var).into_iter().for_each(|class| *mentions.entry(class).or_default() += 1);
                }
                Part::Exp(exp) => {
                    for class in memory.classes(exp) {
                        *mentions.entry(class).or_default() += 1;
                    }
                }
                Part::Block(_) | Part::Accumulator(_) => {}
            });
        }
        let local = |(class, count): &(usize, u32)| memory.mentions[*class] == *count;
        let local = mentions.into_iter().filter(local).map(|(class, _)| class).collect();
        Search { kernels, memory, list, assigned, local }
    }

    /// Leaves out what depends on what is not done once.
    fn narrow(&self, once: &mut FxHashSet<usize>) {
        let fixed = self.fixed(once);
        let is_fixed = |exp: &Exp| {
            let mut all = true;
            exp.for_each_var(&mut |var| all &= !self.assigned.contains(&var) || fixed.contains(&var));
            all && !loads(exp)
        };
        let writers = self.writers(once);
        let own: FxHashSet<usize> = once.iter().filter_map(|number| self.is_own(*number, &writers)).collect();
        let unwritten =
            |exp: &Exp| self.memory.classes(exp).iter().all(|class| !writers.others.contains(class));
        let is_own = |exp: &Exp| self.memory.classes(exp).iter().all(|class| own.contains(class));
        once.retain(|number| match self.list[*number].stmt {
            Stmt::Device(DeviceStmt::Alloc { block, bytes, site: _ }) => {
                self.memory.class(*block).is_some_and(|class| own.contains(&class)) && is_fixed(bytes)
            }
            Stmt::Device(DeviceStmt::Clear { elem: _, ptr, count }) => {
                is_own(ptr) && is_fixed(ptr) && is_fixed(count)
            }
            Stmt::Device(DeviceStmt::Read { vars, elem: _, ptr, index }) => {
                vars.iter().all(|var| self.memory.assigned[var.0 as usize] == 1)
                    && unwritten(ptr)
                    && is_fixed(ptr)
                    && is_fixed(index)
            }
            Stmt::Device(DeviceStmt::Launch { kernel, args, groups, reaches: _, site: _ }) => {
                let written = &self.kernels[kernel.0 as usize].written;
                is_fixed(groups)
                    && args.iter().zip(written).all(|(arg, is_written)| {
                        is_fixed(arg) && if *is_written { is_own(arg) } else { unwritten(arg) }
                    })
            }
            _ => false,
        });
    }

    /// The variables that the loop assigns, but always the same.
    fn fixed(&self, once: &FxHashSet<usize>) -> FxHashSet<Var> {
        let mut fixed: FxHashSet<Var> = FxHashSet::default();
        loop {
            let before = fixed.len();
            for (number, Inside { stmt, .. }) in self.list.iter().enumerate() {
                let is_single = |var: &Var| self.memory.assigned[var.0 as usize] == 1;
                match stmt {
                    Stmt::Set(var, exp) if is_single(var) && !loads(exp) => {
                        let mut all = true;
                        exp.for_each_var(&mut |var| {
                            all &= !self.assigned.contains(&var) || fixed.contains(&var);
                        });
                        fixed.extend(all.then_some(*var));
                    }
                    Stmt::Device(DeviceStmt::Alloc { block, .. }) if once.contains(&number) => {
                        fixed.extend(Some(*block).filter(is_single));
                    }
                    Stmt::Device(DeviceStmt::Read { vars, .. }) if once.contains(&number) => {
                        fixed.extend(vars.iter().copied().filter(is_single));
                    }
                    _ => {}
                }
            }
            if fixed.len() == before {
                return fixed;
            }
        }
    }

    fn writers(&self, once: &FxHashSet<usize>) -> Writers {
        let mut writers = Writers::default();
        for (number, Inside { stmt, block }) in self.list.iter().enumerate() {
            for class in self.written(stmt) {
                if once.contains(&number) {
                    let (blocks, last) = writers.once.entry(class).or_default();
                    blocks.insert(*block);
                    *last = number;
                } else {
                    writers.others.insert(class);
                }
            }
        }
        writers
    }

    /// The memory that a statement may write; not those inside.
    fn written(&self, stmt: &Stmt) -> Vec<usize> {
        match stmt {
            Stmt::Set(..)
            | Stmt::If { .. }
            | Stmt::Switch { .. }
            | Stmt::For { .. }
            | Stmt::While { .. }
            | Stmt::Retain(_)
            | Stmt::Release(_)
            | Stmt::Fail { .. }
            | Stmt::Device(DeviceStmt::Alloc { .. } | DeviceStmt::Read { .. }) => Vec::new(),
            Stmt::Device(DeviceStmt::Launch { kernel, args, .. }) => {
                let written = args.iter().zip(&self.kernels[kernel.0 as usize].written);
                let written = written.filter(|(_, is_written)| **is_written);
                written.flat_map(|(arg, _)| self.memory.classes(arg)).collect()
            }
            Stmt::Device(
                DeviceStmt::Clear { ptr: to, .. }
                | DeviceStmt::Write { ptr: to, .. }
                | DeviceStmt::Copy { to, .. },
            ) => self.memory.classes(to),
            stmt => {
                let mut classes = Vec::new();
                stmt.for_each_part(&mut |part| match part {
                    Part::Assigned(var) => classes.extend(self.memory.class(var)),
                    Part::Exp(exp) => classes.extend(self.memory.classes(exp)),
                    Part::Block(_) | Part::Accumulator(_) => {}
                });
                classes
            }
        }
    }

    /// The class of the memory that this statement allocates, if it can have one content in the whole loop: it is written where it is allocated, before anybody reads it.
    fn is_own(&self, number: usize, writers: &Writers) -> Option<usize> {
        let Inside { stmt: Stmt::Device(DeviceStmt::Alloc { block: var, .. }), block } = &self.list[number]
        else {
            return None;
        };
        let class = self.memory.class(*var)?;
        let (blocks, last) = writers.once.get(&class)?;
        let is_written_here = blocks.len() == 1 && blocks.contains(block);
        let is_read_early = || {
            self.list[number + 1..*last].iter().any(|Inside { stmt, .. }| {
                let mut reads = false;
                stmt.for_each_part(&mut |part| {
                    if let Part::Exp(exp) = part {
                        reads |= self.memory.classes(exp).contains(&class);
                    }
                });
                reads && matches!(stmt, Stmt::Device(_)) && !self.written(stmt).contains(&class)
            })
        };
        let is_free = self.memory.is_own(class)
            && self.local.contains(&class)
            && !writers.others.contains(&class)
            && is_written_here
            && self.release_of(class).is_some_and(|release| self.list[release].block == *block)
            && !is_read_early();
        is_free.then_some(class)
    }

    fn release_of(&self, class: usize) -> Option<usize> {
        self.list.iter().position(|Inside { stmt, .. }| match stmt {
            Stmt::Release(exp) => self.memory.classes(exp).contains(&class),
            _ => false,
        })
    }

    fn plan(&self, once: FxHashSet<usize>) -> Plan {
        let mut plan = Plan { once, released: FxHashMap::default(), last: FxHashMap::default() };
        for number in &plan.once {
            let Inside { stmt, block } = &self.list[*number];
            let last = plan.last.entry(*block).or_default();
            *last = (*last).max(*number);
            if let Stmt::Device(DeviceStmt::Alloc { block: var, .. }) = stmt {
                let release = self.memory.class(*var).and_then(|class| self.release_of(class));
                plan.released.extend(release.map(|release| (release, *block)));
            }
        }
        plan
    }
}

/// Whether what an expression yields depends on the host's memory.
fn loads(exp: &Exp) -> bool {
    let mut found = matches!(
        exp,
        Exp::Load { .. }
            | Exp::LoadLanes { .. }
            | Exp::Gather { .. }
            | Exp::Cell { .. }
            | Exp::CellBlock { .. }
    );
    exp.for_each_child(&mut |child| found |= loads(child));
    found
}

/// Puts a plan into effect.
struct Rewrite<'a> {
    vars: &'a mut Vec<VarInfo>,
    plan: Plan,
    /// How many loops have been passed.
    seen: usize,
    loop_number: usize,
}

/// Where the walk through the loop is, and what it has found.
#[derive(Default)]
struct Inner {
    stmts: usize,
    blocks: usize,
    /// Of each block that does something once, whether it is still to do that.
    flags: FxHashMap<usize, Var>,
    /// What the first iteration assigns for all.
    assigned: Vec<Var>,
    released: Vec<(Var, Exp)>,
}

impl Rewrite<'_> {
    fn find(&mut self, block: &mut Block) {
        for at in 0..block.len() {
            if is_loop(&block[at]) {
                let is_it = self.seen == self.loop_number;
                self.seen += 1;
                if is_it {
                    return self.around(block, at);
                }
            }
            block[at].for_each_part_mut(&mut |part| {
                if let PartMut::Block(inside) = part {
                    self.find(inside);
                }
            });
            if self.seen > self.loop_number {
                return;
            }
        }
    }

    fn around(&mut self, block: &mut Block, at: usize) {
        let mut inner = Inner::default();
        self.stmt(&mut block[at], &mut inner);
        let mut flags: Vec<Var> = inner.flags.values().copied().collect();
        flags.sort();
        let mut before: Block = flags.iter().map(|flag| Stmt::Set(*flag, Exp::bool(true))).collect();
        before.extend(inner.assigned.iter().map(|var| {
            let nothing = match self.vars[var.0 as usize].ty {
                Type::Scalar(prim) => Exp::Const(Scalar::zero(prim)),
                ty => Exp::Null(ty),
            };
            Stmt::Set(*var, nothing)
        }));
        let mut behind: Block = Vec::new();
        for flag in flags {
            let own = inner.released.iter().filter(|(by, _)| *by == flag);
            let els: Block = own.map(|(_, exp)| Stmt::Release(exp.clone())).collect();
            if !els.is_empty() {
                behind.push(Stmt::If { cond: Exp::Var(flag).not(), then: els, els: Block::new() });
            }
        }
        block.splice(at + 1..at + 1, behind);
        block.splice(at..at, before);
    }

    fn stmt(&mut self, stmt: &mut Stmt, inner: &mut Inner) {
        stmt.for_each_part_mut(&mut |part| {
            if let PartMut::Block(block) = part {
                self.block(block, inner);
            }
        });
    }

    fn block(&mut self, block: &mut Block, inner: &mut Inner) {
        let number = inner.blocks;
        inner.blocks += 1;
        let last = self.plan.last.get(&number).copied();
        if last.is_some() {
            self.vars.push(VarInfo { name: "is_first".into(), ty: Type::BOOL });
            inner.flags.insert(number, Var(self.vars.len() as u32 - 1));
        }
        let mut done: Block = Vec::with_capacity(block.len());
        let mut is_open = false;
        for mut stmt in std::mem::take(block) {
            let own = inner.stmts;
            inner.stmts += 1;
            self.stmt(&mut stmt, inner);
            if let (Some(by), Stmt::Release(exp)) = (self.plan.released.get(&own), &stmt) {
                inner.released.push((inner.flags[by], exp.clone()));
                continue;
            }
            if !self.plan.once.contains(&own) {
                is_open = false;
                done.push(stmt);
                continue;
            }
            stmt.for_each_part(&mut |part| {
                if let Part::Assigned(var) = part {
                    inner.assigned.push(var);
                }
            });
            let flag = inner.flags[&number];
            let mut stmts = vec![stmt];
            if last == Some(own) {
                stmts.push(Stmt::Set(flag, Exp::bool(false)));
            }
            match done.last_mut() {
                Some(Stmt::If { then, .. }) if is_open => then.extend(stmts),
                _ => done.push(Stmt::If { cond: Exp::Var(flag), then: stmts, els: Block::new() }),
            }
            is_open = true;
        }
        *block = done;
    }
}
