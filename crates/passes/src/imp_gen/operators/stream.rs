//! Streams: a lambda of a whole chunk of the inputs.
//!
//! In a thread all of it is one chunk. In a grid each chunk of the launch is one, its arrays go straight into their part of
//! the outputs, and accumulators are combined in the order of chunks.

use super::accs::{AccHome, lent};
use super::launch::{Grid, Launch};
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use crate::imp_gen::views::At;
use norn_ir::imp::{Exp, LoopForm};
use norn_ir::nest::{Atom, Dim, Lambda, StreamForm, Var};

pub struct Stream<'a> {
    pub width: Atom,
    pub form: &'a StreamForm,
    pub inputs: &'a [Var],
    pub lambda: &'a Lambda,
    pub vars: &'a [Var],
}

const NAME: &str = "stream";

impl Stream<'_> {
    /// The operator that combines accumulators of chunks, if there is one.
    fn op(&self) -> Option<&Lambda> {
        match self.form {
            StreamForm::Reduce { any_order: _, op } => Some(op),
            StreamForm::Map { any_order: _ } | StreamForm::Seq { init: _ } => None,
        }
    }

    fn is_sequential(&self) -> bool {
        match self.form {
            StreamForm::Seq { init: _ } => true,
            StreamForm::Map { any_order: _ } | StreamForm::Reduce { any_order: _, op: _ } => false,
        }
    }
}

impl Gen<'_> {
    pub fn stream(&mut self, stream: &Stream, grid: Option<Grid>) {
        let accs = stream.op().map_or(0, |op| op.params.len() / 2);
        let varying = stream.op().is_some_and(|op| self.has_varying(op))
            || stream.vars[accs..].iter().any(|var| self.ty(*var).dims().contains(&Dim::Irregular));
        match grid {
            Some(grid) if !varying && !stream.is_sequential() => self.stream_in_grid(stream, accs, &grid),
            Some(_) | None => self.stream_in_thread(stream),
        }
    }

    fn stream_in_thread(&mut self, stream: &Stream) {
        let width = self.scalar(stream.width);
        let mut args = vec![Repr::Scalar(width)];
        if let StreamForm::Seq { init } = stream.form {
            args.extend(init.iter().map(|atom| self.value(*atom)));
        }
        args.extend(stream.inputs.iter().map(|input| Repr::Array(self.array(*input))));
        // Results are memory of their own, which those of the lambda need not be.
        let mut places: Vec<Option<Array>> = Vec::with_capacity(stream.vars.len());
        for var in stream.vars {
            let ty = self.ty(*var);
            // Sizes that are results too are not known yet.
            let known = ty.dims().iter().all(|dim| match dim.atom() {
                Some(Atom::Var(size)) => !stream.vars.contains(&size),
                Some(Atom::Const(_)) => true,
                None => false,
            });
            let place = (ty.is_array() && known).then(|| {
                let sizes: Vec<Exp> = self.sizes(ty.dims()).into_iter().flatten().collect();
                let prim = prim_of(ty.elem().expect("imp_gen: an array of no values"));
                self.new_array(*var, prim, &sizes, NAME)
            });
            places.push(place);
        }
        let results = &stream.lambda.body.result;
        let targets: Vec<(Atom, Option<Array>)> =
            results.iter().copied().zip(places.iter().map(|place| place.as_ref().map(lent))).collect();
        let mut others: Vec<Repr> = Vec::with_capacity(results.len());
        self.apply(stream.lambda, args, &targets, &mut |this| {
            for (result, place) in &targets {
                let value = match (place, this.value(*result)) {
                    (Some(place), value) => {
                        this.deliver(*result, place);
                        value
                    }
                    (None, Repr::Array(array)) => {
                        let copy = this.copy_array(NAME, &array, NAME);
                        Repr::Array(this.keep_array(copy))
                    }
                    (None, value) => value,
                };
                others.push(value);
            }
        });
        for ((var, place), other) in stream.vars.iter().zip(places).zip(others) {
            let value = match (place, other) {
                (Some(place), _) => Repr::Array(place),
                (None, Repr::Array(array)) => Repr::Array(self.own_array(array)),
                (None, other) => other,
            };
            self.bind(*var, value);
        }
    }

    fn stream_in_grid(&mut self, stream: &Stream, accs: usize, grid: &Grid) {
        let width = self.scalar(stream.width);
        let chunks = self.chunks(grid, &width);
        let partials = stream.op().map_or(Vec::new(), |op| self.new_partials(op, &chunks));
        let mut outs = Vec::with_capacity(stream.vars.len() - accs);
        for var in &stream.vars[accs..] {
            let ty = self.ty(*var);
            let sizes: Vec<Exp> = self.sizes(ty.dims()).into_iter().flatten().collect();
            let prim = prim_of(ty.elem().expect("imp_gen: an array of no values"));
            outs.push(self.new_array(*var, prim, &sizes, NAME));
        }
        let extra: Vec<Repr> = partials.iter().chain(&outs).cloned().map(Repr::Array).collect();
        let split = self.split(grid);
        let launch = Launch { name: NAME, width, chunks: chunks.clone(), split };
        self.launch(grid, launch, &extra, &mut |this, kernel, given| {
            let count = Exp::Var(kernel.to).sub(kernel.from);
            let count: Exp = this.code.bind("count", count).into();
            let slice = [At::Slice { start: kernel.from.into(), count: count.clone(), stride: Exp::i64(1) }];
            let mut args = vec![Repr::Scalar(count)];
            for input in stream.inputs {
                let array = this.array(*input);
                args.extend(this.part_of(&array, &slice).pop());
            }
            let mut targets: Vec<(Atom, Option<Array>)> = Vec::new();
            for (at, result) in stream.lambda.body.result.iter().enumerate() {
                let place = match given.get(at) {
                    Some(Repr::Array(out)) if at >= accs => match this.part_of(out, &slice).pop() {
                        Some(Repr::Array(part)) => Some(lent(&part)),
                        Some(Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => None,
                    },
                    Some(Repr::Array(partial)) if partial.rank() > 1 => {
                        Some(this.place_of_row(partial, kernel.chunk.into()))
                    }
                    Some(_) | None => None,
                };
                targets.push((*result, place));
            }
            this.apply(stream.lambda, args, &targets, &mut |this| {
                for ((result, place), given) in targets.iter().zip(&given) {
                    match (place, given) {
                        (Some(place), _) => this.deliver(*result, place),
                        (None, Repr::Array(partial)) => {
                            let value = this.value(*result);
                            this.store_row(partial, kernel.chunk.into(), &value);
                        }
                        (None, Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) => {
                            panic!("imp_gen: a stream was handed to a kernel as something else")
                        }
                    }
                }
            });
        });
        if let Some(op) = stream.op() {
            let vars = &stream.vars[..accs];
            let combined = self.new_accs(op, AccHome::Buffers(Some(vars)));
            let first = self.partial_at(&partials, &Exp::i64(0));
            self.set_accs(&combined, &first);
            self.each(1, chunks, LoopForm::Plain, &mut |this, chunk| {
                let values = this.partial_at(&partials, &chunk);
                this.combine(op, &combined, &values, &[]);
            });
            self.bind_accs(vars, combined);
        }
        for (var, out) in stream.vars[accs..].iter().zip(outs) {
            self.bind(*var, Repr::Array(out));
        }
    }
}
