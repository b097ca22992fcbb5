//! The elements of a value: one vector of one primitive type.
//!
//! [`Data`] is the closed sum of the twelve vectors; [`Element`] goes from a Rust type to its vector
//! and back. Code that is the same for every type is written once, generically, and reached through
//! the macros `on_data!` (from data at hand) and `on_prim!` (from a type alone).

use half::f16;
use norn_base::Prim;
use std::fmt;
use std::ops::Range;

/// Elements of one primitive type, in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub enum Data {
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    F16(Vec<f16>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    Bool(Vec<bool>),
}

/// Evaluates `$body` with `$elements` bound to the vector in `$data`, whatever its type.
macro_rules! on_data {
    ($data:expr, $elements:ident => $body:expr) => {
        match $data {
            $crate::data::Data::I8($elements) => $body,
            $crate::data::Data::I16($elements) => $body,
            $crate::data::Data::I32($elements) => $body,
            $crate::data::Data::I64($elements) => $body,
            $crate::data::Data::U8($elements) => $body,
            $crate::data::Data::U16($elements) => $body,
            $crate::data::Data::U32($elements) => $body,
            $crate::data::Data::U64($elements) => $body,
            $crate::data::Data::F16($elements) => $body,
            $crate::data::Data::F32($elements) => $body,
            $crate::data::Data::F64($elements) => $body,
            $crate::data::Data::Bool($elements) => $body,
        }
    };
}
pub(crate) use on_data;

/// Evaluates `$body` with `$T` naming the Rust type of the primitive type `$prim`.
macro_rules! on_prim {
    ($prim:expr, $T:ident => $body:expr) => {
        on_prim!(@arms $prim, $T, $body,
            I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64,
            F16 half::f16, F32 f32, F64 f64, Bool bool)
    };
    (@arms $prim:expr, $T:ident, $body:expr, $($variant:ident $ty:ty),*) => {
        match $prim {
            $(norn_base::Prim::$variant => {
                type $T = $ty;
                $body
            })*
        }
    };
}
pub(crate) use on_prim;

impl Data {
    /// No elements, of the given type.
    pub fn empty(prim: Prim) -> Data {
        on_prim!(prim, T => T::into_data(Vec::new()))
    }

    pub fn prim(&self) -> Prim {
        fn prim_of<T: Element>(_: &[T]) -> Prim {
            T::PRIM
        }
        on_data!(self, elements => prim_of(elements))
    }

    pub fn len(&self) -> usize {
        on_data!(self, elements => elements.len())
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the elements of another, which must be of the same type: otherwise nothing is done, and the answer is no.
    pub fn append(&mut self, other: Data) -> bool {
        fn append<T: Element>(elements: &mut Vec<T>, other: &Data) -> bool {
            let Some(more) = T::slice(other) else { return false };
            elements.extend_from_slice(more);
            true
        }
        on_data!(self, elements => append(elements, &other))
    }

    /// Appends a range of the elements of another, which must be of the same type and have them: otherwise nothing is done, and the
    /// answer is no.
    pub fn append_range(&mut self, other: &Data, range: Range<usize>) -> bool {
        fn append<T: Element>(elements: &mut Vec<T>, other: &Data, range: Range<usize>) -> bool {
            let Some(more) = T::slice(other).and_then(|other| other.get(range)) else { return false };
            elements.extend_from_slice(more);
            true
        }
        on_data!(self, elements => append(elements, other, range))
    }

    /// Appends zeros.
    pub fn append_zeros(&mut self, count: usize) {
        on_data!(self, elements => elements.resize(elements.len() + count, Default::default()))
    }

    /// The element at `index` alone.
    pub(crate) fn get(&self, index: usize) -> Option<Data> {
        on_data!(self, elements => elements.get(index).map(|&x| Element::into_data(vec![x])))
    }

    /// Whether both hold the same bits. Unlike `==`, a NaN is itself and 0.0 is not -0.0.
    pub fn is_identical(&self, other: &Data) -> bool {
        fn identical<T: Element>(these: &[T], others: &Data) -> bool {
            T::slice(others).is_some_and(|others| {
                these.len() == others.len() && these.iter().zip(others).all(|(a, b)| a.same_bits(*b))
            })
        }
        on_data!(self, elements => identical(elements, other))
    }
}

/// A Rust type that stands for a primitive type. There are twelve, and no others can be added.
pub trait Element: Copy + PartialEq + fmt::Debug + Send + Sync + private::Sealed + 'static {
    const PRIM: Prim;

    fn into_data(elements: Vec<Self>) -> Data;

    /// The elements, where they are of this type.
    fn from_data(data: Data) -> Option<Vec<Self>>;

    /// The elements, where they are of this type.
    fn slice(data: &Data) -> Option<&[Self]>;

    /// The elements, where they are of this type.
    fn slice_mut(data: &mut Data) -> Option<&mut [Self]>;

    /// Whether both have the same bits.
    fn same_bits(self, other: Self) -> bool;
}

mod private {
    pub trait Sealed {}
}

macro_rules! element {
    ($($ty:ty, $variant:ident, |$x:ident| $bits:expr;)*) => {$(
        impl private::Sealed for $ty {}

        impl Element for $ty {
            const PRIM: Prim = Prim::$variant;

            fn into_data(elements: Vec<$ty>) -> Data {
                Data::$variant(elements)
            }

            fn from_data(data: Data) -> Option<Vec<$ty>> {
                if let Data::$variant(elements) = data { Some(elements) } else { None }
            }

            fn slice(data: &Data) -> Option<&[$ty]> {
                if let Data::$variant(elements) = data { Some(elements) } else { None }
            }

            fn slice_mut(data: &mut Data) -> Option<&mut [$ty]> {
                if let Data::$variant(elements) = data { Some(elements) } else { None }
            }

            fn same_bits(self, other: $ty) -> bool {
                let bits = |$x: $ty| $bits;
                bits(self) == bits(other)
            }
        }
    )*};
}

element! {
    i8, I8, |x| x;
    i16, I16, |x| x;
    i32, I32, |x| x;
    i64, I64, |x| x;
    u8, U8, |x| x;
    u16, U16, |x| x;
    u32, U32, |x| x;
    u64, U64, |x| x;
    f16, F16, |x| x.to_bits();
    f32, F32, |x| x.to_bits();
    f64, F64, |x| x.to_bits();
    bool, Bool, |x| x;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_its_vector() {
        for prim in Prim::ALL {
            let data = Data::empty(prim);
            assert_eq!(data.prim(), prim);
            assert!(data.is_empty());
            assert_eq!(data.get(0), None);
        }
    }

    #[test]
    fn a_vector_is_seen_at_its_own_type_only() {
        let mut data = Data::I32(vec![1, 2]);
        assert_eq!(i32::slice(&data), Some(&[1, 2][..]));
        assert_eq!(u32::slice(&data), None);
        i32::slice_mut(&mut data).unwrap()[0] = 7;
        assert_eq!(data.get(0), Some(Data::I32(vec![7])));
        assert_eq!(f32::from_data(data.clone()), None);
        assert_eq!(i32::from_data(data), Some(vec![7, 2]));
    }

    #[test]
    fn identity_is_that_of_bits() {
        let nan = Data::F64(vec![f64::NAN]);
        assert!(nan != nan.clone() && nan.is_identical(&nan));
        let (zero, minus_zero) = (Data::F64(vec![0.0]), Data::F64(vec![-0.0]));
        assert!(zero == minus_zero && !zero.is_identical(&minus_zero));
        assert!(!zero.is_identical(&Data::F64(vec![])));
        assert!(!zero.is_identical(&Data::F32(vec![0.0])));
    }
}
