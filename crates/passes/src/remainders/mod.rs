//! Remainders and quotients of what a loop counts are counted, too.
//!
//! ```text
//! for s: i64 = 0 .. n {                    rest: i64 = b - 1
//!   x: i64 = a + s                         r: i64 = a mod b
//!   sum = sum + xs[x mod b].i64     ==>    for s: i64 = 0 .. n {
//! }                                          sum = sum + xs[r].i64
//!                                            r = select(rest <= r, r - rest, r + 1)
//!                                          }
//! ```
//!
//! So do rings, borders that wrap around, and the rows and columns of an array that is one row in memory. A division by what is not known before the program runs takes
//! a device some hundred instructions, or thirty with a factor that the host computes (`norn_emit`, `divisors`), and a processor twenty cycles.
//!
//! What is divided is `first + step * (s - from)`, and neither `first`, `step` nor the divisor changes in the loop. That this is so as numbers, and not only up to a
//! wrap around, is known before the loop if all three lie within limits. Otherwise, and where the divisor is not positive, or a remainder that is rounded
//! towards zero would be negative, each iteration divides as before.
//!
//! Needs and gives: a valid program. Keeps: results and failures. Refuses:
//! - loops whose iterations the processor may run side by side, which would depend on each other;
//! - divisions that not all iterations reach, and constants that are powers of two, which take one instruction.
//!
//! Cost: linear in the statements of a loop, for each loop around them.

mod line;

use line::{Line, Loop};
use norn_ir::imp::walk::{Part, PartMut, for_each_stmt};
use norn_ir::imp::{BinOp, Block, Exp, GroupStmt, LoopForm, Prim, Prog, Scalar, Stmt, Type, Var, VarInfo};

pub fn remainders(prog: &mut Prog) {
    for fun in &mut prog.funs {
        in_code(&mut fun.vars, &mut fun.body);
    }
    for kernel in &mut prog.kernels {
        in_code(&mut kernel.vars, &mut kernel.body);
    }
    for kernel in &mut prog.group_kernels {
        in_code(&mut kernel.vars, &mut kernel.body);
    }
}

fn in_code(vars: &mut Vec<VarInfo>, body: &mut Block) {
    let mut times_assigned = vec![0; vars.len()];
    let mut divides = false;
    for_each_stmt(body, &mut |stmt| {
        stmt.for_each_part(&mut |part| match part {
            Part::Assigned(var) => times_assigned[var.0 as usize] += 1,
            Part::Exp(exp) => divides |= has_division(exp),
            Part::Block(_) | Part::Accumulator(_) => {}
        });
    });
    if divides {
        in_block(&mut Code { vars, times_assigned }, body);
    }
}

fn has_division(exp: &Exp) -> bool {
    let mut found = Division::of(exp).is_some();
    exp.for_each_child(&mut |child| found |= has_division(child));
    found
}

struct Code<'a> {
    vars: &'a mut Vec<VarInfo>,
    times_assigned: Vec<u32>,
}

impl Code<'_> {
    fn fresh(&mut self, name: &str, prim: Prim) -> Var {
        self.vars.push(VarInfo { name: name.to_string(), ty: Type::Scalar(prim) });
        // Those that are made here are assigned in several places.
        self.times_assigned.push(2);
        Var(self.vars.len() as u32 - 1)
    }
}

fn in_block(code: &mut Code, block: &mut Block) {
    let mut done = Block::with_capacity(block.len());
    for mut stmt in block.drain(..) {
        stmt.for_each_part_mut(&mut |part| {
            if let PartMut::Block(block) = part {
                in_block(code, block);
            }
        });
        if let Stmt::For { var, from, to, form: LoopForm::Plain, body } = &mut stmt {
            in_loop(code, *var, from, to, body, &mut done);
        }
        done.push(stmt);
    }
    *block = done;
}

/// `before` is what stands before the loop.
fn in_loop(code: &mut Code, var: Var, from: &Exp, to: &mut Exp, body: &mut Block, before: &mut Block) {
    let around = Loop::of(var, from, body, &code.times_assigned);
    let mut counters = Counters { code, around: &around, all: Vec::new() };
    let mut counted = Block::with_capacity(body.len());
    counters.in_iteration(std::mem::take(body), &mut counted);
    *body = counted;
    let all = counters.all;
    if all.is_empty() {
        return;
    }
    let end = code.fresh("end", Prim::I64);
    before.push(Stmt::Set(end, std::mem::replace(to, end.into())));
    for counter in &all {
        counter.begin(code, from, end, before);
    }
    all.iter().for_each(|counter| counter.go_on(code, body));
}

/// An operation that rounds down (`div`, `mod`), or towards zero (`quot`, `rem`).
#[derive(Clone, PartialEq)]
struct Division<'e> {
    prim: Prim,
    rounds_down: bool,
    is_remainder: bool,
    dividend: &'e Exp,
    divisor: &'e Exp,
}

impl Division<'_> {
    fn of(exp: &Exp) -> Option<Division<'_>> {
        let Exp::Bin(op, prim @ (Prim::I32 | Prim::I64), dividend, divisor) = exp else { return None };
        let (rounds_down, is_remainder) = match op {
            BinOp::Div => (true, false),
            BinOp::Mod => (true, true),
            BinOp::Quot => (false, false),
            BinOp::Rem => (false, true),
            _ => return None,
        };
        Some(Division { prim: *prim, rounds_down, is_remainder, dividend, divisor })
    }
}

/// The quotients and remainders of one dividend, in `i64`.
struct Counter {
    line: Line,
    prim: Prim,
    divisor: Exp,
    rounds_down: bool,
    /// Whether they can be counted.
    counts: Var,
    remainder: Var,
    quotient: Option<Var>,
    /// What the remainder grows by, and the quotient.
    by: Var,
    quotient_by: Option<Var>,
    /// From this remainder on, one more step leads to the next quotient.
    rest: Var,
    /// Which of both an iteration has computed that does not count.
    divided: [bool; 2],
}

struct Counters<'a, 'c> {
    code: &'a mut Code<'c>,
    around: &'a Loop,
    all: Vec<Counter>,
}

impl Counters<'_, '_> {
    /// All that each iteration reaches.
    fn in_iteration(&mut self, block: Block, done: &mut Block) {
        for mut stmt in block {
            match &mut stmt {
                Stmt::Group(GroupStmt::Guard(inside)) => {
                    let mut counted = Block::new();
                    self.in_iteration(std::mem::take(inside), &mut counted);
                    *inside = counted;
                }
                Stmt::While { .. } => {}
                stmt => stmt.for_each_part_mut(&mut |part| {
                    if let PartMut::Exp(exp) = part {
                        self.in_exp(exp, done);
                    }
                }),
            }
            done.push(stmt);
        }
    }

    fn in_exp(&mut self, exp: &mut Exp, done: &mut Block) {
        exp.for_each_child_mut(&mut |child| self.in_exp(child, done));
        let Some(division) = Division::of(exp) else { return };
        let Some(counter) = self.counter(&division) else { return };
        let which = usize::from(division.is_remainder);
        let counter = &mut self.all[counter];
        let counted = match (division.is_remainder, counter.quotient) {
            (true, _) => counter.remainder,
            (false, Some(quotient)) => quotient,
            (false, None) => {
                let quotient = self.code.fresh("quotient", Prim::I64);
                counter.quotient_by = Some(self.code.fresh("by", Prim::I64));
                *counter.quotient.insert(quotient)
            }
        };
        let prim = division.prim;
        let divided = std::mem::replace(exp, Exp::Var(counted).convert(Prim::I64, prim));
        if !std::mem::replace(&mut counter.divided[which], true) {
            let divide = vec![Stmt::Set(counted, wide(divided, prim))];
            done.push(Stmt::If { cond: Exp::Var(counter.counts).not(), then: divide, els: Block::new() });
        }
    }

    fn counter(&mut self, division: &Division) -> Option<usize> {
        let divisor = self.around.fixed(division.divisor)?;
        let is_cheap = match &divisor {
            Exp::Const(Scalar::I64(value)) => *value < 3 || value.count_ones() == 1,
            exp => matches!(exp, Exp::Const(_)),
        };
        let divisor = wide(divisor, division.prim);
        let line = self.around.line(division.dividend).filter(|line| !line.is_fixed() && !is_cheap)?;
        let is_same = |counter: &Counter| {
            counter.line == line
                && counter.divisor == divisor
                && counter.prim == division.prim
                && counter.rounds_down == division.rounds_down
        };
        let found = self.all.iter().position(is_same);
        found.or_else(|| {
            let code = &mut *self.code;
            self.all.push(Counter {
                line,
                prim: division.prim,
                divisor,
                rounds_down: division.rounds_down,
                counts: code.fresh("counts", Prim::Bool),
                remainder: code.fresh("remainder", Prim::I64),
                quotient: None,
                by: code.fresh("by", Prim::I64),
                quotient_by: None,
                rest: code.fresh("rest", Prim::I64),
                divided: [false; 2],
            });
            Some(self.all.len() - 1)
        })
    }
}

impl Counter {
    /// What stands before the loop.
    fn begin(&self, code: &mut Code, from: &Exp, end: Var, before: &mut Block) {
        let first = code.fresh("first", Prim::I64);
        before.push(Stmt::Set(first, wide(self.line.first.clone(), self.prim)));
        let step = wide(self.line.step.clone(), self.prim);
        before.push(Stmt::Set(self.counts, self.is_near(first, &step, from, end)));
        let divisor = || self.divisor.clone();
        let divided = |op, x: Exp| Exp::bin(op, Prim::I64, x, divisor());
        let (by, quotient_by) = match step.as_i64() {
            Some(1) => (divisor().sub(1).min(1), divisor().eq(1).convert(Prim::Bool, Prim::I64)),
            Some(-1) => (divisor().sub(1), Exp::i64(-1)),
            _ => (divided(BinOp::Mod, step.clone()), divided(BinOp::Div, step)),
        };
        let mut then = vec![Stmt::Set(self.remainder, divided(BinOp::Mod, first.into()))];
        then.push(Stmt::Set(self.by, by));
        then.push(Stmt::Set(self.rest, divisor().sub(self.by)));
        then.extend(self.quotient.map(|quotient| Stmt::Set(quotient, divided(BinOp::Div, first.into()))));
        then.extend(self.quotient_by.map(|by| Stmt::Set(by, quotient_by)));
        let zero = |stmt: &Stmt| match stmt {
            Stmt::Set(var, _) => Some(Stmt::Set(*var, Exp::i64(0))),
            _ => None,
        };
        let els = then.iter().filter_map(zero).collect();
        before.push(Stmt::If { cond: self.counts.into(), then, els });
    }

    /// Whether nothing wraps around in the whole loop, and the counted remainders are those that the program means.
    fn is_near(&self, first: Var, step: &Exp, from: &Exp, end: Var) -> Exp {
        const ITERATIONS: i64 = 1 << 31;
        const STEP: i64 = 1 << 30;
        const FIRST: i64 = 1 << 61;
        let within = |exp: Exp, limit: i64| exp.clone().ge(-limit).and(exp.le(limit - 1));
        let last = || Exp::Var(first).add(step.clone().mul(Exp::Var(end).sub(from.clone()).sub(1)));
        let few = from.clone().ge(0).and(Exp::Var(end).le(ITERATIONS));
        let mut near = self.divisor.clone().gt(0).and(few).and(within(step.clone(), STEP));
        near = match self.prim {
            Prim::I64 => near.and(within(first.into(), FIRST)),
            _ => near.and(within(last(), 1 << 31)),
        };
        if self.rounds_down {
            return near;
        }
        let rises = step.as_i64().is_some_and(|step| step >= 0);
        near.and(Exp::Var(first).ge(0)).and(if rises { Exp::bool(true) } else { last().ge(0) })
    }

    /// What ends an iteration.
    fn go_on(&self, code: &mut Code, body: &mut Block) {
        let turns = code.fresh("turns", Prim::Bool);
        let (remainder, rest) = (Exp::Var(self.remainder), Exp::Var(self.rest));
        body.push(Stmt::Set(turns, rest.clone().le(remainder.clone())));
        if let (Some(quotient), Some(by)) = (self.quotient, self.quotient_by) {
            let next = Exp::Var(quotient).add(by).add(Exp::Var(turns).convert(Prim::Bool, Prim::I64));
            body.push(Stmt::Set(quotient, next));
        }
        let next = Exp::select(turns, remainder.clone().sub(rest), remainder.add(self.by));
        body.push(Stmt::Set(self.remainder, next));
    }
}

fn wide(exp: Exp, prim: Prim) -> Exp {
    match exp {
        Exp::Const(Scalar::I32(value)) => Exp::i64(value.into()),
        exp => exp.convert(prim, Prim::I64),
    }
}
