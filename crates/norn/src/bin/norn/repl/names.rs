//! The names that an input may use, to complete words that are begun.

use norn_check::typed::{Dec, ModExp, Program};
use norn_check::types::Names;
use std::collections::BTreeSet;

/// The words of the language that an expression or a definition may contain.
const KEYWORDS: &[&str] = &[
    "assert", "case", "def", "do", "else", "entry", "false", "for", "if", "import", "in", "include", "let",
    "local", "loop", "match", "module", "open", "then", "true", "type", "while", "with",
];

/// The names that the files of a program define, with those in modules behind the module's name.
pub fn visible_names(program: &Program) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = KEYWORDS.iter().map(|word| word.to_string()).collect();
    for file in program.files.iter().filter(|file| !file.path.ends_with("/intrinsics.fut")) {
        for dec in &file.decs {
            add_dec(&program.names, dec, "", &mut names);
        }
    }
    names
}

fn add_dec(names: &Names, dec: &Dec, prefix: &str, out: &mut BTreeSet<String>) {
    match dec {
        Dec::Vals(vals) => {
            for val in vals {
                let name = names.var(val.var).name.as_str();
                // Operators are not completed.
                if name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                    out.insert(format!("{prefix}{name}"));
                }
            }
        }
        Dec::Types(types) => {
            out.extend(types.iter().map(|ty| format!("{prefix}{}", ty.name)));
        }
        Dec::Mod(module) => {
            out.insert(format!("{prefix}{}", module.name));
            add_module(names, &module.body, &format!("{prefix}{}.", module.name), out);
        }
        Dec::ModType(name, _) => {
            out.insert(format!("{prefix}{name}"));
        }
        Dec::Open(module) => add_module(names, module, prefix, out),
        Dec::Import(_) | Dec::Local(_) => {}
    }
}

fn add_module(names: &Names, module: &ModExp, prefix: &str, out: &mut BTreeSet<String>) {
    match module {
        ModExp::Decs(decs) => decs.iter().for_each(|dec| add_dec(names, dec, prefix, out)),
        ModExp::Ascript(module, _) => add_module(names, module, prefix, out),
        ModExp::Var(_) | ModExp::Import(_) | ModExp::Apply(..) | ModExp::Lambda(..) | ModExp::Error => {}
    }
}
