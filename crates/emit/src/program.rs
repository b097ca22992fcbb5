//! Prints a whole program: headers, types and declarations, then functions, kernels of the CPU, constants and entry points.
//!
//! Headers of `rts` come first, and only those that the text needs. All functions are declared before the first is defined, so their order does not matter.
//! - A constant is computed on first use. If several threads compute it at the same time, the first stores its result, and the others release theirs.
//! - An entry point takes and returns words of 8 bytes, as rts/cpu/abi.h defines.

use crate::code::{Code, c_type, join};
use crate::dialect::{Dialect, Needs, Side};
use crate::divisors::divisors;
use crate::names::Names;
use crate::reach;
use crate::scalar::{self, Text};
use norn_ir::imp::{Const, Entry, Fun, Kernel, Prog, Type, Var};
use std::fmt::Write;

/// The names of what is visible everywhere.
pub(crate) struct Globals<'a> {
    pub names: Names<'a>,
    pub funs: Vec<String>,
    pub kernels: Vec<String>,
    pub consts: Vec<String>,
    /// Of each group kernel that a host launches, the parameters that it divides by.
    pub divisors: Vec<Vec<usize>>,
}

pub(crate) fn emit(prog: &Prog, dialect: &dyn Dialect) -> String {
    let mut names = Names::new(dialect.words());
    let globals = Globals {
        funs: prog.funs.iter().map(|fun| names.give("f_", &fun.name)).collect(),
        kernels: prog.kernels.iter().map(|kernel| names.give("k_", &kernel.name)).collect(),
        consts: prog.consts.iter().map(|c| names.give("c_", &prog.funs[c.fun.0 as usize].name)).collect(),
        divisors: prog.group_kernels.iter().map(divisors).collect(),
        names,
    };
    let mut printer = Printer { prog, globals: &globals, dialect, needs: Needs::new(dialect.arithmetic()) };
    // The headers and vector types that come first are known when everything else is printed.
    let mut body = String::new();
    let mut heads = String::new();
    for (i, kernel) in prog.kernels.iter().enumerate() {
        printer.kernel(i, kernel, &mut heads, &mut body);
    }
    let left_out = reach::only_on_device(prog);
    for (i, fun) in prog.funs.iter().enumerate().filter(|(i, _)| !left_out[*i]) {
        let (head, text) = function(&globals, dialect, &mut printer.needs, i, fun);
        heads.push_str(&head);
        body.push_str(&text);
    }
    let constants = printer.constants();
    let mut entries = String::new();
    for (i, entry) in prog.entries.iter().enumerate() {
        printer.entry(i, entry, &mut entries);
    }

    let mut out = String::new();
    for header in dialect.headers(&printer.needs) {
        out.push_str(header);
        out.push('\n');
    }
    for part in [
        printer.needs.vectors.definitions(),
        printer.needs.tables.definitions(),
        heads,
        constants,
        body,
        entries,
    ] {
        if !part.is_empty() {
            out.push_str(&part);
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// The head of a function, and all of it.
pub(crate) fn function(
    globals: &Globals<'_>,
    dialect: &dyn Dialect,
    needs: &mut Needs,
    index: usize,
    fun: &Fun,
) -> (String, String) {
    let given: Vec<Var> =
        fun.params.iter().copied().chain(fun.arrays.iter().map(|array| array.var)).collect();
    let mut code = Code::new(globals, dialect, needs, &fun.vars, (&fun.body, &fun.results), &given);
    let mut head = dialect.function_head(&globals.funs[index], fun);
    for param in &fun.params {
        write(&mut head, format_args!(", {}", code.declaration(*param)));
    }
    for (i, ty) in fun.ret.iter().enumerate() {
        let ty = code.c_type(*ty, None);
        write(&mut head, format_args!(", {}", join(&ty, &format!("*result_{i}"))));
    }
    head.push(')');
    for array in &fun.arrays {
        code.array(array.var, array.count, array.shared);
    }
    code.block(&fun.body);
    for (i, result) in fun.results.iter().enumerate() {
        let value = code.passed(result);
        code.line(format!("*result_{i} = {};", value.text));
    }
    code.line("return NORN_DONE;");
    let tests_stop = code.tests_stop;
    let body = code.finish();

    let mut out = String::new();
    write(&mut out, format_args!("// {}\n{head} {{\n", comment(&fun.name)));
    if fun.recursive && dialect.side() == Side::Cpu {
        out.push_str("  if (norn_too_deep(w)) return norn_refuse(w);\n");
    }
    if tests_stop {
        out.push_str(RUN);
    }
    write(&mut out, format_args!("{body}}}\n\n"));
    (format!("{head};\n"), out)
}

struct Printer<'a> {
    prog: &'a Prog,
    globals: &'a Globals<'a>,
    dialect: &'a dyn Dialect,
    needs: Needs,
}

impl<'a> Printer<'a> {
    fn ty(&mut self, ty: Type) -> String {
        c_type(self.dialect, &mut self.needs, ty, None)
    }

    fn kernel(&mut self, index: usize, kernel: &'a Kernel, heads: &mut String, out: &mut String) {
        let name = &self.globals.kernels[index];
        let mut given = vec![kernel.chunk, kernel.from, kernel.to];
        given.extend(&kernel.params);
        let mut code =
            Code::new(self.globals, self.dialect, &mut self.needs, &kernel.vars, (&kernel.body, &[]), &given);
        let [chunk, from, to] = [kernel.chunk, kernel.from, kernel.to].map(|var| code.name(var).to_string());
        let head = format!(
            "NORN_KERNEL int {name}(norn_worker *w, const void *args, i64 {chunk}, i64 {from}, i64 {to})"
        );
        if !kernel.params.is_empty() {
            let fields: Vec<String> = kernel.params.iter().map(|param| code.declaration(*param)).collect();
            write(heads, format_args!("struct {name}_args {{ {}; }};\n", fields.join("; ")));
            for param in &kernel.params {
                let declaration = code.declaration(*param);
                let name = code.name(*param).to_string();
                code.line(format!(
                    "{declaration} = ((const struct {}_args *)args)->{name};",
                    self.globals.kernels[index]
                ));
            }
        }
        code.block(&kernel.body);
        code.line("return NORN_DONE;");
        let tests_stop = code.tests_stop;
        let body = code.finish();
        write(heads, format_args!("{head};\n"));
        write(out, format_args!("// kernel {}\n{head} {{\n", comment(&kernel.name)));
        if tests_stop {
            out.push_str(RUN);
        }
        write(out, format_args!("{body}}}\n\n"));
    }

    /// Where the results of constants are kept, and the functions that get them there. Who finds them absent computes them; of
    /// several, the first stores what it has computed, and the others release theirs.
    fn constants(&mut self) -> String {
        let prog = self.prog;
        let mut out = String::new();
        if prog.consts.is_empty() {
            out.push_str("const int64_t norn_globals = 0;\n");
            return out;
        }
        out.push_str("struct norn_constants {\n");
        for (constant, name) in prog.consts.iter().zip(&self.globals.consts) {
            let results = self.prog.funs[constant.fun.0 as usize].ret.clone();
            let fields: Vec<String> = results
                .iter()
                .enumerate()
                .map(|(i, ty)| format!(" {};", join(&self.ty(*ty), &format!("result_{i}"))))
                .collect();
            write(&mut out, format_args!("  struct {{ i32 state;{} }} {name};\n", fields.concat()));
        }
        out.push_str("};\n\nconst int64_t norn_globals = sizeof(struct norn_constants);\n\n");
        for (i, constant) in prog.consts.iter().enumerate() {
            self.constant(i, constant, &mut out);
        }
        out
    }

    fn constant(&mut self, index: usize, constant: &Const, out: &mut String) {
        let name = &self.globals.consts[index];
        let fun = &self.globals.funs[constant.fun.0 as usize];
        let results = &self.prog.funs[constant.fun.0 as usize].ret;
        let locals: Vec<String> = results
            .iter()
            .enumerate()
            .map(|(i, ty)| format!("  {};\n", join(&self.ty(*ty), &format!("out_{i}"))))
            .collect();
        let addresses: Vec<String> = (0..results.len()).map(|i| format!(", &out_{i}")).collect();
        let stores: Vec<String> =
            (0..results.len()).map(|i| format!("    all->{name}.result_{i} = out_{i};\n")).collect();
        let releases: Vec<String> = results
            .iter()
            .enumerate()
            .filter_map(|(i, ty)| match ty {
                Type::Block => Some(format!("    norn_release(w, out_{i});\n")),
                Type::Region => Some(format!("    norn_region_end(w, out_{i});\n")),
                Type::Scalar(_) | Type::Vector(..) | Type::Ptr(_) | Type::Remote(_) | Type::Local(_) => None,
            })
            .collect();
        let all = "  struct norn_constants *all = w->globals;\n";
        write(
            out,
            format_args!(
                "NORN_COLD int {name}_compute(norn_worker *w) {{\n{all}{}  int end = {fun}(w{});\n  if (end) return end;\n  \
                 if (norn_constant_first(&all->{name}.state)) {{\n{}    norn_constant_stored(&all->{name}.state);\n  }} else {{\n{}  }}\n  \
                 return NORN_DONE;\n}}\n\n",
                locals.concat(),
                addresses.concat(),
                stores.concat(),
                releases.concat(),
            ),
        );
        let params: Vec<String> = results
            .iter()
            .enumerate()
            .map(|(i, ty)| format!(", {}", join(&self.ty(*ty), &format!("*result_{i}"))))
            .collect();
        let loads: Vec<String> =
            (0..results.len()).map(|i| format!("  *result_{i} = all->{name}.result_{i};\n")).collect();
        write(
            out,
            format_args!(
                "NORN_INLINE int {name}(norn_worker *w{}) {{\n{all}  if (!norn_constant_there(&all->{name}.state)) {{\n    \
                 int end = {name}_compute(w);\n    if (end) return end;\n  }}\n{}  return NORN_DONE;\n}}\n\n",
                params.concat(),
                loads.concat(),
            ),
        );
    }

    /// Arguments and results are words.
    fn entry(&mut self, index: usize, entry: &Entry, out: &mut String) {
        let fun = &self.prog.funs[entry.fun.0 as usize];
        let mut args = String::new();
        for (i, param) in fun.params.iter().enumerate() {
            let ty = fun.vars[param.0 as usize].ty;
            let word = Text::primary(format!("args[{i}]"));
            let value = match ty {
                Type::Scalar(prim) => scalar::of_word(&mut self.needs, prim, &word),
                Type::Ptr(_) | Type::Remote(_) | Type::Local(_) | Type::Block | Type::Region => {
                    Text::cast(&self.ty(ty), &word)
                }
                Type::Vector(..) => unreachable!("emit: entry points take no vectors (I8)"),
            };
            write(&mut args, format_args!(", {}", value.text));
        }
        write(
            out,
            format_args!(
                "// entry {}\nint norn_entry_{index}(norn_worker *w, const u64 *args, u64 *results) {{\n",
                comment(&entry.name)
            ),
        );
        for (i, ty) in fun.ret.iter().enumerate() {
            write(out, format_args!("  {};\n", join(&self.ty(*ty), &format!("out_{i}"))));
            write(&mut args, format_args!(", &out_{i}"));
        }
        let name = &self.globals.funs[entry.fun.0 as usize];
        write(out, format_args!("  int end = {name}(w{args});\n  if (end) return end;\n"));
        // The caller looks at cells in the host's memory.
        let is_region = |param: &Var| fun.vars[param.0 as usize].ty == Type::Region;
        let regions = fun.params.iter().enumerate().filter(|(_, param)| is_region(param));
        for (i, _) in regions.filter(|_| !self.prog.group_kernels.is_empty()) {
            let fetch = format!("norn_fetch(w, ({})args[{i}])", self.ty(Type::Region).trim());
            self.needs.device = true;
            write(out, format_args!("  end = {fetch};\n  if (end) return end;\n"));
        }
        for (i, ty) in fun.ret.iter().enumerate() {
            let value = Text::primary(format!("out_{i}"));
            let word = match ty {
                Type::Scalar(prim) => scalar::to_word(&mut self.needs, *prim, &value),
                Type::Ptr(_) | Type::Remote(_) | Type::Local(_) | Type::Block | Type::Region => {
                    Text::cast("u64", &value)
                }
                Type::Vector(..) => unreachable!("emit: entry points yield no vectors (I8)"),
            };
            write(out, format_args!("  results[{i}] = {};\n", word.text));
        }
        out.push_str("  return NORN_DONE;\n}\n\n");
    }
}

/// With -fno-strict-aliasing, what is loaded again after every store is better kept.
const RUN: &str = "  const norn_run *run = w->run;\n";

/// A name as it stands in a comment.
pub(crate) fn comment(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || c == '\\' { '?' } else { c }).collect()
}

fn write(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string");
}
