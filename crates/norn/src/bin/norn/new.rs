//! `norn new`: a folder to begin with.

use crate::args::{ColorChoice, MessageFormat, NewArgs};
use crate::console::{Console, Exit};
use std::fs;
use std::io::Result;
use std::path::Path;

pub fn run(args: &NewArgs, color: ColorChoice) -> Result<Exit> {
    let console = Console::new(color, MessageFormat::Human);
    let name = args.folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if !is_word {
        console.error(format!(
            "`{name}` cannot be a name: it must begin with a letter, and have letters, digits, `_` and `-`"
        ))?;
        return Ok(Exit::Usage);
    }
    if args.folder.exists() {
        console.error(format!("`{}` is there already", args.folder.display()))?;
        return Ok(Exit::Usage);
    }
    let file = format!("{}.fut", name.replace('-', "_"));
    if let Err(e) = write(&args.folder, &file) {
        console.error(format!("`{}` cannot be made: {e}", args.folder.display()))?;
        return Ok(Exit::Usage);
    }
    let folder = args.folder.display();
    console.print(format!(
        "{folder}/{file} is a program with tests; try\n\n  cd {folder}\n  norn test {file}\n  echo '[1, 2, 3]' | norn run {file}\n"
    ))?;
    Ok(Exit::Ok)
}

fn write(folder: &Path, file: &str) -> Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(file), PROGRAM)?;
    fs::write(folder.join(norn::pkg::FILE), "require {\n}\n")?;
    // What packages bring can be had again from the list of packages.
    fs::write(folder.join(".gitignore"), "/lib/\n")
}

/// What there is to begin with: an entry point, a test, and a measurement.
const PROGRAM: &str = r#"-- | How far numbers are from their mean, on average.
def deviation [n] (xs: [n]f64) : f64 =
  let mean = f64.sum xs / f64.i64 n
  in f64.sqrt (f64.sum (map (\x -> (x - mean) ** 2) xs) / f64.i64 n)

-- ==
-- input { [1.0, 2.0, 3.0, 4.0] } output { 1.118033988749895 }
-- input { [5.0] } output { 0.0 }
-- random input { [1000000]f64 }
entry main (xs: []f64) : f64 = deviation xs
"#;
