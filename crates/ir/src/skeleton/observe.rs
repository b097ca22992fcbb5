//! Functions that do nothing but show their arguments: what `#[trace]` and `#[break]` become.
//!
//! Such a function has no results and an empty body, so that its calls mean nothing to the program: passes may drop them, and do.
//! Whoever wants to see the values interprets the program as it was lowered, where each call stands at the place of the
//! attribute, and the arguments of calls come in the order in which the program computes them.
//!
//! What is shown is said by the attributes of the function: the word, the tag, and the type, which is that of the last
//! parameters; before them come their sizes and regions.

use super::{Fun, Iface, IfaceId, Prog};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObserveKind {
    /// The value is printed.
    Trace,
    /// The value is printed, and the program waits.
    Break,
}

/// What a function shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    pub kind: ObserveKind,
    /// What the user calls it.
    pub tag: String,
    /// The type of the value, by its name.
    pub ty: String,
}

const TAG: &str = "tag ";
const TYPE: &str = "type ";

impl ObserveKind {
    pub fn word(self) -> &'static str {
        match self {
            ObserveKind::Trace => "trace",
            ObserveKind::Break => "break",
        }
    }
}

impl Observed {
    /// The attributes of a function that shows this.
    pub fn attrs(&self) -> Vec<String> {
        vec![self.kind.word().to_string(), format!("{TAG}{}", self.tag), format!("{TYPE}{}", self.ty)]
    }

    /// What a function shows, if that is all it does.
    pub fn of<O>(fun: &Fun<O>) -> Option<Observed> {
        let [word, tag, ty, ..] = &fun.attrs[..] else { return None };
        let kind = [ObserveKind::Trace, ObserveKind::Break].into_iter().find(|kind| kind.word() == word)?;
        Some(Observed {
            kind,
            tag: tag.strip_prefix(TAG)?.to_string(),
            ty: ty.strip_prefix(TYPE)?.to_string(),
        })
    }

    /// The type of the value.
    pub fn iface<'a, O>(&self, prog: &'a Prog<O>) -> Option<(IfaceId, &'a Iface)> {
        let at = prog.ifaces.iter().position(|iface| iface.name == self.ty)?;
        Some((IfaceId(at as u32), &prog.ifaces[at]))
    }
}

impl<O> Prog<O> {
    /// Whether it shows values while it runs.
    pub fn observes(&self) -> bool {
        self.funs.iter().any(|fun| Observed::of(fun).is_some())
    }
}
