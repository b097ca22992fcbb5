//! The text of a module in Rust: a struct `Program` with a function for each entry point, and a struct for each record.
//!
//! ```text
//! entry dot [n] (xs: [n]f32) (ys: [n]f32) : f32        pub fn dot(&self, xs: ArrayView1<'_, f32>, ys: ArrayView1<'_, f32>) -> Result<f32, CallError>
//! type point = {x: f32, y: f32}                        pub struct Point { pub x: f32, pub y: f32 }
//! ```
//!
//! Scalars, arrays of scalars, and records and tuples of those have types in Rust. Everything else is a `Handle`: it can be passed on, and taken apart
//! by the program's engine.

use norn_base::Prim;
use norn_ir::nest::{Entry, IfaceId, IfaceShape, Prog};
use std::collections::BTreeSet;
use std::fmt::Write;

/// ndarray has names for arrays of so many dimensions.
const MOST_DIMENSIONS: usize = 6;

pub fn generate(prog: &Prog) -> String {
    let types = Types::new(prog);
    let mut out = format!("// Made by norn {}.\n", env!("CARGO_PKG_VERSION"));
    types.structs(&mut out);
    out += "
/// The program.
#[derive(Clone, Debug)]
pub struct Program(::norn::Program);

#[allow(dead_code, clippy::all)]
impl Program {
    /// Compiles it, unless that was done before.
    pub fn load(options: impl Into<::norn::engine::Options>) -> Result<Program, ::norn::CompileError> {
        ::norn::Program::from_files(FILES, options).map(Program)
    }

    /// The program without types.
    pub fn untyped(&self) -> &::norn::Program {
        &self.0
    }
";
    for entry in &prog.entries {
        types.entry(&mut out, entry);
    }
    out + "}\n"
}

struct Types<'a> {
    prog: &'a Prog,
    /// Of each record that is no tuple.
    names: Vec<Option<String>>,
}

impl Types<'_> {
    fn new(prog: &Prog) -> Types<'_> {
        let mut types = Types { prog, names: vec![None; prog.ifaces.len()] };
        let mut taken = BTreeSet::from(["Program".to_string()]);
        for (number, iface) in prog.ifaces.iter().enumerate() {
            let id = IfaceId(number as u32);
            if !matches!(&iface.shape, IfaceShape::Record(fields) if !is_tuple(fields)) || !types.is_typed(id)
            {
                continue;
            }
            let named = camel(iface.name.split(' ').next().unwrap_or_default());
            let mut name = named.or_else(|| used_by(prog, id)).unwrap_or_else(|| format!("Record{number}"));
            while !taken.insert(name.clone()) {
                let _ = write!(name, "{number}");
            }
            types.names[number] = Some(name);
        }
        types
    }

    fn shape(&self, id: IfaceId) -> &IfaceShape {
        &self.prog.ifaces[id.0 as usize].shape
    }

    /// Whether it has a type of its own in Rust.
    fn is_typed(&self, id: IfaceId) -> bool {
        match self.shape(id) {
            IfaceShape::Scalar(_) => true,
            IfaceShape::Array(_, rank) => *rank <= MOST_DIMENSIONS,
            // Tuples have as many parts as `typed` knows.
            IfaceShape::Record(fields) => {
                (!is_tuple(fields) || fields.len() <= 12) && fields.iter().all(|(_, ty)| self.is_typed(*ty))
            }
            IfaceShape::Sum(_)
            | IfaceShape::OpaqueArray(..)
            | IfaceShape::Recursive(_)
            | IfaceShape::Opaque => false,
        }
    }

    /// What a value of the type is that somebody owns.
    fn owned(&self, id: IfaceId) -> String {
        match self.shape(id) {
            _ if !self.is_typed(id) => "::norn::Handle".to_string(),
            IfaceShape::Scalar(prim) => scalar(*prim).to_string(),
            IfaceShape::Array(prim, rank) => {
                format!("::norn::bindings::typed::Array{rank}<{}>", scalar(*prim))
            }
            IfaceShape::Record(fields) if is_tuple(fields) => {
                let parts: Vec<String> = fields.iter().map(|(_, ty)| self.owned(*ty)).collect();
                // A tuple of one part has a comma.
                format!("({}{})", parts.join(", "), if parts.len() == 1 { "," } else { "" })
            }
            _ => self.names[id.0 as usize].clone().unwrap_or_default(),
        }
    }

    /// What a function takes.
    fn borrowed(&self, id: IfaceId) -> String {
        match self.shape(id) {
            IfaceShape::Scalar(prim) => scalar(*prim).to_string(),
            IfaceShape::Array(prim, rank) if self.is_typed(id) => {
                format!("::norn::bindings::typed::ArrayView{rank}<'_, {}>", scalar(*prim))
            }
            _ => format!("&{}", self.owned(id)),
        }
    }

    fn structs(&self, out: &mut String) {
        for (number, name) in self.names.iter().enumerate() {
            let (Some(name), IfaceShape::Record(fields)) = (name, &self.prog.ifaces[number].shape) else {
                continue;
            };
            let names: Vec<String> = fields.iter().map(|(field, _)| identifier(field)).collect();
            let _ = writeln!(
                out,
                "\n#[allow(dead_code)]\n#[derive(Clone, PartialEq, Debug)]\npub struct {name} {{"
            );
            for (field, (_, ty)) in names.iter().zip(fields) {
                let _ = writeln!(out, "    pub {field}: {},", self.owned(*ty));
            }
            let _ = writeln!(out, "}}\n\n::norn::record!({name} {{ {} }});", names.join(", "));
        }
    }

    fn entry(&self, out: &mut String, entry: &Entry) {
        let mut taken = BTreeSet::new();
        let (mut params, mut passed) = (String::new(), String::new());
        for (number, param) in entry.params.iter().enumerate() {
            let mut name = identifier(&param.name);
            if !taken.insert(name.clone()) {
                name = format!("arg{number}");
                taken.insert(name.clone());
            }
            let _ = write!(params, ", {name}: {}", self.borrowed(param.ty));
            let by_value = matches!(self.shape(param.ty), IfaceShape::Scalar(_) | IfaceShape::Array(..));
            passed += &match self.is_typed(param.ty) {
                true if by_value => format!(".with(&{name})"),
                true => format!(".with({name})"),
                false => format!(".with_handle({name})"),
            };
        }
        let result = self.owned(entry.result);
        let end = if self.is_typed(entry.result) { "result" } else { "handle" };
        out.push('\n');
        entry.doc.lines().for_each(|line| {
            let _ = writeln!(out, "    /// {line}");
        });
        let _ = writeln!(
            out,
            "    pub fn {}(&self{params}) -> Result<{result}, ::norn::CallError> {{\n        \
             ::norn::bindings::typed::Call::new(&self.0, {:?}){passed}.{end}()\n    }}",
            identifier(&entry.name),
            entry.name
        );
    }
}

/// A name for a type that has none: of the entry point that yields or takes it.
fn used_by(prog: &Prog, id: IfaceId) -> Option<String> {
    prog.entries.iter().find_map(|entry| {
        let param = entry.params.iter().find(|param| param.ty == id).map(|param| camel(&param.name));
        let part = if entry.result == id { Some("Result".to_string()) } else { param? };
        Some(format!("{}{}", camel(&entry.name)?, part?))
    })
}

fn is_tuple(fields: &[(String, IfaceId)]) -> bool {
    fields.iter().enumerate().all(|(number, (name, _))| *name == number.to_string())
}

fn scalar(prim: Prim) -> &'static str {
    match prim {
        Prim::F16 => "::norn::bindings::typed::f16",
        _ => prim.name(),
    }
}

/// The name of a type, as types are called in Rust; none if it is no name.
fn camel(name: &str) -> Option<String> {
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic());
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    is_name.then(|| name.split('_').map(word).collect())
}

/// A name that Rust takes for one.
fn identifier(name: &str) -> String {
    let words = [
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
        "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
        "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static",
        "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where",
        "while", "yield",
    ];
    let own = ["self", "Self", "super", "crate", "_", "load", "untyped"];
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let name = if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name };
    match name.as_str() {
        word if words.contains(&word) => format!("r#{name}"),
        word if own.contains(&word) => format!("{name}_"),
        _ => name,
    }
}
