//! What `#[trace]` and `#[break]` become: calls of functions that show values.
//!
//! There are two such functions, both with no results and an empty body.
//!
//! An *observer* is what lowering makes: a function for each attribute, whose arguments are what it shows. Its call stands at the place of the
//! attribute. The interpreter hands the arguments to whoever looks on, in the order in which the program computes them. What is shown is
//! said by the attributes of the function: the word, the tag, and the type, which is that of the last
//! parameters; before them come their sizes and regions. Calls of observers mean nothing to passes, which drop them.
//!
//! The function *show* is what the pass `traces` makes of all observers, for compiled code. It takes an array of words: any number of values, one
//! after the other, each behind the number of its site. The sites are attributes of the function. Passes keep its calls, and their order. A value is
//! its columns one after the other, as words of 64 bits. A scalar is a word: its bits in the low end. An array is its dimensions from
//! the outside, then all its elements; a dimension is its size, or where it is `?` the lengths of all rows.

use super::calls::{call_groups, callees};
use super::walk::Part;
use super::{ControlExp, Exp, Fun, Iface, IfaceId, Operators, Prog};
use norn_base::{FileId, Span};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObserveKind {
    /// The value is printed.
    Trace,
    /// The value is printed, and the program waits.
    Break,
}

/// What an observer shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    pub kind: ObserveKind,
    /// What the user calls it.
    pub tag: String,
    /// The type of the value, by its name.
    pub ty: String,
}

/// What the function `show` shows, and at which place of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShowSite {
    pub observed: Observed,
    pub span: Span,
}

const TAG: &str = "tag ";
const TYPE: &str = "type ";
const PLACE: &str = "at ";
/// The first attribute of the function that shows words; then come those of its sites.
const SHOW: &str = "show";

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

    /// What a function shows, if it is an observer.
    pub fn of<O>(fun: &Fun<O>) -> Option<Observed> {
        Observed::of_attrs(&fun.attrs)
    }

    fn of_attrs(attrs: &[String]) -> Option<Observed> {
        let [word, tag, ty, ..] = attrs else { return None };
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

impl ShowSite {
    /// The attributes of the function that shows at these sites.
    pub fn attrs(sites: &[ShowSite]) -> Vec<String> {
        let mut attrs = vec![SHOW.to_string()];
        for ShowSite { observed, span } in sites {
            attrs.extend(observed.attrs());
            attrs.push(format!("{PLACE}{}:{}-{}", span.file.0, span.lo, span.hi));
        }
        attrs
    }

    fn of_attrs(attrs: &[String]) -> Option<ShowSite> {
        let (file, range) = attrs.get(3)?.strip_prefix(PLACE)?.split_once(':')?;
        let (lo, hi) = range.split_once('-')?;
        let span = Span { file: FileId(file.parse().ok()?), lo: lo.parse().ok()?, hi: hi.parse().ok()? };
        Some(ShowSite { observed: Observed::of_attrs(attrs)?, span })
    }
}

impl<O> Fun<O> {
    /// Whether it is the function that shows words.
    pub fn is_show(&self) -> bool {
        self.attrs.first().is_some_and(|attr| attr == SHOW)
    }
}

impl<O> Prog<O> {
    /// Whether it has observers.
    pub fn observes(&self) -> bool {
        self.funs.iter().any(|fun| Observed::of(fun).is_some())
    }

    /// Makes functions of its observers that do nothing.
    pub fn forget_observers(&mut self) {
        self.funs.iter_mut().filter(|fun| Observed::of(fun).is_some()).for_each(|fun| fun.attrs.clear());
    }

    /// What it shows, by the numbers of the sites.
    pub fn show_sites(&self) -> Vec<ShowSite> {
        let show = self.funs.iter().find(|fun| fun.is_show());
        let attrs = show.map_or(&[][..], |fun| &fun.attrs[1..]);
        attrs.chunks(4).filter_map(ShowSite::of_attrs).collect()
    }
}

/// Of each function, whether it shows words, by way of others or not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Showing {
    funs: Vec<bool>,
    consts: Vec<bool>,
}

impl Showing {
    pub fn of<O: Operators>(prog: &Prog<O>) -> Showing {
        let mut funs: Vec<bool> = prog.funs.iter().map(Fun::is_show).collect();
        if funs.contains(&true) {
            for group in call_groups(prog) {
                let shows = group.iter().map(|id| id.0 as usize).any(|at| {
                    funs[at] || callees(prog, &prog.funs[at].body).iter().any(|callee| funs[*callee])
                });
                group.iter().for_each(|id| funs[id.0 as usize] = shows);
            }
        }
        let consts = prog.consts.iter().map(|constant| funs[constant.fun.0 as usize]).collect();
        Showing { funs, consts }
    }

    pub fn fun(&self, id: super::FunId) -> bool {
        self.funs.get(id.0 as usize) == Some(&true)
    }

    /// Whether the expression, its bodies included, may show something.
    pub fn exp<O: Operators>(&self, exp: &Exp<O>) -> bool {
        if !self.funs.contains(&true) {
            return false;
        }
        let mut shows = false;
        if let Exp::Control(ControlExp::Call { fun, args: _ }) = exp {
            shows = self.fun(*fun);
        } else if let Exp::Control(ControlExp::Const(id)) = exp {
            shows = self.consts.get(id.0 as usize) == Some(&true);
        }
        exp.for_each_part(&mut |part| match part {
            Part::Body(body) => shows = shows || body.stms.iter().any(|stm| self.exp(&stm.exp)),
            Part::Lambda(lambda) => shows = shows || lambda.body.stms.iter().any(|stm| self.exp(&stm.exp)),
            Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
        });
        shows
    }
}
