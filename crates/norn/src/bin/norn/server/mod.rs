//! `norn server`: a program at the other end of Futhark's server protocol.
//!
//! A client writes a command on a line of standard input; the answer is lines on standard output,
//! the last of which is `%%% OK`. Where a command fails, `%%% FAILURE` and why stand before that.
//! Values live in variables of the server, so that those no one else understands can be passed on.

mod commands;
mod parts;
mod profile;
mod state;
mod words;

use crate::args::{ColorChoice, MessageFormat, ServerArgs};
use crate::console::{Console, Exit};
use crate::load::load;
use state::Server;
use std::io::{BufRead, Result, stdin};

pub fn run(args: &ServerArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let program = match load(&console, &args.file, &args.backend)? {
        Ok(program) => program,
        Err(exit) => return Ok(exit),
    };
    let mut server = Server::new(program);
    console.print("%%% OK\n")?;
    let mut lines = stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        match lines.read_until(b'\n', &mut line) {
            Ok(0) => return Ok(Exit::Ok),
            Ok(_) => console.print(server.answer(&String::from_utf8_lossy(&line)))?,
            Err(e) => {
                console.error(format!("cannot read commands: {e}"))?;
                return Ok(Exit::Usage);
            }
        }
    }
}
