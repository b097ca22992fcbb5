//! Where results go: standard output, or a file.

use norn::engine::{Engine, Item};
use norn_values::Value;
use norn_values::binary::write_binary;
use norn_values::npy::write_npy;
use norn_values::npz::{Compression, write_npz};
use norn_values::text::print_value;
use std::path::Path;

/// Results one after the other: in text each on a line.
pub fn encode(engine: &Engine, results: &[Item], binary: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for result in results {
        match result {
            Item::Value(value) if binary => write_binary(value, &mut out),
            Item::Value(value) => {
                let mut text = String::new();
                print_value(value, &mut text);
                out.extend(text.bytes());
                out.push(b'\n');
            }
            Item::Opaque(_) => {
                out.extend(format!("#<opaque {}>\n", engine.type_name(result.ty())).bytes());
            }
        }
    }
    out
}

/// Writes results in the format that the file's name asks for.
pub fn write_file(engine: &Engine, results: &[Item], binary: bool, path: &Path) -> Result<(), String> {
    let bytes = match path.extension().and_then(|extension| extension.to_str()) {
        Some("npy") => match &plain_values(engine, results)?[..] {
            [value] => {
                let mut out = Vec::new();
                write_npy(value, &mut out);
                out
            }
            values => return Err(format!("a .npy file holds one array, not {}; use .npz", values.len())),
        },
        Some("npz") => {
            let values = plain_values(engine, results)?;
            // As numpy names arrays without names.
            let names: Vec<String> = (0..values.len()).map(|i| format!("arr_{i}")).collect();
            let named = names.iter().map(String::as_str).zip(values);
            write_npz(named, Compression::Stored).map_err(|e| e.to_string())?
        }
        _ => encode(engine, results, binary),
    };
    std::fs::write(path, bytes).map_err(|e| format!("`{}` cannot be written: {e}", path.display()))
}

fn plain_values<'a>(engine: &Engine, results: &'a [Item]) -> Result<Vec<&'a Value>, String> {
    let plain = |result: &'a Item| match result {
        Item::Value(value) => Ok(value),
        Item::Opaque(_) => {
            let name = engine.type_name(result.ty());
            Err(format!("a numpy file cannot hold the result, which is of the opaque type {name}"))
        }
    };
    results.iter().map(plain).collect()
}
