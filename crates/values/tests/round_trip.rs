//! What is written reads back to the same bits, in every format.

use norn_values::binary::{read_binary, write_binary};
use norn_values::npy::{read_npy, write_npy};
use norn_values::npz::{Compression, read_npz, write_npz};
use norn_values::{Data, Element, Value, f16, read_value, read_values};
use proptest::prelude::*;

/// Shapes of up to four dimensions and a few hundred elements.
fn shapes() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![prop::collection::vec(0usize..5, 0..5), (0usize..200).prop_map(|length| vec![length])]
}

fn values_of<T: Element>(elements: impl Strategy<Value = T> + Clone) -> impl Strategy<Value = Value> {
    shapes().prop_flat_map(move |shape| {
        let count = shape.iter().product::<usize>();
        prop::collection::vec(elements.clone(), count)
            .prop_map(move |elements| Value::array(shape.clone(), elements).unwrap())
    })
}

/// Values of every type. Floats are of any bits, so that all exponents are met.
fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        values_of(any::<i8>()),
        values_of(any::<i16>()),
        values_of(any::<i32>()),
        values_of(any::<i64>()),
        values_of(any::<u8>()),
        values_of(any::<u16>()),
        values_of(any::<u32>()),
        values_of(any::<u64>()),
        values_of(any::<u16>().prop_map(f16::from_bits)),
        values_of(any::<u32>().prop_map(f32::from_bits)),
        values_of(any::<u64>().prop_map(f64::from_bits)),
        values_of(any::<bool>()),
    ]
}

/// The value as text can hold it: with one NaN per type.
fn with_plain_nans(value: &Value) -> Value {
    let (shape, data) = value.clone().into_parts();
    let data = match data {
        Data::F16(xs) => Data::F16(xs.into_iter().map(|x| if x.is_nan() { f16::NAN } else { x }).collect()),
        Data::F32(xs) => Data::F32(xs.into_iter().map(|x| if x.is_nan() { f32::NAN } else { x }).collect()),
        Data::F64(xs) => Data::F64(xs.into_iter().map(|x| if x.is_nan() { f64::NAN } else { x }).collect()),
        data => data,
    };
    Value::new(shape, data).unwrap()
}

proptest! {
    #[test]
    fn text(value in values()) {
        let text = value.to_string();
        let expected = with_plain_nans(&value);
        prop_assert!(read_value(text.as_bytes(), None).unwrap().is_identical(&expected), "{}", text);
        let typed = read_value(text.as_bytes(), Some(&value.unsized_type())).unwrap();
        prop_assert!(typed.is_identical(&expected), "{}", text);
    }

    #[test]
    fn binary(value in values()) {
        let mut bytes = Vec::new();
        write_binary(&value, &mut bytes);
        let (read, length) = read_binary(&bytes).unwrap();
        prop_assert!(read.is_identical(&value));
        prop_assert_eq!(length, bytes.len());
    }

    #[test]
    fn streams(values in prop::collection::vec((values(), any::<bool>()), 0..5)) {
        let mut bytes = Vec::new();
        for (value, is_binary) in &values {
            if *is_binary {
                write_binary(value, &mut bytes);
            } else {
                bytes.extend(format!("{value}\n").bytes());
            }
        }
        let read = read_values(&bytes).unwrap();
        prop_assert_eq!(read.len(), values.len());
        for (read, (value, is_binary)) in read.iter().zip(&values) {
            let expected = if *is_binary { value.clone() } else { with_plain_nans(value) };
            prop_assert!(read.is_identical(&expected));
        }
    }

    #[test]
    fn npy(value in values()) {
        let mut bytes = Vec::new();
        write_npy(&value, &mut bytes);
        prop_assert!(read_npy(&bytes).unwrap().is_identical(&value));
    }

    #[test]
    fn npz(values in prop::collection::vec(values(), 0..4), is_deflated in any::<bool>()) {
        let compression = if is_deflated { Compression::Deflated } else { Compression::Stored };
        let names: Vec<String> = (0..values.len()).map(|i| format!("x{i}")).collect();
        let members = names.iter().map(String::as_str).zip(&values);
        let archive = write_npz(members, compression).unwrap();
        let read = read_npz(&archive, usize::MAX).unwrap();
        prop_assert_eq!(read.len(), values.len());
        prop_assert!(read.iter().zip(&values).all(|((_, read), value)| read.is_identical(value)));
    }
}
