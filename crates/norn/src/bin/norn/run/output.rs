//! Where results go: standard output, or a file.

use norn::engine::{Engine, Item, write_text};
use norn_values::Value;
use norn_values::npy::write_npy;
use norn_values::npz::{Compression, write_npz};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes results one after the other: in text each on a line. The text of a value is never there as a whole.
pub fn write(engine: &Engine, results: &[Item], binary: bool, out: &mut dyn Write) -> std::io::Result<()> {
    for result in results {
        let mut bytes = Vec::new();
        // A function has no form in binary; text may stand beside it.
        if binary && engine.store(result, &mut bytes).is_ok() {
            out.write_all(&bytes)?;
        } else {
            write_text(engine, result, out)?;
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Writes results in the format that the file's name asks for.
pub fn write_file(engine: &Engine, results: &[Item], binary: bool, path: &Path) -> Result<(), String> {
    let cannot = |e| format!("`{}` cannot be written: {e}", path.display());
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
        _ => {
            let mut file = BufWriter::new(File::create(path).map_err(cannot)?);
            return write(engine, results, binary, &mut file).and_then(|()| file.flush()).map_err(cannot);
        }
    };
    std::fs::write(path, bytes).map_err(cannot)
}

fn plain_values<'a>(engine: &Engine, results: &'a [Item]) -> Result<Vec<&'a Value>, String> {
    let plain = |result: &'a Item| match result {
        Item::Value(value) => Ok(value),
        Item::Opaque(_) => {
            let name = engine.type_name(result.ty());
            Err(format!("a numpy file cannot hold the result, which is of type {name}"))
        }
    };
    results.iter().map(plain).collect()
}
