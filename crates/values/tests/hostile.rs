//! Input that means harm: nothing panics, and nothing asks for much memory.

use norn_values::binary::{read_binary, write_binary};
use norn_values::npy::{read_npy, write_npy};
use norn_values::npz::{Compression, read_npz, write_npz};
use norn_values::{ErrorKind, Expected, Prim, Reader, Value, read_value, read_values};
use proptest::prelude::*;

/// Reads bytes in every way there is.
fn read_everyhow(bytes: &[u8]) {
    let _ = read_values(bytes).map_err(|error| error.to_string());
    let _ = read_binary(bytes);
    let _ = read_npy(bytes);
    let _ = read_npz(bytes, usize::MAX);
    for prim in Prim::ALL {
        let mut reader = Reader::new(bytes);
        while let Ok(Some(_)) = reader.next_value(Some(&Expected::new(prim, 1))) {}
    }
}

/// Good input in every format, to be damaged.
fn samples() -> Vec<Vec<u8>> {
    let values = [
        Value::array(vec![2, 3], vec![1.5f32, -0.25, f32::NAN, 1e30, f32::INFINITY, 0.0]).unwrap(),
        Value::vector(vec![i64::MIN, -1, 0, i64::MAX]),
        Value::array(vec![0, 3], Vec::<u8>::new()).unwrap(),
        Value::scalar(true),
    ];
    let mut samples = vec![
        b"[[1, 2u8], -- comment\n [0x3, 0b1_0]] \"a\\x41\\n\" empty([0][2]f16) -f64.inf 1e-5f32".to_vec(),
        b"[[[true], [false]]] [f32.nan, 1] \"\xc3\xa6\" [\"ab\", \"cd\"] [empty([0]i8)]".to_vec(),
    ];
    let mut mixed = Vec::new();
    for value in &values {
        let mut npy = Vec::new();
        write_npy(value, &mut npy);
        samples.push(npy);
        write_binary(value, &mut mixed);
        mixed.extend(value.to_string().bytes());
    }
    samples.push(mixed);
    for compression in [Compression::Stored, Compression::Deflated] {
        samples.push(write_npz(["a", "b", "c", "d"].into_iter().zip(&values), compression).unwrap());
    }
    samples
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn damaged_input_does_not_panic(
        which in any::<prop::sample::Index>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4), 1..6),
    ) {
        let mut bytes = which.get(&samples()).clone();
        for (place, byte, how) in damage {
            let at = place.index(bytes.len() + 1);
            match how {
                0 => bytes.insert(at, byte),
                1 => bytes.truncate(at.max(1)),
                _ if at == bytes.len() => bytes.push(byte),
                2 => bytes[at] = byte,
                _ => drop(bytes.remove(at)),
            }
        }
        read_everyhow(&bytes);
    }

    #[test]
    fn noise_does_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        read_everyhow(&bytes);
    }

    #[test]
    fn tokens_in_any_order_do_not_panic(
        tokens in prop::collection::vec(
            prop::sample::select(vec![
                "[", "]", ",", "1", "-", "2.5", "i8", "u8", "f32", ".", "nan", "inf", "true", "\"", "\\", "x4",
                "empty", "(", ")", "[0]", " ", "\n", "--", "b", "b\u{2}", "_", "e", "0x", "é", "\0",
            ]),
            0..30,
        )
    ) {
        read_everyhow(tokens.concat().as_bytes());
    }
}

#[test]
fn brackets_nest_to_any_depth_without_overflow() {
    for text in ["[".repeat(100_000), "[".repeat(100_000) + "1" + &"]".repeat(100_000)] {
        assert_eq!(read_value(text.as_bytes(), None).unwrap_err().kind, ErrorKind::TooLarge);
    }
    let text = "]".repeat(100_000);
    assert_eq!(read_value(text.as_bytes(), None).unwrap_err().kind, ErrorKind::Syntax);
}

#[test]
fn invalid_utf8_is_an_error_outside_strings() {
    let error = read_value(b"[1, \xff\xfe]", None).unwrap_err();
    assert_eq!((error.place.offset, error.found.as_str()), (4, "`\\xff\\xfe`"));
    assert_eq!(read_value(b"\"\xff\xfe\"", None), Ok(Value::vector(vec![0xffu8, 0xfe])));
    assert_eq!(read_values(b"-- \xff\n1"), Ok(vec![Value::scalar(1)]));
}

#[test]
fn integers_that_their_type_does_not_have_are_errors() {
    for wrong in [
        "300u8",
        "-256u8",
        "128i8",
        "-129i8",
        "0x100u8",
        "2147483648",
        "9223372036854775808i64",
        "18446744073709551616u64",
    ] {
        let error = read_value(wrong.as_bytes(), None).unwrap_err();
        assert_eq!((error.kind, error.place.offset), (ErrorKind::OutOfRange, 0), "{wrong}");
    }
    let ty = Value::vector(vec![0u8]).unsized_type();
    assert_eq!(read_value(b"[1, 256]", Some(&ty)).unwrap_err().place.offset, 4);
    assert_eq!(read_value(b"-128i8", None), Ok(Value::scalar(-128i8)));
    assert_eq!(read_value(b"0xffi8", None), Ok(Value::scalar(-1i8)));
    assert_eq!(read_value(b"-0u8", None), Ok(Value::scalar(0u8)));
    assert_eq!(read_value(b"-1u8", None), Ok(Value::scalar(255u8)));
    assert_eq!(read_value(b"18446744073709551615u64", None), Ok(Value::scalar(u64::MAX)));
    assert_eq!(read_value(b"0xffff_ffff_ffff_ffffi64", None), Ok(Value::scalar(-1i64)));
}

#[test]
fn long_numbers_are_numbers() {
    let zeros = "0".repeat(100_000);
    assert_eq!(read_value(format!("{zeros}7").as_bytes(), None), Ok(Value::scalar(7)));
    assert_eq!(read_value(format!("0.{zeros}7").as_bytes(), None), Ok(Value::scalar(0.0)));
    let far = read_value(b"1e999999999999999999999", None);
    assert_eq!(far, Ok(Value::scalar(f64::INFINITY)));
}

#[test]
fn an_archive_that_grows_beyond_its_declared_size_is_refused() {
    let zeros = Value::vector(vec![0u8; 1 << 20]);
    let mut archive = write_npz([("x", &zeros)], Compression::Deflated).unwrap();
    assert!(archive.len() < 1 << 12);
    // The size in the central directory, which is the last 46 bytes, the name and 22 bytes.
    let size = archive.len() - 22 - "x.npy".len() - 46 + 24;
    archive[size..size + 4].copy_from_slice(&1000u32.to_le_bytes());
    assert_eq!(read_npz(&archive, usize::MAX).unwrap_err().kind, ErrorKind::Corrupt);
}
