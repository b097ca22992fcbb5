//! Parts of arrays, and by what the index in each dimension is known to move.

use norn_ir::nest::Var;

/// What an index depends on, in a kernel.
#[derive(Clone, Copy, Default)]
pub struct Moves {
    /// On the dimension by which neighbouring threads differ.
    pub along: bool,
    /// Through what is loaded from memory: neighbours may be anywhere.
    pub loaded: bool,
}

impl Moves {
    pub fn and(self, other: Moves) -> Moves {
        Moves { along: self.along | other.along, loaded: self.loaded | other.loaded }
    }
}

/// A part of an array: where it begins in each dimension, and the dimensions that are left, in the order of the view.
#[derive(Clone)]
pub struct View {
    pub array: Var,
    pub at: Vec<Moves>,
    pub left: Vec<usize>,
}

impl View {
    pub fn whole(array: Var, rank: usize) -> View {
        View { array, at: vec![Moves::default(); rank], left: (0..rank).collect() }
    }

    /// At these indices, or from them on, whichever `is_fixed` says for each.
    pub fn at(&self, indices: impl Iterator<Item = (Moves, bool)>) -> View {
        let mut view = self.clone();
        let mut fixed = Vec::new();
        for (dim, (moves, is_fixed)) in self.left.iter().zip(indices) {
            view.at[*dim] = view.at[*dim].and(moves);
            fixed.extend(is_fixed.then_some(*dim));
        }
        view.left.retain(|dim| !fixed.contains(dim));
        view
    }

    pub fn rearranged(&self, perm: &[usize]) -> View {
        let mut view = self.clone();
        perm.iter().enumerate().for_each(|(to, from)| view.left[to] = self.left[*from]);
        view
    }
}
