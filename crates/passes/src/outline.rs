//! Long runs of statements, each of which runs once, become functions of their own.
//!
//! ```text
//! x: i64 = k + 1                          array: block = alloc(40000) #0
//! x.2: i64 = k + 2                        p: ptr i64 = data.i64(array)
//! ..                                ==>   call main_part(k, p) #1            // x: i64 = k + 1; p[0].i64 = x; x.2: ..
//! array: block = alloc(40000) #0          call main_part.2(k, p) #1
//! p: ptr i64 = data.i64(array)            ..
//! p[0].i64 = x
//! p[1].i64 = x.2
//! ..
//! ```
//!
//! An array literal of thousands of computed elements is such a run. C compilers take a time that grows faster than a function (gcc 12 with `-O3`: 22 s for 2,000 elements), and
//! loops behind the literal would have to wait with it. Functions of such parts are not optimised (`norn_emit`, `once`), and what is left is.
//!
//! First each number that is used once moves down to its use, so that it is not handed from one part to another. Then runs of assignments and stores
//! are cut where no number is still to be used.
//!
//! Needs and gives: a valid program. Keeps: the order of stores and failures, and all functions of fewer than `LONG` statements. Refuses: bodies of loops, which may
//! run often, kernels, and functions that kernels of a device call. Cost: linear.

use norn_ir::imp::reach::on_device;
use norn_ir::imp::walk::{Part, PartMut, for_each_stmt, for_each_var_mut};
use norn_ir::imp::{Block, Exp, Fun, FunId, Prog, Site, SiteId, SiteKind, Stmt, Var};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A part has at least as many statements, and less than twice as many.
const LONG: usize = 1000;

pub fn outline(prog: &mut Prog) {
    let device = on_device(prog);
    for (id, on_device) in device.into_iter().enumerate() {
        let mut count = 0;
        for_each_stmt(&prog.funs[id].body, &mut |_| count += 1);
        if count >= LONG && !on_device {
            outline_fun(prog, id);
        }
    }
}

fn outline_fun(prog: &mut Prog, id: usize) {
    let mut fun = prog.funs[id].clone();
    let counts = Counts::of(&fun);
    let body = std::mem::take(&mut fun.body);
    let mut parts = Parts { counts: &counts, fun: &fun, prog, site: None };
    let body = parts.block(body);
    fun.body = body;
    prog.funs[id] = fun;
}

/// How often each variable is assigned and used.
struct Counts {
    assigned: Vec<u32>,
    used: Vec<u32>,
}

impl Counts {
    fn of(fun: &Fun) -> Counts {
        let mut counts = Counts { assigned: vec![0; fun.vars.len()], used: vec![0; fun.vars.len()] };
        for_each_stmt(&fun.body, &mut |stmt| {
            stmt.for_each_part(&mut |part| match part {
                Part::Assigned(var) => counts.assigned[var.0 as usize] += 1,
                Part::Exp(exp) => exp.for_each_var(&mut |var| counts.used[var.0 as usize] += 1),
                Part::Accumulator(acc) => counts.used[acc.var.0 as usize] += 2,
                Part::Block(_) => {}
            });
        });
        fun.results.iter().for_each(|exp| exp.for_each_var(&mut |var| counts.used[var.0 as usize] += 1));
        counts
    }

    /// A number that is used once, and is the same wherever it is computed.
    fn can_move(&self, var: Var, exp: &Exp) -> bool {
        let mut moves = is_arithmetic(exp);
        exp.for_each_var(&mut |operand| moves &= self.assigned[operand.0 as usize] <= 1);
        moves && self.assigned[var.0 as usize] == 1 && self.used[var.0 as usize] == 1
    }

    fn is_plain(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Set(var, exp) => self.assigned[var.0 as usize] == 1 && is_arithmetic_or_load(exp),
            Stmt::Store { ptr, index, value, .. } => {
                [ptr, index, value].into_iter().all(is_arithmetic_or_load)
            }
            _ => false,
        }
    }
}

fn is_arithmetic(exp: &Exp) -> bool {
    let mut found = matches!(
        exp,
        Exp::Const(_)
            | Exp::Var(_)
            | Exp::Un(..)
            | Exp::Bin(..)
            | Exp::Tri(..)
            | Exp::Convert { .. }
            | Exp::Select(..)
    );
    exp.for_each_child(&mut |child| found &= is_arithmetic(child));
    found
}

fn is_arithmetic_or_load(exp: &Exp) -> bool {
    if let Exp::Load { ptr, index, .. } = exp {
        return is_arithmetic_or_load(ptr) && is_arithmetic_or_load(index);
    }
    is_arithmetic(exp)
}

struct Parts<'a> {
    counts: &'a Counts,
    /// Without its body.
    fun: &'a Fun,
    prog: &'a mut Prog,
    site: Option<SiteId>,
}

impl Parts<'_> {
    /// A block that runs once, and those inside of it that do.
    fn block(&mut self, block: Block) -> Block {
        let mut out = Block::new();
        let mut run = Block::new();
        for mut stmt in self.sunk(block) {
            if self.counts.is_plain(&stmt) {
                run.push(stmt);
                continue;
            }
            self.end_run(&mut run, &mut out);
            if let Stmt::If { .. } | Stmt::Switch { .. } = &stmt {
                stmt.for_each_part_mut(&mut |part| {
                    if let PartMut::Block(block) = part {
                        *block = self.block(std::mem::take(block));
                    }
                });
            }
            out.push(stmt);
        }
        self.end_run(&mut run, &mut out);
        out
    }

    /// Numbers that are used once stand in front of their use.
    fn sunk(&self, block: Block) -> Block {
        let mut waiting: HashMap<Var, Stmt> = HashMap::new();
        let mut order = Vec::new();
        let mut out = Block::with_capacity(block.len());
        for stmt in block {
            match &stmt {
                Stmt::Set(var, exp) if self.counts.can_move(*var, exp) => {
                    order.push(*var);
                    waiting.insert(*var, stmt);
                }
                _ => settle(stmt, &mut waiting, &mut out),
            }
        }
        for var in order {
            if let Some(stmt) = waiting.remove(&var) {
                settle(stmt, &mut waiting, &mut out);
            }
        }
        out
    }

    /// A run of assignments and stores, whose parts become functions if it is long.
    fn end_run(&mut self, run: &mut Block, out: &mut Block) {
        let run = std::mem::take(run);
        if run.len() < LONG {
            return out.extend(run);
        }
        // How often what was assigned in the part is still to be used.
        let mut open: HashMap<Var, u32> = HashMap::new();
        let mut part = Block::new();
        let count = run.len();
        for (at, stmt) in run.into_iter().enumerate() {
            stmt.for_each_part(&mut |of| {
                if let Part::Exp(exp) = of {
                    exp.for_each_var(&mut |var| {
                        if let Some(left) = open.get_mut(&var) {
                            *left -= 1;
                            if *left == 0 {
                                open.remove(&var);
                            }
                        }
                    });
                }
            });
            if let Stmt::Set(var, _) = &stmt
                && self.counts.used[var.0 as usize] > 0
            {
                open.insert(*var, self.counts.used[var.0 as usize]);
            }
            part.push(stmt);
            if open.is_empty() && part.len() >= LONG && count - at > LONG {
                let call = self.part(std::mem::take(&mut part));
                out.push(call);
            }
        }
        if open.is_empty() && part.len() >= LONG {
            part = vec![self.part(part)];
        }
        out.extend(part);
    }

    /// A function of these statements, and its call.
    fn part(&mut self, mut body: Block) -> Stmt {
        let mut own = HashSet::new();
        let mut numbers: BTreeMap<Var, Var> = BTreeMap::new();
        for_each_stmt(&body, &mut |stmt| {
            stmt.for_each_part(&mut |part| match part {
                Part::Assigned(var) => own.extend([var]),
                Part::Exp(exp) => exp.for_each_var(&mut |var| numbers.extend([(var, var)])),
                Part::Block(_) | Part::Accumulator(_) => {}
            });
        });
        let given: Vec<Var> = numbers.keys().copied().filter(|var| !own.contains(var)).collect();
        numbers.extend(own.iter().map(|var| (*var, *var)));
        let vars = numbers.keys().map(|var| self.fun.vars[var.0 as usize].clone()).collect();
        numbers.values_mut().enumerate().for_each(|(number, to)| *to = Var(number as u32));
        for_each_var_mut(&mut body, &mut |var| *var = numbers[var]);
        let id = FunId(self.prog.funs.len() as u32);
        let name = format!("{}_part", self.fun.name);
        let site = *self.site.get_or_insert_with(|| {
            self.prog.sites.push(Site { what: SiteKind::Call(name.clone()), span: self.fun.span });
            SiteId(self.prog.sites.len() as u32 - 1)
        });
        self.prog.funs.push(Fun {
            name,
            params: given.iter().map(|var| numbers[var]).collect(),
            arrays: Vec::new(),
            vars,
            body,
            results: Vec::new(),
            ret: Vec::new(),
            recursive: false,
            span: self.fun.span,
        });
        Stmt::Call { fun: id, args: given.into_iter().map(Exp::Var).collect(), results: Vec::new(), site }
    }
}

/// A statement, and in front of it the numbers that waited for it.
fn settle(stmt: Stmt, waiting: &mut HashMap<Var, Stmt>, out: &mut Block) {
    // Chains of numbers may be long: no recursion.
    let mut work = vec![(stmt, false)];
    while let Some((stmt, ready)) = work.pop() {
        let mut needed = Vec::new();
        if !ready {
            for_each_exp(&stmt, &mut |exp| {
                exp.for_each_var(&mut |var| needed.extend(waiting.remove(&var)));
            });
        }
        if needed.is_empty() {
            out.push(stmt);
            continue;
        }
        work.push((stmt, true));
        work.extend(needed.into_iter().rev().map(|stmt| (stmt, false)));
    }
}

/// All expressions in a statement and in the blocks inside.
fn for_each_exp(stmt: &Stmt, f: &mut dyn FnMut(&Exp)) {
    stmt.for_each_part(&mut |part| match part {
        Part::Exp(exp) => f(exp),
        Part::Block(block) => block.iter().for_each(|stmt| for_each_exp(stmt, f)),
        Part::Assigned(_) | Part::Accumulator(_) => {}
    });
}
