//! Uniqueness: what each expression consumes, and what each value may alias.
//!
//! An array can be updated in place if nobody looks at its old contents afterwards. A value is
//! *consumed* when it is the source of an update or the argument for a consuming parameter; from
//! then on neither it nor anything that may share memory with it can be used. This pass proves
//! that, one definition at a time, on the typed tree. Inference has made sure that types agree,
//! including what function types say about consumption.
//!
//! One walk in the order of evaluation computes the aliases of every value (the judgment
//! `Σ ⊢ e ⇒ ⟨σ1, ..⟩` of section 3.2 of "Futhark: Purely Functional GPU-Programming with Nested
//! Parallelism and In-Place Array Updates", PLDI 2017) and what it consumes and observes
//! (`e ▷ ⟨C, O⟩` of section 3.3). Sequencing needs no sets of its own: whatever is observed is
//! looked up in the set of what has been consumed so far.
//!
//! | rule | where |
//! |---|---|
//! | ALIAS-VAR, SAFE-VAR | `scope::observe` |
//! | ALIAS-CONST, SAFE-CONST | `exp` (literals, ranges, array literals) |
//! | ALIAS-LETPAT, SAFE-LETPAT | `exp::let_pat`, `pattern::bind_pat` |
//! | ALIAS-IF, SAFE-IF; match the same | `exp::branches`, `Aliases::or` |
//! | ALIAS-INDEXARRAY, ALIAS-SLICEARRAY | `exp::index` (the type of the result distinguishes them) |
//! | ALIAS-UPDATE, SAFE-UPDATE | `update` |
//! | ALIAS-DOLOOP, SAFE-LOOP | `loops` |
//! | ALIAS-APPLY-UNIQUE, ALIAS-APPLY-NONUNIQUE, SAFE-APPLY | `apply` |
//! | ALIAS-MAP, SAFE-MAP | `apply`: operators over arrays are functions whose results are unique |
//! | OBSERVE-BASECASE, -PARAM, -NONPARAM, CONSUME-PARAM | `function`: a function consumes its own parameters and nothing around it |
//! | OCCURRENCE-SEQ | `scope::check_unconsumed` |
//!
//! Beyond the paper, as in Futhark:
//! - Records and sums have aliases part by part. Consuming a part consumes the variable.
//! - A function aliases what it captures. One that was made by consuming something, as the partial
//!   application `scatter xs`, can be called only once. It must be called where it is made or be
//!   returned from there: it cannot be bound, passed, matched or stored (`check_many_calls`).
//! - Whether a loop parameter is consumed is inferred; see `loops`.
//! - A result type that was not written is made as unique as the body allows; see `function`.
//! - Arguments are evaluated from the last to the first.
//!
//! Beyond Futhark, for functions as data and recursive types (see `Via`):
//! - Functions and recursive values are references. What holds them aliases what they refer to,
//!   even when it is itself fresh: `map (\i -> \x -> xs[i] + x) is` is a new array of functions
//!   that refer to `xs`.
//! - Consuming an array of references does not consume what they refer to: no function consumes
//!   what it captured. For the same reason a reference taken out of an array does not alias the
//!   array, only what the references in the array refer to (`taken_out`).
//! - References can be shared at will, so an array taken out of a recursive value, or returned by a
//!   function that was taken out of an array, cannot be consumed.
//!
//! After an error the walk goes on. What could not be consumed counts as not consumed, and each
//! consumption is blamed for one later use only.

mod alias;
mod apply;
mod exp;
mod function;
mod holds;
mod loops;
mod pattern;
mod report;
mod scope;
mod update;

use crate::typed::Fun;
use crate::types::{self, Names, VarId};
use norn_base::Diagnostics;
use scope::Checker;

/// Check a definition whose types are complete.
///
/// If no result type was declared, `fun.ret` is marked unique where the result is fresh; the same
/// goes for local functions and lambdas, and for the types of the variables bound to them.
pub fn check_consumption(names: &Names, var: VarId, fun: &mut Fun, diagnostics: &mut Diagnostics) {
    let mut checker = Checker::new(names, diagnostics);
    if fun.params.is_empty() {
        checker.exp(&mut fun.body);
        if types::has_unique(&fun.ret.ty) {
            let declared = fun.ret_declared.unwrap_or(fun.body.span);
            checker.report_unique_constant(var, declared);
        }
        fun.ret.ty = types::plain(&fun.ret.ty);
    } else {
        let declared = fun.ret_declared.is_some();
        checker.function(&fun.params, &mut fun.ret, declared, &mut fun.body);
    }
}
