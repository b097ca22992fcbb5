//! Looking on while a program runs: the values that `#[trace]` and `#[break]` show.
//!
//! The interpreter hands over values, compiled code words that values are read from (`words`). Few programs have traces that cannot be
//! compiled (`norn_passes::nest::traces`); these are interpreted where somebody looks on (see `Options::observe`).

use super::words::Words;
use super::{Context, Engine, show};
use crate::engine::runner::Runner;
use norn_base::{SourceMap, Span};
use norn_interp::{Observation, Observer};
use norn_ir::nest::{ObserveKind, Prog, ShowSite};

/// How many elements of a value are shown.
const SHOWN_ELEMENTS: usize = 1000;

/// A value that the program shows.
#[derive(Clone, Debug)]
pub struct Shown {
    pub kind: ObserveKind,
    /// What the user calls it.
    pub tag: String,
    pub value: String,
    pub span: Span,
}

impl Engine {
    /// Who is notified of the values that the program shows, if it was compiled to be observed.
    pub fn observe(&self, mut report: impl FnMut(Shown) + Send + 'static) {
        let (types, paint) = (types_of(self.prog()), self.paint);
        match &self.runner {
            Runner::Interp { interp, .. } => {
                let types = engine_of(types, paint);
                let mut observer: Option<Observer> = Some(Box::new(move |observation: Observation| {
                    let Observation { kind, tag, ty, columns, span } = observation;
                    let item = types.item(ty, columns);
                    let value = show(&types, &item, SHOWN_ELEMENTS);
                    report(Shown { kind, tag: tag.to_string(), value, span });
                }));
                // There is one, and no call goes on yet.
                interp.for_idle(|interp| {
                    observer.take().into_iter().for_each(|observer| interp.observe(observer))
                });
            }
            Runner::Compiled { exec, sites, .. } => {
                let sites = sites.clone();
                exec.observe(Box::new(move |words| {
                    let types = engine_of(types.clone(), paint);
                    shown(&types, &sites, words, &mut report);
                }));
            }
        }
    }
}

/// Reports all values in these words.
fn shown(types: &Engine, sites: &[ShowSite], words: &[i64], report: &mut impl FnMut(Shown)) {
    let mut words = Words(words);
    while !words.0.is_empty() {
        let read = words.next().and_then(|number| sites.get(number)).and_then(|site| {
            let (ty, iface) = site.observed.iface(types.prog())?;
            Some((site, ty, words.columns(iface)?))
        });
        let Some((ShowSite { observed, span }, ty, columns)) = read else {
            panic!("the program shows words that are no value");
        };
        let value = show(types, &types.item(ty, columns), SHOWN_ELEMENTS);
        report(Shown { kind: observed.kind, tag: observed.tag.clone(), value, span: *span });
    }
}

/// A program that has the types of another and does nothing.
fn types_of(prog: &Prog) -> Prog {
    Prog { ifaces: prog.ifaces.clone(), datas: prog.datas.clone(), ..Prog::default() }
}

fn engine_of(prog: Prog, paint: crate::Paint) -> Engine {
    Engine {
        backend: super::Backend::Interp,
        runner: Runner::interp(prog, u64::MAX),
        sources: SourceMap::default(),
        paint,
        context: Context::default(),
    }
}
