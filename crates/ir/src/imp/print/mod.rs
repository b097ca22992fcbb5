//! Programs as text, which the parser reads back as the same program.
//!
//! Names are written as in nest. Data and the types of entry points are written as nest does, between `types {` and `}`. A
//! variable has its type where it is first assigned in the text. The place of a site, function or kernel is at its end, `@FILE:LO-HI`;
//! the empty place at the start of file 0 is left out, and so are all places on request, for people.
//! Ids that lead nowhere are written `%7`, so that broken programs can be printed.

mod exp;
mod group;
mod stmt;

use super::names::{item_names, names, quoted_unless_word};
use super::{
    ConstId, Elem, Entry, EntryDim, EntryElem, EntryType, Exp, Fun, FunId, GroupKernelId, Kernel, KernelId,
    Prog, Site, SiteKind, Type, Var, VarInfo,
};
use crate::nest;
pub use crate::nest::print::Places;
use crate::text::NOWHERE;
use crate::text::names::{Names, quoted};
use norn_base::Span;

/// All of the program: parsing it gives the program back, if its variables are normalised.
pub fn print(prog: &Prog) -> String {
    print_with(prog, Places::Shown)
}

pub fn print_with(prog: &Prog, places: Places) -> String {
    let mut printer = Printer::new(prog, places);
    printer.types();
    printer.sites();
    for constant in &prog.consts {
        printer.item(&format!("const {}\n", printer.funs.get(constant.fun.0)));
    }
    for entry in &prog.entries {
        printer.entry(entry);
    }
    for (id, fun) in prog.funs.iter().enumerate() {
        printer.fun(FunId(id as u32), fun);
    }
    for (id, kernel) in prog.kernels.iter().enumerate() {
        printer.kernel(KernelId(id as u32), kernel);
    }
    for (id, kernel) in prog.group_kernels.iter().enumerate() {
        printer.group_kernel(GroupKernelId(id as u32), kernel);
    }
    printer.out
}

pub(super) struct Printer<'a> {
    prog: &'a Prog,
    places: Places,
    funs: Names,
    kernels: Names,
    group_kernels: Names,
    datas: Names,
    ifaces: Names,
    /// Of the function or kernel that is being printed.
    table: &'a [VarInfo],
    vars: Names,
    /// Which variables have been printed with their types.
    typed: Vec<bool>,
    indent: usize,
    out: String,
}

impl<'a> Printer<'a> {
    fn new(prog: &'a Prog, places: Places) -> Printer<'a> {
        Printer {
            prog,
            places,
            funs: item_names(prog.funs.iter().map(|f| f.name.as_str())),
            kernels: item_names(prog.kernels.iter().map(|k| k.name.as_str())),
            group_kernels: item_names(prog.group_kernels.iter().map(|k| k.name.as_str())),
            datas: crate::skeleton::print::names(prog.datas.iter().map(|d| d.name.as_str())),
            ifaces: crate::skeleton::print::names(prog.ifaces.iter().map(|i| i.name.as_str())),
            table: &[],
            vars: names(std::iter::empty()),
            typed: Vec::new(),
            indent: 0,
            out: String::new(),
        }
    }

    /// A printer of parts of one function or kernel, which has these variables.
    pub fn of_code(prog: &'a Prog, vars: &'a [VarInfo]) -> Printer<'a> {
        let mut printer = Printer::new(prog, Places::Hidden);
        printer.enter(vars);
        printer
    }

    pub fn text(self) -> String {
        self.out
    }

    fn enter(&mut self, vars: &'a [VarInfo]) {
        self.table = vars;
        self.vars = names(vars.iter().map(|v| v.name.as_str()));
        self.typed = vec![false; vars.len()];
    }

    // # Items

    fn types(&mut self) {
        let (datas, ifaces) = (self.prog.datas.clone(), self.prog.ifaces.clone());
        if datas.is_empty() && ifaces.is_empty() {
            return;
        }
        let text = nest::print::print(&nest::Prog { datas, ifaces, ..nest::Prog::default() });
        let indented: String = text
            .lines()
            .map(|line| if line.is_empty() { "\n".into() } else { format!("  {line}\n") })
            .collect();
        self.item(&format!("types {{\n{indented}}}\n"));
    }

    fn sites(&mut self) {
        if self.prog.sites.is_empty() {
            return;
        }
        self.item("sites {\n");
        for (id, site) in self.prog.sites.iter().enumerate() {
            let Site { what, span } = site;
            let what = match what {
                SiteKind::Check(kind) => format!("check {kind}"),
                SiteKind::Call(name) => format!("call {}", quoted(name)),
                SiteKind::Operator(name) => format!("operator {}", quoted(name)),
            };
            self.push(&format!("  #{id} {what}"));
            self.place(*span);
            self.push("\n");
        }
        self.push("}\n");
    }

    fn entry(&mut self, entry: &Entry) {
        let mut text = String::new();
        for attr in &entry.attrs {
            text.push_str(&format!("#[{}]\n", quoted_unless_word(attr)));
        }
        let star = |unique| if unique { "*" } else { "" };
        let param = |p: &nest::EntryParam| {
            format!("{}: {}{}", quoted_unless_word(&p.name), star(p.unique), self.ifaces.get(p.ty.0))
        };
        let params: Vec<String> = entry.params.iter().map(param).collect();
        text.push_str(&format!(
            "entry {} = {} ({}) -> {}{}\n",
            quoted_unless_word(&entry.name),
            self.funs.get(entry.fun.0),
            params.join(", "),
            star(entry.result_unique),
            self.ifaces.get(entry.result.0),
        ));
        let types = |types: &[EntryType]| -> String {
            types.iter().map(|ty| self.entry_type(ty)).collect::<Vec<_>>().join(", ")
        };
        text.push_str(&format!("  args ({})\n", types(&entry.args)));
        text.push_str(&format!("  rets ({})\n", types(&entry.rets)));
        if !entry.doc.is_empty() {
            text.push_str(&format!("  doc {}\n", quoted(&entry.doc)));
        }
        self.item(&text);
    }

    fn entry_type(&self, ty: &EntryType) -> String {
        let (elem, dims) = match ty {
            EntryType::Region => return "region".to_string(),
            EntryType::Value(elem, dims) => (elem, dims),
        };
        let dim = |dim: &EntryDim| match dim {
            EntryDim::Const(size) => format!("[{size}]"),
            EntryDim::Arg(i) => format!("[arg {i}]"),
            EntryDim::Result(i) => format!("[result {i}]"),
            EntryDim::Irregular => "[?]".to_string(),
        };
        let dims: String = dims.iter().map(dim).collect();
        match elem {
            EntryElem::Prim(prim) => dims + prim.name(),
            EntryElem::Ref(data, region) => format!("{dims}&{} in arg {region}", self.datas.get(data.0)),
        }
    }

    fn fun(&mut self, id: FunId, fun: &'a Fun) {
        self.enter(&fun.vars);
        let recursive = if fun.recursive { "recursive " } else { "" };
        let params = self.binders(&fun.params);
        let arrays = self.arrays(&fun.arrays);
        let ret: Vec<String> = fun.ret.iter().map(|ty| show_type(*ty)).collect();
        let head = format!("{recursive}fun {} ({params}){arrays} -> {}", self.funs.get(id.0), ret.join(", "));
        self.item(head.trim_end());
        self.push(" {");
        self.indent += 1;
        self.stmts(&fun.body);
        self.line();
        let results: Vec<String> = fun.results.iter().map(|exp| self.exp(exp)).collect();
        self.push(format!("return {}", results.join(", ")).trim_end());
        self.end(fun.span);
    }

    fn kernel(&mut self, id: KernelId, kernel: &'a Kernel) {
        self.enter(&kernel.vars);
        let chunk = self.binder(kernel.chunk);
        let from = self.binder(kernel.from);
        let to = self.binder(kernel.to);
        let params = self.binders(&kernel.params);
        self.item(&format!("kernel {} ({chunk}, {from} .. {to}) ({params}) {{", self.kernels.get(id.0)));
        self.indent += 1;
        self.stmts(&kernel.body);
        self.end(kernel.span);
    }

    fn end(&mut self, span: Span) {
        self.indent -= 1;
        self.line();
        self.push("}");
        self.place(span);
        self.push("\n");
    }

    /// Something at top level, with an empty line before it.
    fn item(&mut self, text: &str) {
        if !self.out.is_empty() {
            self.push("\n");
        }
        self.push(text);
    }

    fn place(&mut self, span: Span) {
        if self.places == Places::Shown && span != NOWHERE {
            self.push(&format!(" @{}:{}-{}", span.file.0, span.lo, span.hi));
        }
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.indent));
    }

    // # Variables

    fn binders(&mut self, vars: &[Var]) -> String {
        let binders: Vec<String> = vars.iter().map(|var| self.binder(*var)).collect();
        binders.join(", ")
    }

    /// A variable that is assigned, with its type if this is the first time.
    fn binder(&mut self, var: Var) -> String {
        let name = self.var(var);
        match self.typed.get_mut(var.0 as usize) {
            Some(typed) if !*typed => {
                *typed = true;
                format!("{name}: {}", show_type(self.table[var.0 as usize].ty))
            }
            Some(_) | None => name,
        }
    }

    pub fn var(&self, var: Var) -> String {
        self.vars.get(var.0)
    }

    /// A constant is mentioned by the name of its function.
    fn constant(&self, id: ConstId) -> String {
        match self.prog.consts.get(id.0 as usize) {
            Some(constant) => self.funs.get(constant.fun.0),
            None => format!("%{}", id.0),
        }
    }

    fn exps(&self, exps: &[Exp]) -> String {
        let exps: Vec<String> = exps.iter().map(|exp| self.exp(exp)).collect();
        format!("({})", exps.join(", "))
    }
}

pub fn show_type(ty: Type) -> String {
    match ty {
        Type::Scalar(prim) => prim.name().to_string(),
        Type::Vector(prim, lanes) => format!("{}x{lanes}", prim.name()),
        Type::Ptr(elem) => format!("ptr {}", show_elem(elem)),
        Type::Remote(elem) => format!("remote {}", show_elem(elem)),
        Type::Local(elem) => format!("local {}", show_elem(elem)),
        Type::Block => "block".to_string(),
        Type::Region => "region".to_string(),
    }
}

pub fn show_elem(elem: Elem) -> &'static str {
    match elem {
        Elem::Prim(prim) => prim.name(),
        Elem::Any => "any",
        Elem::Block => "block",
        Elem::Region => "region",
    }
}
