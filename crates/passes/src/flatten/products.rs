//! Rows that are multiplied with rows, as those of matrices are, inside of what one thread could do: taken apart, the products are done in tiles
//! (`imp_gen/device/tile`), each of whose elements is read once for many; a thread would read both rows for each product.
//!
//! ```text
//! map m (xs) \(x) {                                      let products = map m (xs) \(x) { map k (ys) \(y) { dot x y } }
//!   reduce k (map (ys) \(y) { dot x y }) least    ==>    map m (products) \(row) { reduce k row least }
//! }
//! ```
//!
//! That pays for long rows, and where there is memory for all products.

use super::Distributor;
use super::context::Context;
use super::versions::LITTLE_AROUND;
use crate::nest::mentions::bound_inside;
use crate::schedule::emit::Emit;
use norn_ir::nest::{Atom, BinOp, Exp, Operator, Stm, Var};
use std::collections::HashSet;

/// Shorter rows are in registers, as those of points in space are.
const LONG_ROW: i64 = 32;
/// So many products are kept at most.
const ROOM: i64 = 1 << 29;

/// How long rows are that are multiplied, and with how many.
#[derive(PartialEq, Eq)]
pub(super) struct Products {
    length: Atom,
    count: Atom,
    /// Whether these are the elements of the operator itself.
    are_own: bool,
}

impl Distributor<'_, '_> {
    /// Those in a statement of a nest: it multiplies rows of the maps around with its own and does not keep them, or an operator in its lambda multiplies rows that are
    /// computed there.
    pub(super) fn products(&self, cx: &Context, stm: &Stm) -> Vec<Products> {
        let bound = bound_inside(stm);
        let is_around = |input: Var| !bound.contains(&input) && !cx.is_outside(input.into());
        let mut own = match &stm.exp {
            // That is done in tiles as it is.
            Exp::Op(Operator::Map { .. }) => Vec::new(),
            _ => self.products_of(cx, stm, &bound, &is_around),
        };
        own.iter_mut().for_each(|products| products.are_own = true);
        let Some(lambda) = stm.exp.op().and_then(|op| op.lambda()) else { return own };
        let inner = lambda.body.stms.iter().flat_map(|inner| {
            let inside = bound_inside(inner);
            self.products_of(cx, inner, &bound, &|input| bound.contains(&input) && !inside.contains(&input))
        });
        let mut all: Vec<Products> = own.into_iter().chain(inner).collect();
        all.dedup();
        all
    }

    /// Each element of an operator over an array of rows that are the same for all reduces one of these with a row around.
    fn products_of(
        &self,
        cx: &Context,
        stm: &Stm,
        bound: &HashSet<Var>,
        is_around: &dyn Fn(Var) -> bool,
    ) -> Vec<Products> {
        let Some(operator) = stm.exp.op() else { return Vec::new() };
        let Some(lambda) = operator.lambda() else { return Vec::new() };
        let is_fixed = |atom: Atom| cx.is_outside(atom) && atom.var().is_none_or(|var| !bound.contains(&var));
        let inputs = operator.inputs();
        if !is_fixed(operator.width()) || !inputs.iter().all(|input| is_fixed((*input).into())) {
            return Vec::new();
        }
        let inside = bound_inside(stm);
        let is_own = |input: Var| lambda.params.contains(&input);
        let length =
            |stm: &Stm| self.multiplied(stm, &inside, &is_own, is_around).filter(|width| is_fixed(*width));
        let lengths = lambda.body.stms.iter().filter_map(length);
        lengths.map(|length| Products { length, count: operator.width(), are_own: false }).collect()
    }

    /// How long the rows are of which a statement multiplies one of its own map with one around.
    fn multiplied(
        &self,
        stm: &Stm,
        bound: &HashSet<Var>,
        is_own: &dyn Fn(Var) -> bool,
        is_around: &dyn Fn(Var) -> bool,
    ) -> Option<Atom> {
        let inputs = stm.exp.op()?.inputs();
        let multiplies =
            inputs.iter().any(|input| is_own(*input)) && inputs.iter().any(|input| is_around(*input));
        self.reduced_width(stm, bound).filter(|_| multiplies)
    }

    /// Whether rows of the maps around are multiplied with rows of this one, and there is more to do than what a tile's results are for at once: several products, or
    /// much behind one.
    pub(super) fn multiplies_and_more(&self, cx: &Context, stm: &Stm) -> bool {
        let Exp::Op(Operator::Map { lambda, .. }) = &stm.exp else { return false };
        let bound = bound_inside(stm);
        let is_own = |input: Var| bound.contains(&input);
        let is_around = |input: Var| !bound.contains(&input) && !cx.is_outside(input.into());
        let is_fixed = |atom: Atom| cx.is_outside(atom) && atom.var().is_none_or(|var| !bound.contains(&var));
        let multiplies = |stm: &Stm| self.multiplied(stm, &bound, &is_own, &is_around).is_some_and(is_fixed);
        let stms = &lambda.body.stms;
        let Some(first) = stms.iter().position(|stm| self.worth.in_stm(stm)) else { return false };
        let mut wide = stms.iter().filter(|stm| self.worth.in_stm(stm));
        let more = wide.clone().count() > 1 || stms.len() - first - 1 > LITTLE_AROUND;
        more && wide.all(multiplies)
    }

    /// Whether nothing is gained by tiles for these, if there are so many elements.
    pub(super) fn without_tiles(emit: &mut Emit, elements: Atom, products: &[Products]) -> Option<Atom> {
        let mut all = None;
        for Products { length, count, are_own } in products {
            let short = emit.at_most("short", *length, Atom::i64(LONG_ROW - 1));
            let few = emit.at_most("few", *count, Atom::i64(LONG_ROW - 1));
            let product = match are_own {
                true => elements,
                false => emit.bin(BinOp::Mul, "products", elements, *count),
            };
            let many = emit.at_most("many", Atom::i64(ROOM), product);
            let test = emit.or("short", short, few);
            let test = emit.or("without", test, many);
            all = Some(all.map_or(test, |all| emit.and("without", all, test)));
        }
        all
    }
}
