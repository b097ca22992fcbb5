//! Programs in imp: they obey its rules, and their text reads back.

use crate::Verdict;
use norn_ir::imp::Prog;
use norn_ir::imp::normalise::normalise;
use norn_ir::imp::parse::parse;
use norn_ir::imp::print::print;
use norn_ir::imp::verify::verify;

/// Whether the program, which this pass made, obeys the rules of imp, and `parse(print(p))` is `p`.
pub fn check_imp(pass: &str, prog: &Prog) -> Verdict {
    let broken: String = verify(prog).iter().map(|v| format!("{v}\n")).collect();
    if !broken.is_empty() {
        return Err(format!("after {pass}:\n{broken}"));
    }
    let mut normal = prog.clone();
    normalise(&mut normal);
    let text = print(&normal);
    match parse(&text) {
        Err(error) => Err(format!("after {pass}, the text does not parse: {error}\n{text}")),
        Ok(back) if back != normal => {
            Err(format!("after {pass}, the text reads back as another program:\n{text}"))
        }
        Ok(_) => Ok(()),
    }
}
