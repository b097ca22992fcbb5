//! Variables: making them, finding them, and what they cost.

use super::{COST, Facts, Gen, SPAN};
use crate::nestfuzz::inputs::MAX_SIZE;
use norn_ir::nest::{Atom, Body, Dim, Elem, Exp, Prim, Type, Var};

impl Gen {
    /// A new variable in memory of its own.
    pub(super) fn var(&mut self, name: &str, ty: Type, facts: Facts) -> Var {
        let var = self.b.new_var(name, ty);
        let roots = if facts.roots.is_empty() { [var].into() } else { facts.roots.clone() };
        self.facts.push(Facts { roots, ..facts });
        var
    }

    pub(super) fn size_var(&mut self, name: &str, max: u64) -> Var {
        self.var(name, Type::i64(), Facts { size: Some(max), ..Facts::default() })
    }

    /// Binds variables that exist, and brings them into scope.
    pub(super) fn bind(&mut self, vars: &[Var], exp: Exp) {
        self.spend(vars);
        self.mark_used(&exp);
        self.b.bind(vars.to_vec(), exp, SPAN);
        self.scope.extend_from_slice(vars);
    }

    fn spend(&mut self, vars: &[Var]) {
        let volume: u64 = vars.iter().map(|var| self.volume(&self.ty(*var), self.facts(*var).longest)).sum();
        self.cost = self.cost.saturating_add(self.times.saturating_mul(volume.max(1)));
    }

    pub(super) fn emit(&mut self, name: &str, ty: Type, exp: Exp) -> Var {
        self.emit_with(name, ty, Facts { longest: MAX_SIZE, ..Facts::default() }, exp)
    }

    pub(super) fn emit_with(&mut self, name: &str, ty: Type, facts: Facts, exp: Exp) -> Var {
        let var = self.var(name, ty, facts);
        self.bind(&[var], exp);
        var
    }

    pub(super) fn facts(&self, var: Var) -> &Facts {
        &self.facts[var.0 as usize]
    }

    // # Costs

    pub(super) fn bound(&self, atom: Atom) -> u64 {
        match atom {
            Atom::Var(var) => self.facts(var).size.unwrap_or(u64::MAX),
            Atom::Const(scalar) => scalar.bits(),
        }
    }

    /// How many elements a value has, at most.
    pub(super) fn volume(&self, ty: &Type, longest: u64) -> u64 {
        ty.dims().iter().fold(1, |volume: u64, dim| {
            volume.saturating_mul(match dim {
                Dim::Size(atom) => self.bound(*atom),
                Dim::Irregular | Dim::Result(_) => longest,
            })
        })
    }

    /// Whether so much can still be done here.
    pub(super) fn affords(&self, work: u64) -> bool {
        self.cost.saturating_add(self.times.saturating_mul(work)) < COST
    }

    /// What `make` makes is done so often.
    pub(super) fn repeated<T>(&mut self, times: u64, make: impl FnOnce(&mut Gen) -> T) -> T {
        let before = self.times;
        self.times = before.saturating_mul(times.max(1));
        self.depth += 1;
        let made = make(self);
        self.depth -= 1;
        self.times = before;
        made
    }

    // # Bodies

    /// A body, and the results that `make` says.
    pub(super) fn body(&mut self, make: impl FnOnce(&mut Gen) -> Vec<Atom>) -> Body {
        self.b.begin_body();
        let mark = self.scope.len();
        let results = make(self);
        self.scope.truncate(mark);
        self.b.end_body(results)
    }

    // # Finding variables

    /// The variables that can be used and satisfy a predicate.
    pub(super) fn all(&self, fits: impl Fn(&Type, &Facts) -> bool) -> Vec<Var> {
        let usable = self.scope.iter().copied().filter(|var| self.is_alive(*var));
        usable.filter(|var| fits(self.b.ty(*var), self.facts(*var))).collect()
    }

    pub(super) fn some(&mut self, fits: impl Fn(&Type, &Facts) -> bool) -> Option<Var> {
        let all = self.all(fits);
        // Later ones are the more interesting.
        if all.len() > 4 && !self.one_in(3) {
            let late = all.len() - 4;
            return self.pick(&all[late..]);
        }
        self.pick(&all)
    }

    pub(super) fn some_of(&mut self, ty: &Type) -> Option<Var> {
        self.some(|found, _| found == ty)
    }

    /// An array of primitive values.
    pub(super) fn some_array(&mut self) -> Option<Var> {
        self.some(|ty, _| is_array(ty))
    }

    /// A size that is known to be small and not negative.
    pub(super) fn size(&mut self) -> Atom {
        match self.some(|_, facts| facts.size.is_some()) {
            Some(var) if !self.one_in(4) => var.into(),
            Some(_) | None => Atom::i64(self.rng.below(4) as i64),
        }
    }

    /// An atom of a primitive type, often one that is there.
    pub(super) fn scalar(&mut self, prim: Prim) -> Atom {
        match self.some_of(&Type::scalar(prim)) {
            Some(var) if !self.one_in(5) => var.into(),
            Some(_) | None => self.constant(prim),
        }
    }

    /// A primitive type, often one of which there are values.
    pub(super) fn prim(&mut self) -> Prim {
        if !self.one_in(3)
            && let Some(prim) = self.some(|ty, _| ty.prim().is_some()).and_then(|var| self.b.ty(var).prim())
        {
            return prim;
        }
        const LIKELY: [Prim; 4] = [Prim::I32, Prim::I64, Prim::F32, Prim::Bool];
        if self.one_in(2) { LIKELY[self.rng.below(4)] } else { Prim::ALL[self.rng.below(Prim::ALL.len())] }
    }

    pub(super) fn int(&mut self) -> Prim {
        let all: Vec<Prim> = Prim::ALL.into_iter().filter(|prim| prim.is_int()).collect();
        if self.one_in(2) { Prim::I64 } else { all[self.rng.below(all.len())] }
    }
}

/// An array whose elements are primitive.
pub(super) fn is_array(ty: &Type) -> bool {
    matches!(ty, Type::Value(Elem::Prim(_), dims) if !dims.is_empty())
}

/// An array without `?`.
pub(super) fn is_regular(ty: &Type) -> bool {
    is_array(ty) && !ty.dims().contains(&Dim::Irregular)
}

/// The outermost dimension.
pub(super) fn width(ty: &Type) -> Atom {
    ty.dims().first().and_then(|dim| dim.atom()).unwrap_or(Atom::i64(0))
}

pub(super) fn prim_of(ty: &Type) -> Prim {
    ty.elem().and_then(Elem::prim).expect("a value of a primitive type")
}
