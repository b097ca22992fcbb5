//! Running the executable form: the loop over operations, branches, loops, calls and constants.
//!
//! Operations that cannot fail are done in the loop itself; the others are functions that return an
//! `Outcome`, each in the file of its subject. A lambda runs in the locals of the function that has it.

mod accs;
mod arrays;
mod cells;
mod checks;
mod flat;
mod free;
mod fused;
mod scatter;
mod task;

use crate::code::{Block, Call, Code, ConstUse, For, Observe, Op, Operand, Place, Switch, While};
use crate::cuts::Cuts;
use crate::entry::to_value;
use crate::failure::{Outcome, Unwinding, cancelled, fail};
use crate::freedom::Freedom;
use crate::locals::{Locals, Object};
use crate::observe::{Observation, Observer};
use crate::region::Region;
use crate::slice::check_index;
use norn_base::{Prim, Span};
use norn_ir::failure::too_deep;
use norn_ir::nest::{Elem, Observed};
use norn_ir::scalar::eval::{Word, conversion};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// A program that is running.
pub(crate) struct Machine<'a> {
    pub(crate) code: &'a Code,
    /// Of each function, locals of calls that have ended, to be used again.
    pub(crate) pools: &'a mut [Vec<Locals>],
    /// The values of constants that have been asked for.
    pub(crate) consts: &'a mut [Option<Box<[Value]>>],
    /// Where cells are whose region is not known.
    pub(crate) everywhere: Region,
    /// How many calls are active.
    pub(crate) depth: usize,
    pub(crate) stack: Stack,
    /// Whether somebody wants the program to end.
    pub(crate) cancel: &'a AtomicBool,
    pub(crate) observer: Option<&'a mut Observer>,
    /// Where the active calls are, if somebody looks on.
    pub(crate) calls: Vec<Span>,
    pub(crate) cuts: &'a mut Cuts,
    /// Decides what the language leaves open, if not the simplest way.
    pub(crate) freedom: Option<&'a mut Freedom>,
}

/// The value of a variable.
#[derive(Clone)]
pub(crate) enum Value {
    Word(Word),
    Object(Object),
    Nothing,
}

/// How much of the machine's stack may be used. Calls of nest are calls of the interpreter.
#[derive(Clone, Copy)]
pub(crate) struct Stack {
    base: usize,
    budget: usize,
}

impl Stack {
    /// From here on.
    pub(crate) fn new(budget: usize) -> Stack {
        Stack { base: here(), budget }
    }

    fn is_spent(self) -> bool {
        self.base.abs_diff(here()) > self.budget
    }
}

/// About where the stack ends.
#[inline(always)]
fn here() -> usize {
    let local = 0u8;
    std::hint::black_box(&local) as *const u8 as usize
}

impl Machine<'_> {
    pub(crate) fn run(&mut self, locals: &mut Locals, block: &Block) -> Outcome {
        if self.cancel.load(Relaxed) {
            return cancelled();
        }
        let mut block = block;
        let mut at = 0;
        while let Some(op) = block.ops.get(at) {
            let outcome = match op {
                Op::Un { f, dst, x } => {
                    locals.words[*dst as usize] = f(locals.words[*x as usize]);
                    Ok(())
                }
                Op::Bin { f, dst, x, y } => {
                    locals.words[*dst as usize] = f(locals.words[*x as usize], locals.words[*y as usize]);
                    Ok(())
                }
                Op::Copy { dst, src } => {
                    locals.words[*dst as usize] = locals.words[*src as usize];
                    Ok(())
                }
                // The last operation needs no way back: the branch takes the place of the block.
                Op::If { cond, branches } if at + 1 == block.ops.len() => {
                    block = if locals.word(*cond) != 0 { &branches[0] } else { &branches[1] };
                    at = 0;
                    continue;
                }
                Op::If { cond, branches } => {
                    let branch = if locals.word(*cond) != 0 { &branches[0] } else { &branches[1] };
                    self.run(locals, branch)
                }
                Op::Switch(switch) if at + 1 == block.ops.len() => {
                    block = case(locals, switch);
                    at = 0;
                    continue;
                }
                Op::Switch(switch) => self.run(locals, case(locals, switch)),
                Op::For(code) => self.for_loop(locals, code),
                Op::While(code) => self.while_loop(locals, code),
                Op::Call(call) => self.call(locals, call, block.spans[at]),
                Op::CheckIndex { index, length } => check_index(locals.int(*index), locals.int(*length)),
                Op::IndexWord { dst, array, index } => arrays::index_word(locals, *dst, *array, *index),
                Op::UpdateWord { dst, array, index, value } => {
                    arrays::update_word(locals, *dst, *array, *index, *value)
                }
                Op::Tri { .. }
                | Op::Round(_)
                | Op::Move { .. }
                | Op::Drop(_)
                | Op::Const(_)
                | Op::Check(_)
                | Op::CheckType(_)
                | Op::IndexWords { .. }
                | Op::UpdateWords(_)
                | Op::Array(_)
                | Op::Fused(_)
                | Op::Choose(_)
                | Op::Scatter(_)
                | Op::AccStream(_)
                | Op::AccWrite(_)
                | Op::Task(_)
                | Op::Region { .. }
                | Op::Alloc(_)
                | Op::Tag { .. }
                | Op::Load(_) => self.step(locals, op),
            };
            if let Err(unwinding) = outcome {
                return Err(self.leave(unwinding, block, at));
            }
            at += 1;
        }
        Ok(())
    }

    /// The operations that are not in the loop, to keep its stack frame small: programs recurse through it.
    #[inline(never)]
    fn step(&mut self, locals: &mut Locals, op: &Op) -> Outcome {
        match op {
            Op::Tri { f, dst, x, y, z } => {
                let word = f(locals.word(*x), locals.word(*y), locals.word(*z));
                locals.set_word(*dst, word);
                Ok(())
            }
            Op::Round(round) => {
                self.round(locals, round);
                Ok(())
            }
            Op::Move { dst, src } => {
                let object = locals.object(*src);
                locals.set_object(*dst, object);
                Ok(())
            }
            Op::Drop(places) => {
                places.iter().for_each(|place| locals.set_object(*place, Object::Empty));
                Ok(())
            }
            Op::Const(code) => self.constant(locals, code),
            Op::Check(check) => checks::check(locals, check),
            Op::CheckType(check) => checks::check_type(locals, check),
            Op::IndexWords { dst, array, indices } => arrays::index_words(locals, *dst, *array, indices),
            Op::UpdateWords(update) => arrays::update_words(locals, update),
            Op::Array(op) => arrays::array(locals, op),
            Op::Fused(fused) => self.fused(locals, fused),
            Op::Choose(choose) => self.choose(locals, choose),
            Op::Scatter(scatter) => self.scatter(locals, scatter),
            Op::AccStream(stream) => self.acc_stream(locals, stream),
            Op::AccWrite(write) => self.acc_write(locals, write),
            Op::Task(task) => self.task(locals, task),
            Op::Region { dst } => {
                locals.set_object(*dst, Object::Region(Region::default()));
                Ok(())
            }
            Op::Alloc(alloc) => self.alloc(locals, alloc),
            Op::Tag { dst, cell, region } => self.tag(locals, *dst, *cell, *region),
            Op::Load(load) => self.load(locals, load),
            Op::Un { .. }
            | Op::Bin { .. }
            | Op::Copy { .. }
            | Op::If { .. }
            | Op::Switch(_)
            | Op::For(_)
            | Op::While(_)
            | Op::Call(_)
            | Op::CheckIndex { .. }
            | Op::IndexWord { .. }
            | Op::UpdateWord { .. } => panic!("an operation of the loop has left it"),
        }
    }

    /// A failure passes the operation that failed, or a call that led to it.
    #[cold]
    fn leave(&self, mut unwinding: Box<Unwinding>, block: &Block, at: usize) -> Box<Unwinding> {
        let mut called = None;
        if let Op::Call(call) = &block.ops[at] {
            called = Some(call.fun);
        } else if let Op::Const(code) = &block.ops[at] {
            called = Some(code.fun);
        }
        match (unwinding.place(), called.map(|fun| &self.code.funs[fun as usize])) {
            (None, _) => unwinding.locate(block.spans[at]),
            // What the library does is done by who calls it, as where it is inlined.
            (Some(place), Some(fun)) if fun.is_library => {
                if self.code.library.contains(&place.file) {
                    unwinding.locate(block.spans[at]);
                }
            }
            (Some(_), Some(fun)) => unwinding.leave_call(&fun.name, block.spans[at]),
            (Some(_), None) => {}
        }
        unwinding
    }

    /// Shows the arguments of a call to whoever looks on.
    #[inline(never)]
    fn observe(&mut self, locals: &mut Locals, call: &Call, observe: &Observe, span: Span) -> Outcome {
        if self.observer.is_none() {
            return Ok(());
        }
        let mut args: Vec<Value> = call.args.iter().map(|arg| read(locals, *arg)).collect();
        let last = args.split_off(args.len() - observe.columns.len());
        let mut columns = Vec::with_capacity(last.len());
        for (arg, (ty, region)) in last.into_iter().zip(&observe.columns) {
            let region = match (ty.elem(), region.and_then(|at| args.get(at))) {
                (Some(Elem::Ref(..)), Some(Value::Object(Object::Region(region)))) => Some(region.clone()),
                (Some(Elem::Ref(..)), _) => Some(self.everywhere.clone()),
                (Some(Elem::Prim(_)) | None, _) => None,
            };
            columns.push(to_value(ty, arg, region)?);
        }
        let is_users = |span: &Span| !self.code.library.contains(&span.file);
        let users = std::iter::once(&span).chain(self.calls.iter().rev()).find(|span| is_users(span));
        let span = *users.unwrap_or(&span);
        let Observed { kind, tag, .. } = &observe.what;
        if let Some(observer) = &mut self.observer {
            observer(Observation { kind: *kind, tag, ty: observe.iface, columns, span });
        }
        Ok(())
    }

    #[inline(never)]
    fn for_loop(&mut self, locals: &mut Locals, code: &For) -> Outcome {
        let bound = locals.word(code.bound);
        let bound = match code.prim.is_signed() {
            true => (conversion(code.prim, Prim::I64)(bound) as i64).max(0) as u64,
            false => bound,
        };
        for i in 0..bound {
            locals.set_word(code.var, i);
            self.run(locals, &code.body)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn while_loop(&mut self, locals: &mut Locals, code: &While) -> Outcome {
        loop {
            self.run(locals, &code.cond)?;
            if locals.word(code.holds) == 0 {
                return Ok(());
            }
            self.run(locals, &code.body)?;
        }
    }

    #[inline(never)]
    fn call(&mut self, locals: &mut Locals, call: &Call, span: Span) -> Outcome {
        let code = self.code;
        let fun = &code.funs[call.fun as usize];
        if let Some(observe) = &fun.observe {
            return self.observe(locals, call, observe, span);
        }
        let mut inner = self.enter(call.fun)?;
        if self.observer.is_some() {
            self.calls.push(span);
        }
        for (arg, param) in call.args.iter().zip(&fun.params) {
            transfer(locals, *arg, &mut inner, *param);
        }
        self.run(&mut inner, &fun.body)?;
        for (result, dst) in fun.results.iter().zip(&call.dsts) {
            transfer(&mut inner, *result, locals, *dst);
        }
        self.exit(call.fun, inner);
        self.calls.pop();
        Ok(())
    }

    /// A new call is active.
    pub(crate) fn enter(&mut self, fun: u32) -> Outcome<Locals> {
        if self.stack.is_spent() {
            return fail(too_deep(self.depth));
        }
        self.depth += 1;
        let fun = fun as usize;
        Ok(self.pools[fun].pop().unwrap_or_else(|| Locals::new(&self.code.funs[fun])))
    }

    pub(crate) fn exit(&mut self, fun: u32, mut locals: Locals) {
        self.depth -= 1;
        locals.clear();
        self.pools[fun as usize].push(locals);
    }

    /// Its regions come before its values.
    fn constant(&mut self, locals: &mut Locals, code: &ConstUse) -> Outcome {
        let id = code.constant as usize;
        if self.consts[id].is_none() {
            let fun = &self.code.funs[code.fun as usize];
            let mut inner = self.enter(code.fun)?;
            let mut values = Vec::new();
            for param in &fun.params {
                let region = Value::Object(Object::Region(Region::default()));
                values.push(region.clone());
                write(&mut inner, *param, region);
            }
            self.run(&mut inner, &fun.body)?;
            values.extend(fun.results.iter().map(|result| read(&mut inner, *result)));
            self.exit(code.fun, inner);
            self.consts[id] = Some(values.into());
        }
        for (value, dst) in self.consts[id].iter().flatten().zip(&code.dsts) {
            write(locals, *dst, value.clone());
        }
        Ok(())
    }
}

fn case<'a>(locals: &Locals, switch: &'a Switch) -> &'a Block {
    let word = locals.word(switch.scrutinee);
    match switch.cases.binary_search_by_key(&word, |(word, _)| *word) {
        Ok(i) => &switch.cases[i].1,
        Err(_) => &switch.default,
    }
}

/// From an operand of one call to a place of another.
fn transfer(from: &mut Locals, operand: Operand, to: &mut Locals, place: Place) {
    match (operand, place) {
        (Operand::Word(src), Place::Word(dst)) => to.words[dst as usize] = from.words[src as usize],
        (Operand::Object(src), Place::Object(dst)) => to.set_object(dst, from.object(src)),
        (Operand::Word(_) | Operand::Object(_) | Operand::Nothing, _) => {}
    }
}

pub(crate) fn read(locals: &mut Locals, operand: Operand) -> Value {
    match operand {
        Operand::Word(place) => Value::Word(locals.word(place)),
        Operand::Object(operand) => Value::Object(locals.object(operand)),
        Operand::Nothing => Value::Nothing,
    }
}

pub(crate) fn write(locals: &mut Locals, place: Place, value: Value) {
    match (place, value) {
        (Place::Word(place), Value::Word(word)) => locals.set_word(place, word),
        (Place::Object(place), Value::Object(object)) => locals.set_object(place, object),
        (Place::Word(_) | Place::Object(_) | Place::Nothing, _) => {}
    }
}
