//! Programs as text (`skeleton::print`).

use super::Prog;
pub use crate::skeleton::print::{NOWHERE, Places};

/// All of the program: parsing it gives the program back, if its variables are normalised.
pub fn print(prog: &Prog) -> String {
    print_with(prog, Places::Shown)
}

pub fn print_with(prog: &Prog, places: Places) -> String {
    crate::skeleton::print::print_with(prog, places)
}
