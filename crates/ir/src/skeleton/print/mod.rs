//! Programs as text, which the parser reads back as the same program.
//!
//! Names: see `names`. A statement or function has its place at its end, `@FILE:LO-HI`; the empty
//! place at the start of file 0 is left out, and so are all places on request, for people.
//! Ids that lead nowhere are written `%7`, so that broken programs can be printed.

mod exp;
mod iface;

use super::names::{is_reserved, quoted_unless_word};
use super::outline::{Head, Outline};
use super::{
    Atom, Body, ConstId, Data, Dim, Elem, Fun, FunId, Grid, IfaceId, Operators, Param, Prog, Scalar, Stm,
    Type, Var,
};
use crate::text::names::Names;
use norn_base::Span;

pub use crate::text::NOWHERE;

/// All of the program: parsing it gives the program back, if its variables are normalised.
pub fn print<O: Operators>(prog: &Prog<O>) -> String {
    print_with(prog, Places::Shown)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Places {
    Shown,
    Hidden,
}

pub fn print_with<O: Operators>(prog: &Prog<O>, places: Places) -> String {
    let outline = prog.outline();
    let mut printer = Printer::new(&outline, places);
    for (id, data) in prog.datas.iter().enumerate() {
        printer.data(id, data);
    }
    for (id, iface) in prog.ifaces.iter().enumerate() {
        printer.iface(IfaceId(id as u32), iface);
    }
    for constant in &prog.consts {
        printer.item(&format!("const {}\n", printer.funs.get(constant.fun.0)));
    }
    for entry in &prog.entries {
        printer.entry(entry);
    }
    for (id, fun) in prog.funs.iter().enumerate() {
        printer.fun(FunId(id as u32), fun);
    }
    printer.out
}

pub struct Printer<'a> {
    prog: &'a Outline<'a>,
    places: Places,
    funs: Names,
    datas: Names,
    ifaces: Names,
    constrs: Vec<Names>,
    /// Of the function that is being printed.
    table: Option<Head<'a>>,
    vars: Names,
    indent: usize,
    out: String,
}

impl<'a> Printer<'a> {
    fn new(prog: &'a Outline<'a>, places: Places) -> Printer<'a> {
        let constrs = |data: &'a Data| names(data.constrs.iter().map(|c| c.name.as_str()));
        Printer {
            prog,
            places,
            funs: names(prog.funs.iter().map(|f| f.name)),
            datas: names(prog.datas.iter().map(|d| d.name.as_str())),
            ifaces: names(prog.ifaces.iter().map(|i| i.name.as_str())),
            constrs: prog.datas.iter().map(constrs).collect(),
            table: None,
            vars: names(std::iter::empty()),
            indent: 0,
            out: String::new(),
        }
    }

    /// A printer of parts of one function.
    pub(crate) fn of_fun(prog: &'a Outline<'a>, fun: Head<'a>) -> Printer<'a> {
        let mut printer = Printer::new(prog, Places::Hidden);
        printer.enter(fun);
        printer
    }

    pub(super) fn text(self) -> String {
        self.out
    }

    fn enter(&mut self, fun: Head<'a>) {
        self.table = Some(fun);
        self.vars = names(fun.vars.iter().map(|v| v.name.as_str()));
    }

    fn data(&mut self, id: usize, data: &Data) {
        let mut text = format!("data {}", self.datas.get(id as u32));
        for (i, constr) in data.constrs.iter().enumerate() {
            let columns: Vec<String> = constr.columns.iter().map(|ty| self.ty(ty)).collect();
            let name = self.constrs[id].get(i as u32);
            text.push_str(&format!("\n  | {name} ({})", columns.join(", ")));
        }
        text.push('\n');
        self.item(&text);
    }

    fn fun<O: Operators>(&mut self, id: FunId, fun: &'a Fun<O>) {
        self.enter(fun.head());
        let mut text = String::new();
        for attr in fun.attrs.iter().filter(|attr| !O::FUN_WORDS.contains(&attr.as_str())) {
            text.push_str(&format!("#[{}]\n", quoted_unless_word(attr)));
        }
        let params: Vec<String> = fun.params.iter().map(|p| self.param(p)).collect();
        let ret: Vec<String> = fun.ret.iter().map(|r| star(r.unique) + &self.ty(&r.ty)).collect();
        let name = self.funs.get(id.0);
        for word in fun.attrs.iter().filter(|attr| O::FUN_WORDS.contains(&attr.as_str())) {
            text.push_str(&format!("{word} "));
        }
        text.push_str(&format!("fun {name} ({}) -> {}", params.join(", "), ret.join(", ")));
        self.item(text.trim_end());
        self.push(" ");
        self.body(&fun.body);
        self.place(fun.span);
        self.push("\n");
    }

    /// Something at top level, with an empty line before it.
    fn item(&mut self, text: &str) {
        if !self.out.is_empty() {
            self.push("\n");
        }
        self.push(text);
    }

    pub(crate) fn body<O: Operators>(&mut self, body: &Body<O>) {
        self.push("{");
        self.indent += 1;
        for stm in &body.stms {
            self.line();
            self.stm(stm);
        }
        self.line();
        let result: Vec<String> = body.result.iter().map(|x| self.atom(*x)).collect();
        self.push(format!("in {}", result.join(", ")).trim_end());
        self.indent -= 1;
        self.line();
        self.push("}");
    }

    fn stm<O: Operators>(&mut self, stm: &Stm<O>) {
        for attr in &stm.attrs {
            self.push(&format!("#[{}]", quoted_unless_word(attr)));
            self.line();
        }
        let vars: Vec<String> = stm.vars.iter().map(|v| self.binder(*v)).collect();
        self.push(format!("let {}", vars.join(", ")).trim_end());
        self.push(" = ");
        if !stm.certs.is_empty() {
            let certs: Vec<String> = stm.certs.iter().map(|v| self.var(*v)).collect();
            self.push(&format!("<{}> ", certs.join(", ")));
        }
        if let Some(Grid { work, balance }) = &stm.grid {
            self.push(&format!("grid {} ", self.atom(*work)));
            if let Some(rows) = balance {
                self.push(&format!("by {} ", self.var(*rows)));
            }
        }
        self.exp(&stm.exp);
        self.place(stm.span);
    }

    fn place(&mut self, span: Span) {
        if self.places == Places::Shown && span != NOWHERE {
            self.push(&format!(" @{}:{}-{}", span.file.0, span.lo, span.hi));
        }
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.indent));
    }

    // # Small parts

    fn param(&self, param: &Param) -> String {
        format!("{}: {}{}", self.var(param.var), star(param.unique), self.var_ty(param.var))
    }

    pub(crate) fn binder(&self, var: Var) -> String {
        format!("{}: {}", self.var(var), self.var_ty(var))
    }

    pub(crate) fn var(&self, var: Var) -> String {
        self.vars.get(var.0)
    }

    /// A constant is mentioned by the name of its function.
    fn constant(&self, id: ConstId) -> String {
        match self.prog.consts.get(id.0 as usize) {
            Some(constant) => self.funs.get(constant.fun.0),
            None => format!("%{}", id.0),
        }
    }

    fn var_ty(&self, var: Var) -> String {
        let info = self.table.and_then(|fun| fun.vars.get(var.0 as usize));
        let Some(info) = info else { return "nothing".to_string() };
        let side = info.side.map_or(String::new(), |side| format!(" @{}", side.name()));
        let bound = info.bound.map_or(String::new(), |bound| format!(" <= {}", self.atom(bound)));
        self.ty(&info.ty) + &side + &bound
    }

    pub(crate) fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Value(elem, dims) => self.dims(dims) + &self.elem(*elem),
            Type::Acc(types) => {
                let types: Vec<String> = types.iter().map(|ty| self.ty(ty)).collect();
                format!("acc({})", types.join(", "))
            }
            Type::Seg { count, total } => format!("seg {} {}", self.dim(*count), self.dim(*total)),
            Type::Region => "region".to_string(),
            Type::Cert => "cert".to_string(),
        }
    }

    fn elem(&self, elem: Elem) -> String {
        match elem {
            Elem::Prim(prim) => prim.name().to_string(),
            Elem::Ref(data, None) => format!("&{}", self.datas.get(data.0)),
            Elem::Ref(data, Some(region)) => format!("&{} {}", self.var(region), self.datas.get(data.0)),
        }
    }

    fn dims(&self, dims: &[Dim]) -> String {
        dims.iter().map(|dim| format!("[{}]", self.dim(*dim))).collect()
    }

    fn dim(&self, dim: Dim) -> String {
        match dim {
            Dim::Size(Atom::Const(Scalar::I64(size))) => size.to_string(),
            Dim::Size(atom) => self.atom(atom),
            Dim::Irregular => "?".to_string(),
            Dim::Result(i) => format!("#{i}"),
        }
    }

    pub(crate) fn atom(&self, atom: Atom) -> String {
        match atom {
            Atom::Var(var) => self.var(var),
            Atom::Const(scalar) => scalar.to_string(),
        }
    }
}

/// The distinct names of a table of hints.
pub fn names<'a>(hints: impl Iterator<Item = &'a str>) -> Names {
    Names::new(hints, is_reserved)
}

fn star(unique: bool) -> String {
    if unique { "*".to_string() } else { String::new() }
}
