//! Integers to other numeric types: what a script does with the constants it passes on.

use crate::data::{Data, Element, on_prim};
use crate::value::Value;
use half::f16;
use norn_base::Prim;

impl Value {
    /// The same numbers as elements of another numeric type: an integer keeps its low bits, a float
    /// is the nearest. Only integers have such a conversion that loses nothing unexpected; for all
    /// else there is none.
    pub fn convert_integers(&self, to: Prim) -> Option<Value> {
        fn widen<T: Element + Into<i128>>(elements: &[T]) -> Vec<i128> {
            elements.iter().map(|&x| x.into()).collect()
        }
        let wide = match self.data() {
            Data::I8(elements) => widen(elements),
            Data::I16(elements) => widen(elements),
            Data::I32(elements) => widen(elements),
            Data::I64(elements) => widen(elements),
            Data::U8(elements) => widen(elements),
            Data::U16(elements) => widen(elements),
            Data::U32(elements) => widen(elements),
            Data::U64(elements) => widen(elements),
            Data::F16(_) | Data::F32(_) | Data::F64(_) | Data::Bool(_) => return None,
        };
        let data = on_prim!(to, T => T::into_data(wide.into_iter().map(T::narrow).collect::<Option<_>>()?));
        Value::new(self.shape().to_vec(), data).ok()
    }
}

trait Narrow: Element {
    fn narrow(wide: i128) -> Option<Self>;
}

macro_rules! narrow {
    ($($ty:ty)*) => {$(
        impl Narrow for $ty {
            fn narrow(wide: i128) -> Option<$ty> {
                Some(wide as $ty)
            }
        }
    )*};
}

narrow! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

impl Narrow for f16 {
    fn narrow(wide: i128) -> Option<f16> {
        Some(norn_base::prim::f16_from_f64(wide as f64))
    }
}

impl Narrow for bool {
    fn narrow(_: i128) -> Option<bool> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_become_any_number() {
        let numbers = Value::vector(vec![-1i32, 300]);
        assert_eq!(numbers.convert_integers(Prim::I64), Some(Value::vector(vec![-1i64, 300])));
        assert_eq!(numbers.convert_integers(Prim::U8), Some(Value::vector(vec![255u8, 44])));
        assert_eq!(numbers.convert_integers(Prim::F32), Some(Value::vector(vec![-1f32, 300.0])));
        let half = [-1.0, 300.0].map(f16::from_f32).to_vec();
        assert_eq!(numbers.convert_integers(Prim::F16), Some(Value::vector(half)));
        assert_eq!(Value::scalar(u64::MAX).convert_integers(Prim::F64), Some(Value::scalar(u64::MAX as f64)));
    }

    #[test]
    fn nothing_else_is_converted() {
        assert_eq!(Value::scalar(1.5f32).convert_integers(Prim::F64), None);
        assert_eq!(Value::scalar(true).convert_integers(Prim::I32), None);
        assert_eq!(Value::scalar(1).convert_integers(Prim::Bool), None);
    }
}
