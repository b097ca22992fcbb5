//! Making kernels: what the code inside needs of the variables outside becomes parameters.

use super::repr::Repr;
use super::state::Gen;
use norn_ir::imp::build::{CodeBuilder, KernelVars};
use norn_ir::imp::{Exp, KernelId, Var as ImpVar};
use norn_ir::nest::{Body, Var};
use rustc_hash::FxHashMap;

/// The parameters of a kernel in the making: each variable outside that is needed has one inside.
struct Border {
    outside: Vec<ImpVar>,
    inside: Vec<ImpVar>,
    by_outside: FxHashMap<ImpVar, ImpVar>,
}

impl Border {
    /// The same value inside. Constants and nulls are themselves.
    fn cross(&mut self, exp: &mut Exp, outside: &CodeBuilder, inside: &mut CodeBuilder) {
        let Exp::Var(var) = *exp else { return };
        let param = *self.by_outside.entry(var).or_insert_with(|| {
            let param = inside.new_var(outside.name(var), outside.var_ty(var));
            self.outside.push(var);
            self.inside.push(param);
            param
        });
        *exp = Exp::Var(param);
    }
}

impl Gen<'_> {
    /// A kernel, made by `make`, which can use the captured variables (as many of them as have values) and
    /// gets the values of `extra` inside. Yields the arguments to launch it with. Inside, everything from outside is
    /// borrowed.
    pub fn make_kernel(
        &mut self,
        name: &str,
        captured: &[Var],
        extra: &[Repr],
        make: &mut dyn FnMut(&mut Self, KernelVars, Vec<Repr>),
    ) -> (KernelId, Vec<Exp>) {
        let mut inside = CodeBuilder::new();
        let kernel = inside.kernel_vars();
        let mut border = Border { outside: Vec::new(), inside: Vec::new(), by_outside: FxHashMap::default() };
        let (mut env, mut away) = (FxHashMap::default(), FxHashMap::default());
        for var in captured {
            if let Some(repr) = self.env.get(var) {
                let mut repr = borrowed(repr.clone());
                repr.for_each_exp_mut(&mut |exp| border.cross(exp, &self.code, &mut inside));
                env.insert(*var, repr);
            } else if let Some(array) = self.away.get(var) {
                let mut array = array.clone().borrowed();
                array.for_each_exp_mut(&mut |exp| border.cross(exp, &self.code, &mut inside));
                away.insert(*var, array);
            }
        }
        let mut given = Vec::with_capacity(extra.len());
        for repr in extra {
            let mut repr = borrowed(repr.clone());
            repr.for_each_exp_mut(&mut |exp| border.cross(exp, &self.code, &mut inside));
            given.push(repr);
        }
        let outer = (
            std::mem::replace(&mut self.code, inside),
            std::mem::replace(&mut self.env, env),
            std::mem::take(&mut self.owners),
            std::mem::take(&mut self.places),
            std::mem::take(&mut self.reserved),
            std::mem::replace(&mut self.away, away),
            std::mem::take(&mut self.offsets),
            std::mem::take(&mut self.from_zero),
            self.filters.take(),
        );
        self.owners.enter(&Body::default());
        self.inside_loops += 1;
        make(self, kernel, given);
        self.inside_loops -= 1;
        self.end_body();
        let code = std::mem::replace(&mut self.code, outer.0);
        self.env = outer.1;
        self.owners = outer.2;
        self.places = outer.3;
        self.reserved = outer.4;
        (self.away, self.offsets, self.from_zero, self.filters) = (outer.5, outer.6, outer.7, outer.8);
        let name = format!("{}_{name}", self.fun.name);
        let id = KernelId(self.out.kernels.len() as u32);
        self.out.kernels.push(code.finish_kernel(name, kernel, border.inside, self.span));
        (id, border.outside.into_iter().map(Exp::Var).collect())
    }
}

fn borrowed(repr: Repr) -> Repr {
    match repr {
        Repr::Array(array) => Repr::Array(array.borrowed()),
        Repr::Acc(mut acc) => {
            acc.dests = acc.dests.into_iter().map(|dest| dest.borrowed()).collect();
            Repr::Acc(acc)
        }
        other => other,
    }
}
