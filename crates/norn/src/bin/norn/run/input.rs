//! Where arguments come from: standard input, or files one after the other.

use crate::console::Console;
use norn::engine::{Engine, Item, ItemType};
use norn_ir::nest::{Entry, EntryParam};
use norn_runtime::show_bytes;
use norn_values::npy::read_npy;
use norn_values::npz::read_npz;
use norn_values::{Reader, Value};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{IsTerminal, Read, stdin};
use std::path::{Path, PathBuf};

/// Reads the arguments of an entry point from the files, or from standard input if there are none. What is left over is an
/// error, and so is more than memory may hold.
pub fn read_arguments(
    console: &Console,
    engine: &Engine,
    entry: &Entry,
    files: &[PathBuf],
) -> Result<Vec<Item>, String> {
    let params = &entry.params;
    let limit = engine.memory_limit();
    let sources: Vec<Source> = match files {
        [] => {
            if !params.is_empty() && stdin().is_terminal() {
                // Who cannot be told will find out.
                let _ = console.print_error(&describe_params(engine, entry));
            }
            vec![open_stdin(!params.is_empty(), limit)?]
        }
        files => files.iter().map(|path| open_file(path, limit)).collect::<Result<_, _>>()?,
    };
    let mut cursors: VecDeque<Cursor> = sources.iter().map(Source::cursor).collect();
    let mut items = Vec::new();
    let held: usize = sources.iter().map(Source::bytes).sum();
    let mut room = limit.saturating_sub(held);
    for EntryParam { name, ty, .. } in params {
        let item = next_item(engine, &mut cursors, engine.item_type(*ty), &mut room);
        items.push(item.map_err(|e| format!("cannot read the argument `{name}`: {e}"))?);
    }
    for cursor in cursors {
        cursor
            .require_end()
            .map_err(|e| format!("there is more than the {} arguments: {e}", params.len()))?;
    }
    Ok(items)
}

/// What someone at a terminal is asked for.
fn describe_params(engine: &Engine, entry: &Entry) -> String {
    let param = |param: &EntryParam| format!("  {}: {}\n", param.name, engine.iface(param.ty).name);
    let params: String = entry.params.iter().map(param).collect();
    format!("`{}` reads its arguments from standard input; end them with Ctrl-D:\n{params}", entry.name)
}

struct Source {
    /// As the user knows it.
    name: String,
    content: Content,
}

enum Content {
    /// Text and binary values in any mix.
    Values(Vec<u8>),
    /// The arrays of a numpy file.
    Arrays(Vec<Value>),
}

fn open_stdin(needed: bool, limit: usize) -> Result<Source, String> {
    // Someone at a terminal has nothing to type where nothing is expected.
    let bytes = if needed || !stdin().is_terminal() {
        read(stdin(), limit).map_err(|e| format!("cannot read standard input: {e}"))?
    } else {
        Vec::new()
    };
    Ok(Source { name: "standard input".into(), content: Content::Values(bytes) })
}

/// All bytes of a stream, unless they and the values in them could be more than the limit: together they are about twice the
/// bytes.
fn read(stream: impl Read, limit: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let most = limit / 2;
    stream.take(most as u64 + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    if bytes.len() > most {
        let [most, limit] = [most, limit].map(|bytes| show_bytes(bytes as u64));
        return Err(format!("there is more than {most} of it, too much for {limit} of memory"));
    }
    Ok(bytes)
}

fn open_file(path: &Path, limit: usize) -> Result<Source, String> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|e| e.to_string());
    let bytes =
        file.and_then(|file| read(file, limit)).map_err(|e| format!("`{name}` cannot be read: {e}"))?;
    let bad_file = |e| format!("`{name}` cannot be read: {e}");
    let content = match path.extension().and_then(|extension| extension.to_str()) {
        Some("npy") => Content::Arrays(vec![read_npy(&bytes).map_err(bad_file)?]),
        Some("npz") => {
            let arrays = read_npz(&bytes, limit - bytes.len()).map_err(bad_file)?;
            Content::Arrays(arrays.into_iter().map(|(_, value)| value).collect())
        }
        _ => Content::Values(bytes),
    };
    Ok(Source { name, content })
}

/// A place in a source.
struct Cursor<'a> {
    source: &'a str,
    kind: CursorKind<'a>,
}

enum CursorKind<'a> {
    Values(Reader<'a>),
    Arrays(&'a [Value]),
}

impl Source {
    /// What it takes of the memory.
    fn bytes(&self) -> usize {
        match &self.content {
            Content::Values(bytes) => bytes.len(),
            Content::Arrays(arrays) => arrays.iter().map(Value::byte_size).sum(),
        }
    }

    fn cursor(&self) -> Cursor<'_> {
        let kind = match &self.content {
            Content::Values(bytes) => CursorKind::Values(Reader::new(bytes)),
            Content::Arrays(arrays) => CursorKind::Arrays(arrays),
        };
        Cursor { source: &self.name, kind }
    }
}

/// The next item, which must be of this type, and not take more than the room that is left.
fn next_item(
    engine: &Engine,
    cursors: &mut VecDeque<Cursor>,
    ty: ItemType,
    room: &mut usize,
) -> Result<Item, String> {
    while let Some(mut cursor) = cursors.pop_front() {
        if let Some(item) = cursor.next_item(engine, ty, room)? {
            cursors.push_front(cursor);
            return Ok(item);
        }
    }
    Err(format!("expected a value of type {}, found the end of the input", engine.type_name(ty)))
}

impl Cursor<'_> {
    fn next_item(&mut self, engine: &Engine, ty: ItemType, room: &mut usize) -> Result<Option<Item>, String> {
        let source = self.source;
        match &mut self.kind {
            CursorKind::Values(reader) => {
                reader.set_limit(*room);
                let item = engine.read_item(ty, reader).map_err(|e| format!("{source}: {e}"))?;
                *room = reader.limit();
                Ok(item)
            }
            CursorKind::Arrays(arrays) => {
                let Some((first, rest)) = arrays.split_first() else { return Ok(None) };
                if ItemType::Plain(first.unsized_type()) != ty {
                    let (expected, found) = (engine.type_name(ty), first.type_text());
                    return Err(format!(
                        "{source}: expected an array of type {expected}, found one of type {found}"
                    ));
                }
                *arrays = rest;
                *room -= first.byte_size().min(*room);
                Ok(Some(Item::Value(first.clone())))
            }
        }
    }

    fn require_end(self) -> Result<(), String> {
        let source = self.source;
        match self.kind {
            CursorKind::Values(mut reader) => reader.require_end().map_err(|e| format!("{source}: {e}")),
            CursorKind::Arrays([]) => Ok(()),
            CursorKind::Arrays(rest) => Err(format!("{source}: {} arrays are left", rest.len())),
        }
    }
}
