//! Shapes. Most arrays have few dimensions, and a row is cut out of an array all the time: few
//! dimensions are kept in place, without an allocation.

use std::fmt;
use std::ops::Deref;

const FEW: usize = 3;

#[derive(Clone)]
pub enum Dims {
    Few(u8, [usize; FEW]),
    Many(Box<[usize]>),
}

impl Dims {
    pub fn one(dim: usize) -> Dims {
        Dims::Few(1, [dim, 0, 0])
    }

    /// These dimensions, then those.
    pub fn join(outer: &[usize], inner: &[usize]) -> Dims {
        outer.iter().chain(inner).copied().collect()
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        product(self)
    }
}

/// One 0 makes it 0; what no array can have becomes the largest number.
pub fn product(dims: &[usize]) -> usize {
    match dims {
        [] => 1,
        [dim] => *dim,
        [outer, inner] => outer.saturating_mul(*inner),
        many if many.contains(&0) => 0,
        many => many.iter().fold(1, |count: usize, dim| count.saturating_mul(*dim)),
    }
}

impl Deref for Dims {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        match self {
            Dims::Few(rank, dims) => &dims[..*rank as usize],
            Dims::Many(dims) => dims,
        }
    }
}

impl From<&[usize]> for Dims {
    fn from(dims: &[usize]) -> Dims {
        if dims.len() > FEW {
            return Dims::Many(dims.into());
        }
        let mut few = [0; FEW];
        few[..dims.len()].copy_from_slice(dims);
        Dims::Few(dims.len() as u8, few)
    }
}

impl FromIterator<usize> for Dims {
    fn from_iter<I: IntoIterator<Item = usize>>(dims: I) -> Dims {
        let (mut few, mut rank) = ([0; FEW], 0);
        let mut dims = dims.into_iter();
        while let Some(dim) = dims.next() {
            if rank == FEW {
                let many: Vec<usize> = few.into_iter().chain([dim]).chain(dims).collect();
                return Dims::Many(many.into());
            }
            few[rank] = dim;
            rank += 1;
        }
        Dims::Few(rank as u8, few)
    }
}

impl PartialEq for Dims {
    fn eq(&self, other: &Dims) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// As a type has them: `[3][4]`.
impl fmt::Display for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|dim| write!(f, "[{dim}]"))
    }
}
