//! Programs to pages: the directives are evaluated in the order in which they stand.

use super::alternative::suggested;
use super::directive::{Directive, parse_directive, uncommented};
use super::page::{Block, DirectiveOutput, Page};
use super::show::{Files, show_directive};
use super::source::{Part, divide};
use crate::engine::{CompileError, Engine, Options};
use crate::testing::blocks::{BlockError, uncomment};
use crate::testing::script::Evaluator;
use crate::{FileError, FsLoader, Outcome};
use norn_base::SourceMap;
use norn_check::{LoadError, Loader, check};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A program that was read and is to become a page.
pub struct Literate {
    /// As the user wrote it.
    path: PathBuf,
    /// The name of the file, which is also its name on the page: a page does not show in which folder it was made.
    name: String,
    text: String,
    parts: Vec<Read>,
    /// Definitions that directives use as if they were entry points.
    entries: BTreeSet<String>,
}

/// A part of the program, with directives read.
enum Read {
    Text(String),
    Code(String),
    Directive { source: String, directive: Result<Directive, BlockError> },
}

/// What came of the directives.
pub struct Evaluated {
    pub page: Page,
    /// What is wrong with them, each rendered with its place in the file. Each ends in a line break.
    pub errors: Vec<String>,
}

impl Literate {
    pub fn read(path: &Path) -> Result<Literate, FileError> {
        let failed = |reason: String| FileError { path: path.to_string_lossy().into(), reason };
        let text = FsLoader.load(&path.to_string_lossy()).map_err(|e| failed(crate::load_reason(&e)))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let divided = divide(&text);
        let blank = uncomment(&text);
        let parts: Vec<Read> = divided
            .parts
            .into_iter()
            .map(|part| match part {
                Part::Text(text) => Read::Text(text),
                Part::Code(code) => Read::Code(code),
                Part::Directive(at) => Read::Directive {
                    source: uncommented(&text[at.clone()]),
                    directive: parse_directive(&text, &blank, at),
                },
            })
            .collect();
        let mut named = BTreeSet::new();
        for part in &parts {
            if let Read::Directive { directive: Ok(directive), .. } = part {
                directive.exp.free_names(&mut named);
            }
        }
        let entries = divided.definitions.into_iter().filter(|name| named.contains(name)).collect();
        Ok(Literate { path: path.into(), name, text, parts, entries })
    }

    /// Whether there is anything to be computed.
    pub fn has_directives(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Read::Directive { .. }))
    }

    /// Checks the program. Beside its own entry points it has those that directives name.
    pub fn check(&self) -> Outcome {
        let mut sources = SourceMap::default();
        let root = sources.add(self.name.as_str(), self.text.as_str());
        let mut folder = Folder(self.folder().into());
        let options = norn_check::Options { entries: self.entries.clone(), ..Default::default() };
        let mut checked = check(&mut sources, root, &self.name, &mut folder, options);
        let mut diagnostics = std::mem::take(&mut checked.diagnostics);
        diagnostics.sort();
        Outcome { sources, diagnostics, checked: Some(checked) }
    }

    /// Compiles the program. Beside it come its warnings, rendered.
    pub fn compile(&self, options: Options) -> Result<(Engine, String), CompileError> {
        Engine::compile(self.check(), options)
    }

    /// Evaluates the directives with the compiled program; without one if there are none. `stop` ends it at the first error.
    pub fn evaluate(&self, engine: Option<&Engine>, stop: bool) -> Evaluated {
        let mut files = Files::default();
        let (mut blocks, mut errors) = (Vec::new(), Vec::new());
        // The alternative text of pictures whose directive gives none.
        let mut usual = self.name.clone();
        for part in &self.parts {
            blocks.push(match (part, engine) {
                (Read::Text(text), _) => {
                    usual = suggested(text).unwrap_or(usual);
                    Block::Text(text.clone())
                }
                (Read::Code(code), _) => Block::Code(code.clone()),
                (Read::Directive { .. }, None) => continue,
                (Read::Directive { source, directive }, Some(engine)) => {
                    let (mut shown, error) = self.show(engine, directive, &mut files);
                    errors.extend(error);
                    if let DirectiveOutput::Media(media) = &mut shown
                        && media.alternative.is_empty()
                    {
                        media.alternative.clone_from(&usual);
                    }
                    Block::Directive { source: self.shown_source(source, directive), shown }
                }
            });
            if stop && !errors.is_empty() {
                break;
            }
        }
        Evaluated { page: Page { name: self.name.clone(), blocks }, errors }
    }

    /// What a directive shows, and if that is an error, how it is reported.
    fn show(
        &self,
        engine: &Engine,
        directive: &Result<Directive, BlockError>,
        files: &mut Files,
    ) -> (DirectiveOutput, Option<String>) {
        let mut evaluator = Evaluator { engine, folder: self.folder() };
        let shown = match directive {
            Ok(directive) => show_directive(&mut evaluator, directive, files),
            Err(error) => Err(error.clone()),
        };
        match shown {
            Ok(shown) => (shown, None),
            Err(error) => {
                let rendered = error.render(&self.path.to_string_lossy(), &self.text);
                let help = error.help.map(|help| format!("\n{help}")).unwrap_or_default();
                (DirectiveOutput::Error(error.message + &help), Some(rendered))
            }
        }
    }

    /// A directive as the page shows it.
    fn shown_source(&self, source: &str, directive: &Result<Directive, BlockError>) -> Option<String> {
        match directive {
            Ok(Directive { covert: true, .. }) => None,
            // Its words say how it is shown, not what.
            Ok(directive @ Directive { brief: true, .. }) => {
                Some(uncommented(&self.text[directive.head.clone()]).replacen(":brief ", "", 1))
            }
            Ok(_) | Err(_) => Some(source.into()),
        }
    }

    /// Diagnostics as the user should see them: names of files lead there from where the command runs.
    pub fn with_folder(&self, rendered: &str) -> String {
        const ARROW: &str = "--> ";
        let folder = self.folder().to_string_lossy();
        let place = |line: &str| match line.split_once(ARROW) {
            Some((before, path))
                if before.trim().is_empty() && !path.starts_with('/') && !folder.is_empty() =>
            {
                format!("{before}{ARROW}{folder}/{path}")
            }
            Some(_) | None => line.to_string(),
        };
        rendered.split_inclusive('\n').map(place).collect()
    }

    /// What files are relative to.
    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }
}

/// Files of the program's folder, whose names in messages are relative to it.
struct Folder(PathBuf);

impl Loader for Folder {
    fn load(&mut self, path: &str) -> Result<String, LoadError> {
        FsLoader.load(&self.0.join(path).to_string_lossy())
    }
}
