//! A terminal with a line editor: history, completion, inputs of several lines.

use super::command::COMMANDS;
use super::input::is_complete;
use super::names::completions;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
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

    /// Reads a whole input, whose first line has one prompt and all others another; `names` are those that may be completed.
    pub fn read(&mut self, prompts: [&str; 2], names: Rc<BTreeSet<String>>) -> rustyline::Result<Line> {
        if let Some(assistant) = self.editor.helper_mut() {
            assistant.names = names;
        }
        let mut text = String::new();
        let mut prompt = prompts[0];
        loop {
            match self.editor.readline(prompt) {
                Ok(line) => text += &line,
                Err(ReadlineError::Interrupted) => return Ok(Line::Interrupted),
                // What was begun is not complete, and never will be.
                Err(ReadlineError::Eof) if text.is_empty() => return Ok(Line::End),
                Err(ReadlineError::Eof) => break,
                Err(e) => return Err(e),
            }
            if is_complete(&text) {
                break;
            }
            text.push('\n');
            prompt = prompts[1];
        }
        if !text.trim().is_empty() {
            self.editor.add_history_entry(text.trim_end())?;
            self.save_history();
        }
        Ok(Line::Text(text))
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
        let command = before.trim_start();
        if command.starts_with(':') && !command.contains(char::is_whitespace) {
            let fitting = COMMANDS.iter().filter(|(name, _)| name.starts_with(command));
            return Ok((before.len() - command.len(), fitting.map(|(name, _)| name.to_string()).collect()));
        }
        Ok(completions(&self.names, before))
    }
}

impl Validator for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Highlighter for Assistant {}
impl Helper for Assistant {}
