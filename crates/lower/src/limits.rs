//! What a program may become at most, and the message for one that exceeds that.
//!
//! Lowering makes an instance of a function for each list of types it is used at, and takes values apart into columns. Both can grow
//! exponentially: `f_i x = f_(i-1) (x, x) + f_(i-1) [x]` has 2^i instances, and a pair of pairs of pairs has 2^i columns.
//! Such a program is refused before it takes all memory, with the chain of uses that leads there.
//!
//! Nothing sensible can go on after that, and all of lowering would have to be asked whether it should: so it is
//! left by unwinding, as other compilers do for cancellation, and `lower` turns that into diagnostics. Nothing
//! outside of `Lower` is changed by then.

use crate::instance::Label;
use crate::lower::Lower;
use crate::mono::Mono;
use crate::rep::{Code, FnRep};
use norn_base::{Diagnostic, Diagnostics, FileId, Span, codes};
use norn_check::shipped_file;
use norn_check::typed::{Dec, Exp, ModExp, Program};
use norn_check::walk::each_child;
use rustc_hash::FxHashSet;
use std::any::Any;

/// Columns of one value.
const MAX_COLUMNS: usize = 4096;

/// Nodes of one type, all that it stands for written out.
const MAX_TYPE_NODES: usize = 1 << 16;

/// Instances of functions that every program may have, and how many more for each expression in it.
const MIN_INSTANCES: usize = 1000;
const INSTANCES_PER_EXPRESSION: usize = 4;

/// Columns that are passed to and from instances, for each instance that a program may have.
const COLUMNS_PER_INSTANCE: usize = 100;

/// How often a program is lowered until all classes of functions are found, and how much more often for each expression in
/// it. Each round finds functions that functions of the round before yield.
const MIN_ROUNDS: usize = 100;
const ROUNDS_PER_EXPRESSION: usize = 1;

/// How many uses a diagnostic shows.
const MAX_SHOWN: usize = 4;
/// How many names of a chain it gives.
const MAX_NAMES: usize = 12;

/// A use of a function that made an instance of it.
pub struct Use {
    name: String,
    /// Where it is used.
    at: Span,
}

pub struct Limits {
    /// The files of the prelude and of the library: nobody can do anything about what is written there.
    prelude: FxHashSet<FileId>,
    instances: usize,
    /// How many are left.
    rounds: usize,
    /// In this round.
    work: usize,
    type_nodes: usize,
}

/// What is thrown.
pub struct TooLarge(Diagnostic);

impl TooLarge {
    /// What was thrown as diagnostics; another panic goes on.
    pub fn diagnostics(thrown: Box<dyn Any + Send>) -> Diagnostics {
        match thrown.downcast::<TooLarge>() {
            Ok(too_large) => too_large.alone(),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    fn alone(self) -> Diagnostics {
        let mut all = Diagnostics::default();
        all.push(self.0);
        all
    }
}

impl Limits {
    pub fn new(program: &Program) -> Limits {
        let mut prelude = FxHashSet::default();
        let mut expressions = 0;
        for file in &program.files {
            let of_prelude = shipped_file(&file.path).is_some();
            each_definition(&file.decs, &mut |span, body| {
                if of_prelude {
                    prelude.insert(span.file);
                } else {
                    expressions += count(body);
                }
            });
        }
        let instances = MIN_INSTANCES + INSTANCES_PER_EXPRESSION * expressions;
        let rounds = MIN_ROUNDS + ROUNDS_PER_EXPRESSION * expressions;
        Limits { prelude, instances, rounds, work: 0, type_nodes: 0 }
    }

    pub fn begin_type(&mut self) {
        self.type_nodes = 0;
    }

    fn of_user(&self, span: Span) -> bool {
        span.hi > 0 && !self.prelude.contains(&span.file)
    }
}

impl Lower<'_> {
    /// A value with so many columns is about to be made.
    pub fn check_columns(&mut self, columns: usize) {
        if columns > MAX_COLUMNS {
            let note = "Records, tuples and sums are taken apart: each number and each array in them is passed on its own.";
            let message = format!("A value here consists of more than {MAX_COLUMNS} numbers and arrays.");
            self.too_large(self.at, &message, note);
        }
    }

    /// A part of a type is about to be written out.
    pub fn count_type_node(&mut self) {
        self.limits.type_nodes += 1;
        if self.limits.type_nodes > MAX_TYPE_NODES {
            self.type_too_large();
        }
    }

    pub fn check_type_argument(&mut self, m: &Mono) {
        if !m.fits(&mut { MAX_TYPE_NODES }) {
            self.type_too_large();
        }
    }

    fn type_too_large(&mut self) {
        let message = format!("A type here has more than {MAX_TYPE_NODES} parts.");
        self.too_large(self.at, &message, "All names of types in it are replaced by what they stand for.");
    }

    /// An instance of this function is about to be made.
    pub fn begin_use(&mut self, label: &Label) {
        self.uses.push(Use { name: label.name.clone(), at: self.at });
        if self.insts.len() + self.uses.len() > self.limits.instances {
            self.too_many_instances();
        }
    }

    /// So many columns are about to be passed.
    pub fn count_work(&mut self, columns: usize) {
        self.limits.work += columns;
        if self.limits.work > COLUMNS_PER_INSTANCE * self.limits.instances {
            self.too_many_instances();
        }
    }

    fn too_many_instances(&mut self) {
        let note =
            "A function is compiled once for each list of types, and of functions, that it is used with.";
        let message =
            format!("The program needs more than {} instances of its functions.", self.limits.instances);
        self.too_large(self.at, &message, note);
    }

    /// After a round in which new members of classes were found.
    pub fn next_round(&mut self) -> Result<(), Diagnostics> {
        self.limits.rounds = self.limits.rounds.saturating_sub(1);
        self.limits.work = 0;
        match self.classes.unsettled() {
            Some(functions) if self.limits.rounds == 0 => {
                let message = "Which functions come together with this one cannot be found out.";
                let span = functions.iter().find_map(|f| self.function_span(f));
                let entry = self.index.entries.first().map(|entry| entry.span);
                let diagnostic = self.diagnostic(span.or(entry).unwrap_or(self.at), message);
                let note = "Each function that was found yields another one.";
                Err(TooLarge(diagnostic.note(note)).alone())
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Where the code of a function is.
    pub fn function_span(&self, f: &FnRep) -> Option<Span> {
        match &f.code {
            Code::Lambda(node) | Code::Projection(node) => self.nodes.get(node).map(|e| e.span),
            Code::Local(node) => self.locals.get(node).map(|fun| fun.body.span),
            Code::Def(_) | Code::BuiltIn(..) | Code::Flipped => None,
        }
    }

    fn too_large(&mut self, span: Span, message: &str, note: &str) {
        let diagnostic = self.diagnostic(span, message).note(note);
        std::panic::resume_unwind(Box::new(TooLarge(diagnostic)))
    }

    /// A message with the chain of uses that led to it.
    fn diagnostic(&self, span: Span, message: &str) -> Diagnostic {
        let at = self.place_of_user(span);
        let mut d = Diagnostic::error(codes::TOO_LARGE, at, message);
        let mut shown = vec![at];
        for u in self.uses.iter().rev() {
            if shown.len() > MAX_SHOWN {
                break;
            }
            if self.limits.of_user(u.at) && !shown.contains(&u.at) {
                d = d.secondary(u.at, format!("an instance of `{}` is needed here", u.name));
                shown.push(u.at);
            }
        }
        let names: Vec<String> = self.uses.iter().map(|u| format!("`{}`", u.name)).collect();
        if names.len() < 2 {
            return d;
        }
        let chain = if names.len() > MAX_NAMES {
            let half = MAX_NAMES / 2;
            format!("{}, .., {}", names[..half].join(", "), names[names.len() - half..].join(", "))
        } else {
            names.join(", ")
        };
        d.note(format!("Each of these needs the next: {chain}."))
    }

    /// Where the user has written what leads to a place, which may be in the prelude.
    pub fn place_of_user(&self, span: Span) -> Span {
        let uses = self.uses.iter().rev().map(|u| u.at);
        let mut places = [span, self.at].into_iter().chain(uses);
        places.find(|at| self.limits.of_user(*at)).unwrap_or(span)
    }
}

fn each_definition<'p>(decs: &'p [Dec], f: &mut dyn FnMut(Span, &'p Exp)) {
    for dec in decs {
        match dec {
            Dec::Vals(group) => group.iter().for_each(|val| f(val.span, &val.fun.body)),
            Dec::Mod(m) => each_definition_in(&m.body, f),
            Dec::Open(m) => each_definition_in(m, f),
            Dec::Local(d) => each_definition(std::slice::from_ref(d), f),
            Dec::Unreached(..) | Dec::Types(_) | Dec::ModType(..) | Dec::Import(_) => {}
        }
    }
}

fn each_definition_in<'p>(m: &'p ModExp, f: &mut dyn FnMut(Span, &'p Exp)) {
    match m {
        ModExp::Decs(decs) => each_definition(decs, f),
        ModExp::Apply(function, argument, ..) => {
            each_definition_in(function, f);
            each_definition_in(argument, f);
        }
        ModExp::Ascript(inner, _) | ModExp::Lambda(_, inner) => each_definition_in(inner, f),
        ModExp::Var(_) | ModExp::Import(_) | ModExp::Unread | ModExp::Error => {}
    }
}

fn count(e: &Exp) -> usize {
    let mut all = 1;
    each_child(e, &mut |x| all += count(x));
    all
}
