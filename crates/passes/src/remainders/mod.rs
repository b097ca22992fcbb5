//! Remainders and quotients of what a loop counts are counted, too.
//!
//! ```text
//! for s: i64 = 0 .. n {                    if counts {                      // 0 < b, and what else it takes
//!   x: i64 = a + s                           r: i64 = mod.i64(a, b)
//!   sum = sum + xs[mod.i64(x, b)].i64  ==>   rest: i64 = b - by
//! }                                          for s: i64 = 0 .. n {
//!                                              sum = sum + xs[r].i64
//!                                              r = select(rest <= r, r - rest, r + by)
//!                                            }
//!                                          } else {
//!                                            ..                             // as it was
//!                                          }
//! ```
//!
//! So do rings, borders that wrap around, and the rows and columns of an array that is one row in memory. A division by what is not known before the program runs takes
//! a device some hundred instructions, or thirty with a factor that the host computes (`norn_emit`, `divisors`), and a processor twenty cycles.
//!
//! What is divided is `first + step * (s - from)`, and neither `first`, `step` nor the divisor changes in the loop. That this is so as numbers, and not only up to a
//! wrap around, is known before the loop if all three lie within limits. Otherwise, and where the divisor is not positive, or a remainder that is rounded
//! towards zero would be negative, the loop runs as it was.
//!
//! Needs and gives: a valid program. Keeps: results and failures. Refuses:
//! - loops whose iterations the processor may run side by side, which would depend on each other;
//! - divisions that not all iterations reach, and constants that are powers of two, which take one instruction;
//! - loops of more than `LONGEST` statements, of which there would be two.
//!
//! Cost: linear in the statements of a loop, for each loop around them.

mod line;

use line::{Line, Loop};
use norn_ir::imp::walk::{Part, PartMut, for_each_stmt};
use norn_ir::imp::{BinOp, Block, Exp, GroupStmt, LoopForm, Prim, Prog, Scalar, Stmt, Type, Var, VarInfo};

const LONGEST: usize = 64;

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
    for_each_stmt(body, &mut |stmt| {
        stmt.for_each_part(&mut |part| {
            if let Part::Assigned(var) = part {
                times_assigned[var.0 as usize] += 1;
            }
        });
    });
    in_block(&mut Code { vars, times_assigned }, body);
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
    for stmt in block {
        stmt.for_each_part_mut(&mut |part| {
            if let PartMut::Block(block) = part {
                in_block(code, block);
            }
        });
        if let Stmt::For { var, from, to, form: LoopForm::Plain, body } = stmt
            && let Some((cond, then)) = counted(code, *var, from, to, body)
        {
            let before = std::mem::replace(stmt, Stmt::If { cond, then, els: Block::new() });
            if let Stmt::If { els, .. } = stmt {
                els.push(before);
            }
        }
    }
}

/// Whether the loop can count its remainders, and the same loop that does, behind what they begin with.
fn counted(code: &mut Code, var: Var, from: &Exp, to: &Exp, body: &Block) -> Option<(Exp, Block)> {
    let mut size = 0;
    for_each_stmt(body, &mut |_| size += 1);
    if size > LONGEST {
        return None;
    }
    let around = Loop::of(var, from, body, &code.times_assigned);
    let bounds = [around.fixed(from)?, around.fixed(to)?];
    let mut counters = Counters { code, around: &around, all: Vec::new() };
    let mut body = body.clone();
    counters.in_iteration(&mut body);
    let all = counters.all;
    let counts = all.iter().map(|counter| counter.counts(&bounds)).reduce(Exp::and)?;
    let mut block = Block::new();
    for counter in &all {
        counter.begin(&mut block);
        counter.go_on(code, &mut body);
    }
    let [from, to] = bounds;
    block.push(Stmt::For { var, from, to, form: LoopForm::Plain, body });
    Some((counts, block))
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

/// The quotients and remainders of one dividend.
struct Counter {
    line: Line,
    divisor: Exp,
    prim: Prim,
    rounds_down: bool,
    /// An `i32`, as the divisor fits in.
    remainder: Var,
    quotient: Option<Var>,
    /// How much the remainder grows, and the quotient.
    by: Var,
    quotient_by: Option<Var>,
    /// From this remainder on, one more step leads to the next quotient.
    rest: Var,
}

struct Counters<'a, 'c> {
    code: &'a mut Code<'c>,
    around: &'a Loop,
    all: Vec<Counter>,
}

impl Counters<'_, '_> {
    /// All that each iteration reaches.
    fn in_iteration(&mut self, block: &mut Block) {
        for stmt in block {
            match stmt {
                Stmt::Group(GroupStmt::Guard(inside)) => self.in_iteration(inside),
                Stmt::While { .. } => {}
                stmt => stmt.for_each_part_mut(&mut |part| {
                    if let PartMut::Exp(exp) = part {
                        self.in_exp(exp);
                    }
                }),
            }
        }
    }

    fn in_exp(&mut self, exp: &mut Exp) {
        exp.for_each_child_mut(&mut |child| self.in_exp(child));
        let Some(division) = Division::of(exp) else { return };
        let Some(counter) = self.counter(&division) else { return };
        let counter = &mut self.all[counter];
        if division.is_remainder {
            *exp = Exp::Var(counter.remainder).convert(Prim::I32, division.prim);
            return;
        }
        let code = &mut *self.code;
        let quotient = *counter.quotient.get_or_insert_with(|| code.fresh("quotient", Prim::I64));
        counter.quotient_by.get_or_insert_with(|| code.fresh("by", Prim::I64));
        *exp = Exp::Var(quotient).convert(Prim::I64, division.prim);
    }

    fn counter(&mut self, division: &Division) -> Option<usize> {
        let divisor = self.around.fixed(division.divisor)?;
        let is_cheap = match &divisor {
            Exp::Const(Scalar::I64(value)) => *value < 3 || value.count_ones() == 1,
            exp => matches!(exp, Exp::Const(_)),
        };
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
                divisor,
                prim: division.prim,
                rounds_down: division.rounds_down,
                remainder: code.fresh("remainder", Prim::I32),
                quotient: None,
                by: code.fresh("by", Prim::I32),
                quotient_by: None,
                rest: code.fresh("rest", Prim::I32),
            });
            Some(self.all.len() - 1)
        })
    }
}

impl Counter {
    /// Whether nothing wraps around in the whole loop, and the counted remainders are those that the program means.
    fn counts(&self, [from, to]: &[Exp; 2]) -> Exp {
        const ITERATIONS: i64 = 1 << 31;
        const STEP: i64 = 1 << 30;
        const FIRST: i64 = 1 << 61;
        let within = |exp: &Exp, limit: i64| exp.clone().ge(-limit).and(exp.clone().le(limit - 1));
        let (first, step, divisor) = self.wide();
        let last = first.clone().add(step.clone().mul(to.clone().sub(from.clone()).sub(1)));
        let few = from.clone().ge(0).and(to.clone().le(ITERATIONS));
        let fits = divisor.clone().gt(1).and(divisor.le(i32::MAX as i64));
        let near = fits.and(few).and(within(&step, STEP)).and(match self.prim {
            Prim::I64 => within(&first, FIRST),
            _ => within(&last, 1 << 31),
        });
        let rises = step.as_i64().is_some_and(|step| step >= 0);
        match self.rounds_down {
            true => near,
            false => near.and(first.ge(0)).and(if rises { Exp::bool(true) } else { last.ge(0) }),
        }
    }

    /// What stands before the loop.
    fn begin(&self, block: &mut Block) {
        let (first, step, divisor) = self.wide();
        let divided = |op, x: &Exp| Exp::bin(op, Prim::I64, x.clone(), divisor.clone());
        let (by, quotient_by) = match step.as_i64() {
            Some(1) => (Exp::i64(1), Exp::i64(0)),
            Some(-1) => (divisor.clone().sub(1), Exp::i64(-1)),
            _ => (divided(BinOp::Mod, &step), divided(BinOp::Div, &step)),
        };
        let narrow = |exp: Exp| exp.convert(Prim::I64, Prim::I32);
        block.push(Stmt::Set(self.remainder, narrow(divided(BinOp::Mod, &first))));
        block.push(Stmt::Set(self.rest, narrow(divisor.clone().sub(by.clone()))));
        block.push(Stmt::Set(self.by, narrow(by)));
        block.extend(self.quotient.map(|quotient| Stmt::Set(quotient, divided(BinOp::Div, &first))));
        block.extend(self.quotient_by.map(|by| Stmt::Set(by, quotient_by)));
    }

    /// What ends an iteration.
    fn go_on(&self, code: &mut Code, body: &mut Block) {
        let turns = code.fresh("turns", Prim::Bool);
        let narrow = |op, x: Var, y: Var| Exp::bin(op, Prim::I32, x, y);
        body.push(Stmt::Set(turns, narrow(BinOp::Le, self.rest, self.remainder)));
        if let (Some(quotient), Some(by)) = (self.quotient, self.quotient_by) {
            let next = Exp::Var(quotient).add(by).add(Exp::Var(turns).convert(Prim::Bool, Prim::I64));
            body.push(Stmt::Set(quotient, next));
        }
        let less = narrow(BinOp::Sub, self.remainder, self.rest);
        let more = narrow(BinOp::Add, self.remainder, self.by);
        body.push(Stmt::Set(self.remainder, Exp::select(turns, less, more)));
    }

    /// The first dividend, how much the next ones are more, and the divisor, in `i64`.
    fn wide(&self) -> (Exp, Exp, Exp) {
        let wide = |exp: &Exp| match exp {
            Exp::Const(Scalar::I32(value)) => Exp::i64((*value).into()),
            exp => exp.clone().convert(self.prim, Prim::I64),
        };
        (wide(&self.line.first), wide(&self.line.step), wide(&self.divisor))
    }
}
