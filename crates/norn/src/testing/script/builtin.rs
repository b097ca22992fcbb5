//! The functions of scripts that are ours and not the program's: they read and write files.

use super::Val;
use super::fit::fit;
use crate::engine::{Engine, Item};
use crate::testing::data::{read_data, read_file};
use crate::tools::{Ffmpeg, ImageMagick};
use norn_media::picture_value;
use norn_media::png::{is_png, read_png};
use norn_media::wav::read_wav;
use norn_values::{Reader, Value};
use std::path::Path;

const BUILTINS: &[&str] = &["$loadaudio", "$loadbytes", "$loaddata", "$loadimg", "$restore", "$store"];

/// Calls the function `$name`. The error is a sentence.
pub(super) fn call_builtin(
    engine: &Engine,
    folder: &Path,
    name: &str,
    args: Vec<Val>,
) -> Result<Val, String> {
    let limit = engine.memory_limit();
    match (name, &args[..]) {
        ("loaddata", [file]) => {
            let file = text(file)?;
            let Some(mut values) = read_data(folder, &file, limit)?.plain else {
                return Err(format!("The file `{file}` holds values whose types only an entry point knows."));
            };
            Ok(match values.len() {
                1 => Val::Const(values.remove(0)),
                _ => Val::Tuple(values.into_iter().map(Val::Const).collect()),
            })
        }
        ("loadbytes", [file]) => Ok(Val::Const(Value::vector(read_file(folder, &text(file)?)?))),
        ("loadimg", [file]) => {
            let file = text(file)?;
            read_picture(&read_file(folder, &file)?, limit)
                .map(Val::Const)
                .map_err(|why| format!("The file `{file}` holds no picture that can be read: {why}."))
        }
        ("loadaudio", [file]) => {
            let file = text(file)?;
            read_sound(&read_file(folder, &file)?)
                .map(Val::Const)
                .map_err(|why| format!("The file `{file}` holds no sound that can be read: {why}."))
        }
        ("restore", [ty, file]) => {
            let (ty, file) = (text(ty)?, text(file)?);
            let Some(ty) = engine.type_by_name(&ty) else {
                return Err(format!("The program has no type `{ty}` in its entry points."));
            };
            let bytes = read_file(folder, &file)?;
            let item = engine.restore(ty, &mut Reader::new(&bytes));
            item.map(Val::Item).map_err(|e| format!("The file `{file}` cannot be restored: {e}."))
        }
        ("store", [file, value]) => {
            let file = text(file)?;
            let mut bytes = Vec::new();
            engine.store(&stored_item(engine, value)?, &mut bytes)?;
            std::fs::write(folder.join(&file), bytes)
                .map_err(|e| format!("The file `{file}` cannot be written: {e}."))?;
            Ok(Val::Tuple(Vec::new()))
        }
        ("loaddata" | "loadbytes" | "loadimg" | "loadaudio", _) => {
            Err(format!("`${name}` takes the name of a file."))
        }
        ("restore", _) => Err("`$restore` takes a type and the name of a file, both as texts.".into()),
        ("store", _) => Err("`$store` takes the name of a file and a value.".into()),
        _ => Err(format!("There is no function `${name}`; there are {}.", BUILTINS.join(", "))),
    }
}

/// A picture as rows of pixels: PNG, and whatever ImageMagick knows if that is there. The error is a phrase.
fn read_picture(bytes: &[u8], limit: usize) -> Result<Value, String> {
    let converted;
    let png = if is_png(bytes) {
        bytes
    } else {
        converted =
            ImageMagick.convert(bytes, "png").map_err(|why| format!("it is no PNG file, and {why}"))?;
        &converted
    };
    read_png(png, limit).and_then(|picture| picture_value(&picture).ok_or_else(|| "it is too large".into()))
}

/// A sound as channels of samples: WAV, and whatever ffmpeg knows if that is there. The error is a phrase.
fn read_sound(bytes: &[u8]) -> Result<Value, String> {
    if bytes.starts_with(b"RIFF") {
        return read_wav(bytes);
    }
    let wav = Ffmpeg.decode_sound(bytes).map_err(|why| format!("it is no WAV file, and {why}"))?;
    read_wav(&wav)
}

/// The text that an argument is.
fn text(value: &Val) -> Result<String, String> {
    let no_text = "The argument is no text.";
    let value = value.plain().ok_or(no_text)?;
    let bytes = value.elements::<u8>().filter(|_| value.rank() == 1).ok_or(no_text)?;
    String::from_utf8(bytes.to_vec()).map_err(|_| "The argument is not UTF-8 text.".into())
}

/// What is stored has one type that the program knows.
fn stored_item(engine: &Engine, value: &Val) -> Result<Item, String> {
    match value {
        Val::Item(item) => Ok(item.clone()),
        Val::Const(value) => Ok(Item::Value(value.clone())),
        Val::Tuple(parts) => {
            let fits = |ty| {
                let types = engine.tuple(ty)?;
                (types.len() == parts.len()).then(|| fit(engine, value.clone(), ty).ok()).flatten()
            };
            let item = engine.types().into_iter().find_map(fits);
            item.ok_or_else(|| "The program has no type for this tuple.".into())
        }
        Val::Record(_) | Val::Array(_) | Val::Function(..) => {
            Err("Only results of entry points, constants and tuples of them can be stored.".into())
        }
    }
}
