//! Round trips of random values of many types, through text and through bytes; bytes that are damaged.
//!
//! Values are random texts of the interface's types (records, sums, recursive types, regular and irregular arrays), read by the engine. What was stored and restored must
//! print the same and be accepted by entry points. Damaged bytes yield a value or an error that names the place, never a panic.

use crate::engine::{Backend, Engine, Item, ItemType, write_text};
use norn_base::Prim;
use norn_ir::nest::{IfaceId, IfaceShape};
use norn_values::Reader;

/// A program with a type of each kind, and of kinds in kinds. Each entry point is the identity.
const PROGRAM: &str = "
type rec tree = #leaf | #node tree i32 tree
type rec rose = #rose f32 []rose | #word []u8 | #pair (#none | #some rose) {a: bool, b: []i64}
type rec even = #zero | #even odd
with odd = #odd even
type option 'a = #none | #some a
entry tree (x: tree) = x
entry rose (x: rose) = x
entry forest [n] (x: [n](tree, rose)) = x
entry mutual (x: (even, odd)) = x
entry rows [n] (x: [n][?]i64) = x
entry deep [n] (x: [n][?][?]f32) = x
entry shapes [n] (x: [n](#circle f32 | #nothing | #rect {w: f32, h: f32} | #poly ([?](f32, f32)))) = x
entry option (x: option (option i8)) = x
entry options [n][m] (x: [n][m](option (tree, bool))) = x
entry record [n] (x: {a: i32, b: [n]f64, c: (), d: (i16, u8)}) = x
entry records [n] (x: [n]{a: i32, b: bool}) = x
entry empties [n] (x: [n]()) = x
entry sized (x: {a: [3]i32, b: [2]tree}) = x
";

fn engine() -> Engine {
    let program = PROGRAM.replace("\nwith odd", "\nwith type rec odd");
    match Engine::from_source("values.fut", &program, Backend::Interp) {
        Ok((engine, _)) => engine,
        Err(error) => panic!("{error:?}"),
    }
}

/// A small generator of random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    /// The text of some value of a type. The deeper it is, the smaller are its parts.
    fn text(&mut self, engine: &Engine, ty: IfaceId, depth: usize) -> String {
        match &engine.iface(ty).shape {
            IfaceShape::Scalar(prim) => self.scalar(*prim),
            IfaceShape::Array(prim, rank) => {
                let dims: Vec<usize> = (0..*rank).map(|_| self.below(4)).collect();
                self.regular(&dims, prim.name(), &mut |random| random.scalar(*prim))
            }
            IfaceShape::OpaqueArray(elem, rank) => {
                let irregular = &engine.iface(ty).columns[0].irregular[..*rank];
                if irregular.contains(&true) {
                    return self.irregular(engine, *elem, irregular, depth);
                }
                let dims: Vec<usize> = (0..*rank).map(|_| self.below(4)).collect();
                let name = engine.iface(*elem).name.clone();
                self.regular(&dims, &name, &mut |random| random.text(engine, *elem, depth + 1))
            }
            IfaceShape::Record(fields) => {
                let is_tuple =
                    fields.len() != 1 && fields.iter().all(|(name, _)| name.parse::<usize>().is_ok());
                let field = |(name, id): &(String, IfaceId)| match is_tuple {
                    true => self.text(engine, *id, depth),
                    false => format!("{name} = {}", self.text(engine, *id, depth)),
                };
                let text = fields.iter().map(field).collect::<Vec<String>>().join(", ");
                if is_tuple { format!("({text})") } else { format!("{{{text}}}") }
            }
            IfaceShape::Sum(constrs) | IfaceShape::Recursive(constrs) => {
                // The constructor with the fewest payloads ends a tree sooner or later.
                let smallest = (0..constrs.len()).min_by_key(|number| constrs[*number].1.len());
                let number = smallest.filter(|_| depth > 6).unwrap_or_else(|| self.below(constrs.len()));
                let (name, payload) = &constrs[number];
                let mut part = |id: &IfaceId| {
                    let text = self.text(engine, *id, depth + 1);
                    if text.starts_with('#') || self.below(3) == 0 {
                        format!(" ({text})")
                    } else {
                        format!(" {text}")
                    }
                };
                format!("#{name}") + &payload.iter().map(&mut part).collect::<String>()
            }
            IfaceShape::Opaque => panic!("a type without text"),
        }
    }

    fn regular(
        &mut self,
        dims: &[usize],
        elem: &str,
        element: &mut dyn FnMut(&mut Random) -> String,
    ) -> String {
        if dims.contains(&0) {
            let dims: String = dims.iter().map(|dim| format!("[{dim}]")).collect();
            return format!("empty({dims}{elem})");
        }
        let Some((&count, inner)) = dims.split_first() else { return element(self) };
        let rows: Vec<String> = (0..count).map(|_| self.regular(inner, elem, element)).collect();
        format!("[{}]", rows.join(", "))
    }

    fn irregular(&mut self, engine: &Engine, elem: IfaceId, dims: &[bool], depth: usize) -> String {
        let Some((_, inner)) = dims.split_first() else { return self.text(engine, elem, depth + 1) };
        let rows: Vec<String> =
            (0..self.below(4)).map(|_| self.irregular(engine, elem, inner, depth)).collect();
        if rows.is_empty() { "[]".into() } else { format!("[{}]", rows.join(", ")) }
    }

    fn scalar(&mut self, prim: Prim) -> String {
        match prim {
            Prim::Bool => (self.below(2) == 1).to_string(),
            Prim::F16 | Prim::F32 | Prim::F64 => format!("{}.5", self.below(100)),
            _ => self.below(100).to_string(),
        }
    }
}

fn read(engine: &Engine, ty: ItemType, bytes: &[u8]) -> Result<Item, String> {
    let mut reader = Reader::with_limit(bytes, 1 << 20);
    let item = engine.restore(ty, &mut reader)?;
    reader.require_end().map_err(|error| error.to_string())?;
    Ok(item)
}

fn stored(engine: &Engine, item: &Item) -> Vec<u8> {
    let mut bytes = Vec::new();
    engine.store(item, &mut bytes).unwrap_or_else(|error| panic!("{error}"));
    bytes
}

fn text(engine: &Engine, item: &Item) -> String {
    let mut bytes = Vec::new();
    write_text(engine, item, &mut bytes).unwrap_or_else(|error| panic!("{error}"));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Some values of all types, with their bytes.
fn samples(engine: &Engine, each: usize) -> Vec<(ItemType, Item, Vec<u8>)> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut samples = Vec::new();
    for entry in engine.entries() {
        let id = entry.params[0].ty;
        for _ in 0..each {
            let written = random.text(engine, id, 0);
            let item = read(engine, engine.item_type(id), written.as_bytes());
            let item = item.unwrap_or_else(|error| panic!("{}: {written}: {error}", entry.name));
            let bytes = stored(engine, &item);
            samples.push((engine.item_type(id), item, bytes));
        }
    }
    samples
}

#[test]
fn values_are_restored_as_they_were_stored() {
    let engine = engine();
    for (ty, item, bytes) in samples(&engine, 60) {
        let restored = read(&engine, ty, &bytes);
        let restored = restored.unwrap_or_else(|error| panic!("{}: {error}", text(&engine, &item)));
        assert_eq!(text(&engine, &restored), text(&engine, &item));
        assert_eq!(stored(&engine, &restored), bytes, "{}", text(&engine, &item));
    }
}

#[test]
fn entry_points_take_what_was_restored() {
    let engine = engine();
    let entries: Vec<(String, IfaceId)> =
        engine.entries().iter().map(|entry| (entry.name.clone(), entry.params[0].ty)).collect();
    for ((ty, item, bytes), number) in samples(&engine, 8).into_iter().zip(0..) {
        let restored = read(&engine, ty, &bytes).unwrap_or_else(|error| panic!("{error}"));
        let (entry, _) = &entries[number / 8];
        if entry == "sized" {
            // Its sizes are fixed, those of random values are not.
            continue;
        }
        let result = engine.call(entry, &[restored]).unwrap_or_else(|error| panic!("{entry}: {error:?}"));
        assert_eq!(stored(&engine, &result), bytes, "{}", text(&engine, &item));
    }
}

#[test]
fn damaged_bytes_are_values_or_errors() {
    let engine = engine();
    for (ty, _, bytes) in samples(&engine, 4) {
        for end in 0..bytes.len() {
            assert!(read(&engine, ty, &bytes[..end]).is_err());
        }
        for at in 0..bytes.len() {
            for damage in [1, 0x80, 0xff, bytes[at]] {
                let mut damaged = bytes.clone();
                damaged[at] ^= damage;
                if let Ok(item) = read(&engine, ty, &damaged) {
                    stored(&engine, &item);
                }
            }
        }
    }
}

#[test]
fn what_is_shared_is_stored_once() {
    let engine = engine();
    let tree = engine.type_by_name("tree").unwrap_or_else(|| panic!("a type of the program"));
    let construct = |name: &str, items: &[Item]| {
        engine.construct(tree, name, items).unwrap_or_else(|error| panic!("{error}"))
    };
    let one = Item::Value(norn_values::Value::scalar(1i32));
    let mut item = construct("leaf", &[]);
    for _ in 0..1000 {
        item = construct("node", &[item.clone(), one.clone(), item]);
    }
    let bytes = stored(&engine, &item);
    assert!(bytes.len() < 20_000, "{}", bytes.len());
    let restored = read(&engine, tree, &bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(stored(&engine, &restored), bytes);
}

#[test]
fn errors_name_the_place() {
    let engine = engine();
    let of = |name: &str| engine.type_by_name(name).unwrap_or_else(|| panic!("the type {name}"));
    let tree = read(&engine, of("tree"), b"#node #leaf 1 #leaf").unwrap_or_else(|error| panic!("{error}"));
    let bytes = stored(&engine, &tree);
    let error =
        |ty: &str, bytes: &[u8]| read(&engine, of(ty), bytes).map(|item| text(&engine, &item)).unwrap_err();
    assert_eq!(
        error("rose", &bytes),
        "byte 7: wrong type: expected a value of type rose, which is `rose where rose = #pair (#none | #some rose) \
         {a: bool, b: []i64} | #rose f32 []rose | #word []u8`, found one of type `tree where tree = #leaf | #node tree \
         i32 tree`"
    );
    let header = bytes.len() - (8 + 3 + 4 + 4 + 4 + 4);
    let damaged = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[header + at] = byte;
        error("tree", &bytes)
    };
    assert_eq!(
        damaged(9, 7),
        format!("byte {}: corrupt file: expected the number of one of 2 constructors, found 7", header + 9)
    );
    assert_eq!(
        damaged(11, 5),
        format!(
            "byte {}: corrupt file: expected the number of a cell of type tree, found 5, where there are 3 cells",
            header + 11
        )
    );
    assert_eq!(
        damaged(11, 2),
        format!(
            "byte {header}: corrupt file: expected references of the cell 2 to cells before it, found one to the cell 2"
        )
    );
    assert_eq!(
        damaged(7, 1),
        format!("byte {header}: truncated input: expected 72057594037927939 cells, found 19 bytes")
    );
    let plain = b"b\x02\x00 i32\x01\0\0\0";
    assert_eq!(
        error("tree", plain),
        "byte 0: wrong type: expected a value of type tree, found a value of type i32"
    );
}

#[test]
fn a_regular_array_is_an_irregular_one_too() {
    let engine = engine();
    let rows = engine.type_by_name("[][?]i64").unwrap_or_else(|| panic!("a type of the program"));
    let mut bytes = Vec::new();
    let value =
        norn_values::Value::array(vec![2, 1], vec![5i64, 6]).unwrap_or_else(|error| panic!("{error}"));
    norn_values::binary::write_binary(&value, &mut bytes);
    let item = read(&engine, rows, &bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(text(&engine, &item), "[[5i64], [6i64]]");
}
