//! Sizes that checks have found to be equal.
//!
//! ```text
//! let ok: cert = check size n m
//! let ys: [n]f64 = <ok> map n (is) \(i) { .. xs[i] .. }        xs: [m]f64; the map goes through all of xs
//! ```
//!
//! What is differentiated is a function, so that its arrays have sizes with names of their own, and checks that compare these with those around. Where it matters for an adjoint that a map is as wide
//! as an array is long, such a check is as good as the same name, as far out as it stands.

use super::Reverse;
use norn_ir::nest::{Atom, Check, Dim, Exp, Stm, Type, Var};

/// Two new sizes are equal, by this check.
pub struct Equal {
    cert: Var,
    sizes: [Atom; 2],
}

impl Reverse<'_, '_> {
    /// What a check that has been written again says.
    pub(super) fn note_check(&mut self, stm: &Stm, check: &Check) {
        if let Check::Size { expected, found } = check {
            let sizes = [self.w.atom(*expected), self.w.atom(*found)];
            if sizes[0] != sizes[1] {
                self.equal_sizes.push(Equal { cert: self.w.var(stm.vars[0]), sizes });
            }
        }
    }

    /// The checks by which two sizes are equal that stand outside of so many bodies; none if it is the same size.
    fn equality(&self, a: Atom, b: Atom, inner: usize) -> Option<Vec<Var>> {
        let mut found: Vec<(Atom, Vec<Var>)> = vec![(a, Vec::new())];
        let mut at = 0;
        while at < found.len() {
            let (size, certs) = found[at].clone();
            if size == b {
                return Some(certs);
            }
            for Equal { cert, sizes: [x, y] } in &self.equal_sizes {
                let next = if *x == size { *y } else { *x };
                let is_new = !found.iter().any(|(other, _)| *other == next);
                if (*x == size || *y == size) && is_new && self.w.b.is_visible(*cert, inner) {
                    found.push((next, certs.iter().chain([cert]).copied().collect()));
                }
            }
            at += 1;
        }
        None
    }

    /// Whether a dimension is known to have this size outside of the body that is open.
    pub(super) fn has_size(&self, dim: Dim, size: Atom) -> bool {
        dim.atom().is_some_and(|dim| self.equality(dim, size, 1).is_some())
    }

    /// An array under a type with the same sizes, by other names.
    pub(super) fn by_names_of(&mut self, array: Var, ty: &Type) -> Var {
        let own = self.w.b.ty(array).clone();
        if own == *ty {
            return array;
        }
        for (a, b) in own.dims().iter().zip(ty.dims()) {
            if let (Dim::Size(a), Dim::Size(b)) = (a, b) {
                let certs = self.equality(*a, *b, 0).unwrap_or_default();
                certs.into_iter().for_each(|cert| self.w.b.rely(cert));
            }
        }
        self.w.emit("adjoint", ty.clone(), Exp::coerce(array, ty.dims().to_vec()))
    }
}
