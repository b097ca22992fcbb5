//! Number variables by their first mention in the text (`skeleton::normalise`).

use super::{Fun, Prog};

pub fn normalise(prog: &mut Prog) {
    crate::skeleton::normalise::normalise(prog);
}

pub fn normalise_fun(fun: &mut Fun) {
    crate::skeleton::normalise::normalise_fun(fun);
}
