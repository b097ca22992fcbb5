//! Files that numpy wrote (see numpy/generate.py), and files we write that look like numpy's.

use norn_values::npy::{read_npy, write_npy};
use norn_values::npz::{Compression, read_npz, write_npz};
use norn_values::{Element, ErrorKind, Value};

macro_rules! fixture {
    ($name:expr) => {
        include_bytes!(concat!("numpy/", $name)).as_slice()
    };
}

#[track_caller]
fn check_read<T: Element>(bytes: &[u8], shape: &[usize], elements: &[T]) {
    let value = read_npy(bytes).unwrap_or_else(|error| panic!("{error}"));
    let expected = Value::array(shape.to_vec(), elements.to_vec()).unwrap();
    assert!(value.is_identical(&expected), "expected {expected}, found {value}");
}

#[test]
fn integers_of_both_byte_orders() {
    macro_rules! check {
        ($($name:literal $ty:ty),*) => {$(
            let expected = [0, 1, 100, <$ty>::MIN, <$ty>::MAX];
            check_read(fixture!(concat!($name, "_little.npy")), &[5], &expected);
            check_read(fixture!(concat!($name, "_big.npy")), &[5], &expected);
        )*};
    }
    check!("i1" i8, "i2" i16, "i4" i32, "i8" i64, "u1" u8, "u2" u16, "u4" u32, "u8" u64);
}

#[test]
fn floats_of_both_byte_orders() {
    let numbers = [0.0, -0.0, 1.5, -2.25, 0.1, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let halves = numbers.map(norn_base::prim::f16_from_f64);
    check_read(fixture!("f2_little.npy"), &[8], &halves);
    check_read(fixture!("f2_big.npy"), &[8], &halves);
    let singles = numbers.map(|x| x as f32);
    check_read(fixture!("f4_little.npy"), &[8], &singles);
    check_read(fixture!("f4_big.npy"), &[8], &singles);
    check_read(fixture!("f8_little.npy"), &[8], &numbers);
    check_read(fixture!("f8_big.npy"), &[8], &numbers);
}

#[test]
fn shapes_of_all_kinds() {
    check_read(fixture!("bool.npy"), &[2, 3], &[true, false, true, false, false, true]);
    check_read(fixture!("scalar.npy"), &[], &[42i32]);
    check_read::<f32>(fixture!("empty.npy"), &[3, 0, 2], &[]);
}

fn cube() -> Vec<i32> {
    (0..24).collect()
}

#[test]
fn both_element_orders() {
    check_read(fixture!("row_major.npy"), &[2, 3, 4], &cube());
    check_read(fixture!("column_major.npy"), &[2, 3, 4], &cube());
    check_read(fixture!("column_major_big.npy"), &[2, 3, 4], &cube());
}

#[test]
fn all_versions() {
    check_read(fixture!("version_1.npy"), &[2, 3, 4], &cube());
    check_read(fixture!("version_2.npy"), &[2, 3, 4], &cube());
    check_read(fixture!("version_3.npy"), &[2, 3, 4], &cube());
}

#[test]
fn what_is_no_value_is_not_supported() {
    for bytes in [fixture!("complex.npy"), fixture!("structured.npy"), fixture!("text.npy")] {
        assert_eq!(read_npy(bytes).unwrap_err().kind, ErrorKind::Unsupported);
    }
}

#[test]
fn written_files_are_those_of_numpy() {
    for bytes in [
        fixture!("f8_little.npy"),
        fixture!("u1_little.npy"),
        fixture!("bool.npy"),
        fixture!("scalar.npy"),
        fixture!("empty.npy"),
        fixture!("row_major.npy"),
    ] {
        let mut written = Vec::new();
        write_npy(&read_npy(bytes).unwrap(), &mut written);
        assert_eq!(written, bytes);
    }
}

#[test]
fn archives_are_read_in_order() {
    let stored = read_npz(fixture!("stored.npz"), usize::MAX).unwrap();
    let names: Vec<&str> = stored.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["cube", "x", "flags"]);
    assert_eq!(stored[0].1, Value::array(vec![2, 3, 4], cube()).unwrap());
    assert_eq!(stored[1].1, Value::scalar(0.5));
    assert_eq!(stored[2].1, Value::vector(vec![true, false]));
    assert_eq!(read_npz(fixture!("deflated.npz"), usize::MAX).unwrap(), stored);
}

#[test]
fn members_may_be_stored_differently_and_be_other_files() {
    let values = read_npz(fixture!("mixed.npz"), usize::MAX).unwrap();
    let bytes = Value::vector(vec![0u8, 1, 2]);
    assert_eq!(values, [("a".to_string(), bytes.clone()), ("b".to_string(), bytes)]);
}

#[test]
fn archives_read_back() {
    let values = read_npz(fixture!("stored.npz"), usize::MAX).unwrap();
    for compression in [Compression::Stored, Compression::Deflated] {
        let members = values.iter().map(|(name, value)| (name.as_str(), value));
        let archive = write_npz(members, compression).unwrap();
        assert_eq!(read_npz(&archive, usize::MAX).unwrap(), values);
    }
}

#[test]
fn errors_name_the_member() {
    let mut bytes = fixture!("stored.npz").to_vec();
    let descr = bytes.windows(3).position(|window| window == b"<i4").unwrap();
    bytes[descr] = b'>';
    let error = read_npz(&bytes, usize::MAX).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Corrupt);
    assert!(error.expected.ends_with("in the member `cube.npy`"), "{error}");
}
