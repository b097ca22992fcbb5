//! The functions of a library's interface that depend on the program: those of its types, and its entry points.
//!
//! Each is a line of the header and a few lines of C that call what is the same for all programs (rts/library) with the number of a type or an entry point:
//!
//! ```text
//! struct futhark_f32_1d *futhark_new_f32_1d(ctx, data, dim0)        norn_array_new(ctx, &norn_type_3, data, dims, false)
//! ```
//!
//! Arrays of numbers have `new`, `values`, `index`, `shape` and `free`; all other types are opaque, and records, sums and arrays of them have what takes them apart and makes
//! them besides. What a type is called is decided by `names`.
//!
//! A caller's mistake is an error that the context reports: a pointer that is null, a value of another type, another constructor. So each function begins with a line of what
//! it needs (`checks`), and behind it can rely on its arguments.

use super::Target;
use super::checks::{ERROR, is_given, is_of, is_of_type, is_ready, needs, taken_apart, unless};
use super::names::{Types, mangled, scalar_type};
use norn_ir::imp::{Entry, Prog};
use norn_ir::nest::iface::payload_columns;
use norn_ir::nest::{IfaceId, IfaceShape, tag_prim};
use std::fmt::Write;

/// What stands in the `.h` file, and what in the `.c` file.
#[derive(Default)]
pub struct Functions {
    pub declarations: String,
    pub definitions: String,
}

const CONTEXT: &str = "struct futhark_context *ctx";

pub fn functions(prog: &Prog, types: &Types, target: Target) -> Functions {
    let mut out = Functions::default();
    for id in types.values() {
        match &types.get(id).shape {
            IfaceShape::Array(..) => out.array(types, id, target),
            _ => out.opaque(types, id),
        }
    }
    for (number, entry) in prog.entries.iter().enumerate() {
        out.entry(types, number, entry);
    }
    out
}

impl Functions {
    /// Adds a function whose body is these lines.
    fn add(&mut self, head: String, lines: &[String]) {
        let _ = writeln!(self.declarations, "{head};");
        let _ = writeln!(self.definitions, "{head} {{");
        lines.iter().for_each(|line| {
            let _ = writeln!(self.definitions, "  {line}");
        });
        self.definitions += "}\n\n";
    }

    fn array(&mut self, types: &Types, id: IfaceId, target: Target) {
        let IfaceShape::Array(prim, rank) = types.get(id).shape else { return };
        let (name, number, elem) = (types.name(id), id.0, scalar_type(prim));
        let array = format!("struct futhark_{name}");
        let dims = numbered(rank, |i| format!("int64_t dim{i}")).join(", ");
        let dim_list = numbered(rank, |i| format!("dim{i}")).join(", ");
        let indices = numbered(rank, |i| format!("int64_t i{i}")).join(", ");
        let index_list = numbered(rank, |i| format!("i{i}")).join(", ");
        let new = |function: &str, data: &str| {
            vec![
                unless(&[is_ready()], "NULL"),
                format!("const i64 dims[] = {{{dim_list}}};"),
                format!("return ({array} *){function}(ctx, &norn_type_{number}, {data}, dims);"),
            ]
        };
        self.add(
            format!("{array} *futhark_new_{name}({CONTEXT}, const {elem} *data, {dims})"),
            &new("norn_array_new", "data"),
        );
        // What memory is called, and the functions that make an array of it and back.
        let (param, result, from, to, no_memory) = match target {
            Target::Cpu => {
                let bytes = "unsigned char *";
                (
                    format!("const {bytes}"),
                    bytes,
                    ("norn_array_raw", "data"),
                    "(unsigned char *)norn_array_place",
                    "NULL",
                )
            }
            Target::OpenCl => (
                "struct _cl_mem *".to_string(),
                "struct _cl_mem *",
                ("norn_array_raw_buffer", "data"),
                "norn_array_buffer",
                "NULL",
            ),
            Target::Cuda => (
                "unsigned long long ".to_string(),
                "unsigned long long ",
                ("norn_array_raw", "(const void *)data"),
                "(unsigned long long)norn_array_place",
                "0",
            ),
        };
        self.add(
            format!("{array} *futhark_new_raw_{name}({CONTEXT}, {param}data, {dims})"),
            &new(from.0, from.1),
        );
        self.free(types, id);
        self.add(
            format!("int futhark_values_{name}({CONTEXT}, {array} *arr, {elem} *data)"),
            &[unless(&[is_of(id, "arr")], ERROR), "return norn_array_values(ctx, arr, data);".into()],
        );
        self.add(
            format!("{result}futhark_values_raw_{name}({CONTEXT}, {array} *arr)"),
            &[unless(&[is_of(id, "arr")], no_memory), format!("return {to}(ctx, arr);")],
        );
        self.add(
            format!("int futhark_index_{name}({CONTEXT}, {elem} *out, {array} *arr, {indices})"),
            &[
                unless(&[is_given("out"), is_of(id, "arr")], ERROR),
                format!("const i64 index[] = {{{index_list}}};"),
                "return norn_array_index(ctx, out, arr, index);".into(),
            ],
        );
        self.shape(types, id);
    }

    fn shape(&mut self, types: &Types, id: IfaceId) {
        let name = types.name(id);
        self.add(
            format!("const int64_t *futhark_shape_{name}({CONTEXT}, struct futhark_{name} *arr)"),
            &[unless(&[is_of(id, "arr")], "NULL"), "return norn_shape(arr);".into()],
        );
    }

    fn free(&mut self, types: &Types, id: IfaceId) {
        let name = types.name(id);
        self.add(
            format!("int futhark_free_{name}({CONTEXT}, struct futhark_{name} *value)"),
            &[
                "if (!value) return 0;".into(),
                unless(&[is_ready()], ERROR),
                "return norn_value_free(ctx, value);".into(),
            ],
        );
    }

    fn opaque(&mut self, types: &Types, id: IfaceId) {
        let (name, number) = (types.name(id), id.0);
        self.free(types, id);
        self.add(
            format!(
                "int futhark_store_{name}({CONTEXT}, const struct futhark_{name} *obj, void **p, size_t *n)"
            ),
            &[unless(&[is_of(id, "obj")], ERROR), "return norn_store(ctx, obj, p, n);".into()],
        );
        self.add(
            format!("struct futhark_{name} *futhark_restore_{name}({CONTEXT}, const void *p)"),
            &[
                unless(&[is_given("p")], "NULL"),
                format!("return (struct futhark_{name} *)norn_restore(ctx, &norn_type_{number}, p);"),
            ],
        );
        match &types.get(id).shape {
            IfaceShape::Record(fields) => self.record(types, id, fields),
            IfaceShape::Sum(constrs) => self.sum(types, id, constrs),
            IfaceShape::Recursive(constrs) => self.recursive(types, id, constrs),
            IfaceShape::OpaqueArray(elem, rank) => self.opaque_array(types, id, *elem, *rank),
            IfaceShape::Scalar(_) | IfaceShape::Array(..) | IfaceShape::Opaque => {}
        }
    }

    fn record(&mut self, types: &Types, id: IfaceId, fields: &[(String, IfaceId)]) {
        let name = types.name(id);
        let inputs: Vec<(String, IfaceId)> =
            fields.iter().map(|(field, ty)| (format!("f_{}", mangled(field)), *ty)).collect();
        self.construct(types, id, &format!("futhark_new_{name}"), &inputs);
        self.projections(types, id, fields);
    }

    /// A function for each field, whose columns follow each other.
    fn projections(&mut self, types: &Types, id: IfaceId, fields: &[(String, IfaceId)]) {
        let name = types.name(id);
        let mut first = 0;
        for (field, ty) in fields {
            let head = format!(
                "int futhark_project_{name}_{}({CONTEXT}, {}, const struct futhark_{name} *obj)",
                mangled(field),
                types.output(*ty, "out")
            );
            let lines = [
                unless(&[is_given("out"), is_of(id, "obj")], ERROR),
                take_part(types, *ty, "out", first),
                "return 0;".into(),
            ];
            self.add(head, &lines);
            first += types.columns(*ty);
        }
    }

    /// A function that makes a value of the columns of others.
    fn construct(&mut self, types: &Types, id: IfaceId, function: &str, inputs: &[(String, IfaceId)]) {
        let name = types.name(id);
        let params: String =
            inputs.iter().map(|(input, ty)| format!(", {}", types.input(*ty, input))).collect();
        let mut lines = vec![
            unless(&needs(types, "out", inputs), ERROR),
            format!("norn_column in[{}];", types.columns(id).max(1)),
        ];
        let mut first = 0;
        for (input, ty) in inputs {
            lines.push(fill(types, *ty, input, first));
            first += types.columns(*ty);
        }
        if inputs.is_empty() {
            lines.push("memset(in, 0, sizeof in);".into());
        }
        lines.extend(made(name, id));
        self.add(format!("int {function}({CONTEXT}, struct futhark_{name} **out{params})"), &lines);
    }

    fn sum(&mut self, types: &Types, id: IfaceId, constrs: &[(String, Vec<IfaceId>)]) {
        let (name, number) = (types.name(id), id.0);
        let places = payload_columns(types.ifaces, constrs);
        let tag_type = scalar_type(tag_prim(constrs.len()));
        let tag = |value: &str| format!("({tag_type})((const norn_value *){value})->column->word");
        self.add(
            format!("int futhark_variant_{name}({CONTEXT}, const struct futhark_{name} *v)"),
            &[unless(&[is_of(id, "v")], "-1"), format!("return {};", tag("v"))],
        );
        for (i, ((constr, payload), firsts)) in constrs.iter().zip(&places).enumerate() {
            let constr = mangled(constr);
            let named = named_parts(payload);
            let inputs: String =
                named.iter().map(|(part, ty)| format!(", {}", types.input(*ty, part))).collect();
            let mut lines = vec![
                unless(&needs(types, "out", &named), ERROR),
                format!("norn_column in[{}];", types.columns(id)),
                format!("norn_nothing(&norn_type_{number}, in);"),
                format!("in[0].word = {i};"),
            ];
            for ((part, ty), first) in named.iter().zip(firsts) {
                lines.push(fill(types, *ty, part, *first));
            }
            lines.extend(made(name, id));
            self.add(
                format!("int futhark_new_{name}_{constr}({CONTEXT}, struct futhark_{name} **out{inputs})"),
                &lines,
            );
            let outputs: String =
                named.iter().map(|(part, ty)| format!("{}, ", types.output(*ty, part))).collect();
            let mut lines = vec![
                unless(&taken_apart(id, &named), ERROR),
                format!("if ({} != {i}) return norn_other_constr(ctx, obj);", tag("obj")),
            ];
            let parts = named.iter().zip(firsts);
            lines.extend(parts.map(|((part, ty), first)| take_part(types, *ty, part, *first)));
            lines.push("return 0;".into());
            let head = format!(
                "int futhark_destruct_{name}_{constr}({CONTEXT}, {outputs}const struct futhark_{name} *obj)"
            );
            self.add(head, &lines);
        }
    }

    /// The same functions as a sum has: a cell has the columns of its constructor's payloads.
    fn recursive(&mut self, types: &Types, id: IfaceId, constrs: &[(String, Vec<IfaceId>)]) {
        let (name, number) = (types.name(id), id.0);
        self.add(
            format!("int futhark_variant_{name}({CONTEXT}, const struct futhark_{name} *v)"),
            &[unless(&[is_of(id, "v")], "-1"), "return norn_cell_variant(ctx, v);".into()],
        );
        for (i, (constr, payload)) in constrs.iter().enumerate() {
            let constr = mangled(constr);
            let count: usize = payload.iter().map(|ty| types.columns(*ty)).sum();
            let named = named_parts(payload);
            let inputs: String =
                named.iter().map(|(part, ty)| format!(", {}", types.input(*ty, part))).collect();
            let mut make = vec![unless(&needs(types, "out", &named), ERROR)];
            let mut take = vec![unless(&taken_apart(id, &named), ERROR)];
            make.push(format!("norn_column in[{}] = {{0}};", count.max(1)));
            take.push(format!("norn_column out[{}];", count.max(1)));
            take.push(format!("int code = norn_cell_take(ctx, obj, {i}, out);"));
            take.push("if (code) return code;".into());
            let mut first = 0;
            for (part, ty) in &named {
                make.push(fill(types, *ty, part, first));
                take.push(match types.scalar(*ty) {
                    Some(_) => format!("memcpy({part}, &out[{first}].word, sizeof *{part});"),
                    None => format!(
                        "if (!(*{part} = (struct futhark_{} *)norn_value_with(ctx, &norn_type_{}, out + {first}))) return NORN_MEMORY_ERROR;",
                        types.name(*ty),
                        ty.0
                    ),
                });
                first += types.columns(*ty);
            }
            make.push(format!("norn_value *value = norn_cell_value(ctx, &norn_type_{number}, {i}, in);"));
            make.extend(handed_out(name));
            take.push("return 0;".into());
            self.add(
                format!("int futhark_new_{name}_{constr}({CONTEXT}, struct futhark_{name} **out{inputs})"),
                &make,
            );
            let outputs: String =
                named.iter().map(|(part, ty)| format!("{}, ", types.output(*ty, part))).collect();
            self.add(
                format!("int futhark_destruct_{name}_{constr}({CONTEXT}, {outputs}const struct futhark_{name} *obj)"),
                &take,
            );
        }
    }

    fn opaque_array(&mut self, types: &Types, id: IfaceId, elem: IfaceId, rank: usize) {
        let (name, number) = (types.name(id), elem.0);
        self.shape(types, id);
        let indices = numbered(rank, |i| format!("int64_t i{i}")).join(", ");
        let index_list = numbered(rank, |i| format!("i{i}")).join(", ");
        // Rows of different lengths may have scalars or arrays of scalars in them.
        let written = match types.scalar(elem) {
            Some(_) => {
                vec![
                    "memcpy(out, &found->column->word, sizeof *out);".into(),
                    "norn_value_free(ctx, found);".into(),
                ]
            }
            None => vec![format!("*out = (struct futhark_{} *)found;", types.name(elem))],
        };
        let mut lines = vec![
            unless(&[is_given("out"), is_of(id, "arr")], ERROR),
            format!("const i64 index[] = {{{index_list}}};"),
            format!("norn_value *found = norn_element(ctx, &norn_type_{number}, arr, index);"),
            "if (!found) return NORN_PROGRAM_ERROR;".into(),
        ];
        lines.extend(written);
        lines.push("return 0;".into());
        self.add(
            format!(
                "int futhark_index_{name}({CONTEXT}, {}, struct futhark_{name} *arr, {indices})",
                types.output(elem, "out")
            ),
            &lines,
        );
        self.opaque_array_made(types, id, elem, rank);
        if let Some(fields) = record_array(types, elem, rank) {
            self.zip(types, id, &fields);
        }
    }

    /// Arrays of values are made of their elements, and changed at an index.
    fn opaque_array_made(&mut self, types: &Types, id: IfaceId, elem: IfaceId, rank: usize) {
        let (name, number, element) = (types.name(id), id.0, elem.0);
        // Of rows of different lengths the elements may be scalars.
        if types.scalar(elem).is_some() {
            return;
        }
        let elem_type = format!("struct futhark_{}", types.name(elem));
        let list = |prefix: &str| numbered(rank, |i| format!("{prefix}{i}")).join(", ");
        let params = |prefix: &str| numbered(rank, |i| format!("int64_t {prefix}{i}")).join(", ");
        self.add(
            format!(
                "int futhark_new_{name}({CONTEXT}, struct futhark_{name} **out, {elem_type} **elems, {})",
                params("dim")
            ),
            &[
                unless(&[is_given("out")], ERROR),
                format!("const i64 dims[] = {{{}}};", list("dim")),
                format!("norn_value *made = norn_array_of(ctx, &norn_type_{number}, &norn_type_{element}, (norn_value **)elems, dims);"),
                format!("*out = (struct futhark_{name} *)made;"),
                "return made ? 0 : NORN_PROGRAM_ERROR;".into(),
            ],
        );
        self.add(
            format!(
                "int futhark_set_{name}({CONTEXT}, struct futhark_{name} *arr, {elem_type} *v, {})",
                params("i")
            ),
            &[
                unless(&[is_of(id, "arr"), is_of(elem, "v")], ERROR),
                format!("const i64 index[] = {{{}}};", list("i")),
                format!("return norn_array_set(ctx, &norn_type_{element}, arr, (norn_value *)v, index);"),
            ],
        );
    }

    /// Arrays of records are made of arrays of their fields, and back.
    fn zip(&mut self, types: &Types, id: IfaceId, fields: &[(String, IfaceId)]) {
        let name = types.name(id);
        let inputs: Vec<(String, IfaceId)> =
            fields.iter().map(|(field, ty)| (format!("f_{}", mangled(field)), *ty)).collect();
        let params: String =
            inputs.iter().map(|(input, ty)| format!(", {}", types.input(*ty, input))).collect();
        let mut lines = vec![
            unless(&needs(types, "out", &inputs), ERROR),
            format!("norn_column in[{}];", types.columns(id).max(1)),
        ];
        let mut first = 0;
        for (input, ty) in &inputs {
            lines.push(fill(types, *ty, input, first));
            first += types.columns(*ty);
        }
        lines.push(format!("if (norn_misfit(ctx, &norn_type_{}, in)) return {ERROR};", id.0));
        lines.extend(made(name, id));
        self.add(format!("int futhark_zip_{name}({CONTEXT}, struct futhark_{name} **out{params})"), &lines);
        self.projections(types, id, fields);
    }

    fn entry(&mut self, types: &Types, number: usize, entry: &Entry) {
        let inputs: String = (entry.params.iter().enumerate())
            .map(|(i, param)| format!(", {}", types.input(param.ty, &format!("in{i}"))))
            .collect();
        let head = format!(
            "int futhark_entry_{}({CONTEXT}, {}{inputs})",
            mangled(&entry.name),
            types.output(entry.result, "out0")
        );
        let count: usize = entry.params.iter().map(|param| types.columns(param.ty)).sum();
        let mut checks = vec![is_given("out0")];
        for (i, param) in entry.params.iter().enumerate().filter(|(_, p)| types.scalar(p.ty).is_none()) {
            checks.push(is_of_type(param.ty, &format!("in{i}"), &param.name));
        }
        let mut lines = vec![
            unless(&checks, ERROR),
            format!("norn_column in[{}], out[{}];", count.max(1), types.columns(entry.result).max(1)),
        ];
        let mut first = 0;
        for (i, param) in entry.params.iter().enumerate() {
            lines.push(fill(types, param.ty, &format!("in{i}"), first));
            first += types.columns(param.ty);
        }
        if entry.params.is_empty() {
            lines.push("memset(in, 0, sizeof in);".into());
        }
        lines.push(format!("int code = norn_call(ctx, &norn_entries[{number}], in, {count}, out);"));
        lines.push("if (code) return code;".into());
        match types.scalar(entry.result) {
            Some(_) => lines.push("memcpy(out0, &out->word, sizeof *out0);".into()),
            None => {
                let result = entry.result.0;
                lines.push(format!("norn_value *value = norn_value_with(ctx, &norn_type_{result}, out);"));
                lines.push("if (!value) return NORN_MEMORY_ERROR;".into());
                lines.push(format!("*out0 = (struct futhark_{} *)value;", types.name(entry.result)));
            }
        }
        lines.push("return 0;".into());
        self.add(head, &lines);
    }
}

/// The fields of an array of records, if the arrays of all fields are types of the interface.
pub fn record_array(types: &Types, elem: IfaceId, rank: usize) -> Option<Vec<(String, IfaceId)>> {
    let IfaceShape::Record(fields) = &types.get(elem).shape else { return None };
    fields.iter().map(|(name, ty)| Some((name.clone(), types.array_of(*ty, rank)?))).collect()
}

/// Copies the columns of something that is passed.
fn fill(types: &Types, id: IfaceId, input: &str, first: usize) -> String {
    match types.scalar(id) {
        Some(_) => format!("in[{first}] = norn_scalar(&{input}, sizeof {input});"),
        None => {
            let count = types.columns(id);
            format!("memcpy(in + {first}, ((const norn_value *){input})->column, {count} * sizeof *in);")
        }
    }
}

/// The end of a function that makes a value of the columns `in`.
fn made(name: &str, id: IfaceId) -> Vec<String> {
    let mut lines = vec![format!("norn_value *value = norn_value_of(ctx, &norn_type_{}, in);", id.0)];
    lines.extend(handed_out(name));
    lines
}

/// The end of a function that has made a value.
fn handed_out(name: &str) -> [String; 3] {
    [
        "if (!value) return NORN_MEMORY_ERROR;".into(),
        format!("*out = (struct futhark_{name} *)value;"),
        "return 0;".into(),
    ]
}

/// Writes a part of the value `obj` to where `out` points.
fn take_part(types: &Types, id: IfaceId, out: &str, first: usize) -> String {
    let column = format!("((const norn_value *)obj)->column + {first}");
    match types.scalar(id) {
        Some(_) => format!("memcpy({out}, &({column})->word, sizeof *{out});"),
        None => format!(
            "if (!(*{out} = (struct futhark_{} *)norn_value_of(ctx, &norn_type_{}, {column}))) return NORN_MEMORY_ERROR;",
            types.name(id),
            id.0
        ),
    }
}

/// What the parts of a constructor are called in C.
fn named_parts(payload: &[IfaceId]) -> Vec<(String, IfaceId)> {
    payload.iter().enumerate().map(|(i, ty)| (format!("v{i}"), *ty)).collect()
}

fn numbered(count: usize, text: impl Fn(usize) -> String) -> Vec<String> {
    (0..count).map(text).collect()
}
