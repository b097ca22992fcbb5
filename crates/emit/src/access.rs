//! What group kernels read and write through the pointers that they are passed.
//!
//! A kernel whose threads run out of memory runs again from the start, and must find the memory that it reads unchanged. So the host has to know which
//! memory a kernel both reads and writes: the counters of a look-back scan, the bins of a histogram, rows that are updated in place.
//!
//! The analysis ignores the order of statements: a pointer may lead wherever the pointers lead that it was computed from, so the answer is never too small. Each
//! function is analysed once, in terms of its parameters; functions on a device are not recursive.

use norn_ir::imp::walk::{Part, for_each_stmt};
use norn_ir::imp::{Block, Elem, Exp, FunId, GroupKernel, GroupStmt, Prog, Stmt, Type, Var, VarInfo};
use std::collections::{BTreeMap, BTreeSet};

/// Whether something is read or written through a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Access {
    pub reads: bool,
    pub writes: bool,
}

/// For each parameter of each kernel.
pub(crate) fn accesses(prog: &Prog) -> Vec<Vec<Access>> {
    let mut known = Known { prog, funs: BTreeMap::new() };
    let kernel = |kernel: &GroupKernel| {
        let (accesses, _) = known.code(&kernel.params, &kernel.vars, &kernel.body, &[]);
        accesses
    };
    prog.group_kernels.iter().map(kernel).collect()
}

/// The numbers of parameters.
type Roots = BTreeSet<usize>;

/// What a function does with what its parameters lead to, and for each result what it leads to.
#[derive(Clone)]
struct Summary {
    params: Vec<Access>,
    results: Vec<Roots>,
}

struct Known<'a> {
    prog: &'a Prog,
    funs: BTreeMap<FunId, Summary>,
}

impl Known<'_> {
    fn fun(&mut self, id: FunId) -> Summary {
        if let Some(summary) = self.funs.get(&id) {
            return summary.clone();
        }
        let fun = &self.prog.funs[id.0 as usize];
        let (params, results) = self.code(&fun.params, &fun.vars, &fun.body, &fun.results);
        let summary = Summary { params, results };
        self.funs.insert(id, summary.clone());
        summary
    }

    fn code(
        &mut self,
        params: &[Var],
        vars: &[VarInfo],
        body: &Block,
        results: &[Exp],
    ) -> (Vec<Access>, Vec<Roots>) {
        let of_type = |matches: &dyn Fn(Type) -> bool| {
            (0..params.len()).filter(|i| matches(vars[params[*i].0 as usize].ty)).collect()
        };
        let mut code = CodeAccess {
            all: of_type(&is_pointer),
            regions: of_type(&|ty| ty == Type::Region),
            roots: params.iter().enumerate().map(|(i, var)| (*var, Roots::from([i]))).collect(),
            params: vec![Access::default(); params.len()],
        };
        // What pointers lead to only grows, and there is only so much.
        while code.follow(self, body) {}
        for_each_stmt(body, &mut |stmt| code.stmt(self, stmt));
        results.iter().for_each(|exp| code.loads(exp));
        let results = results.iter().map(|exp| code.leads_to(exp)).collect();
        (code.params, results)
    }
}

struct CodeAccess {
    /// The parameters that are pointers.
    all: Roots,
    /// Those that are regions. Cells that exist do not change, so nothing has to be known of pointers to them.
    regions: Roots,
    /// What each variable leads to; numbers lead nowhere.
    roots: BTreeMap<Var, Roots>,
    params: Vec<Access>,
}

impl CodeAccess {
    /// One round over all assignments to pointers. True if something is new.
    fn follow(&mut self, known: &mut Known, body: &Block) -> bool {
        let mut grown = false;
        for_each_stmt(body, &mut |stmt| {
            if let Stmt::Set(var, exp) = stmt {
                let roots = self.leads_to(exp);
                grown |= self.add(*var, roots);
            }
            if let Stmt::Call { fun, args, results, site: _ } = stmt {
                for (var, roots) in results.iter().zip(known.fun(*fun).results) {
                    let roots = roots.iter().flat_map(|i| self.leads_to(&args[*i])).collect();
                    grown |= self.add(*var, roots);
                }
            }
        });
        grown
    }

    fn add(&mut self, var: Var, roots: Roots) -> bool {
        let known = self.roots.entry(var).or_default();
        let before = known.len();
        known.extend(roots);
        known.len() > before
    }

    /// The parameters into whose memory a pointer may lead.
    fn leads_to(&self, ptr: &Exp) -> Roots {
        match ptr {
            Exp::Var(var) => self.roots.get(var).cloned().unwrap_or_default(),
            Exp::Offset { elem: _, ptr, index: _ } | Exp::Cast(_, ptr) => self.leads_to(ptr),
            Exp::Select(_, x, y) => self.leads_to(x).into_iter().chain(self.leads_to(y)).collect(),
            // A pointer or a block that was stored somewhere.
            Exp::Load { elem: Elem::Any | Elem::Block, .. } => self.all.clone(),
            Exp::Load { elem: Elem::Region, .. } => self.regions.clone(),
            // Blocks are made by threads.
            Exp::Data(_, block) => self.leads_to(block),
            Exp::Const(_)
            | Exp::Un(..)
            | Exp::Bin(..)
            | Exp::Tri(..)
            | Exp::Convert { .. }
            | Exp::Load { elem: Elem::Prim(_), .. }
            | Exp::Table(..)
            | Exp::Null(_)
            | Exp::Remote(..)
            | Exp::Cell { .. }
            | Exp::CellBlock { .. }
            | Exp::Capacity(_)
            | Exp::Splat(..)
            | Exp::Lanes(..)
            | Exp::LoadLanes { .. }
            | Exp::Gather { .. }
            | Exp::Lane(..)
            | Exp::Combine(..)
            | Exp::Any(_)
            | Exp::Workers
            | Exp::Chunks { .. }
            | Exp::DeviceGroups
            | Exp::DevicePool
            | Exp::Tunable(_)
            | Exp::Group(_) => Roots::new(),
        }
    }

    fn stmt(&mut self, known: &mut Known, stmt: &Stmt) {
        stmt.for_each_part(&mut |part| match part {
            Part::Exp(exp) => self.loads(exp),
            Part::Assigned(_) | Part::Block(_) | Part::Accumulator(_) => {}
        });
        match stmt {
            Stmt::Store { ptr, .. } | Stmt::StoreLanes { ptr, .. } | Stmt::Scatter { ptr, .. } => {
                self.writes(ptr);
            }
            Stmt::Copy { elem: _, to, from, count: _ } => {
                self.reads(from);
                self.writes(to);
            }
            Stmt::Call { fun, args, results: _, site: _ } => {
                for (arg, access) in args.iter().zip(known.fun(*fun).params) {
                    if access.reads {
                        self.reads(arg);
                    }
                    if access.writes {
                        self.writes(arg);
                    }
                }
            }
            Stmt::CellNew { region, .. } => self.writes(region),
            Stmt::Group(group) => self.group(group),
            Stmt::Set(..)
            | Stmt::Alloc { .. }
            | Stmt::Retain(_)
            | Stmt::Release(_)
            | Stmt::RegionNew(_)
            | Stmt::RegionEnd(_)
            | Stmt::Show { .. }
            | Stmt::If { .. }
            | Stmt::Switch { .. }
            | Stmt::For { .. }
            | Stmt::While { .. }
            | Stmt::Const { .. }
            | Stmt::Launch { .. }
            | Stmt::Await { .. }
            | Stmt::Signal { .. }
            | Stmt::Fail { .. }
            | Stmt::Device(_) => {}
        }
    }

    fn group(&mut self, stmt: &GroupStmt) {
        match stmt {
            GroupStmt::Atomic { ptr, .. }
            | GroupStmt::CompareAndSwap { ptr, .. }
            | GroupStmt::CountBefore { tile_states: ptr, .. }
            | GroupStmt::LookBack { tile_states: ptr, .. } => {
                self.reads(ptr);
                self.writes(ptr);
            }
            GroupStmt::Acquire { ptr, .. } | GroupStmt::Peek { ptr, .. } => self.reads(ptr),
            GroupStmt::Publish { ptr, .. } => self.writes(ptr),
            // Nobody reads in a pool what was not written there before.
            GroupStmt::Barrier
            | GroupStmt::Fence
            | GroupStmt::Scan { .. }
            | GroupStmt::IsLast { .. }
            | GroupStmt::HasFailed { .. }
            | GroupStmt::Pool { .. }
            | GroupStmt::Guard(_) => {}
        }
    }

    /// What an expression loads.
    fn loads(&mut self, exp: &Exp) {
        if let Exp::Load { ptr, .. } | Exp::LoadLanes { ptr, .. } | Exp::Gather { ptr, .. } = exp {
            self.reads(ptr);
        }
        if let Exp::Cell { region, .. } = exp {
            self.reads(region);
        }
        exp.for_each_child(&mut |child| self.loads(child));
    }

    fn reads(&mut self, ptr: &Exp) {
        self.leads_to(ptr).into_iter().for_each(|i| self.params[i].reads = true);
    }

    fn writes(&mut self, ptr: &Exp) {
        self.leads_to(ptr).into_iter().for_each(|i| self.params[i].writes = true);
    }
}

fn is_pointer(ty: Type) -> bool {
    match ty {
        Type::Ptr(_) | Type::Block => true,
        Type::Scalar(_) | Type::Vector(..) | Type::Remote(_) | Type::Local(_) | Type::Region => false,
    }
}
