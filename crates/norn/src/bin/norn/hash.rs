//! `norn hash`: a number that stands for a program.
//!
//! Programs with the same tokens, also in the files that they import, have the same hash, wherever they are: comments and layout do not count.

use crate::args::{ColorChoice, HashArgs, MessageFormat};
use crate::console::{Console, Exit};
use norn_check::shipped_file;
use norn_syntax::lexer::lex;
use sha2::{Digest, Sha256};
use std::io::Result;

pub fn run(args: &HashArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let mut exit = Exit::Ok;
    for path in &args.files {
        let outcome = match norn::check_file(path) {
            Ok(outcome) => outcome,
            Err(e) => {
                console.error(e)?;
                exit = exit.max(Exit::Usage);
                continue;
            }
        };
        if outcome.diagnostics.has_errors() {
            console.report(&outcome.sources, &outcome.diagnostics)?;
            exit = exit.max(Exit::Rejected);
            continue;
        }
        let mut hash = Sha256::new();
        // In the order in which they are read, the main file first.
        for (i, file) in outcome.sources.files().iter().enumerate() {
            if shipped_file(&file.name).is_some() || file.name == "intrinsics" {
                continue;
            }
            for token in lex(norn_base::FileId(i as u32), &file.text).tokens {
                let text = &file.text[token.lo as usize..token.hi as usize];
                hash.update((text.len() as u64).to_le_bytes());
                hash.update(text);
            }
        }
        let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        match args.files.len() {
            1 => console.print(format!("{hex}\n"))?,
            _ => console.print(format!("{hex}  {}\n", path.display()))?,
        }
    }
    Ok(exit)
}
