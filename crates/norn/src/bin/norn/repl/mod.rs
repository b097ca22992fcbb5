//! `norn repl`: evaluate expressions as they are typed.
//!
//! Definitions are kept and are there for what follows. Where the input is no terminal, lines are read
//! plainly and echoed behind the prompt, so that the output is the record of a conversation.

mod command;
mod describe;
mod input;
mod loader;
mod names;
mod places;
mod session;
mod terminal;

use crate::args::{ColorChoice, MessageFormat, ReplArgs};
use crate::console::{Console, Exit};
use crate::interrupt::answering;
use crate::load;
use command::{Command, HELP};
use input::{Input, is_complete};
use session::Session;
use std::io::{BufRead, IsTerminal, Result, stdin};
use terminal::{Line, Terminal};

pub fn run(args: &ReplArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let options = match load::options_for_snippets(&console, &args.backend)? {
        Ok(options) => options,
        Err(exit) => return Ok(exit),
    };
    let mut session = Session::new(options);
    if let Some(file) = &args.file {
        console.print(session.load(&file.to_string_lossy()))?;
    }
    if stdin().is_terminal() { converse(&console, session) } else { replay(&console, session) }
}

/// With someone at a terminal.
fn converse(console: &Console, mut session: Session) -> Result<Exit> {
    let mut terminal = match Terminal::open() {
        Ok(terminal) => terminal,
        Err(e) => {
            console.error(format!("cannot use the terminal: {e}"))?;
            return Ok(Exit::Usage);
        }
    };
    console.print("Type an expression or a definition, or :help.\n")?;
    loop {
        let prompts = [session.prompt("> "), session.prompt("| ")];
        match terminal.read(prompts.each_ref().map(String::as_str), session.names()) {
            Ok(Line::Text(text)) => match answering(|| respond(&mut session, &text)) {
                Some(answer) => console.print(answer)?,
                None => return Ok(Exit::Ok),
            },
            Ok(Line::Interrupted) => {}
            Ok(Line::End) => return Ok(Exit::Ok),
            Err(e) => {
                console.error(format!("cannot read from the terminal: {e}"))?;
                return Ok(Exit::Usage);
            }
        }
    }
}

/// With lines that are already there.
fn replay(console: &Console, mut session: Session) -> Result<Exit> {
    let mut lines = stdin().lock().split(b'\n');
    loop {
        let mut input: Vec<String> = Vec::new();
        let mut prompt = session.prompt("> ");
        while input.is_empty() || !is_complete(&input.join("\n")) {
            let Some(line) = lines.next() else { break };
            let line = String::from_utf8_lossy(&line?).trim_end_matches('\r').to_string();
            console.print(format!("{prompt}{line}\n"))?;
            prompt = session.prompt("| ");
            input.push(line);
        }
        if input.is_empty() {
            return Ok(Exit::Ok);
        }
        let text = input.join("\n");
        match answering(|| respond(&mut session, &text)) {
            Some(answer) => console.print(answer)?,
            None => return Ok(Exit::Ok),
        }
    }
}

/// The answer to an input; none if it was to leave.
fn respond(session: &mut Session, text: &str) -> Option<String> {
    Some(match input::read(text) {
        Input::Nothing => String::new(),
        Input::Expression => {
            let answer = session.evaluate(text);
            session.advance();
            answer
        }
        Input::Declarations => {
            let answer = session.define(text);
            session.advance();
            answer
        }
        Input::Command(command) => match command {
            Command::Help => HELP.into(),
            Command::Quit => return None,
            Command::Load(file) => session.load(file),
            Command::Reload => session.reload(),
            Command::Type(exp) => session.type_of(exp),
            Command::Defs => session.definitions(),
            Command::Unknown(name) => format!("There is no command `{name}`; :help lists them.\n"),
            Command::Incomplete(usage) => format!("This command is used as `{usage}`.\n"),
        },
    })
}
