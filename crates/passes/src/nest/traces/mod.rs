//! Traces as data: what `#[trace]` shows inside of operators is computed, and shown by the statements around them.
//!
//! Before:
//! ```text
//! let ys: [n]i32 = map n (xs) \(x: i32) {
//!   let y: i32 = mul.i32 x x
//!   call trace (y)
//!   in y
//! }
//! ```
//! After:
//! ```text
//! let ys: [n]i32, logs: [n][?]i64 = map n (xs) \(x: i32) {
//!   let y: i32 = mul.i32 x x
//!   let w: i64 = convert.i32.i64 y
//!   let words: [2i64]i64 = [0i64, w]
//!   in y, words
//! }
//! let k: i64, log: [k]i64 = join_rows logs
//! call show (k, log)
//! ```
//!
//! Outside of operators a value is shown where the program gets there: the call of the observer becomes a call of `show` (see
//! `norn_ir::nest::observe`), which is an effect that all passes keep in its place. Inside of operators there are no effects: a body that
//! traces yields its *log*, the words of all it shows in order. A map joins the logs of its elements, a loop appends
//! to its log, a function that is called there yields its log as last result. So order, number and completeness of traces are those of any other
//! data, and no pass on operators, and no kernel, knows of them. The price: what an operator would show before it fails is lost.
//!
//! Needs: a program as it was lowered. Gives: no observers; at most one function `show`, called only outside of operators.
//! Keeps: results, failures, and the order in which the interpreter shows values. Other operators than maps are divided into a map
//! that traces and what remains (filters, scatters), or become loops, where it is their operator that traces.
//! Refuses (`able`): the whole program, if one of its traces cannot be data; it stays as it is.
//! Cost: linear in the program; a function that traces is there once for calls outside of operators and once for calls inside, and one of a
//! library once for each place that calls it, which is the place that its traces have.

mod able;
mod body;
mod operators;
mod words;

pub use able::can_be_data;
use body::Rewrite;
use norn_base::{FileId, Span};
use norn_ir::nest::build::FunBuilder;
use norn_ir::nest::calls::{call_groups, callees};
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{
    Body, ControlExp, Dim, Exp, Fun, FunId, Observed, Param, Prim, Prog, ShowSite, Stm, Type,
};
use rustc_hash::FxHashSet;
use std::collections::HashMap;

pub fn traces(prog: &mut Prog) {
    if !prog.observes() || !can_be_data(prog) {
        return;
    }
    let tracing = Tracing::of(prog);
    let originals = prog.funs.clone();
    let mut versions = Versions {
        tracing: &tracing,
        columns: originals.iter().map(|fun| shown_columns(prog, fun)).collect(),
        sites: Vec::new(),
        show: FunId(originals.len() as u32),
        next: originals.len() as u32 + 1,
        of: HashMap::new(),
        worklist: Vec::new(),
    };
    prog.funs.push(show_fun());
    for (at, fun) in originals.iter().enumerate() {
        if tracing.observed[at].is_none() && tracing.fun(at) {
            prog.funs[at] = Rewrite::new(fun, None, &mut versions).shows();
        }
    }
    while let Some(Version { fun, mode, place }) = versions.worklist.pop() {
        let rewrite = Rewrite::new(&originals[fun], place, &mut versions);
        let made = match mode {
            Mode::Shows => rewrite.shows(),
            Mode::Logs => rewrite.logs(),
        };
        let id = versions.of[&Version { fun, mode, place }];
        prog.funs.resize_with(prog.funs.len().max(id.0 as usize + 1), Fun::nothing);
        prog.funs[id.0 as usize] = made;
    }
    prog.funs[versions.show.0 as usize].attrs = ShowSite::attrs(&versions.sites);
    prog.forget_observers();
    normalise(prog);
}

/// How many of the last arguments of an observer are shown; of any other function, none.
fn shown_columns(prog: &Prog, fun: &Fun) -> usize {
    Observed::of(fun).and_then(|observed| observed.iface(prog)).map_or(0, |(_, iface)| iface.columns.len())
}

/// The function that shows words; its argument is how many.
fn show_fun() -> Fun {
    let mut b = FunBuilder::new();
    let count = b.new_var("n", Type::i64());
    let words = b.new_var("words", Type::array(Prim::I64, vec![Dim::size(count)]));
    let params = [count, words].map(Param::plain).to_vec();
    b.finish("show", params, Vec::new(), Vec::new(), norn_ir::nest::print::NOWHERE)
}

/// What becomes of the traces of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Mode {
    /// They are shown at once: the function is called outside of operators.
    Shows,
    /// They are collected: the function yields their number of words, and the words.
    Logs,
}

/// A function as some of its callers need it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Version {
    fun: usize,
    mode: Mode,
    /// The place of traces that are in the library.
    place: Option<Span>,
}

struct Versions<'a> {
    tracing: &'a Tracing,
    /// Of each observer, how many of its last arguments it shows.
    columns: Vec<usize>,
    sites: Vec<ShowSite>,
    show: FunId,
    next: u32,
    of: HashMap<Version, FunId>,
    worklist: Vec<Version>,
}

impl Versions<'_> {
    fn version(&mut self, version: Version) -> FunId {
        // The first version of all is made in place.
        if version.mode == Mode::Shows && version.place.is_none() {
            return FunId(version.fun as u32);
        }
        *self.of.entry(version).or_insert_with(|| {
            self.worklist.push(version);
            self.next += 1;
            FunId(self.next - 1)
        })
    }

    fn site(&mut self, observed: &Observed, span: Span) -> usize {
        let site = ShowSite { observed: observed.clone(), span };
        let known = self.sites.iter().position(|known| *known == site);
        known.unwrap_or_else(|| {
            self.sites.push(site);
            self.sites.len() - 1
        })
    }
}

/// What is known of the functions of a program before it is changed.
struct Tracing {
    observed: Vec<Option<Observed>>,
    /// Of each function, whether it traces something, by way of others or not, constants aside: these show their values when they are computed.
    funs: Vec<bool>,
    /// Of each function, whether the place of its traces is that of its call.
    placed: Vec<bool>,
    /// Files of libraries: nobody reads them to find a trace of their own.
    library: FxHashSet<FileId>,
}

impl Tracing {
    fn of(prog: &Prog) -> Tracing {
        let count = prog.funs.len();
        let is_library = |fun: &&Fun| fun.attrs.iter().any(|attr| attr == "library");
        let mut tracing = Tracing {
            observed: prog.funs.iter().map(Observed::of).collect(),
            funs: vec![false; count],
            placed: vec![false; count],
            library: prog.funs.iter().filter(is_library).map(|fun| fun.span.file).collect(),
        };
        for group in call_groups(prog) {
            // Once for each function, since what one knows of itself the others learn.
            for _ in 0..group.len() {
                for at in group.iter().map(|id| id.0 as usize) {
                    let body = &prog.funs[at].body;
                    tracing.funs[at] |= tracing.observed[at].is_some() || tracing.body(body);
                    tracing.placed[at] |= tracing.observed[at].is_some() || tracing.is_placed(body);
                }
            }
        }
        tracing
    }

    fn fun(&self, at: usize) -> bool {
        self.funs[at]
    }

    fn exp(&self, exp: &Exp) -> bool {
        let mut traces =
            matches!(exp, Exp::Control(ControlExp::Call { fun, args: _ }) if self.funs[fun.0 as usize]);
        for_each_body(exp, &mut |body| traces = traces || self.body(body));
        traces
    }

    fn body(&self, body: &Body) -> bool {
        body.stms.iter().any(|stm| self.exp(&stm.exp))
    }

    /// Whether it traces in the library, or calls from there what does.
    fn is_placed(&self, body: &Body) -> bool {
        body.stms.iter().any(|stm| {
            let mut placed = matches!(&stm.exp, Exp::Control(ControlExp::Call { fun, args: _ }) if self.placed[fun.0 as usize])
                && self.is_in_library(stm);
            for_each_body(&stm.exp, &mut |body| placed = placed || self.is_placed(body));
            placed
        })
    }

    fn is_in_library(&self, stm: &Stm) -> bool {
        self.library.contains(&stm.span.file)
    }
}

fn for_each_body(exp: &Exp, f: &mut dyn FnMut(&Body)) {
    exp.for_each_part(&mut |part| match part {
        Part::Body(body) => f(body),
        Part::Lambda(lambda) => f(&lambda.body),
        Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
    });
}

/// The constants of a program that trace something when they are computed, by the functions of a program that mention them.
fn tracing_consts(prog: &Prog, tracing: &Tracing) -> Vec<bool> {
    let mut traces = tracing.funs.clone();
    // Constants count as calls here.
    for group in call_groups(prog) {
        let found = group
            .iter()
            .map(|id| id.0 as usize)
            .any(|at| traces[at] || callees(prog, &prog.funs[at].body).iter().any(|callee| traces[*callee]));
        group.iter().for_each(|id| traces[id.0 as usize] = found);
    }
    prog.consts.iter().map(|constant| traces[constant.fun.0 as usize]).collect()
}
