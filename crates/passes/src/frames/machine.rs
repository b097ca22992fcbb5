//! The loop over the states of a component, and its explicit stack: recursion in a thread without calls.
//!
//! A frame has slots for the variables that a call saves, by class (element type): of each class as many as the call that saves most needs. So all frames
//! have one size, and the depth is enough to find one: `own_i64[depth + 64]` is the second `i64` of a frame, if the arrays of the thread hold 64 of
//! them. Frames that these arrays do not hold are in a block of the heap, one after the other, which doubles.
//!
//! ```text
//! fun f(n) { if n < 2 { n } else { f(n - 1) + f(n - 2) } }
//! ==>  state = f; depth = 0; while state != 0 { switch state { f: push (n, after_1); n = n - 1; goto f   after_1: pop ..   .. } }
//! ```
//!
//! If a bound on the depth follows from the program (`bounded`), there is no block. If there is one return point only, the depth takes its place, and
//! frames with nothing in them are only counted. Runs out of memory, never out of a C stack.

use super::bounded;
use super::fixed::fixed;
use super::live::{Vars, live};
use super::states::{End, Member, StateId, States, Tree};
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::walk::for_each_var_mut;
use norn_ir::imp::{
    BinOp, Block, Elem, Exp, Fun, FunId, GroupArray, Prim, Prog, Scalar, Site, SiteId, SiteKind, Stmt, Type,
    Var, VarInfo,
};
use std::collections::BTreeMap;

/// A thread has so many bytes of its own for frames, if they are not large.
const OWN_BYTES: i64 = 1 << 10;
/// That many frames at most, and at least.
const OWN_MOST: i64 = 256;
const OWN_LEAST: i64 = 4;
/// So many frames with nothing in them are only counted. Those beyond take room, so that recursion without end ends for lack of memory.
const COUNTED: i64 = 1 << 20;
/// The first block has so many frames.
const FIRST_FRAMES: i64 = 32;

/// Replaces the functions of a component, of which some (places in the group) are called by others.
pub fn replace(prog: &mut Prog, group: &[usize], outside: &[usize]) {
    let member = |fun: FunId| group.iter().position(|id| *id == fun.0 as usize);
    let funs: Vec<&Fun> = group.iter().map(|id| &prog.funs[*id]).collect();
    let bound = bounded::depth(prog, group);
    let mut table = Table::of(&funs, &member);
    let mut states = States::new(&mut table.vars, &member);
    let mut members = Vec::with_capacity(funs.len());
    for (number, fun) in funs.iter().enumerate() {
        let mut body = fun.body.clone();
        let to = |var: &mut Var| *var = table.numbers[number][var.0 as usize];
        for_each_var_mut(&mut body, &mut |var| to(var));
        let mut results = fun.results.clone();
        results.iter_mut().for_each(|exp| exp.for_each_var_mut(&mut |var| to(var)));
        members.push(Member {
            name: fun.name.clone(),
            params: fun.params.iter().map(|param| table.numbers[number][param.0 as usize]).collect(),
            results,
            ret: fun.ret.clone(),
            begin: states.member(number, fun, body),
        });
    }
    let states = states.simplified(&members);
    let span = funs[0].span;
    let grow = FunId(prog.funs.len() as u32);
    let site = SiteId(prog.sites.len() as u32);
    let machine = Machine::new(table, members, states, bound, (grow, site));
    let names = |at: &usize| machine.members[*at].name.clone();
    let name = outside.first().or(Some(&0)).map(names).unwrap_or_default();
    if machine.needs_block() {
        prog.funs.push(machine.frame.grow(&format!("{name}_stack"), site, span));
        prog.sites.push(Site { what: SiteKind::Call(name.clone()), span });
    }
    if let [only] = outside {
        let params = machine.members[*only].params.clone();
        let begin = machine.number(machine.members[*only].begin).into();
        let results = machine.slots_of(*only);
        prog.funs[group[*only]] = machine.finish(name, params, begin, results, span);
        return;
    }
    several(prog, machine, group, outside, span);
}

/// One loop for all functions that others call, which say where to begin.
fn several(prog: &mut Prog, mut machine: Machine, group: &[usize], outside: &[usize], span: norn_base::Span) {
    let start = machine.code.new_var("start", I32);
    let mut params = vec![start];
    let mut results: Vec<Var> = Vec::new();
    for at in outside {
        let slots = machine.slots_of(*at);
        params.extend(
            machine.members[*at]
                .params
                .iter()
                .filter(|param| !params.contains(param))
                .copied()
                .collect::<Vec<_>>(),
        );
        results.extend(slots.into_iter().filter(|slot| !results.contains(slot)).collect::<Vec<_>>());
    }
    let whole = FunId(prog.funs.len() as u32);
    let mut wrappers = Vec::new();
    for at in outside {
        let mut code = CodeBuilder::new();
        let own = &machine.members[*at].params;
        let mut given = BTreeMap::new();
        for param in own {
            let info = &machine.code.vars()[param.0 as usize];
            given.insert(*param, code.new_var(info.name.clone(), info.ty));
        }
        let mut args: Vec<Exp> = vec![machine.number(machine.members[*at].begin).into()];
        for param in &params[1..] {
            args.push(match given.get(param) {
                Some(var) => (*var).into(),
                None => nothing(machine.code.var_ty(*param)),
            });
        }
        let of_slot = |slot: &Var| code.new_var("value", machine.code.var_ty(*slot));
        let values: Vec<Var> = results.iter().map(of_slot).collect();
        let site = SiteId(prog.sites.len() as u32);
        let name = machine.members[*at].name.clone();
        prog.sites.push(Site { what: SiteKind::Call(name.clone()), span });
        code.push(Stmt::Call { fun: whole, args, results: values.clone(), site });
        let value_of =
            |slot: &Var| results.iter().position(|other| other == slot).map(|i| Exp::Var(values[i]));
        let yielded = machine.slots_of(*at).iter().filter_map(value_of).collect();
        let params = own.iter().map(|param| given[param]).collect();
        wrappers
            .push((group[*at], code.finish_fun(name, params, yielded, false, prog.funs[group[*at]].span)));
    }
    let name = format!("{}_group", machine.members[outside.first().copied().unwrap_or(0)].name);
    let fun = machine.finish(name, params, start.into(), results, span);
    prog.funs.push(fun);
    wrappers.into_iter().for_each(|(id, fun)| prog.funs[id] = fun);
}

const I32: Type = Type::Scalar(Prim::I32);

/// The variables of all members.
struct Table {
    vars: Vec<VarInfo>,
    /// Of each member and each of its variables, the number here.
    numbers: Vec<Vec<Var>>,
    /// Those that are the same in all calls.
    fixed: Vec<Var>,
}

impl Table {
    fn of(funs: &[&Fun], member: &dyn Fn(FunId) -> Option<usize>) -> Table {
        let mut table = Table { vars: Vec::new(), numbers: Vec::new(), fixed: Vec::new() };
        let mut of_class: BTreeMap<usize, Var> = BTreeMap::new();
        for (fun, classes) in funs.iter().zip(fixed(funs, member)) {
            let mut numbers: Vec<Option<Var>> = vec![None; fun.vars.len()];
            for (param, class) in fun.params.iter().zip(classes) {
                let Some(class) = class else { continue };
                let known = of_class.get(&class).copied();
                let var = known.unwrap_or_else(|| table.add(fun.vars[param.0 as usize].clone()));
                if known.is_none() {
                    of_class.insert(class, var);
                    table.fixed.push(var);
                }
                numbers[param.0 as usize] = Some(var);
            }
            let number =
                |(number, info): (Option<Var>, &VarInfo)| number.unwrap_or_else(|| table.add(info.clone()));
            let numbers = numbers.into_iter().zip(&fun.vars).map(number).collect();
            table.numbers.push(numbers);
        }
        table
    }

    fn add(&mut self, info: VarInfo) -> Var {
        self.vars.push(info);
        Var(self.vars.len() as u32 - 1)
    }
}

/// How a frame is laid out.
struct Frame {
    /// The kinds that it has, how many of each, and where they begin in a block, in bytes; the widest first.
    kinds: Vec<SlotClass>,
    /// How many words of 8 bytes it takes in a block.
    words: i64,
    /// How many of them a thread has in its arrays.
    own: i64,
    /// There are never more.
    is_bounded: bool,
}

struct SlotClass {
    elem: Elem,
    count: i64,
    offset: i64,
    array: Var,
}

impl Frame {
    /// For calls that save these variables, of which so many can be active, if that is known.
    fn of(saves: &[Vec<Var>], bound: Option<i64>, code: &mut CodeBuilder) -> Frame {
        let mut kinds: Vec<SlotClass> = Vec::new();
        for saved in saves {
            let mut counts: Vec<(Elem, i64)> = Vec::new();
            for var in saved {
                let elem = stored_as(code.var_ty(*var));
                match counts.iter_mut().find(|(other, _)| *other == elem) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((elem, 1)),
                }
            }
            for (elem, count) in counts {
                match kinds.iter_mut().find(|kind| kind.elem == elem) {
                    Some(kind) => kind.count = kind.count.max(count),
                    None => kinds.push(SlotClass { elem, count, offset: 0, array: Var(0) }),
                }
            }
        }
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.elem.bytes()));
        let mut bytes = 0;
        for kind in &mut kinds {
            kind.offset = bytes;
            bytes += kind.count * kind.elem.bytes();
            let name = match kind.elem {
                Elem::Prim(prim) => format!("own_{}", prim.name()),
                Elem::Any => "own_pointers".to_string(),
                Elem::Block => "own_blocks".to_string(),
                Elem::Region => "own_regions".to_string(),
            };
            kind.array = code.new_var(name, Type::Local(kind.elem));
        }
        let words = ((bytes + 7) / 8).max(1);
        let usual = match bytes {
            0 => COUNTED,
            bytes => (OWN_BYTES / bytes).clamp(OWN_LEAST, OWN_MOST),
        };
        match bound.filter(|bound| *bound <= usual) {
            Some(bound) => Frame { kinds, words, own: bound.max(1), is_bounded: true },
            None => Frame { kinds, words, own: usual, is_bounded: false },
        }
    }

    fn arrays(&self) -> Vec<GroupArray> {
        let array = |kind: &SlotClass| GroupArray {
            var: kind.array,
            count: (self.own * kind.count) as u32,
            shared: false,
        };
        self.kinds.iter().map(array).collect()
    }

    /// Each of these variables with its kind and its number among those of the kind.
    fn places<'a>(&'a self, saved: &'a [Var], code: &CodeBuilder) -> Vec<(Var, &'a SlotClass, i64)> {
        let mut used = vec![0; self.kinds.len()];
        let place = |var: &Var| {
            let elem = stored_as(code.var_ty(*var));
            let at = self.kinds.iter().position(|kind| kind.elem == elem);
            let at = at.unwrap_or_else(|| unreachable!("frames: a frame has no place for a variable"));
            used[at] += 1;
            (*var, &self.kinds[at], used[at] - 1)
        };
        saved.iter().map(place).collect()
    }

    /// The function that makes room for more: the block, and how many frames are in it, to a larger one with the same frames.
    fn grow(&self, name: &str, site: SiteId, span: norn_base::Span) -> Fun {
        let mut code = CodeBuilder::new();
        let stack = code.new_var("stack", Type::Block);
        let used = code.new_i64("used");
        let first = FIRST_FRAMES * self.words * 8;
        let bytes = code.bind("bytes", Exp::capacity(stack).mul(2).max(first));
        let larger = code.new_var("larger", Type::Block);
        code.push(Stmt::Alloc { block: larger, bytes: bytes.into(), site });
        let words = Elem::Prim(Prim::U64);
        code.copy(words, Exp::data(words, larger), Exp::data(words, stack), Exp::Var(used).mul(self.words));
        code.release(stack);
        code.finish_fun(name, vec![stack, used], vec![larger.into()], false, span)
    }
}

/// What a variable is in memory.
fn stored_as(ty: Type) -> Elem {
    match ty {
        Type::Scalar(prim) => Elem::Prim(prim),
        Type::Ptr(_) => Elem::Any,
        Type::Block => Elem::Block,
        Type::Region => Elem::Region,
        Type::Vector(..) | Type::Remote(_) | Type::Local(_) => {
            unreachable!("frames: a function of a kernel with what only others have (I9)")
        }
    }
}

/// A value for a variable whose value does not matter.
fn nothing(ty: Type) -> Exp {
    match ty {
        Type::Scalar(prim) => Scalar::zero(prim).into(),
        Type::Vector(..) | Type::Ptr(_) | Type::Remote(_) | Type::Local(_) | Type::Block | Type::Region => {
            Exp::Null(ty)
        }
    }
}

/// Where frames are, while the loop runs.
struct Stack {
    depth: Var,
    block: Var,
    /// How many frames the block can hold.
    room: Var,
}

struct Machine {
    code: CodeBuilder,
    members: Vec<Member>,
    states: Vec<Option<Tree>>,
    live: Vec<Vars>,
    fixed: Vec<Var>,
    /// The numbers of states; 0 is the end.
    numbers: Vec<i32>,
    state: Var,
    /// The return point of the member that runs, if there are several.
    back: Option<Var>,
    /// What members return, by their types.
    slots: Vec<(Vec<Type>, Vec<Var>)>,
    /// What each call saves and which variables it assigns, by the state that it returns to.
    calls: BTreeMap<StateId, (Vec<Var>, Vec<Var>, usize)>,
    stack: Stack,
    frame: Frame,
    /// The function that makes room, and the site of a call of it.
    grow: (FunId, SiteId),
}

impl Machine {
    fn new(
        table: Table,
        members: Vec<Member>,
        states: Vec<Option<Tree>>,
        bound: Option<i64>,
        grow: (FunId, SiteId),
    ) -> Machine {
        let live = live(&states, &members, table.vars.len());
        let mut code = CodeBuilder::with_vars(table.vars);
        let mut slots: Vec<(Vec<Type>, Vec<Var>)> = Vec::new();
        for member in &members {
            if !slots.iter().any(|(ret, _)| *ret == member.ret) {
                let vars = member.ret.iter().map(|ty| code.new_var("value", *ty)).collect();
                slots.push((member.ret.clone(), vars));
            }
        }
        let state = code.new_var("state", I32);
        let mut calls = BTreeMap::new();
        for tree in states.iter().flatten() {
            each_call(tree, &mut |member, results, then| {
                let needed = |var: &Var| !results.contains(var) && !table.fixed.contains(var);
                let saved: Vec<Var> = live[then.0].iter().filter(needed).collect();
                calls.insert(then, (saved, results.to_vec(), member));
            });
        }
        let back = (calls.len() > 1).then(|| code.new_var("back", I32));
        calls.values_mut().for_each(|(saved, _, _)| saved.extend(back));
        let saves: Vec<Vec<Var>> = calls.values().map(|(saved, _, _)| saved.clone()).collect();
        let stack = Stack {
            depth: code.new_i64("depth"),
            block: code.new_var("stack", Type::Block),
            room: code.new_i64("room"),
        };
        let frame = Frame::of(&saves, bound, &mut code);
        let mut numbers = vec![0; states.len()];
        let mut next = 0;
        for (number, _) in numbers.iter_mut().zip(&states).filter(|(_, tree)| tree.is_some()) {
            next += 1;
            *number = next;
        }
        Machine {
            code,
            members,
            states,
            live,
            fixed: table.fixed,
            numbers,
            state,
            back,
            slots,
            calls,
            stack,
            frame,
            grow,
        }
    }

    fn needs_stack(&self) -> bool {
        !self.calls.is_empty()
    }

    fn needs_block(&self) -> bool {
        self.needs_stack() && !self.frame.is_bounded
    }

    /// The state in which the caller of the member that runs goes on. If there is only one such state, the depth tells: the outermost call ends the loop.
    fn return_point(&self) -> Exp {
        match (self.back, self.calls.keys().next()) {
            (Some(back), _) => back.into(),
            (None, Some(only)) => {
                let is_outermost = Exp::Var(self.stack.depth).eq(0);
                Exp::select(is_outermost, Scalar::I32(0), self.number(*only))
            }
            (None, None) => Scalar::I32(0).into(),
        }
    }

    fn number(&self, id: StateId) -> Scalar {
        Scalar::I32(self.numbers[id.0])
    }

    fn slots_of(&self, member: usize) -> Vec<Var> {
        let ret = &self.members[member].ret;
        self.slots.iter().find(|(other, _)| other == ret).map(|(_, slots)| slots.clone()).unwrap_or_default()
    }

    /// The function with these parameters that begins in this state.
    fn finish(
        mut self,
        name: String,
        params: Vec<Var>,
        begin: Exp,
        results: Vec<Var>,
        span: norn_base::Span,
    ) -> Fun {
        self.initialise(&params);
        let state = self.state;
        self.code.set(state, begin);
        let states = std::mem::take(&mut self.states);
        let mut cases = Vec::new();
        for (id, tree) in states.into_iter().enumerate() {
            let Some(tree) = tree else { continue };
            self.code.open();
            self.restore(StateId(id));
            self.tree(tree);
            cases.push((i64::from(self.numbers[id]), self.code.close()));
        }
        // What is no other state is the last.
        let (_, default) = cases.pop().unwrap_or_else(|| unreachable!("frames: a component without states"));
        let body = match cases.is_empty() {
            true => default,
            false => vec![Stmt::Switch { scrutinee: state.into(), cases, default }],
        };
        let ended = Exp::bin(BinOp::Eq, Prim::I32, state, Scalar::I32(0));
        self.code.while_(Block::new(), ended.not(), body);
        if self.needs_block() {
            self.code.release(self.stack.block);
        }
        let arrays = if self.needs_stack() { self.frame.arrays() } else { Vec::new() };
        let results = results.into_iter().map(Exp::Var).collect();
        let fun = self.code.finish_fun(name, params, results, false, span);
        let mut fun = Fun { arrays, ..fun };
        norn_ir::imp::normalise::normalise_fun(&mut fun);
        fun
    }

    /// What one state may hand to another exists from the beginning.
    fn initialise(&mut self, params: &[Var]) {
        let mut handed_on = Vars::none(self.code.vars().len());
        for (id, live) in self.live.iter().enumerate().filter(|(id, _)| self.states[*id].is_some()) {
            match self.calls.contains_key(&StateId(id)) {
                // Where a call returns to, all else is restored.
                true => {
                    self.fixed.iter().filter(|var| live.contains(**var)).for_each(|var| handed_on.add(*var))
                }
                false => live.iter().for_each(|var| handed_on.add(var)),
            }
        }
        self.slots.iter().for_each(|(_, slots)| slots.iter().for_each(|slot| handed_on.add(*slot)));
        self.back.into_iter().for_each(|back| handed_on.add(back));
        let Stack { depth, block, room } = self.stack;
        if self.needs_stack() {
            handed_on.add(depth);
        }
        if self.needs_block() {
            handed_on.add(block);
            handed_on.add(room);
        }
        // Parameters that somebody else may have been given are not given here.
        self.fixed.iter().for_each(|var| handed_on.add(*var));
        for var in handed_on.iter().filter(|var| !params.contains(var)) {
            let value = nothing(self.code.var_ty(var));
            self.code.set(var, value);
        }
    }

    /// Where a call returns to: what it saved, and its results.
    fn restore(&mut self, id: StateId) {
        let Some((saved, results, member)) = self.calls.get(&id).cloned() else { return };
        let depth = self.stack.depth;
        self.code.set(depth, Exp::Var(depth).sub(1));
        self.in_frame(&saved, None, &|var, elem, ptr, index, ty| {
            let value = Exp::load(elem, ptr, index);
            match ty {
                Type::Ptr(to) if to != Elem::Any => Stmt::Set(var, Exp::cast(to, value)),
                _ => Stmt::Set(var, value),
            }
        });
        for (var, slot) in results.into_iter().zip(self.slots_of(member)) {
            self.code.set(var, slot);
        }
    }

    fn save(&mut self, saved: &[Var]) {
        let Stack { depth, block, room } = self.stack;
        let above = Exp::Var(depth).sub(self.frame.own);
        let (grow, site) = self.grow;
        let larger = vec![
            Stmt::Call { fun: grow, args: vec![block.into(), above.clone()], results: vec![block], site },
            Stmt::Set(room, Exp::capacity(block).quot(self.frame.words * 8)),
        ];
        let make_room = Stmt::If { cond: Exp::Var(room).le(above), then: larger, els: Block::new() };
        let store = |var: Var, elem, ptr, index, _| Stmt::Store { elem, ptr, index, value: var.into() };
        self.in_frame(saved, Some(make_room), &store);
        self.code.set(depth, Exp::Var(depth).add(1));
    }

    /// Does something with each of these variables and its place in the frame at the top, and before it something where that is in the block.
    fn in_frame(
        &mut self,
        saved: &[Var],
        before: Option<Stmt>,
        each: &dyn Fn(Var, Elem, Exp, Exp, Type) -> Stmt,
    ) {
        let depth = self.stack.depth;
        let own = self.frame.own;
        let places = self.frame.places(saved, &self.code);
        let mut here = Block::new();
        let mut there: Block = before.into_iter().collect();
        let words = Elem::Prim(Prim::U64);
        let frame = self.code.new_var("frame", Type::Ptr(words));
        if !places.is_empty() {
            let at = self.code.new_i64("at");
            there.push(Stmt::Set(at, Exp::Var(depth).sub(own).mul(self.frame.words)));
            there.push(Stmt::Set(frame, Exp::offset(words, Exp::data(words, self.stack.block), at)));
        }
        for (var, kind, number) in places {
            let ty = self.code.var_ty(var);
            let index = Exp::Var(depth).add(number * own);
            here.push(each(var, kind.elem, kind.array.into(), index, ty));
            let ptr = if kind.elem == words { frame.into() } else { Exp::cast(kind.elem, frame) };
            let index = kind.offset / kind.elem.bytes() + number;
            there.push(each(var, kind.elem, ptr, index.into(), ty));
        }
        match self.frame.is_bounded {
            true => self.code.append(here),
            false if there.is_empty() => {}
            false => self.code.push(Stmt::If { cond: Exp::Var(depth).lt(own), then: here, els: there }),
        }
    }

    fn tree(&mut self, tree: Tree) {
        self.code.append(tree.stmts.into());
        match tree.end {
            End::Goto(to) => self.go(to),
            End::Return(member) => {
                let results = self.members[member].results.clone();
                for (slot, result) in self.slots_of(member).into_iter().zip(results) {
                    self.code.set(slot, result);
                }
                let state = self.state;
                let to = self.return_point();
                self.code.set(state, to);
            }
            End::Jump { member, args } => {
                self.pass(member, args);
                self.go(self.members[member].begin);
            }
            End::Call { member, args, results: _, then } => {
                let saved = self.calls.get(&then).map(|(saved, _, _)| saved.clone()).unwrap_or_default();
                self.save(&saved);
                self.pass(member, args);
                if let Some(back) = self.back {
                    let number = self.number(then);
                    self.code.set(back, number);
                }
                self.go(self.members[member].begin);
            }
            End::If { cond, then, els } => {
                let then = self.inner(*then);
                let els = self.inner(*els);
                self.code.if_(cond, then, els);
            }
            End::Switch { scrutinee, cases, default } => {
                let cases = cases.into_iter().map(|(number, tree)| (number, self.inner(tree))).collect();
                let default = self.inner(*default);
                self.code.push(Stmt::Switch { scrutinee, cases, default });
            }
        }
    }

    fn inner(&mut self, tree: Tree) -> Block {
        self.code.open();
        self.tree(tree);
        self.code.close()
    }

    fn go(&mut self, to: StateId) {
        let (state, number) = (self.state, self.number(to));
        self.code.set(state, number);
    }

    /// Assigns the parameters of a member, all at once.
    fn pass(&mut self, member: usize, args: Vec<Exp>) {
        let params = self.members[member].params.clone();
        let mut moves: Vec<(Var, Exp)> =
            params.into_iter().zip(args).filter(|(param, arg)| *arg != Exp::Var(*param)).collect();
        // An argument that mentions a parameter which is assigned before it is computed first.
        for at in 1..moves.len() {
            let (before, rest) = moves.split_at_mut(at);
            let arg = &mut rest[0].1;
            if before.iter().any(|(param, _)| arg.mentions(*param)) {
                let value = self.code.bind("next", arg.clone());
                *arg = value.into();
            }
        }
        for (param, arg) in moves {
            self.code.set(param, arg);
        }
    }
}

fn each_call(tree: &Tree, f: &mut dyn FnMut(usize, &[Var], StateId)) {
    match &tree.end {
        End::Call { member, args: _, results, then } => f(*member, results, *then),
        End::Goto(_) | End::Return(_) | End::Jump { .. } => {}
        End::If { cond: _, then, els } => {
            each_call(then, f);
            each_call(els, f);
        }
        End::Switch { scrutinee: _, cases, default } => {
            cases.iter().for_each(|(_, tree)| each_call(tree, f));
            each_call(default, f);
        }
    }
}
