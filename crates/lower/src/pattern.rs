//! Patterns: what they bind, and whether a value matches.

use crate::classes::Place;
use crate::lower::{Lower, Scope};
use crate::rep::Rep;
use crate::value::{Value, tag_of};
use norn_base::{Prim, Span, Symbol};
use norn_check::typed::{Lit, Pat, PatKind};
use norn_ir::nest::{Atom, BinOp, CellExp, DataId, Exp, Scalar, Type, tag_prim};

impl Lower<'_> {
    /// Bind the names of a pattern that matches.
    pub fn bind_pat(&mut self, s: &mut Scope, p: &Pat, v: Value) {
        match &p.kind {
            PatKind::Var(name) => {
                s.vars.insert(*name, v);
            }
            PatKind::Wildcard | PatKind::Lit(_) => {}
            PatKind::Record(parts) => {
                for (field, p) in parts {
                    let part = self.field(&v, *field);
                    self.bind_pat(s, p, part);
                }
            }
            PatKind::Constr(name, ps) => {
                if ps.is_empty() {
                    return;
                }
                let cell = matches!(v.rep, Rep::Data(_));
                let payload = self.payload(&v, *name, p.span);
                for (p, mut v) in ps.iter().zip(payload) {
                    if cell {
                        // The array in a cell has a size of its own.
                        self.bind_open_sizes(s, &p.ty, &v);
                    }
                    if cell && matches!(v.rep, Rep::Array(..)) {
                        // Cells do not know that rows are of one size.
                        let m = self.mono_in(s, &p.ty);
                        v = self.regular_as(v, &m, p.span);
                    }
                    self.bind_pat(s, p, v);
                }
            }
            PatKind::Opened(sizes, inner) => {
                self.bind_sizes(s, sizes, &inner.ty, &v);
                self.bind_pat(s, inner, v);
            }
        }
    }

    fn payload(&mut self, v: &Value, name: Symbol, span: Span) -> Vec<Value> {
        if let Rep::Data(data) = v.rep {
            let at = self.constructor_number(data, name);
            return self.load(v.atom(), data, at, span);
        }
        let (_, variants) = self.variants(v);
        let found = variants.into_iter().find(|(c, _)| *c == name);
        found.unwrap_or_else(|| panic!("lower: no constructor {name}")).1
    }

    fn constructor_number(&mut self, data: DataId, name: Symbol) -> usize {
        let at = self.constructors(data).iter().position(|(c, _)| *c == name);
        at.unwrap_or_else(|| panic!("lower: no constructor {name}"))
    }

    /// Whether a value matches. None if every value does.
    pub fn test(&mut self, p: &Pat, v: &Value) -> Option<Atom> {
        match &p.kind {
            PatKind::Var(_) | PatKind::Wildcard => None,
            PatKind::Opened(_, p) => self.test(p, v),
            PatKind::Record(parts) => {
                let mut all = None;
                for (field, p) in parts {
                    let part = self.field(v, *field);
                    let one = self.test(p, &part);
                    all = self.both(all, one, p.span);
                }
                all
            }
            PatKind::Lit(lit) => {
                let scalar = match *lit {
                    Lit::Bool(true) => return Some(v.atom()),
                    Lit::Bool(b) => Scalar::Bool(b),
                    Lit::Int(prim, i) => Scalar::from_int(prim, i),
                    Lit::Float(prim, x) => Scalar::from_float(prim, x),
                };
                Some(self.bin(BinOp::Eq, scalar.prim(), v.atom(), Atom::Const(scalar), p.span))
            }
            PatKind::Constr(name, ps) => match v.rep.clone() {
                Rep::Data(data) => self.test_cell(data, *name, ps, v, p.span),
                _ => {
                    let (tag, variants) = self.variants(v);
                    let at = variants.iter().position(|(c, _)| c == name);
                    let at = at.unwrap_or_else(|| panic!("lower: no constructor {name}"));
                    let own = if variants.len() == 1 {
                        None
                    } else {
                        let count = variants.len();
                        Some(self.bin(BinOp::Eq, tag_prim(count), tag, tag_of(at, count), p.span))
                    };
                    if ps.iter().all(always_matches) {
                        return own;
                    }
                    // Payloads of other constructors do not matter, but they may not be looked into.
                    let payload = variants[at].1.clone();
                    self.guarded(own, p.span, |l| l.test_all(ps, &payload))
                }
            },
        }
    }

    /// The fields of a cell may be looked at only if it has the constructor.
    fn test_cell(&mut self, data: DataId, name: Symbol, ps: &[Pat], v: &Value, span: Span) -> Option<Atom> {
        let at = self.constructor_number(data, name);
        let count = self.constructors(data).len();
        let own = (count > 1).then(|| {
            let tag = self.tag(v.atom(), data, span);
            self.bin(BinOp::Eq, tag_prim(count), tag, tag_of(at, count), span)
        });
        if ps.iter().all(always_matches) {
            return own;
        }
        let cell = v.atom();
        self.guarded(own, span, |l| {
            let fields = l.load(cell, data, at, span);
            l.test_all(ps, &fields)
        })
    }

    /// A test that is made only if another has succeeded.
    fn guarded(
        &mut self,
        first: Option<Atom>,
        span: Span,
        second: impl FnOnce(&mut Self) -> Option<Atom>,
    ) -> Option<Atom> {
        let Some(first) = first else { return second(self) };
        // Only truth values meet here: the place does not matter.
        let place = &Place::Payload(DataId(0));
        let rest = |l: &mut Self| Value::bool(second(l).unwrap_or(Atom::bool(true)));
        Some(self.branch(first, place, span, rest, |_| Value::bool(Atom::bool(false))).atom())
    }

    fn test_all(&mut self, ps: &[Pat], values: &[Value]) -> Option<Atom> {
        let mut all = None;
        for (p, v) in ps.iter().zip(values) {
            let one = self.test(p, v);
            all = self.both(all, one, p.span);
        }
        all
    }

    pub fn tag(&mut self, cell: Atom, data: DataId, span: Span) -> Atom {
        let prim = tag_prim(self.constructors(data).len());
        self.b.emit1("tag", Type::scalar(prim), Exp::Cell(CellExp::Tag { cell }), span).into()
    }

    fn both(&mut self, a: Option<Atom>, b: Option<Atom>, span: Span) -> Option<Atom> {
        match (a, b) {
            (None, x) | (x, None) => x,
            (Some(a), Some(b)) => Some(self.bin(BinOp::And, Prim::Bool, a, b, span)),
        }
    }
}

fn always_matches(p: &Pat) -> bool {
    match &p.kind {
        PatKind::Var(_) | PatKind::Wildcard => true,
        PatKind::Opened(_, p) => always_matches(p),
        PatKind::Record(parts) => parts.iter().all(|(_, p)| always_matches(p)),
        PatKind::Lit(_) | PatKind::Constr(..) => false,
    }
}
