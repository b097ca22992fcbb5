//! Which values a list of patterns leaves unmatched, and which patterns can never be reached.
//!
//! Both are questions about *usefulness*, answered by the algorithms of Luc Maranget, "Warnings
//! for pattern matching" (JFP 2007): a matrix of patterns is taken apart column by column, by the
//! constructors that stand at the head of a column. The column is one in which the first row has
//! a constructor, and a first row without constructors ends the search: this keeps matches as
//! people write them far from the exponential worst case. Where that is met nonetheless the search
//! gives up after a fixed amount of work, and claims nothing.

use crate::typed::{Lit, Pat, PatKind};
use crate::types::{Names, Prim, Ty, TyIdKind, TyKind};
use norn_base::Symbol;
use rustc_hash::FxHashMap;

/// Values (as patterns in the user's syntax) that none of the patterns matches; empty if they
/// cover everything.
pub fn unmatched(names: &Names, pats: &[&Pat]) -> Vec<String> {
    let shapes: Vec<Shape> = pats.iter().map(|p| shape(p)).collect();
    let rows = shapes.iter().map(|s| vec![s]).collect();
    let witnesses = Search { names, work: WORK }.uncovered(rows, 1, WITNESSES);
    let mut texts: Vec<String> = Vec::new();
    for witness in witnesses {
        let text = witness[0].show(false);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// Indices of patterns that can never be reached because earlier ones cover them.
pub fn redundant(names: &Names, pats: &[&Pat]) -> Vec<usize> {
    let shapes: Vec<Shape> = pats.iter().map(|p| shape(p)).collect();
    let mut search = Search { names, work: WORK };
    let is_redundant = |i: &usize| {
        let rows = shapes[..*i].iter().map(|s| vec![s]).collect();
        !search.useful(rows, vec![&shapes[*i]])
    };
    (1..shapes.len()).filter(is_redundant).collect()
}

/// Enough to see what is missing.
pub const WITNESSES: usize = 5;

/// Patterns looked at before the search gives up.
const WORK: usize = 4_000_000;

/// The essentials of a pattern.
#[derive(Debug)]
enum Shape {
    Any,
    /// A constructor with the shapes of its parts, and the type of what it makes.
    Made(Head, Vec<Shape>, Ty),
}

/// What distinguishes the values of a type on the outside.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Head {
    Record(Vec<Symbol>),
    Constr(Symbol),
    Bool(bool),
    Int(i128),
    /// The bits of the number, as `f64`.
    Float(u64),
}

/// A value that is not matched, with holes.
#[derive(Clone, Debug)]
enum Witness {
    Any,
    Made(Head, Vec<Witness>),
}

fn shape(pat: &Pat) -> Shape {
    let made = |head, parts| Shape::Made(head, parts, pat.ty.clone());
    match &pat.kind {
        PatKind::Var(_) | PatKind::Wildcard => Shape::Any,
        PatKind::Opened(_, p) => shape(p),
        PatKind::Record(fields) => made(
            Head::Record(fields.iter().map(|(f, _)| *f).collect()),
            fields.iter().map(|(_, p)| shape(p)).collect(),
        ),
        PatKind::Constr(c, pats) => made(Head::Constr(*c), pats.iter().map(shape).collect()),
        PatKind::Lit(Lit::Bool(b)) => made(Head::Bool(*b), Vec::new()),
        PatKind::Lit(Lit::Int(_, n)) => made(Head::Int(*n), Vec::new()),
        PatKind::Lit(Lit::Float(_, x)) => made(Head::Float(x.to_bits()), Vec::new()),
    }
}

type Row<'a> = Vec<&'a Shape>;

/// The heads that stand in one column, with their numbers of parts, in order of appearance.
struct Column {
    at: usize,
    heads: Vec<(Head, usize)>,
    /// The heads of the type that do not stand there. Empty if none, or if there is no telling.
    missing: Vec<(Head, usize)>,
    /// Whether values with other heads exist.
    open: bool,
}

struct Search<'n> {
    names: &'n Names,
    work: usize,
}

impl Search<'_> {
    /// Up to `limit` rows of values that no row of patterns matches.
    fn uncovered(&mut self, rows: Vec<Row>, width: usize, limit: usize) -> Vec<Vec<Witness>> {
        let Some(first) = rows.first() else { return vec![vec![Witness::Any; width]] };
        let Some(at) = first.iter().position(|s| matches!(s, Shape::Made(..))) else { return Vec::new() };
        if !self.spend(rows.len() * width) {
            return Vec::new();
        }
        let column = self.column(&rows, at);
        let mut found = Vec::new();
        if column.open {
            let others = without_column(&rows, at);
            for rest in self.uncovered(others, width - 1, limit) {
                if column.missing.is_empty() {
                    found.push(insert(rest, at, column.other_value()));
                    continue;
                }
                for (head, arity) in &column.missing {
                    let value = Witness::Made(head.clone(), vec![Witness::Any; *arity]);
                    found.push(insert(rest.clone(), at, value));
                }
            }
        }
        for ((head, arity), rows) in column.heads.iter().zip(split(&rows, &column)) {
            if found.len() >= limit {
                break;
            }
            for mut witness in self.uncovered(rows, width - 1 + arity, limit - found.len()) {
                let rest = witness.split_off(*arity);
                found.push(insert(rest, at, Witness::Made(head.clone(), witness)));
            }
        }
        found.truncate(limit);
        found
    }

    /// Whether `row` matches values that no row before it does.
    fn useful(&mut self, rows: Vec<Row>, row: Row) -> bool {
        if rows.is_empty() || !self.spend(rows.len() * row.len().max(1)) {
            return true;
        }
        if rows.iter().any(|r| r.iter().all(|s| matches!(s, Shape::Any))) {
            return false;
        }
        // A column that the row distinguishes needs no case distinction.
        if let Some(at) = row.iter().position(|s| matches!(s, Shape::Made(..))) {
            let Shape::Made(head, parts, _) = row[at] else { return true };
            let rows = rows.iter().filter_map(|r| specialised(r, at, head, parts.len())).collect();
            return match specialised(&row, at, head, parts.len()) {
                Some(row) => self.useful(rows, row),
                None => true,
            };
        }
        let Some(at) = rows[0].iter().position(|s| matches!(s, Shape::Made(..))) else { return false };
        let column = self.column(&rows, at);
        if column.open && self.useful(without_column(&rows, at), vec![&Shape::Any; row.len() - 1]) {
            return true;
        }
        let cases = split(&rows, &column);
        column.heads.iter().zip(cases).any(|((_, arity), rows)| {
            let row = vec![&Shape::Any; row.len() - 1 + arity];
            self.useful(rows, row)
        })
    }

    fn spend(&mut self, work: usize) -> bool {
        self.work = self.work.saturating_sub(work);
        self.work > 0
    }

    fn column(&self, rows: &[Row], at: usize) -> Column {
        let mut heads = Vec::new();
        let mut seen = FxHashMap::default();
        let mut of_type = None;
        for row in rows {
            if let Shape::Made(head, parts, ty) = row[at]
                && seen.insert(head, ()).is_none()
            {
                heads.push((head.clone(), parts.len()));
                of_type = Some(ty);
            }
        }
        let (missing, open) = match of_type.and_then(|ty| self.heads_of(ty, heads.len())) {
            Some(all) => {
                let missing: Vec<_> = all.into_iter().filter(|(h, _)| !seen.contains_key(h)).collect();
                let open = !missing.is_empty();
                (missing, open)
            }
            None => (Vec::new(), true),
        };
        Column { at, heads, missing, open }
    }

    /// All heads that values of a type have, or none if they cannot be listed. `present` is how
    /// many different ones stand in the patterns.
    fn heads_of(&self, ty: &Ty, present: usize) -> Option<Vec<(Head, usize)>> {
        let constrs =
            |cs: &[(Symbol, Vec<Ty>)]| Some(cs.iter().map(|(c, ts)| (Head::Constr(*c), ts.len())).collect());
        match &**ty {
            TyKind::Unique(t) => self.heads_of(t, present),
            TyKind::Sum(cs) => constrs(cs),
            TyKind::Con(id, _) => match &self.names.ty(*id).kind {
                TyIdKind::Rec(Some(def)) => constrs(&def.constrs),
                // Nothing is known of these; a diagnostic has been given.
                TyIdKind::Rec(None) | TyIdKind::Param | TyIdKind::Abstract => Some(Vec::new()),
            },
            TyKind::Prim(Prim::Bool) => Some(vec![(Head::Bool(true), 0), (Head::Bool(false), 0)]),
            // Only for the smallest types could all numbers be listed.
            TyKind::Prim(Prim::I8 | Prim::U8) if present == 1 << 8 => Some(Vec::new()),
            TyKind::Prim(Prim::I16 | Prim::U16) if present == 1 << 16 => Some(Vec::new()),
            TyKind::Prim(_) => None,
            // A record has one head, which is there; after an error there is nothing to say.
            TyKind::Record(_) | TyKind::Array(..) | TyKind::Arrow(_) | TyKind::Meta(_) | TyKind::Error => {
                Some(Vec::new())
            }
        }
    }
}

impl Column {
    /// A value of a type with endlessly many, other than those that stand in the column.
    fn other_value(&self) -> Witness {
        let is_free = |n: &i128| !self.heads.iter().any(|(head, _)| *head == Head::Int(*n));
        match self.heads.first() {
            Some((Head::Int(_), _)) => {
                (0..).find(is_free).map_or(Witness::Any, |n| Witness::Made(Head::Int(n), Vec::new()))
            }
            _ => Witness::Any,
        }
    }
}

/// The row for values with a given head in a column: its parts in front of what is left.
fn specialised<'a>(row: &[&'a Shape], at: usize, head: &Head, arity: usize) -> Option<Row<'a>> {
    let mut parts: Row = match row[at] {
        Shape::Any => vec![&Shape::Any; arity],
        Shape::Made(h, parts, _) if h == head => parts.iter().collect(),
        Shape::Made(..) => return None,
    };
    parts.extend(&row[..at]);
    parts.extend(&row[at + 1..]);
    Some(parts)
}

/// The rows for each head of a column.
fn split<'a>(rows: &[Row<'a>], column: &Column) -> Vec<Vec<Row<'a>>> {
    let index: FxHashMap<&Head, usize> = column.heads.iter().enumerate().map(|(i, (h, _))| (h, i)).collect();
    let mut cases = vec![Vec::new(); column.heads.len()];
    for row in rows {
        let range = match row[column.at] {
            Shape::Any => 0..cases.len(),
            Shape::Made(head, ..) => index[head]..index[head] + 1,
        };
        for i in range {
            let (head, arity) = &column.heads[i];
            cases[i].extend(specialised(row, column.at, head, *arity));
        }
    }
    cases
}

/// The rows for values whose heads do not stand in a column.
fn without_column<'a>(rows: &[Row<'a>], at: usize) -> Vec<Row<'a>> {
    let any = rows.iter().filter(|row| matches!(row[at], Shape::Any));
    any.map(|row| row[..at].iter().chain(&row[at + 1..]).copied().collect()).collect()
}

fn insert(mut rest: Vec<Witness>, at: usize, value: Witness) -> Vec<Witness> {
    rest.insert(at, value);
    rest
}

impl Witness {
    /// `inner`: as the payload of a constructor.
    fn show(&self, inner: bool) -> String {
        let Witness::Made(head, parts) = self else { return "_".into() };
        match head {
            Head::Record(fields) => {
                let is_tuple =
                    fields.len() != 1 && fields.iter().enumerate().all(|(i, f)| *f == Symbol::tuple_field(i));
                let show = |(f, part): (&Symbol, &Witness)| match is_tuple {
                    true => part.show(false),
                    false => format!("{f} = {}", part.show(false)),
                };
                let parts: Vec<String> = fields.iter().zip(parts).map(show).collect();
                let parts = parts.join(", ");
                if is_tuple { format!("({parts})") } else { format!("{{{parts}}}") }
            }
            Head::Constr(c) if parts.is_empty() => format!("#{c}"),
            Head::Constr(c) => {
                let parts: Vec<String> = parts.iter().map(|p| p.show(true)).collect();
                let text = format!("#{c} {}", parts.join(" "));
                if inner { format!("({text})") } else { text }
            }
            Head::Bool(b) => b.to_string(),
            Head::Int(n) => n.to_string(),
            Head::Float(bits) => f64::from_bits(*bits).to_string(),
        }
    }
}
