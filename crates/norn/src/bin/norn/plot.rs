//! `norn plot`: draw a chart that is described in JSON.

use crate::args::{ColorChoice, MessageFormat, PlotArgs};
use crate::console::{Console, Exit};
use norn_plot::{draw, parse_chart};
use std::io::{Read, Result};

pub fn run(args: &PlotArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let name = args.file.to_string_lossy();
    let read = if name == "-" {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(&args.file)
    };
    let text = match read {
        Ok(text) => text,
        Err(e) => {
            console.error(format!("`{name}` cannot be read: {e}"))?;
            return Ok(Exit::Usage);
        }
    };
    let svg = match parse_chart(&text) {
        Ok(chart) => draw(&chart),
        Err(why) => {
            console.error(format!("`{name}`: {why}"))?;
            return Ok(Exit::Rejected);
        }
    };
    let Some(output) = &args.output else {
        console.print(svg)?;
        return Ok(Exit::Ok);
    };
    if let Err(e) = std::fs::write(output, svg) {
        console.error(format!("`{}` cannot be written: {e}", output.display()))?;
        return Ok(Exit::Usage);
    }
    Ok(Exit::Ok)
}
