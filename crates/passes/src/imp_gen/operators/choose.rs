//! Filter and partition: rows go to the front of an output if they are chosen.
//!
//! Where to, nobody knows before all elements in front have been looked at. In a thread there is one counter. In a grid
//! pieces are chosen into memory of their own, started in order; each waits for how many were chosen before it, hands on
//! how many there are with its own, and copies them:
//!
//! ```text
//! for x in piece { own[count] = x;  count += p(x) }
//! await flag[chunk - 1];  base = ends[chunk - 1];  ends[chunk] = base + count;  signal flag[chunk]
//! out[base ..] = own[.. count]
//! ```
//!
//! If the lambda may take long, or the rest is kept too (whose place depends on all elements), there are two launches, with
//! sums of the counts in between. The rest is written from the end of a chunk backwards.

use super::cost::Cost;
use super::launch::{Grid, Launch};
use super::outs::Out;
use super::rows::Slot;
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp, LoopForm, Prim, Split, Stmt, Var as ImpVar};
use norn_ir::nest::{Atom, Lambda, Var};

const I64: Elem = Elem::Prim(Prim::I64);

/// `filter` or `partition`. The first variable is how many are chosen.
pub struct Choose<'a> {
    pub name: &'static str,
    pub width: Atom,
    pub inputs: &'a [Var],
    pub lambda: &'a Lambda,
    pub keep_rest: bool,
    pub vars: &'a [Var],
}

/// A range of which some were chosen.
struct Chosen {
    from: Exp,
    to: Exp,
    /// How many were chosen before the range, in it, and in all.
    base: Exp,
    count: Exp,
    total: Exp,
}

impl Gen<'_> {
    pub fn choose(&mut self, choose: &Choose, grid: Option<Grid>) {
        let width = self.scalar(choose.width);
        let (count, outs) = match &grid {
            None if choose.keep_rest => self.partition_in_thread(choose, &width),
            None => self.filter_in_thread(choose, &width),
            Some(grid) if choose.keep_rest || Cost::of(&choose.lambda.body).calls => {
                self.choose_in_two(choose, &width, grid)
            }
            Some(grid) => self.filter_in_order(choose, &width, grid),
        };
        self.bind(choose.vars[0], Repr::Scalar(count.clone()));
        let rows = if choose.keep_rest { width } else { count };
        for (var, out) in choose.vars[1..].iter().zip(outs) {
            self.bind_out(*var, out, &rows, grid.as_ref());
        }
    }

    fn filter_in_thread(&mut self, choose: &Choose, width: &Exp) -> (Exp, Vec<Out>) {
        let outs = self.chosen_outs(choose, width, false);
        let front = self.code.bind("count", Exp::i64(0));
        self.filter_range(choose, &outs, &Exp::i64(0), width, front);
        (front.into(), outs)
    }

    fn partition_in_thread(&mut self, choose: &Choose, width: &Exp) -> (Exp, Vec<Out>) {
        let sorted = self.chosen_outs(choose, width, false);
        let front = self.code.bind("count", Exp::i64(0));
        self.partition_range(choose, &sorted, &Exp::i64(0), width, front);
        let outs = self.chosen_outs(choose, width, true);
        let (from, to, base) = (Exp::i64(0), width.clone(), Exp::i64(0));
        let chosen = Chosen { from, to, base, count: front.into(), total: front.into() };
        self.place_chosen(choose, &sorted, &outs, &chosen);
        (front.into(), outs)
    }

    /// Outputs with so many rows. Only those that have just the rows that the variables have can lie in their places.
    fn chosen_outs(&mut self, choose: &Choose, rows: &Exp, in_place: bool) -> Vec<Out> {
        let mut outs = Vec::with_capacity(choose.vars.len() - 1);
        for var in &choose.vars[1..] {
            // Slots are copied as a whole.
            let in_place = in_place && self.places.get(var).is_none_or(Array::is_row_major);
            outs.push(self.new_out(*var, rows, in_place, choose.name));
        }
        outs
    }

    // # Over a range

    /// The chosen rows of a range, at the front and on.
    fn filter_range(&mut self, choose: &Choose, outs: &[Out], from: &Exp, to: &Exp, front: ImpVar) {
        let lambda = choose.lambda;
        let results = &lambda.body.result[1..];
        // Then what is not chosen is overwritten by the next: no branch that nobody can foresee.
        let scalars = outs.iter().all(Out::is_scalars);
        self.each(from.clone(), to.clone(), LoopForm::Plain, &mut |this, i| {
            let rows = this.rows_at(choose.inputs, &i);
            let at = Exp::Var(front);
            let places: Vec<Option<Array>> = outs.iter().map(|out| this.out_place(out, &at)).collect();
            let targets: Vec<(Atom, Option<Array>)> =
                results.iter().copied().zip(places.iter().cloned()).collect();
            this.apply(lambda, rows, &targets, &mut |this| {
                let holds = this.scalar(lambda.body.result[0]);
                if scalars {
                    this.deliver_chosen(outs, &at, &places, results);
                    this.code.set(front, at.clone().add(holds.convert(Prim::Bool, Prim::I64)));
                    return;
                }
                this.code.open();
                this.scoped(&mut |this| this.deliver_chosen(outs, &at, &places, results));
                this.code.set(front, at.clone().add(1));
                let block = this.code.close();
                this.code.when(holds, block);
            });
        });
    }

    /// The chosen rows of a range at the front and on, the others from the end of the range backwards.
    fn partition_range(&mut self, choose: &Choose, outs: &[Out], from: &Exp, to: &Exp, front: ImpVar) {
        let lambda = choose.lambda;
        let back = self.code.bind("back", to.clone().sub(1));
        self.each(from.clone(), to.clone(), LoopForm::Plain, &mut |this, i| {
            let rows = this.rows_at(choose.inputs, &i);
            this.apply(lambda, rows, &[], &mut |this| {
                let holds = this.scalar(lambda.body.result[0]);
                let at = Exp::select(holds.clone(), Exp::Var(front), Exp::Var(back));
                let at: Exp = this.code.bind("at", at).into();
                let places: Vec<Option<Array>> = outs.iter().map(|out| this.out_place(out, &at)).collect();
                this.deliver_chosen(outs, &at, &places, &lambda.body.result[1..]);
                let (one, none) = (Exp::i64(1), Exp::i64(0));
                let step = this.code.bind("step", Exp::select(holds, one, none));
                this.code.set(front, Exp::Var(front).add(step));
                this.code.set(back, Exp::Var(back).add(Exp::Var(step).sub(1)));
            });
        });
    }

    fn deliver_chosen(&mut self, outs: &[Out], at: &Exp, places: &[Option<Array>], results: &[Atom]) {
        for ((out, place), atom) in outs.iter().zip(places).zip(results) {
            self.deliver_row(out, at, place.as_ref(), *atom);
        }
    }

    /// Copy what was chosen in a range, and the rest of it if that is kept, to where they belong.
    fn place_chosen(&mut self, choose: &Choose, sorted: &[Out], outs: &[Out], chosen: &Chosen) {
        let Chosen { from, to, base, count, total } = chosen;
        let slots = sorted.iter().flat_map(Out::slots).zip(outs.iter().flat_map(Out::slots));
        for (source, target) in slots {
            self.copy_slots(&target, base, &source, from, count);
            if choose.keep_rest {
                let rest = to.clone().sub(from.clone()).sub(count.clone());
                let rest = self.code.atom("rest", rest);
                let first = self.code.atom("first", total.clone().add(from.clone()).sub(base.clone()));
                let last = self.code.atom("last", to.clone().sub(1));
                self.each(0, rest, LoopForm::Independent, &mut |this, i| {
                    let to = first.clone().add(i.clone());
                    let from = last.clone().sub(i);
                    if source.stride.as_i64() == Some(1) {
                        let value = Exp::load(source.elem, source.ptr.clone(), from);
                        this.code.store(source.elem, target.ptr.clone(), to, value);
                    } else {
                        this.copy_slots(&target, &to, &source, &from, &Exp::i64(1));
                    }
                });
            }
        }
    }

    fn copy_slots(&mut self, target: &Slot, to: &Exp, source: &Slot, from: &Exp, count: &Exp) {
        let elem = source.elem;
        let to = Exp::offset(elem, target.ptr.clone(), to.clone().mul(target.stride.clone()));
        let from = Exp::offset(elem, source.ptr.clone(), from.clone().mul(source.stride.clone()));
        self.code.copy(elem, to, from, count.clone().mul(source.stride.clone()));
    }

    // # In a grid

    fn filter_in_order(&mut self, choose: &Choose, width: &Exp, grid: &Grid) -> (Exp, Vec<Out>) {
        let outs = self.chosen_outs(choose, width, false);
        let chunks = self.pieces(grid, width, choose.inputs);
        let flags = self.zeros("flags", chunks.clone());
        let ends = self.new_array_named("ends", Prim::I64, std::slice::from_ref(&chunks), choose.name);
        let mut extra: Vec<Repr> = outs.iter().flat_map(Out::reprs).collect();
        extra.extend([flags, ends.clone()].map(Repr::Array));
        extra.push(Repr::Scalar(chunks.clone()));
        let (width, number) = (width.clone(), chunks.clone());
        let launch = Launch { name: choose.name, width, chunks: number, split: Split::Ordered };
        self.launch(grid, launch, &extra, &mut |this, kernel, given| {
            let mut given = given.into_iter();
            let outs: Vec<Out> = outs.iter().map(|out| out.inside(&mut given)).collect();
            let (Some(Repr::Array(flags)), Some(Repr::Array(ends)), Some(Repr::Scalar(chunks))) =
                (given.next(), given.next(), given.next())
            else {
                panic!("imp_gen: a filter was handed to a kernel as something else")
            };
            let [chunk, from, to] = [kernel.chunk, kernel.from, kernel.to].map(Exp::Var);
            // A single piece belongs at the front of the output.
            let single: Exp = this.code.bind("single", chunks.le(1)).into();
            let rows = Exp::select(single.clone(), Exp::i64(0), to.clone().sub(from.clone()));
            let rows: Exp = this.code.bind("rows", rows).into();
            let own = this.chosen_outs(choose, &rows, false);
            let targets: Vec<Out> =
                outs.iter().zip(&own).map(|(out, own)| this.either(&single, out, own)).collect();
            let front = this.code.bind("count", Exp::i64(0));
            this.filter_range(choose, &targets, &from, &to, front);

            let base = this.code.bind("base", Exp::i64(0));
            this.code.open();
            let before = chunk.clone().sub(1);
            this.code.push(Stmt::Await { ptr: flags.data.ptr.clone(), index: before.clone() });
            this.code.set(base, Exp::load(I64, ends.data.ptr.clone(), before));
            let block = this.code.close();
            this.code.when(chunk.clone().gt(0), block);
            this.code.store(I64, ends.data.ptr.clone(), chunk.clone(), Exp::Var(base).add(front));
            this.code.push(Stmt::Signal { ptr: flags.data.ptr.clone(), index: chunk });

            this.code.open();
            let (from, base, count) = (Exp::i64(0), base.into(), Exp::Var(front));
            let chosen = Chosen { from, to, base, total: count.clone(), count };
            this.place_chosen(choose, &own, &outs, &chosen);
            let block = this.code.close();
            this.code.when(single.not(), block);
        });
        let total = Exp::load(I64, ends.data.ptr, chunks.sub(1));
        (self.code.bind("count", total).into(), outs)
    }

    /// The one output or the other, which differ in where they are.
    fn either(&mut self, cond: &Exp, yes: &Out, no: &Out) -> Out {
        let (mut then, mut els) = (Vec::new(), Vec::new());
        let mut chosen = Vec::new();
        for (yes, no) in yes.slots().into_iter().zip(no.slots()) {
            let target = self.code.new_var("target", self.code.ty(&yes.ptr));
            then.push(Stmt::Set(target, yes.ptr));
            els.push(Stmt::Set(target, no.ptr));
            chosen.push(target.into());
        }
        self.code.if_(cond.clone(), then, els);
        let mut out = yes.clone();
        out.set_slots(chosen);
        out
    }

    fn choose_in_two(&mut self, choose: &Choose, width: &Exp, grid: &Grid) -> (Exp, Vec<Out>) {
        let sorted = self.chosen_outs(choose, width, false);
        let chunks = self.chunks(grid, width);
        let counts = self.new_array_named("counts", Prim::I64, std::slice::from_ref(&chunks), choose.name);
        let launch =
            |split| Launch { name: choose.name, width: width.clone(), chunks: chunks.clone(), split };
        let split = self.split(grid);
        let mut extra: Vec<Repr> = sorted.iter().flat_map(Out::reprs).collect();
        extra.push(Repr::Array(counts.clone()));
        self.launch(grid, launch(split.clone()), &extra, &mut |this, kernel, given| {
            let mut given = given.into_iter();
            let sorted: Vec<Out> = sorted.iter().map(|out| out.inside(&mut given)).collect();
            let Some(Repr::Array(counts)) = given.next() else {
                panic!("imp_gen: counts were handed to a kernel as something else")
            };
            let (from, to) = (kernel.from.into(), kernel.to.into());
            let front = this.code.bind("front", kernel.from);
            if choose.keep_rest {
                this.partition_range(choose, &sorted, &from, &to, front);
            } else {
                this.filter_range(choose, &sorted, &from, &to, front);
            }
            this.store(&counts, &[kernel.chunk.into()], Exp::Var(front).sub(from));
        });
        let total = self.code.bind("count", Exp::i64(0));
        let number = counts.data.ptr.clone();
        self.each(0, chunks.clone(), LoopForm::Plain, &mut |this, chunk| {
            let count = this.code.bind("own", Exp::load(I64, number.clone(), chunk.clone()));
            this.code.store(I64, number.clone(), chunk, total);
            this.code.set(total, Exp::Var(total).add(count));
        });
        let rows = if choose.keep_rest { width.clone() } else { total.into() };
        let outs = self.chosen_outs(choose, &rows, true);
        extra.extend(outs.iter().flat_map(Out::reprs));
        extra.extend([Repr::Scalar(total.into()), Repr::Scalar(chunks.clone())]);
        self.launch(grid, launch(split), &extra, &mut |this, kernel, given| {
            let mut given = given.into_iter();
            let sorted: Vec<Out> = sorted.iter().map(|out| out.inside(&mut given)).collect();
            let counts = given.next();
            let outs: Vec<Out> = outs.iter().map(|out| out.inside(&mut given)).collect();
            let (Some(Repr::Array(counts)), Some(Repr::Scalar(total)), Some(Repr::Scalar(chunks))) =
                (counts, given.next(), given.next())
            else {
                panic!("imp_gen: a partition was handed to a kernel as something else")
            };
            let [chunk, from, to] = [kernel.chunk, kernel.from, kernel.to].map(Exp::Var);
            let base = this.code.bind("base", Exp::load(I64, counts.data.ptr.clone(), chunk.clone()));
            let next = this.code.bind("next", total.clone());
            let following = Exp::load(I64, counts.data.ptr, chunk.clone().add(1));
            this.code.when(chunk.add(1).lt(chunks), vec![Stmt::Set(next, following)]);
            let count = this.code.bind("own", Exp::Var(next).sub(base)).into();
            let chosen = Chosen { from, to, base: base.into(), count, total };
            this.place_chosen(choose, &sorted, &outs, &chosen);
        });
        (total.into(), outs)
    }
}
