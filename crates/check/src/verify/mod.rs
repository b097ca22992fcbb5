//! What holds of every typed program without errors.
//!
//! 1. Types are complete: no `Meta`, no `Error`, no size `Any`.
//! 2. Fields and constructors in types and the fields of record patterns are sorted, each once.
//! 3. `Unique` stands only in the types of patterns and results, around an array or a named
//!    type, and not inside another `Unique`, an element or a type argument.
//! 4. A variable is bound once.
//! 5. A variable is used only where it is in scope. Names of module types and built-in names have
//!    no binder in the tree.
//! 6. A size is in scope where a type mentions it, or comes into existence (`exts`) with something
//!    evaluated in the same body: not inside a function, a branch or the body of a loop. The
//!    existential sizes of a constant are in scope after it.
//! 7. A type parameter is in scope where a type mentions it.
//! 8. A function is applied to no more arguments than its type has arrows; the type of a lambda has
//!    an arrow for each parameter, and then the lambda's result.
//! 9. A literal has its own type; parentheses and attributes do not change a type; conditions are
//!    booleans; a record expression has the fields of its type. Marks of uniqueness inside function
//!    types do not count: those of lambdas are found out last, and stand on the lambdas only.
//! 10. A recursive type has as many arguments as parameters; a constructor belongs to its type and
//!     has as many payloads as it.
//!
//! Breaking one of them is a bug of the checker. Types of definitions with errors are not in the
//! tree, but their users may be: only programs without errors are verified.

mod exp;
mod scope;
mod ty;

use crate::typed::{Dec, Fun, ModExp, Program, Substitution};
use crate::types::{Names, TParam};
use norn_base::Span;
use scope::Scope;

/// A rule that does not hold somewhere.
#[derive(Debug)]
pub struct Violation {
    /// Its number in the list above.
    pub rule: u8,
    pub message: String,
    pub span: Span,
}

/// All violations of the rules, in the order of the program.
pub fn verify_program(program: &Program) -> Vec<Violation> {
    let mut verifier = Verifier {
        names: &program.names,
        scope: Scope::of(program),
        functors: 0,
        span: None,
        violations: Vec::new(),
    };
    for file in &program.files {
        verifier.decs(&file.decs);
    }
    verifier.violations
}

struct Verifier<'a> {
    names: &'a Names,
    scope: Scope,
    /// How many parametric modules around.
    functors: usize,
    /// What is being looked at.
    span: Option<Span>,
    violations: Vec<Violation>,
}

impl<'a> Verifier<'a> {
    fn violation(&mut self, rule: u8, message: impl Into<String>) {
        if let Some(span) = self.span {
            self.violations.push(Violation { rule, message: message.into(), span });
        }
    }

    fn require(&mut self, rule: u8, holds: bool, message: &str) {
        if !holds {
            self.violation(rule, message);
        }
    }

    fn decs(&mut self, decs: &'a [Dec]) {
        decs.iter().for_each(|dec| self.dec(dec));
    }

    fn dec(&mut self, dec: &'a Dec) {
        match dec {
            Dec::Vals(defs) => {
                let recursive = defs.len() > 1;
                for def in defs {
                    self.span = Some(def.span);
                    if recursive || !def.fun.params.is_empty() {
                        self.bind(def.var);
                    }
                }
                for def in defs {
                    self.span = Some(def.span);
                    self.fun(&def.fun);
                    if def.fun.params.is_empty() {
                        def.fun.ret.exts.iter().for_each(|v| self.scope.add(*v));
                    }
                    if !recursive && def.fun.params.is_empty() {
                        self.span = Some(def.span);
                        self.bind(def.var);
                    }
                }
            }
            Dec::Types(defs) => {
                for def in defs {
                    self.span = Some(def.span);
                    let mark = self.scope.mark();
                    self.tparams(&def.tparams);
                    self.ret(&def.ty);
                    self.scope.reset(mark);
                }
            }
            Dec::Mod(def) => self.mod_exp(&def.body),
            Dec::Open(body) => self.mod_exp(body),
            Dec::Local(dec) => self.dec(dec),
            Dec::ModType(..) | Dec::Import(_) | Dec::Unreached(..) => {}
        }
    }

    fn mod_exp(&mut self, body: &'a ModExp) {
        match body {
            ModExp::Var(_) | ModExp::Import(_) => {}
            ModExp::Decs(decs) => self.decs(decs),
            ModExp::Apply(function, argument, parameter, renamed) => {
                self.mod_exp(function);
                self.mod_exp(argument);
                self.substitution(parameter);
                renamed.vars.values().for_each(|v| self.scope.add(*v));
                self.substitution(renamed);
            }
            ModExp::Ascript(body, names) => {
                self.mod_exp(body);
                names.vars.keys().for_each(|v| self.scope.add(*v));
                self.substitution(names);
            }
            ModExp::Lambda(_, body) => {
                self.functors += 1;
                self.mod_exp(body);
                self.functors -= 1;
            }
            ModExp::Unread => {}
            ModExp::Error => self.violation(1, "a module with an error"),
        }
    }

    fn substitution(&mut self, names: &Substitution) {
        let mut types: Vec<_> = names.types.iter().collect();
        types.sort_by_key(|(id, _)| **id);
        for (_, (tparams, ty)) in types {
            let mark = self.scope.mark();
            self.tparams(tparams);
            self.ret(ty);
            self.scope.reset(mark);
        }
    }

    fn tparams(&mut self, tparams: &[TParam]) {
        for p in tparams {
            match p {
                TParam::Size(v) => self.scope.add(*v),
                TParam::Type(id, _) => self.scope.add_type(*id),
            }
        }
    }

    /// A function; what it binds is forgotten again.
    fn fun(&mut self, fun: &'a Fun) {
        let mark = self.scope.mark();
        self.tparams(&fun.tparams);
        fun.params.iter().for_each(|p| self.bind_pat(p));
        fun.params.iter().for_each(|p| self.pat(p));
        self.ret(&fun.ret);
        self.body(&fun.body);
        self.scope.reset(mark);
    }
}
