//! A session: what has been defined, and what becomes of an input.
//!
//! Every accepted definition is a file that opens the one before it, so that names may be defined
//! again. An expression is the body of an entry point in such a file; the whole program is then
//! compiled and the entry point called. Programs are pure, so nothing is lost by starting anew.

use super::describe::{Form, defined_values, form, type_text};
use super::loader::{SessionLoader, normalised};
use super::names::visible_names;
use super::places::{InputFile, Places};
use crate::interrupt::stoppable;
use norn::Program;
use norn::engine::{CallError, CompileError, Engine, Options, SHOWN_ELEMENTS, render_failure, show};
use norn::{CheckOptions, Outcome, check_source_with, load_reason};
use norn_base::render::render;
use norn_base::{Diagnostic, Diagnostics, FileId, Severity, SourceMap, codes};
use norn_syntax::ast::{DecKind, NodeIds};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What the expression of an input is called.
const IT: &str = "it";

/// Declarations that are one file. An `import` is one of its own, since only what is opened is passed on.
struct Group {
    is_import: bool,
    /// The input with blanks in place of all other declarations, so that nothing moves.
    text: String,
}

fn declaration_groups(text: &str) -> Vec<Group> {
    let parsed = norn_syntax::parse(FileId(0), text, &mut NodeIds::default());
    let is_import = |dec: &norn_syntax::ast::Dec| matches!(dec.kind, DecKind::Import(_));
    let groups: Vec<_> = parsed.prog.decs.chunk_by(|a, b| !is_import(a) && !is_import(b)).collect();
    if groups.len() < 2 {
        let is_import = groups.first().is_some_and(|group| is_import(&group[0]));
        return vec![Group { is_import, text: text.to_string() }];
    }
    let begins: Vec<usize> = groups.iter().map(|group| group[0].span.lo as usize).collect();
    let blank = |text: &str| -> String { text.chars().map(|c| if c == '\n' { c } else { ' ' }).collect() };
    let group = |(i, group): (usize, &&[norn_syntax::ast::Dec])| {
        // Comments go with what they stand before.
        let begin = if i == 0 { 0 } else { begins[i] };
        let end = begins.get(i + 1).copied().unwrap_or(text.len());
        Group { is_import: is_import(&group[0]), text: blank(&text[..begin]) + &text[begin..end] }
    };
    groups.iter().enumerate().map(group).collect()
}

/// An expression without faults.
struct Expression {
    /// The definition of a value, which is an entry point if it can be.
    input: InputFile,
    outcome: Outcome,
    is_entry: bool,
    warnings: String,
    ty: String,
    form: Form,
}

pub struct Session {
    options: Options,
    loader: SessionLoader,
    /// The program that was opened, by the path the user gave.
    opened: Option<String>,
    /// What opens it.
    base: String,
    definitions: Vec<InputFile>,
    /// The number of the next input.
    number: usize,
    names: Option<Rc<BTreeSet<String>>>,
}

impl Session {
    pub fn new(options: Options) -> Session {
        Session {
            options: Options { observe: true, ..options },
            loader: SessionLoader::default(),
            opened: None,
            base: String::new(),
            definitions: Vec::new(),
            number: 1,
            names: None,
        }
    }

    /// What stands before an input: its number, and a mark.
    pub fn prompt(&self, mark: &str) -> String {
        format!("[{}]{mark}", self.number)
    }

    /// Begins a new input.
    pub fn advance(&mut self) {
        self.number += 1;
    }

    /// The names an input may use.
    pub fn names(&mut self) -> Rc<BTreeSet<String>> {
        if let Some(known) = &self.names {
            return known.clone();
        }
        let input = self.input_file("", "");
        let options = CheckOptions { whole_prelude: true, ..CheckOptions::default() };
        let outcome = check_source_with(&input.path, &input.text, &mut self.loader, options);
        let names = outcome.checked.map(|checked| visible_names(&checked.program)).unwrap_or_default();
        self.names.insert(Rc::new(names)).clone()
    }

    /// Evaluates an expression.
    pub fn evaluate(&mut self, exp: &str) -> String {
        let Expression { input, outcome, warnings, ty, form, is_entry } = match self.check_expression(exp) {
            Ok(checked) => checked,
            Err(errors) => return errors,
        };
        let value = match form.stand_in() {
            Some(text) => format!("{text} : {ty}\n"),
            None if is_entry => self.run(&input, outcome, &ty),
            None => {
                // That says why it cannot be called.
                let input = self.input_file("entry it = ", exp);
                let outcome = self.check(&input);
                self.run(&input, outcome, &ty)
            }
        };
        warnings + &value
    }

    /// The type of an expression.
    pub fn type_of(&mut self, exp: &str) -> String {
        match self.check_expression(exp) {
            Ok(Expression { warnings, ty, .. }) => format!("{warnings}{ty}\n"),
            Err(errors) => errors,
        }
    }

    /// Keeps definitions, if they are right, and prints what they are.
    pub fn define(&mut self, text: &str) -> String {
        declaration_groups(text)
            .into_iter()
            .enumerate()
            .map(|(i, group)| self.define_group(i, &group))
            .collect()
    }

    /// Some of the declarations of an input, of which `earlier` others came before.
    fn define_group(&mut self, earlier: usize, group: &Group) -> String {
        let mut input = self.input_file(if group.is_import { "open " } else { "" }, &group.text);
        if earlier > 0 {
            input.path = format!("[{}.{}].fut", self.number, earlier + 1);
        }
        let outcome = self.check(&input);
        let warnings = self.render(&input, &outcome.sources, &outcome.diagnostics);
        let Some(checked) = outcome.checked.filter(|_| !outcome.diagnostics.has_errors()) else {
            return warnings;
        };
        let program = &checked.program;
        let types = defined_values(program)
            .map(|def| format!("{} : {}\n", program.names.var(def.var).name, type_text(program, def)));
        let answer = warnings + &types.collect::<String>();
        self.loader.add(input.path.clone(), input.text.clone());
        self.definitions.push(input);
        self.names = None;
        answer
    }

    /// Opens a program and forgets what was defined.
    pub fn load(&mut self, path: &str) -> String {
        let path = path.trim().trim_matches('"').replace('\\', "/");
        let Some(module) = path.strip_suffix(".fut") else {
            return format!("The program `{path}` cannot be opened: its name does not end in `.fut`.\n");
        };
        self.opened = Some(path.clone());
        let normal = normalised(module);
        let mut loader = SessionLoader::open(Some(format!("{normal}.fut")));
        // What the program imports for itself is visible, too, as if the inputs were its last lines.
        let folder = normal.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        let imports = match loader.imports(&format!("{normal}.fut")) {
            Ok(imports) => imports,
            Err(e) => return format!("The program `{path}` {}.\n", load_reason(&e)),
        };
        let imports = imports.iter().map(|import| {
            let path = if import.starts_with('/') { import.clone() } else { format!("{folder}{import}") };
            format!("open import \"{path}\" ")
        });
        let base = imports.collect::<String>() + &format!("open import \"{normal}\" ");

        let before = std::mem::replace(&mut self.loader, loader);
        let old_base = std::mem::replace(&mut self.base, base);
        let old_definitions = std::mem::take(&mut self.definitions);
        let input = self.input_file("", "");
        let outcome = self.check(&input);
        let report = self.render(&input, &outcome.sources, &outcome.diagnostics);
        if outcome.diagnostics.has_errors() {
            self.loader = before;
            self.base = old_base;
            self.definitions = old_definitions;
            return report;
        }
        self.names = None;
        format!("{report}{path} is open.\n")
    }

    pub fn reload(&mut self) -> String {
        match self.opened.clone() {
            Some(path) => self.load(&path),
            None => "No program is open; :load opens one.\n".into(),
        }
    }

    /// All definitions, as they were typed.
    pub fn definitions(&self) -> String {
        let typed = |input: &InputFile| {
            let text = input.text.get(input.hidden..).unwrap_or_default().trim();
            format!("{text}\n")
        };
        self.definitions.iter().map(typed).collect()
    }

    fn run(&mut self, input: &InputFile, outcome: Outcome, ty: &str) -> String {
        let compiled = match Engine::compile(outcome, self.options.clone()) {
            Ok(compiled) => compiled,
            Err(CompileError::Rejected(rejection)) => {
                return self.render(input, &rejection.sources, &rejection.diagnostics);
            }
            Err(
                error @ (CompileError::Io(_)
                | CompileError::Device(_)
                | CompileError::Tune(_)
                | CompileError::Bug(_)),
            ) => {
                return error.render(self.options.paint);
            }
        };
        let program = Program::of(compiled);
        let engine = program.engine();
        self.show_values(input, engine);
        let Some(it) = program.entry(IT) else { return format!("error: There is no `{IT}`.\n") };
        match stoppable(|options| it.call_for_item(&[], options)) {
            Ok(called) => format!("{} : {ty}\n", show(engine, &called.value, SHOWN_ELEMENTS)),
            Err(
                error @ (CallError::Arguments(_)
                | CallError::Cancelled
                | CallError::TimedOut(_)
                | CallError::Bug(_)),
            ) => format!("error: {error}\n"),
            Err(CallError::Failed(failure)) => {
                let inputs = self.inputs_with(input);
                let mut places = Places::new(&inputs, engine.sources());
                let failure = places.failure(failure);
                render_failure(&places.sources, &failure, self.options.paint)
            }
        }
    }

    /// Prints the values that an input shows while it runs.
    fn show_values(&self, input: &InputFile, engine: &Engine) {
        let inputs = self.inputs_with(input);
        let sources = engine.sources().clone();
        engine.observe(move |shown| {
            let mut places = Places::new(&inputs, &sources);
            let span = places.span(shown.span);
            crate::observe::show(&shown, &places.sources.place(span));
        });
    }

    /// What an expression is, or why it is none.
    fn check_expression(&mut self, exp: &str) -> Result<Expression, String> {
        // As long as what `evaluate` puts there.
        let input = self.input_file("def   it = ", exp);
        let options = CheckOptions { entries: [IT.to_string()].into(), ..CheckOptions::default() };
        let outcome = check_source_with(&input.path, &input.text, &mut self.loader, options);
        let warnings = self.render(&input, &outcome.sources, &outcome.diagnostics);
        let Some(checked) = outcome.checked.as_ref().filter(|_| !outcome.diagnostics.has_errors()) else {
            return Err(warnings);
        };
        let mut values = defined_values(&checked.program);
        let (Some(def), None) = (values.next(), values.next()) else {
            return Err("error: This is more than an expression.\n".into());
        };
        let (ty, form, is_entry) = (type_text(&checked.program, def), form(def), def.entry.is_some());
        drop(values);
        Ok(Expression { input, outcome, is_entry, warnings, ty, form })
    }

    fn check(&mut self, input: &InputFile) -> Outcome {
        check_source_with(&input.path, &input.text, &mut self.loader, CheckOptions::default())
    }

    /// The next input, which sees all that was defined.
    fn input_file(&self, before: &str, text: &str) -> InputFile {
        let open = match self.definitions.last() {
            Some(last) => format!("open import \"{}\" ", last.path.trim_end_matches(".fut")),
            None => self.base.clone(),
        };
        let hidden = open.len() + before.len();
        let name = format!("[{}]", self.number);
        InputFile { path: format!("{name}.fut"), name, text: format!("{open}{before}{text}"), hidden }
    }

    fn inputs_with(&self, input: &InputFile) -> Vec<InputFile> {
        self.definitions.iter().chain([input]).cloned().collect()
    }

    /// Diagnostics about an input. What is known about earlier ones is not repeated, and the type that
    /// was chosen for a number is shown anyway.
    fn render(&self, input: &InputFile, sources: &SourceMap, diagnostics: &Diagnostics) -> String {
        let mut shown = Vec::new();
        for diagnostic in diagnostics.iter() {
            let is_here = sources.file(diagnostic.primary.span.file).name == input.path;
            let is_news = is_here && diagnostic.code != codes::DEFAULTED_TYPE;
            if is_news || diagnostic.severity == Severity::Error {
                shown.push(diagnostic);
            }
        }
        let inputs = self.inputs_with(input);
        let mut places = Places::new(&inputs, sources);
        let moved: Vec<Diagnostic> = shown.into_iter().map(|each| places.diagnostic(each.clone())).collect();
        moved.iter().map(|each| render(&places.sources, each, self.options.paint)).collect()
    }
}
