//! Generates the tables in C that describe a program to `rts/library`: types, cells of recursive types, entry points with their parameters, tunables, and failure sites.
//!
//! Tables instead of code: the functions that read, write, check and release values are the same for all programs, and the generated interface only calls them with a table.
//!
//! ```c
//! static const norn_type norn_type_3 = {..};   static const norn_entry_point norn_entries[] = {{"mean", ..}, ..};
//! ```

use super::Target;
use super::device::is_remote;
use super::names::{Types, hash};
use norn_base::{Prim, SourceMap};
use norn_exec::is_made;
use norn_ir::failure::{CheckKind, message};
use norn_ir::imp::cells::cell_layout;
use norn_ir::imp::{Data, DataId, Entry, EntryDim, EntryElem, EntryType, Prog, Site, SiteKind};
use norn_ir::nest::iface::Column;
use norn_ir::nest::print::NOWHERE;
use norn_ir::nest::{Atom, Dim, Elem, IfaceId, IfaceShape, Scalar, Type};
use std::fmt::Write;

/// What the text behind the program depends on: the names of tunables, and whether there is a device.
pub fn constants(tunables: &[String], target: Target) -> String {
    let names: Vec<String> = tunables.iter().map(|name| quoted(name)).collect();
    let names = if names.is_empty() { "\"\"".to_string() } else { names.join(", ") };
    let (count, room) = (tunables.len(), tunables.len().max(1));
    let has_device = target != Target::Cpu;
    format!(
        "\n#define NORN_HAS_DEVICE {has_device}\nenum {{ norn_tunable_count = {count}, NORN_TUNABLES = {room} }};\n\
         static const char *const norn_tunable_names[] = {{{names}}};\n"
    )
}

/// Where the program can fail, and in which words.
pub fn sites(prog: &Prog, sources: &SourceMap, target: Target) -> String {
    let recurses = prog.funs.iter().any(|fun| fun.recursive);
    let mut out = format!(
        "\nstatic const bool norn_recurses = {recurses};\nstatic const int norn_site_count = {};\nstatic const norn_site norn_sites[{}] = {{\n",
        prog.sites.len(),
        prog.sites.len().max(1)
    );
    for site in &prog.sites {
        let place = if site.span == NOWHERE { "".to_string() } else { sources.place(site.span) };
        let (kind, prim, text) = described(site);
        let text = if target != Target::Cpu && is_made(site) { String::new() } else { text };
        let _ = writeln!(
            out,
            "    {{NORN_CHECK_{kind}, {}, {}, {}}},",
            prim.map_or("0", c_prim),
            quoted(&text),
            quoted(&place)
        );
    }
    if prog.sites.is_empty() {
        out += "    {0, 0, \"\", \"\"},\n";
    }
    out + "};\n"
}

fn described(site: &Site) -> (&'static str, Option<Prim>, String) {
    let none = String::new();
    match &site.what {
        SiteKind::Call(name) | SiteKind::Operator(name) => ("CALL", None, name.clone()),
        SiteKind::Check(kind) => match kind {
            CheckKind::Index => ("INDEX", None, none),
            CheckKind::Slice => ("SLICE", None, none),
            CheckKind::Size => ("SIZE", None, none),
            CheckKind::RowSize => ("ROW_SIZE", None, none),
            CheckKind::NonNegative => ("NONNEGATIVE", None, none),
            CheckKind::Exponent(prim) => ("EXPONENT", Some(*prim), none),
            CheckKind::Range(prim) => ("RANGE", Some(*prim), none),
            CheckKind::NegativeLength => ("NEGATIVE_LENGTH", None, none),
            CheckKind::Segments => ("SEGMENTS", None, none),
            CheckKind::Flat => ("FLAT", None, none),
            CheckKind::NonZero | CheckKind::Assert(_) | CheckKind::Fail(_) => {
                ("TEXT", None, message(kind, &[]))
            }
        },
    }
}

/// The cells of recursive types, `norn_data_N`, and all types, `norn_type_N`, by their numbers.
pub fn types(datas: &[Data], types: &Types) -> String {
    let mut out = cells(datas);
    let layout_of_cells = out.clone();
    for id in types.all() {
        let iface = types.get(id);
        let rank = match iface.shape {
            IfaceShape::Array(_, rank) | IfaceShape::OpaqueArray(_, rank) => rank,
            _ => 0,
        };
        let columns: Vec<String> = iface.columns.iter().map(column).collect();
        let columns = if columns.is_empty() { "{0, 0, {0}, NULL}".to_string() } else { columns.join(", ") };
        let has_cells = iface.columns.iter().any(|column| matches!(column.elem, Elem::Ref(..)));
        let layout = hash(&[columns.as_str(), if has_cells { &layout_of_cells } else { "" }].concat());
        let number = id.0;
        let _ = writeln!(out, "static const norn_column_type norn_columns_{number}[] = {{{columns}}};");
        let _ = writeln!(
            out,
            "static const norn_type norn_type_{number} = {{{}, {}, norn_columns_{number}, {rank}, {layout:#x}u}};",
            quoted(&iface.name),
            iface.columns.len()
        );
    }
    out
}

fn column(column: &Column) -> String {
    column_type(column.elem, column.irregular.iter().copied())
}

fn column_type(elem: Elem, irregular: impl ExactSizeIterator<Item = bool>) -> String {
    let (prim, data) = match elem {
        Elem::Prim(prim) => (prim, "NULL".to_string()),
        Elem::Ref(data, _) => (Prim::U32, data_name(data)),
    };
    let rank = irregular.len();
    // The first dimension is that of all rows.
    let irregular = irregular.enumerate().map(|(i, is)| if i > 0 && is { "1" } else { "0" });
    let irregular: Vec<&str> = irregular.collect();
    let irregular = if irregular.is_empty() { "0".to_string() } else { irregular.join(", ") };
    format!("{{{}, {rank}, {{{irregular}}}, {data}}}", c_prim(prim))
}

fn data_name(DataId(number): DataId) -> String {
    format!("&norn_data_{number}")
}

/// What is in the cells of each constructor. Recursive types lead to each other, so all are declared before.
fn cells(datas: &[Data]) -> String {
    let mut out = String::from("\n");
    for number in 0..datas.len() {
        let _ = writeln!(out, "static const norn_recursive norn_data_{number};");
    }
    for (number, data) in datas.iter().enumerate() {
        let mut constrs = Vec::new();
        for (i, constr) in data.constrs.iter().enumerate() {
            let layout = cell_layout(&constr.columns);
            let fields = constr.columns.iter().zip(&layout.columns);
            let fields: Vec<String> = fields.map(|(column, at)| field(column, *at)).collect();
            constrs.push(match fields.is_empty() {
                true => format!("{{{}, 0, NULL}}", layout.words),
                false => format!("{{{}, {}, norn_fields_{number}_{i}}}", layout.words, fields.len()),
            });
            if !fields.is_empty() {
                let fields = fields.join(", ");
                let _ = writeln!(out, "static const norn_field norn_fields_{number}_{i}[] = {{{fields}}};");
            }
        }
        let (count, constrs) = (constrs.len(), constrs.join(", "));
        let _ = writeln!(out, "static const norn_constr norn_constrs_{number}[] = {{{constrs}}};");
        let _ = writeln!(
            out,
            "static const norn_recursive norn_data_{number} = {{{count}, norn_constrs_{number}}};"
        );
    }
    out
}

/// A column of a cell that begins at this byte.
fn field(ty: &Type, at: usize) -> String {
    let Type::Value(elem, dims) = ty else { panic!("library: a cell with something that is no value") };
    let size = |dim: &Dim| match dim {
        Dim::Size(Atom::Const(Scalar::I64(size))) => size.to_string(),
        Dim::Size(_) | Dim::Irregular | Dim::Result(_) => "0".to_string(),
    };
    let has_length = dims.first() == Some(&Dim::Irregular);
    let sizes: Vec<String> = dims.iter().map(size).collect();
    let sizes = if sizes.is_empty() { "0".to_string() } else { sizes.join(", ") };
    let ty = column_type(*elem, dims.iter().map(|dim| *dim == Dim::Irregular));
    format!("{{{at}, {has_length}, {ty}, {{{sizes}}}}}")
}

/// The entry points, `norn_entries`, in their order.
pub fn entries(prog: &Prog) -> String {
    let mut out = String::from("\n");
    for (i, entry) in prog.entries.iter().enumerate() {
        let _ = writeln!(out, "static const norn_slot norn_args_{i}[] = {{{}}};", slots(&entry.args));
        let _ = writeln!(out, "static const norn_slot norn_rets_{i}[] = {{{}}};", slots(&entry.rets));
        let _ = writeln!(out, "static const norn_param norn_params_{i}[] = {{{}}};", params(prog, entry));
    }
    out += "static const norn_entry_point norn_entries[] = {\n";
    for (i, entry) in prog.entries.iter().enumerate() {
        let _ = writeln!(
            out,
            "    {{{}, norn_entry_{i}, {}, {}, {}, {}, {}, norn_args_{i}, norn_rets_{i}, norn_params_{i}}},",
            quoted(&entry.name),
            entry.args.len(),
            entry.rets.len(),
            entry.params.len(),
            prog.ifaces[entry.result.0 as usize].columns.len(),
            is_remote(prog, entry)
        );
    }
    if prog.entries.is_empty() {
        out += "    {0},\n";
    }
    out + "};\n\n"
}

/// What entry points read and write, and the function `main`.
pub fn signatures(prog: &Prog, types: &Types) -> String {
    let mut out = String::from("\n");
    for (i, entry) in prog.entries.iter().enumerate() {
        let params: Vec<String> = entry.params.iter().map(|param| plain(types, param.ty)).collect();
        let results: Vec<String> =
            untupled(types, entry.result).into_iter().map(|id| plain(types, id)).collect();
        for (what, list) in [("param", params), ("result", results)] {
            let list = if list.is_empty() { "{0, 0, 0}".to_string() } else { list.join(", ") };
            let _ = writeln!(out, "static const norn_plain norn_plain_{what}_{i}[] = {{{list}}};");
        }
    }
    out += "static const norn_signature norn_signatures[] = {\n";
    for (i, entry) in prog.entries.iter().enumerate() {
        let (params, results) = (entry.params.len(), untupled(types, entry.result).len());
        let _ = writeln!(out, "    {{{params}, {results}, norn_plain_param_{i}, norn_plain_result_{i}}},");
    }
    if prog.entries.is_empty() {
        out += "    {0, 0, 0, 0},\n";
    }
    let count = prog.entries.len();
    out + &format!(
        "}};\n\nint main(int argc, char **argv) {{ return norn_main(argc, argv, norn_entries, norn_signatures, {count}); }}\n"
    )
}

/// The parts of a tuple, or the type itself.
fn untupled(types: &Types, id: IfaceId) -> Vec<IfaceId> {
    match &types.get(id).shape {
        IfaceShape::Record(fields)
            if fields.iter().enumerate().all(|(i, (name, _))| *name == i.to_string()) =>
        {
            fields.iter().map(|(_, ty)| *ty).collect()
        }
        _ => vec![id],
    }
}

fn plain(types: &Types, id: IfaceId) -> String {
    let columns = types.columns(id);
    match types.get(id).shape {
        IfaceShape::Scalar(prim) => format!("{{0, {}, {columns}}}", c_prim(prim)),
        IfaceShape::Array(prim, rank) => format!("{{{rank}, {}, {columns}}}", c_prim(prim)),
        _ => format!("{{-1, 0, {columns}}}"),
    }
}

fn slots(types: &[EntryType]) -> String {
    if types.is_empty() {
        return "{0, 0, NULL, NULL, 0}".to_string();
    }
    let slot = |ty: &EntryType| {
        let EntryType::Value(elem, dims) = ty else {
            return "{NORN_REGION_ARG, 0, NULL, NULL, 0}".to_string();
        };
        let (prim, data, region) = match elem {
            EntryElem::Prim(prim) => (*prim, "NULL".to_string(), 0),
            EntryElem::Ref(data, region) => (Prim::U32, data_name(*data), *region),
        };
        let dims_text: Vec<String> = dims.iter().map(dim).collect();
        let dims_text = match dims.is_empty() {
            true => "NULL".to_string(),
            false => format!("(const norn_dim[]){{{}}}", dims_text.join(", ")),
        };
        format!("{{{}, {}, {dims_text}, {data}, {region}}}", c_prim(prim), dims.len())
    };
    types.iter().map(slot).collect::<Vec<String>>().join(", ")
}

fn dim(dim: &EntryDim) -> String {
    match dim {
        EntryDim::Const(size) => format!("{{NORN_DIM_CONST, {size}}}"),
        EntryDim::Arg(at) => format!("{{NORN_DIM_ARG, {at}}}"),
        EntryDim::Result(at) => format!("{{NORN_DIM_RESULT, {at}}}"),
        EntryDim::Irregular => "{NORN_DIM_IRREGULAR, 0}".to_string(),
    }
}

fn params(prog: &Prog, entry: &Entry) -> String {
    if entry.params.is_empty() {
        return "{0, 0, 0}".to_string();
    }
    let param = |param: &norn_ir::nest::EntryParam| {
        let columns = prog.ifaces[param.ty.0 as usize].columns.len();
        format!("{{{}, {columns}, {}}}", quoted(&param.name), param.unique)
    };
    entry.params.iter().map(param).collect::<Vec<String>>().join(", ")
}

fn c_prim(prim: Prim) -> &'static str {
    match prim {
        Prim::I8 => "NORN_I8",
        Prim::I16 => "NORN_I16",
        Prim::I32 => "NORN_I32",
        Prim::I64 => "NORN_I64",
        Prim::U8 => "NORN_U8",
        Prim::U16 => "NORN_U16",
        Prim::U32 => "NORN_U32",
        Prim::U64 => "NORN_U64",
        Prim::F16 => "NORN_F16",
        Prim::F32 => "NORN_F32",
        Prim::F64 => "NORN_F64",
        Prim::Bool => "NORN_BOOL",
    }
}

/// A string literal of C.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(byte.into());
            }
            // A question mark may begin a trigraph.
            b' '..=b'~' if byte != b'?' => out.push(byte.into()),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out + "\""
}
