//! A terminal with a line editor: history, completion, inputs of several lines.

use super::command::COMMANDS;
use super::input::is_complete;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;

/// How many inputs the history keeps.
const HISTORY: usize = 10_000;

pub struct Terminal {
    editor: Editor<Assistant, DefaultHistory>,
    /// None where the system has no place for it.
    history: Option<PathBuf>,
}

/// What came from the terminal.
pub enum Line {
    Text(String),
    Interrupted,
    End,
}

impl Terminal {
    pub fn open() -> rustyline::Result<Terminal> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .max_history_size(HISTORY)?
            .history_ignore_dups(true)?
            .build();
        let mut editor = Editor::with_config(config)?;
        editor.set_helper(Some(Assistant::default()));
        let history = history_path();
        if let Some(path) = &history {
            // The first session has none.
            let _ = editor.load_history(path);
        }
        Ok(Terminal { editor, history })
    }

    /// Reads a whole input; `names` are those that may be completed.
    pub fn read(&mut self, prompt: &str, names: Rc<BTreeSet<String>>) -> rustyline::Result<Line> {
        if let Some(assistant) = self.editor.helper_mut() {
            assistant.names = names;
        }
        match self.editor.readline(prompt) {
            Ok(text) => {
                if !text.trim().is_empty() {
                    self.editor.add_history_entry(text.trim_end())?;
                    self.save_history();
                }
                Ok(Line::Text(text))
            }
            Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
            Err(ReadlineError::Eof) => Ok(Line::End),
            Err(e) => Err(e),
        }
    }

    /// That the history cannot be kept is no reason to stop.
    fn save_history(&mut self) {
        if let Some(path) = &self.history {
            if let Some(folder) = path.parent() {
                let _ = std::fs::create_dir_all(folder);
            }
            let _ = self.editor.save_history(path);
        }
    }
}

/// The history, in the user's folder for data of programs.
fn history_path() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || variable("HOME");
    let data = if cfg!(windows) {
        variable("APPDATA")
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library").join("Application Support"))
    } else {
        variable("XDG_DATA_HOME").or_else(|| home().map(|home| home.join(".local").join("share")))
    };
    Some(data?.join("norn").join("repl-history.txt"))
}

/// What the editor asks while a line is typed.
#[derive(Default)]
struct Assistant {
    names: Rc<BTreeSet<String>>,
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let before = line.get(..pos).unwrap_or(line);
        let start = before
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_alphanumeric() || matches!(c, '_' | '\'' | '.' | ':'))
            .last()
            .map_or(pos, |(at, _)| at);
        let word = &before[start..];
        if word.starts_with(':') && before[..start].trim().is_empty() {
            let fitting = COMMANDS.iter().filter(|(name, _)| name.starts_with(word));
            return Ok((start, fitting.map(|(name, _)| name.to_string()).collect()));
        }
        if word.is_empty() {
            return Ok((start, Vec::new()));
        }
        let fitting = self.names.range(word.to_string()..).take_while(|name| name.starts_with(word));
        Ok((start, fitting.cloned().collect()))
    }
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        let complete = is_complete(context.input());
        Ok(if complete { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Hinter for Assistant {
    type Hint = String;
}

impl Highlighter for Assistant {}
impl Helper for Assistant {}
