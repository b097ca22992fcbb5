//! Print a typed program for those who work on the compiler.
//!
//! The text looks like Norn, with everything written that the checker found out:
//!
//! | printed | meaning |
//! |---|---|
//! | `def f [n] 't (xs: [n]t) : ?[k].*[k]t =` | type and size parameters, types of parameters, result |
//! | `?[k]. e` | the size `k` comes into existence with the value of `e` |
//! | `f ([k] = e)` | the value of the argument is the size `k` |
//! | `?[k]. p` | the size `k` comes into existence by matching the pattern `p` |
//! | `(#c x : t)`, `([] : t)` | values that do not determine their type |
//! | `x{: t}` | the type at which a polymorphic variable is used, if that was asked for |
//! | `M sealed {x ↦ y}` | `x` of the module type stands for `y` of `M` |
//! | `F M where {x ↦ y} giving {u ↦ v}` | parameter's names and argument's, body's names and new ones |
//!
//! Names are not qualified. Different variables, and different types, of one name are distinguished
//! by subscripts, in the same way over the whole output.

mod binding;
mod dec;
mod exp;
mod layout;
mod pat;

use crate::print::Shower;
use crate::typed::{Dec, File, ModExp, Program};
use crate::types::{Names, VarId};
use layout::Layout;
use rustc_hash::FxHashSet;

/// What to print.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrintOptions {
    /// The files that the main file imports, too.
    pub imports: bool,
    /// The files of the prelude, too.
    pub prelude: bool,
    /// The types at which polymorphic variables are used.
    pub instances: bool,
}

pub fn print_program(program: &Program, options: PrintOptions) -> String {
    let mut printer = Printer {
        names: &program.names,
        shower: Shower::for_program(&program.names),
        out: Layout::default(),
        options,
        monomorphic: FxHashSet::default(),
    };
    for file in &program.files {
        printer.find_monomorphic(&file.decs);
    }
    let main = program.files.len().saturating_sub(1);
    let shown = |(i, file): &(usize, &File)| {
        *i == main || if is_prelude(file) { options.prelude } else { options.imports }
    };
    let files: Vec<&File> = program.files.iter().enumerate().filter(shown).map(|(_, file)| file).collect();
    for (i, file) in files.iter().enumerate() {
        if files.len() > 1 {
            if i > 0 {
                printer.out.hard();
            }
            printer.out.text(format!("-- {}", file.path));
            printer.out.hard();
            printer.out.hard();
        }
        printer.decs(&file.decs);
        printer.out.hard();
    }
    printer.out.render()
}

fn is_prelude(file: &File) -> bool {
    crate::shipped_file(&file.path).is_some()
}

struct Printer<'a> {
    names: &'a Names,
    shower: Shower<'a>,
    out: Layout,
    options: PrintOptions,
    /// The variables whose type is the same at each use.
    monomorphic: FxHashSet<VarId>,
}

impl Printer<'_> {
    fn find_monomorphic(&mut self, decs: &[Dec]) {
        for dec in decs {
            match dec {
                Dec::Vals(defs) => {
                    let plain = defs.iter().filter(|def| def.fun.tparams.is_empty());
                    self.monomorphic.extend(plain.map(|def| def.var));
                }
                Dec::Mod(def) => self.find_monomorphic_in(&def.body),
                Dec::Open(body) => self.find_monomorphic_in(body),
                Dec::Local(dec) => self.find_monomorphic(std::slice::from_ref(dec)),
                Dec::Unreached(..) | Dec::Types(_) | Dec::ModType(..) | Dec::Import(_) => {}
            }
        }
    }

    fn find_monomorphic_in(&mut self, body: &ModExp) {
        match body {
            ModExp::Decs(decs) => self.find_monomorphic(decs),
            ModExp::Ascript(body, _) | ModExp::Lambda(_, body) => self.find_monomorphic_in(body),
            ModExp::Apply(function, argument, ..) => {
                self.find_monomorphic_in(function);
                self.find_monomorphic_in(argument);
            }
            ModExp::Var(_) | ModExp::Import(_) | ModExp::Unread | ModExp::Error => {}
        }
    }

    /// A variable comes into scope with one type.
    fn bind(&mut self, v: VarId) -> String {
        self.monomorphic.insert(v);
        self.shower.var(v)
    }

    /// Something that is printed behind a head, on the same line if it fits there.
    fn behind(&mut self, print: impl FnOnce(&mut Self)) {
        self.out.open();
        self.out.indent();
        self.out.line();
        print(self);
        self.out.dedent();
        self.out.close();
    }

    /// Something in brackets, which stand on lines of their own if it does not fit on one.
    fn enclosed(&mut self, open: &str, close: &str, print: impl FnOnce(&mut Self)) {
        self.out.open();
        self.out.text(open);
        self.out.indent();
        self.out.cut();
        print(self);
        self.out.dedent();
        self.out.cut();
        self.out.text(close);
        self.out.close();
    }

    /// The parts with commas between them.
    fn separated<T>(&mut self, parts: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.out.text(",");
                self.out.line();
            }
            print(self, part);
        }
    }
}
