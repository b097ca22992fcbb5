//! The names that an input may use, to complete words that are begun.
//!
//! Beside names there are constructors (`#some`) and fields (`.x`), as they stand in programs.

use norn_check::typed::{Dec, ModExp, Program, Substitution};
use norn_check::types::{Ty, TyArg, TyIdKind, TyKind, VarId};
use std::collections::{BTreeSet, HashMap};

/// The words of the language that an expression or a definition may contain.
const KEYWORDS: &[&str] = &[
    "assert", "case", "def", "do", "else", "entry", "false", "for", "if", "import", "in", "include", "let",
    "local", "loop", "match", "module", "open", "then", "true", "type", "while", "with",
];

/// The names that the files of a program define, with those in modules behind the module's name.
pub fn visible_names(program: &Program) -> BTreeSet<String> {
    let names = KEYWORDS.iter().map(|word| word.to_string()).collect();
    let mut collector = Collector { program, modules: HashMap::new(), names };
    for file in program.files.iter().filter(|file| !file.path.ends_with("/intrinsics.fut")) {
        collector.decs(&file.decs, "");
    }
    collector.names
}

/// The words that one which is begun may become, and where it begins in the line.
pub fn completions(names: &BTreeSet<String>, before: &str) -> (usize, Vec<String>) {
    let is_part = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '.' | '#');
    let length: usize = before.chars().rev().take_while(is_part).map(char::len_utf8).sum();
    let start = before.len() - length;
    let word = &before[start..];
    if word.is_empty() {
        return (start, Vec::new());
    }
    let fitting = |word: &str| -> Vec<String> {
        names.range(word.to_string()..).take_while(|name| name.starts_with(word)).cloned().collect()
    };
    let whole = fitting(word);
    match word.rfind('.') {
        // Not in a module, so it is a field.
        Some(dot) if whole.is_empty() => {
            let fields = fitting(&word[dot..]);
            (start, fields.into_iter().map(|field| format!("{}{field}", &word[..dot])).collect())
        }
        Some(_) | None => (start, whole),
    }
}

struct Collector<'a> {
    program: &'a Program,
    /// The modules that have a name.
    modules: HashMap<VarId, &'a ModExp>,
    names: BTreeSet<String>,
}

impl<'a> Collector<'a> {
    fn decs(&mut self, decs: &'a [Dec], prefix: &str) {
        for dec in decs {
            self.dec(dec, prefix);
        }
    }

    fn dec(&mut self, dec: &'a Dec, prefix: &str) {
        match dec {
            Dec::Vals(vals) => {
                for val in vals {
                    self.add(prefix, self.program.names.var(val.var).name.as_str());
                    val.fun
                        .params
                        .iter()
                        .map(|param| &param.ty)
                        .chain([&val.fun.ret.ty])
                        .for_each(|ty| self.parts(ty));
                }
            }
            Dec::Unreached(var, scheme) => {
                self.add(prefix, self.program.names.var(*var).name.as_str());
                self.parts(&scheme.ty);
            }
            Dec::Types(types) => {
                for ty in types {
                    self.add(prefix, ty.name.as_str());
                    self.parts(&ty.ty.ty);
                    if let Some(id) = ty.id
                        && let TyIdKind::Rec(Some(def)) = &self.program.names.ty(id).kind
                    {
                        for (constructor, payload) in &def.constrs {
                            self.names.insert(format!("#{constructor}"));
                            payload.iter().for_each(|ty| self.parts(ty));
                        }
                    }
                }
            }
            Dec::Mod(module) => {
                self.modules.insert(module.id, &module.body);
                self.add(prefix, module.name.as_str());
                self.module(&module.body, &format!("{prefix}{}.", module.name));
            }
            Dec::ModType(name, _) => self.add(prefix, name.as_str()),
            Dec::Open(module) => self.module(module, prefix),
            Dec::Import(_) | Dec::Local(_) => {}
        }
    }

    fn module(&mut self, module: &'a ModExp, prefix: &str) {
        match module {
            ModExp::Decs(decs) => self.decs(decs, prefix),
            // What a module type or a functor gives is what its substitution names.
            ModExp::Ascript(module, names) => match &**module {
                ModExp::Decs(decs) if names.vars.is_empty() => self.decs(decs, prefix),
                ModExp::Var(_)
                | ModExp::Import(_)
                | ModExp::Decs(_)
                | ModExp::Apply(..)
                | ModExp::Ascript(..)
                | ModExp::Lambda(..)
                | ModExp::Unread
                | ModExp::Error => self.substituted(names, prefix),
            },
            ModExp::Apply(_, _, _, names) => self.substituted(names, prefix),
            ModExp::Var(id) => {
                if let Some(module) = self.modules.get(id).copied() {
                    self.module(module, prefix);
                }
            }
            ModExp::Import(path) => {
                // What is opened is a file of the program, whose names are there already.
                let file = self.program.files.iter().find(|file| file.path == *path && !prefix.is_empty());
                if let Some(file) = file {
                    self.decs(&file.decs, prefix);
                }
            }
            ModExp::Lambda(..) | ModExp::Unread | ModExp::Error => {}
        }
    }

    fn substituted(&mut self, substitution: &Substitution, prefix: &str) {
        for var in substitution.vars.keys() {
            self.add(prefix, self.program.names.var(*var).name.as_str());
        }
        for ty in substitution.types.keys() {
            self.add(prefix, self.program.names.ty(*ty).name.as_str());
        }
    }

    /// Operators are not completed.
    fn add(&mut self, prefix: &str, name: &str) {
        if name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            self.names.insert(format!("{prefix}{name}"));
        }
    }

    /// The constructors and fields in a type.
    fn parts(&mut self, ty: &Ty) {
        match &**ty {
            TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => {}
            TyKind::Array(_, ty) | TyKind::Unique(ty) => self.parts(ty),
            TyKind::Record(fields) => {
                for (name, ty) in fields.iter() {
                    if !name.as_str().starts_with(|c: char| c.is_ascii_digit()) {
                        self.names.insert(format!(".{name}"));
                    }
                    self.parts(ty);
                }
            }
            TyKind::Sum(constructors) => {
                for (name, payload) in constructors.iter() {
                    self.names.insert(format!("#{name}"));
                    payload.iter().for_each(|ty| self.parts(ty));
                }
            }
            TyKind::Arrow(arrow) => {
                self.parts(&arrow.arg);
                self.parts(&arrow.ret.ty);
            }
            TyKind::Con(_, args) => {
                for arg in args.iter() {
                    if let TyArg::Type(ty) = arg {
                        self.parts(ty);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use norn::{CheckOptions, FsLoader, check_source_with};

    fn completed(definitions: &str, before: &str) -> Vec<String> {
        let options = CheckOptions { whole_prelude: true, ..CheckOptions::default() };
        let outcome = check_source_with("test.fut", definitions, &mut FsLoader, options);
        let names = visible_names(&outcome.checked.expect("a program without errors").program);
        completions(&names, before).1
    }

    #[test]
    fn members_of_modules_are_completed() {
        assert_eq!(completed("", "1 + f64.sq"), ["f64.sqrt"]);
        assert!(completed("", "i32.").contains(&"i32.max".to_string()));
        assert_eq!(
            completed("module m = { def alpha = 1i32 module n = { def beta = 2i32 } }", "(m.n.b"),
            ["m.n.beta"]
        );
        assert_eq!(completed("", "f64.nothing_such"), Vec::<String>::new());
    }

    #[test]
    fn names_constructors_and_fields_are_completed() {
        let program = "type option = #some i32 | #none\ntype rec list = #nil | #cons i32 list\n\
                       type point = {x_first: i32, x_second: f64}\ndef unusual_name (p: point) = p.x_first";
        assert_eq!(completed(program, "map unus"), ["unusual_name"]);
        assert_eq!(completed(program, "[#so"), ["#some"]);
        assert_eq!(completed(program, "#co"), ["#cons"]);
        assert_eq!(completed(program, "(f p).x_f"), [".x_first"]);
        assert_eq!(completed(program, "p.x_"), ["p.x_first", "p.x_second"]);
        assert_eq!(completed(program, "1 + "), Vec::<String>::new());
    }
}
