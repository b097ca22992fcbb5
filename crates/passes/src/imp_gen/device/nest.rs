//! Perfect nests: maps in maps, with an operator at the bottom.
//!
//! ```text
//! map n (xss) \xs { let ys = map m (xs) f  in ys }              one thread for each element of both dimensions
//! map n (xss) \xs { let s = reduce m (xs) op  in s }            one for each row, or a segmented reduction (`segments`)
//! ```
//!
//! Between the maps may stand what costs next to nothing: it is done again for every element.

use super::staged::reduction;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::operators::sweep::Sweep;
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use crate::imp_gen::views::At;
use crate::nest::mentions;
use norn_ir::imp::Exp;
use norn_ir::nest::{Atom, Body, ControlExp, Exp as NestExp, Lambda, Operator, Reduction, Stm, Var};

/// A map around the rest of a nest.
pub struct Level<'a> {
    pub width: Atom,
    pub inputs: &'a [Var],
    pub params: &'a [Var],
    /// What comes before the operator inside. Nothing if it is the innermost map.
    pub before: Body,
}

/// Maps whose widths are known outside, from the outside in, and what is at the bottom.
pub struct Nest<'a> {
    pub levels: Vec<Level<'a>>,
    pub bottom: &'a Lambda,
    /// The one operator that the bottom consists of, if it is a reduction of scalars, and what comes before it.
    pub reduction: Option<(Sweep<'a>, Body)>,
}

/// So many statements may be done again for every element.
const LITTLE: usize = 12;

impl<'g> Gen<'g> {
    /// The nest that a map is.
    pub fn nest<'a>(&self, width: Atom, inputs: &'a [Var], lambda: &'a Lambda) -> Nest<'a> {
        let mut levels = Vec::new();
        let (mut width, mut inputs, mut lambda) = (width, inputs, lambda);
        loop {
            let inner = only_operator(lambda).filter(|(before, _)| self.is_little(before));
            match inner.map(|(before, stm)| (before, &stm.exp)) {
                Some((before, NestExp::Op(Operator::Map { width: next, inputs: rows, lambda: inside })))
                    if self.is_outside(*next) =>
                {
                    let before = Body { stms: before.to_vec(), result: Vec::new() };
                    levels.push(Level { width, inputs, params: &lambda.params, before });
                    (width, inputs, lambda) = (*next, rows, inside);
                }
                _ => break,
            }
        }
        levels.push(Level { width, inputs, params: &lambda.params, before: Body::default() });
        Nest { levels, bottom: lambda, reduction: self.bottom_reduction(lambda) }
    }

    /// Whether a size is known where the nest begins.
    fn is_outside(&self, size: Atom) -> bool {
        match size {
            Atom::Const(_) => true,
            Atom::Var(var) => matches!(self.env.get(&var), Some(Repr::Scalar(_))),
        }
    }

    fn bottom_reduction<'a>(&self, lambda: &'a Lambda) -> Option<(Sweep<'a>, Body)> {
        let (stm, before) = lambda.body.stms.split_last()?;
        yielded(lambda, &stm.vars)?;
        if !self.is_little(before) {
            return None;
        }
        let sweep = reduction(stm)?;
        let scalars = |param: &Var| self.ty(*param).is_scalar();
        let plain = sweep
            .reductions
            .iter()
            .all(|op| op.lambda.params.iter().all(scalars) && self.is_same_for_all(op));
        (plain && !sweep.inputs.is_empty())
            .then(|| (sweep, Body { stms: before.to_vec(), result: Vec::new() }))
    }

    /// Whether an operator depends on nothing that is bound in the nest: it may then combine what several threads have.
    fn is_same_for_all(&self, op: &Reduction) -> bool {
        let mut used = Vec::new();
        mentions::in_reduction(&self.fun.vars, op, &mut used);
        used.iter().all(|var| self.env.contains_key(var))
    }

    /// Scalars and views, and not many.
    pub fn is_little(&self, stms: &[Stm]) -> bool {
        stms.len() <= LITTLE && stms.iter().all(|stm| is_cheap(&stm.exp))
    }

    /// One thread for each element of all levels.
    pub fn device_nest(&mut self, vars: &[Var], nest: &Nest, grid: &Grid) {
        let widths: Vec<Exp> = nest.levels.iter().map(|level| self.scalar(level.width)).collect();
        let outs = self.nest_outs(vars, &widths);
        self.launch_nest(nest, &widths, &outs, grid);
        for (var, out) in vars.iter().zip(outs) {
            self.bind(*var, Repr::Array(out));
        }
    }

    /// Arrays for the results.
    pub fn nest_outs(&mut self, vars: &[Var], widths: &[Exp]) -> Vec<Array> {
        let mut outs = Vec::with_capacity(vars.len());
        for var in vars {
            let ty = self.ty(*var);
            let prim = prim_of(ty.elem().expect("imp_gen: an output of no values"));
            let mut sizes = widths.to_vec();
            sizes.extend(self.sizes(&ty.dims()[widths.len()..]).into_iter().flatten());
            outs.push(self.new_array(*var, prim, &sizes, "map"));
        }
        outs
    }

    pub fn launch_nest(&mut self, nest: &Nest, widths: &[Exp], outs: &[Array], grid: &Grid) {
        self.in_layouts(nest, widths, outs, &mut |this, outs| this.launch_threads(nest, widths, outs, grid));
    }

    fn launch_threads(&mut self, nest: &Nest, widths: &[Exp], outs: &[Array], grid: &Grid) {
        let Some(staged) = self.staged(nest) else {
            return self.launch_elements(nest, widths, outs, grid);
        };
        let long = self.is_long(&staged);
        self.code.open();
        self.scoped(&mut |this| this.launch_staged(nest, &staged, widths, outs, grid));
        let by_tiles = self.code.close();
        self.code.open();
        self.scoped(&mut |this| this.launch_elements(nest, widths, outs, grid));
        let plain = self.code.close();
        self.code.if_(long, by_tiles, plain);
    }

    /// What each level has at its index is bound, and what stands between is done; then `make` gets the rows of the innermost.
    pub fn in_levels(
        &mut self,
        levels: &[Level],
        indices: &[Exp],
        make: &mut dyn FnMut(&mut Self, Vec<Repr>),
    ) {
        let [level, inner @ ..] = levels else { panic!("imp_gen: a nest without levels") };
        let rows = self.rows_at(level.inputs, &indices[0]);
        if inner.is_empty() {
            return make(self, rows);
        }
        for (param, row) in level.params.iter().zip(rows) {
            self.env.insert(*param, row);
        }
        self.begin_body(&level.before, &[]);
        self.in_levels(inner, &indices[1..], make);
        self.end_body();
    }

    pub fn bottom_element(&mut self, lambda: &Lambda, rows: Vec<Repr>, outs: &[Array], indices: &[Exp]) {
        let slice: Vec<At> = indices.iter().cloned().map(At::Fix).collect();
        let mut places = Vec::with_capacity(outs.len());
        for out in outs {
            places.push(match out.rank() > indices.len() {
                true => self.part_of(out, &slice).pop().map(array_inside).map(|row| lent(&row)),
                false => None,
            });
        }
        let results = &lambda.body.result;
        let wanted: Vec<(Atom, Option<Array>)> =
            results.iter().copied().zip(places.iter().cloned()).collect();
        self.apply(lambda, rows, &wanted, &mut |this| {
            for ((out, place), atom) in outs.iter().zip(&places).zip(results) {
                match place {
                    Some(place) => this.deliver(*atom, place),
                    None => {
                        let value = this.scalar(*atom);
                        this.store(out, indices, value);
                    }
                }
            }
        });
    }
}

/// Scalars and views, and what says that they are there.
pub fn is_cheap(exp: &NestExp) -> bool {
    exp.is_scalar_or_view() || matches!(exp, NestExp::Control(ControlExp::Check(_)))
}

/// What comes before the last statement, and that, if it is an operator and yields all that the lambda yields, each once and in order.
fn only_operator(lambda: &Lambda) -> Option<(&[Stm], &Stm)> {
    let (stm, before) = lambda.body.stms.split_last()?;
    let yields = lambda.body.result.iter().map(|atom| atom.var()).eq(stm.vars.iter().map(|var| Some(*var)));
    yields.then_some((before, stm))
}

/// Which of these variables a lambda yields, if it yields nothing else and each at most once.
pub fn yielded(lambda: &Lambda, vars: &[Var]) -> Option<Vec<usize>> {
    let mut places: Vec<usize> = Vec::with_capacity(lambda.body.result.len());
    for result in &lambda.body.result {
        let place = vars.iter().position(|var| Atom::Var(*var) == *result)?;
        if places.contains(&place) {
            return None;
        }
        places.push(place);
    }
    Some(places)
}

pub fn array_inside(given: Repr) -> Array {
    match given {
        Repr::Array(array) => array,
        Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert => {
            panic!("imp_gen: an array was handed to a kernel as something else")
        }
    }
}

fn lent(array: &Array) -> Array {
    crate::imp_gen::operators::accs::lent(array)
}
