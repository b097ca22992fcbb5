//! The parts of statements and expressions, in the order of the text. The only place that knows them all.
//!
//! Passes on imp, the verifier and the printers of C ask for parts and treat few statements in their own way. So a new statement is added here once, and
//! all of them walk into it. There are two walks, one that reads and one that changes, and they must never differ: a macro makes both from one
//! text. A walk goes one level down, and the caller decides whether to go on; what goes through everything (`for_each_stmt`, `assigned`) is
//! below, built on it.
//!
//! The order is that in which the printed text has the parts, and that in which they are evaluated. Accumulators of a loop are parts of their own: a loop
//! assigns them, but `assigned` counts them only where the body does.

use super::{Accumulator, Block, DeviceStmt, Exp, GroupStmt, LoopForm, Reach, Split, Stmt, Var};

/// A part of a statement.
pub enum Part<'a> {
    /// A variable that the statement assigns.
    Assigned(Var),
    Exp(&'a Exp),
    Block(&'a Block),
    /// Of the loop that the statement is.
    Accumulator(&'a Accumulator),
}

pub enum PartMut<'a> {
    Assigned(&'a mut Var),
    Exp(&'a mut Exp),
    Block(&'a mut Block),
    Accumulator(&'a mut Accumulator),
}

/// Both walks from one text: what differs is how references are taken.
macro_rules! walks {
    ($part:ident, $each_part:ident, $each_child:ident, $iter:ident, $as_deref:ident, $assigned:expr, $($mut:tt)?) => {
        impl Stmt {
            pub fn $each_part<'a>(&'a $($mut)? self, f: &mut impl FnMut($part<'a>)) {
                match self {
                    Stmt::Set(var, exp) => {
                        f($part::Assigned($assigned(var)));
                        f($part::Exp(exp));
                    }
                    Stmt::Store { elem: _, ptr, index, value } => {
                        f($part::Exp(ptr));
                        f($part::Exp(index));
                        f($part::Exp(value));
                    }
                    Stmt::StoreLanes { prim: _, ptr, index, value, mask }
                    | Stmt::Scatter { prim: _, ptr, index, value, mask } => {
                        f($part::Exp(ptr));
                        f($part::Exp(index));
                        if let Some(mask) = mask {
                            f($part::Exp(mask));
                        }
                        f($part::Exp(value));
                    }
                    Stmt::Copy { elem: _, to, from, count } => {
                        f($part::Exp(to));
                        f($part::Exp(from));
                        f($part::Exp(count));
                    }
                    Stmt::Alloc { block, bytes, site: _ } => {
                        f($part::Assigned($assigned(block)));
                        f($part::Exp(bytes));
                    }
                    Stmt::Retain(exp) | Stmt::Release(exp) | Stmt::RegionEnd(exp) => f($part::Exp(exp)),
                    Stmt::RegionNew(region) => f($part::Assigned($assigned(region))),
                    Stmt::CellNew { cell, region, words, site: _ } => {
                        f($part::Assigned($assigned(cell)));
                        f($part::Exp(region));
                        f($part::Exp(words));
                    }
                    Stmt::Show { words, count } => {
                        f($part::Exp(words));
                        f($part::Exp(count));
                    }
                    Stmt::If { cond, then, els } => {
                        f($part::Exp(cond));
                        f($part::Block(then));
                        f($part::Block(els));
                    }
                    Stmt::Switch { scrutinee, cases, default } => {
                        f($part::Exp(scrutinee));
                        cases.$iter().for_each(|(_, block)| f($part::Block(block)));
                        f($part::Block(default));
                    }
                    Stmt::For { var, from, to, form, body } => {
                        f($part::Assigned($assigned(var)));
                        f($part::Exp(from));
                        f($part::Exp(to));
                        match form {
                            LoopForm::Plain | LoopForm::Independent => {}
                            LoopForm::Reduce(accs) => accs.$iter().for_each(|acc| f($part::Accumulator(acc))),
                        }
                        f($part::Block(body));
                    }
                    Stmt::While { before, cond, body } => {
                        f($part::Block(before));
                        f($part::Exp(cond));
                        f($part::Block(body));
                    }
                    Stmt::Call { fun: _, args, results, site: _ } => {
                        results.$iter().for_each(|var| f($part::Assigned($assigned(var))));
                        args.$iter().for_each(|arg| f($part::Exp(arg)));
                    }
                    Stmt::Const { id: _, results, site: _ } => {
                        results.$iter().for_each(|var| f($part::Assigned($assigned(var))));
                    }
                    Stmt::Launch { kernel: _, args, width, chunks, split, site: _ } => {
                        args.$iter().for_each(|arg| f($part::Exp(arg)));
                        f($part::Exp(width));
                        f($part::Exp(chunks));
                        match split {
                            Split::Even | Split::Ordered | Split::Parts { .. } => {}
                            Split::ByOffsets(offsets) => f($part::Exp(offsets)),
                        }
                    }
                    Stmt::Await { ptr, index } | Stmt::Signal { ptr, index } => {
                        f($part::Exp(ptr));
                        f($part::Exp(index));
                    }
                    Stmt::Fail { site: _, operands } => operands.$iter().for_each(|x| f($part::Exp(x))),
                    Stmt::Group(group) => group.$each_part(f),
                    Stmt::Device(device) => device.$each_part(f),
                }
            }
        }

        impl GroupStmt {
            fn $each_part<'a>(&'a $($mut)? self, f: &mut impl FnMut($part<'a>)) {
                match self {
                    GroupStmt::Barrier | GroupStmt::Fence => {}
                    GroupStmt::Atomic { op: _, prim: _, ptr, index, value, old } => {
                        if let Some(old) = old {
                            f($part::Assigned($assigned(old)));
                        }
                        f($part::Exp(ptr));
                        f($part::Exp(index));
                        f($part::Exp(value));
                    }
                    GroupStmt::CompareAndSwap { prim: _, ptr, index, expected, value, old } => {
                        f($part::Assigned($assigned(old)));
                        f($part::Exp(ptr));
                        f($part::Exp(index));
                        f($part::Exp(expected));
                        f($part::Exp(value));
                    }
                    GroupStmt::Acquire { var, prim: _, ptr, index }
                    | GroupStmt::Peek { var, prim: _, ptr, index } => {
                        f($part::Assigned($assigned(var)));
                        f($part::Exp(ptr));
                        f($part::Exp(index));
                    }
                    GroupStmt::Publish { prim: _, ptr, index, value } => {
                        f($part::Exp(ptr));
                        f($part::Exp(index));
                        f($part::Exp(value));
                    }
                    GroupStmt::CountBefore { var, tile_states, tile, own, shared } => {
                        f($part::Assigned($assigned(var)));
                        f($part::Exp(tile_states));
                        f($part::Exp(tile));
                        f($part::Exp(own));
                        f($part::Exp(shared));
                    }
                    GroupStmt::LookBack { var, op: _, prim: _, tile_states, tile, own, shared } => {
                        f($part::Assigned($assigned(var)));
                        f($part::Exp(tile_states));
                        f($part::Exp(tile));
                        f($part::Exp(own));
                        f($part::Exp(shared));
                    }
                    GroupStmt::Scan { var, op: _, prim: _, own, shared } => {
                        f($part::Assigned($assigned(var)));
                        f($part::Exp(own));
                        f($part::Exp(shared));
                    }
                    GroupStmt::IsLast { var, shared } => {
                        f($part::Assigned($assigned(var)));
                        f($part::Exp(shared));
                    }
                    GroupStmt::HasFailed { var } => f($part::Assigned($assigned(var))),
                    GroupStmt::Pool { var, scratch, bytes } => {
                        f($part::Assigned($assigned(var)));
                        f($part::Exp(scratch));
                        f($part::Exp(bytes));
                    }
                    GroupStmt::Guard(block) => f($part::Block(block)),
                }
            }
        }

        impl DeviceStmt {
            fn $each_part<'a>(&'a $($mut)? self, f: &mut impl FnMut($part<'a>)) {
                match self {
                    DeviceStmt::Alloc { block, bytes, site: _ } => {
                        f($part::Assigned($assigned(block)));
                        f($part::Exp(bytes));
                    }
                    DeviceStmt::Launch { kernel: _, args, reaches, groups, site: _ } => {
                        args.$iter().for_each(|arg| f($part::Exp(arg)));
                        for Reach { arg: _, elem: _, from, count } in reaches {
                            f($part::Exp(from));
                            f($part::Exp(count));
                        }
                        f($part::Exp(groups));
                    }
                    DeviceStmt::Read { vars, elem: _, ptr, index } => {
                        vars.$iter().for_each(|var| f($part::Assigned($assigned(var))));
                        f($part::Exp(ptr));
                        f($part::Exp(index));
                    }
                    DeviceStmt::Write { elem: _, ptr, index, value } => {
                        f($part::Exp(ptr));
                        f($part::Exp(index));
                        f($part::Exp(value));
                    }
                    DeviceStmt::Upload { elem: _, to, from, count }
                    | DeviceStmt::Download { elem: _, to, from, count }
                    | DeviceStmt::Copy { elem: _, to, from, count } => {
                        f($part::Exp(to));
                        f($part::Exp(from));
                        f($part::Exp(count));
                    }
                    DeviceStmt::Clear { elem: _, ptr, count } => {
                        f($part::Exp(ptr));
                        f($part::Exp(count));
                    }
                    DeviceStmt::Plan { width, elements, grain, kind: _, site: _ } => {
                        f($part::Exp(width));
                        f($part::Exp(elements));
                        f($part::Exp(grain));
                    }
                    DeviceStmt::Part(part) => f($part::Exp(part)),
                    DeviceStmt::Planned { var, what: _ } => f($part::Assigned($assigned(var))),
                    DeviceStmt::Here { var, elem: _, ptr } => {
                        f($part::Assigned($assigned(var)));
                        f($part::Exp(ptr));
                    }
                    DeviceStmt::Bring { elem: _, ptr, from, count }
                    | DeviceStmt::Written { elem: _, ptr, from, count } => {
                        f($part::Exp(ptr));
                        f($part::Exp(from));
                        f($part::Exp(count));
                    }
                    DeviceStmt::Select(device) => f($part::Exp(device)),
                    DeviceStmt::Fetch(region) | DeviceStmt::Settle(region) => f($part::Exp(region)),
                    DeviceStmt::Look { region, cell, words: _ } => {
                        f($part::Exp(region));
                        f($part::Exp(cell));
                    }
                    DeviceStmt::CellNew { cell, region, words, site: _ } => {
                        f($part::Assigned($assigned(cell)));
                        f($part::Exp(region));
                        f($part::Exp(words));
                    }
                    DeviceStmt::CellPlace { ptr, block, region, cell, site: _ } => {
                        f($part::Assigned($assigned(ptr)));
                        f($part::Assigned($assigned(block)));
                        f($part::Exp(region));
                        f($part::Exp(cell));
                    }
                }
            }
        }

        impl Exp {
            /// The expressions directly inside.
            pub fn $each_child<'a>(&'a $($mut)? self, f: &mut impl FnMut(&'a $($mut)? Exp)) {
                match self {
                    Exp::Const(_)
                    | Exp::Var(_)
                    | Exp::Null(_)
                    | Exp::Lanes(..)
                    | Exp::Table(..)
                    | Exp::Workers
                    | Exp::DeviceGroups
                    | Exp::DevicePool
                    | Exp::Tunable(_)
                    | Exp::Group(_) => {}
                    Exp::Un(_, _, x)
                    | Exp::Convert { from: _, to: _, value: x }
                    | Exp::Cast(_, x)
                    | Exp::Data(_, x)
                    | Exp::Remote(_, x)
                    | Exp::Capacity(x)
                    | Exp::Splat(_, x)
                    | Exp::Combine(_, _, x)
                    | Exp::Any(x) => f(x),
                    Exp::Bin(_, _, x, y)
                    | Exp::Load { elem: _, ptr: x, index: y }
                    | Exp::Offset { elem: _, ptr: x, index: y }
                    | Exp::Cell { region: x, cell: y }
                    | Exp::CellBlock { region: x, cell: y }
                    | Exp::Lane(x, y)
                    | Exp::Chunks { width: x, work: y } => {
                        f(x);
                        f(y);
                    }
                    Exp::Tri(_, _, x, y, z) | Exp::Select(x, y, z) => {
                        f(x);
                        f(y);
                        f(z);
                    }
                    Exp::LoadLanes { prim: _, lanes: _, ptr, index, mask }
                    | Exp::Gather { prim: _, ptr, index, mask } => {
                        f(ptr);
                        f(index);
                        if let Some(mask) = mask.$as_deref() {
                            f(mask);
                        }
                    }
                }
            }
        }
    };
}

walks!(Part, for_each_part, for_each_child, iter, as_deref, |var: &Var| *var,);
walks!(PartMut, for_each_part_mut, for_each_child_mut, iter_mut, as_deref_mut, |var| var, mut);

impl Exp {
    /// All variables in it.
    pub fn for_each_var(&self, f: &mut impl FnMut(Var)) {
        if let Exp::Var(var) = self {
            f(*var);
        }
        self.for_each_child(&mut |child| child.for_each_var(f));
    }

    pub fn for_each_var_mut(&mut self, f: &mut impl FnMut(&mut Var)) {
        if let Exp::Var(var) = self {
            f(var);
        }
        self.for_each_child_mut(&mut |child| child.for_each_var_mut(f));
    }

    pub fn mentions(&self, var: Var) -> bool {
        let mut found = false;
        self.for_each_var(&mut |other| found |= other == var);
        found
    }

    /// Whether its value depends on memory.
    pub fn reads_memory(&self) -> bool {
        let mut reads = matches!(self, Exp::Load { .. } | Exp::LoadLanes { .. } | Exp::Gather { .. });
        self.for_each_child(&mut |child| reads |= child.reads_memory());
        reads
    }
}

/// All variables that a block mentions, in the order of the text.
pub fn for_each_var_mut(block: &mut Block, f: &mut impl FnMut(&mut Var)) {
    for stmt in block {
        stmt.for_each_part_mut(&mut |part| match part {
            PartMut::Assigned(var) => f(var),
            PartMut::Exp(exp) => exp.for_each_var_mut(f),
            PartMut::Block(block) => for_each_var_mut(block, f),
            PartMut::Accumulator(acc) => f(&mut acc.var),
        });
    }
}

/// All statements of a block and of the blocks inside, each before its parts.
pub fn for_each_stmt<'a>(block: &'a Block, f: &mut impl FnMut(&'a Stmt)) {
    for stmt in block {
        f(stmt);
        stmt.for_each_part(&mut |part| match part {
            Part::Block(block) => for_each_stmt(block, f),
            Part::Assigned(_) | Part::Exp(_) | Part::Accumulator(_) => {}
        });
    }
}

pub fn for_each_stmt_mut(block: &mut Block, f: &mut impl FnMut(&mut Stmt)) {
    for stmt in block {
        f(stmt);
        stmt.for_each_part_mut(&mut |part| match part {
            PartMut::Block(block) => for_each_stmt_mut(block, f),
            PartMut::Assigned(_) | PartMut::Exp(_) | PartMut::Accumulator(_) => {}
        });
    }
}

/// Whether there is such a statement, at any depth.
pub fn holds(block: &Block, is: impl Fn(&Stmt) -> bool) -> bool {
    let mut found = false;
    for_each_stmt(block, &mut |stmt| found |= is(stmt));
    found
}

impl Stmt {
    /// Whether threads may take memory for it, of which there may be too little.
    pub fn takes_memory(&self) -> bool {
        matches!(self, Stmt::Alloc { .. } | Stmt::CellNew { .. } | Stmt::RegionNew(_) | Stmt::Call { .. })
    }
}

/// The variables that are assigned in a block and the blocks inside, accumulators included as they are assigned there.
pub fn assigned(block: &Block) -> Vec<Var> {
    let mut vars = Vec::new();
    for_each_stmt(block, &mut |stmt| {
        stmt.for_each_part(&mut |part| match part {
            Part::Assigned(var) => vars.push(var),
            Part::Exp(_) | Part::Block(_) | Part::Accumulator(_) => {}
        });
    });
    vars.sort_unstable();
    vars.dedup();
    vars
}
