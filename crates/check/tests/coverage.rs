//! Which values patterns leave unmatched, and which patterns are never reached.

use norn_base::Symbol;
use norn_base::{FileId, Span};
use norn_check::coverage::{WITNESSES, redundant, unmatched};
use norn_check::typed::{Lit, Pat, PatKind};
use norn_check::types::{self, RecDef, TyIdKind, TyInfo, TyKind, VarId};
use norn_check::types::{Names, Prim, Ty};
use norn_syntax::ast::Liftedness;
use std::rc::Rc;

fn pat(kind: PatKind, ty: &Ty) -> Pat {
    Pat { kind, ty: ty.clone(), span: Span::new(FileId(0), 0, 0) }
}

fn wild(ty: &Ty) -> Pat {
    pat(PatKind::Wildcard, ty)
}

fn bool_ty() -> Ty {
    types::prim(Prim::Bool)
}

fn bool_pat(b: bool) -> Pat {
    pat(PatKind::Lit(Lit::Bool(b)), &bool_ty())
}

fn int_pat(n: i128) -> Pat {
    pat(PatKind::Lit(Lit::Int(Prim::I32, n)), &types::prim(Prim::I32))
}

fn tuple_pat(parts: Vec<Pat>) -> Pat {
    let ty = types::tuple(parts.iter().map(|p| p.ty.clone()).collect());
    let fields = parts.into_iter().enumerate().map(|(i, p)| (Symbol::tuple_field(i), p)).collect();
    pat(PatKind::Record(fields), &ty)
}

fn constr_pat(name: &str, parts: Vec<Pat>, ty: &Ty) -> Pat {
    pat(PatKind::Constr(Symbol::new(name), parts), ty)
}

fn missing(pats: &[Pat]) -> Vec<String> {
    unmatched(&Names::default(), &pats.iter().collect::<Vec<_>>())
}

fn unreachable(pats: &[Pat]) -> Vec<usize> {
    redundant(&Names::default(), &pats.iter().collect::<Vec<_>>())
}

#[test]
fn booleans_are_finite() {
    assert_eq!(missing(&[bool_pat(true)]), ["false"]);
    assert!(missing(&[bool_pat(true), bool_pat(false)]).is_empty());
}

#[test]
fn numbers_are_not() {
    assert_eq!(missing(&[int_pat(0), int_pat(1)]), ["2"]);
    assert!(missing(&[int_pat(0), wild(&types::prim(Prim::I32))]).is_empty());
}

#[test]
fn a_tuple_is_covered_case_by_case() {
    let cases = [
        tuple_pat(vec![bool_pat(true), wild(&bool_ty())]),
        tuple_pat(vec![wild(&bool_ty()), bool_pat(true)]),
    ];
    assert_eq!(missing(&cases), ["(false, false)"]);
}

#[test]
fn every_missing_constructor_is_named() {
    let names = ["a", "b", "c"];
    let ty = types::sum(names.iter().map(|c| (Symbol::new(c), vec![bool_ty()])).collect());
    let first = constr_pat("a", vec![bool_pat(true)], &ty);
    assert_eq!(missing(&[first]), ["#b _", "#c _", "#a false"]);
}

#[test]
fn a_recursive_type_is_unfolded_by_its_definition() {
    let mut names = Names::default();
    let span = Span::new(FileId(0), 0, 0);
    let info =
        TyInfo { name: Symbol::new("list"), span, lifted: Liftedness::Unlifted, kind: TyIdKind::Rec(None) };
    let id = names.new_type(info);
    let list = types::con(id, Vec::new());
    let constrs = vec![
        (Symbol::new("cons"), vec![types::prim(Prim::I32), list.clone()]),
        (Symbol::new("nil"), Vec::new()),
    ];
    names.ty_mut(id).kind = TyIdKind::Rec(Some(Rc::new(RecDef { params: Vec::new(), constrs })));
    let unique: Ty = Ty::new(TyKind::Unique(list.clone()));
    let nil = constr_pat("nil", vec![], &list);
    let opened = pat(PatKind::Opened(vec![VarId(0)], Box::new(nil)), &unique);
    let one =
        constr_pat("cons", vec![wild(&types::prim(Prim::I32)), constr_pat("nil", vec![], &list)], &unique);
    assert_eq!(unmatched(&names, &[&opened, &one]), ["#cons _ (#cons _ _)"]);
}

#[test]
fn a_case_after_its_cover_is_redundant() {
    assert_eq!(unreachable(&[bool_pat(true), bool_pat(false), wild(&bool_ty())]), [2]);
    assert_eq!(unreachable(&[int_pat(1), int_pat(1), int_pat(2)]), [1]);
    assert!(unreachable(&[int_pat(1), wild(&types::prim(Prim::I32))]).is_empty());
}

#[test]
fn large_matches_take_little_work() {
    let constrs: Vec<String> = (0..100).map(|i| format!("c{i}")).collect();
    let ty = types::sum(constrs.iter().map(|c| (Symbol::new(c), vec![])).collect());
    let pairs: Vec<Pat> = constrs
        .iter()
        .flat_map(|a| constrs.iter().map(move |b| (a, b)))
        .map(|(a, b)| tuple_pat(vec![constr_pat(a, vec![], &ty), constr_pat(b, vec![], &ty)]))
        .collect();
    assert!(missing(&pairs[..100]).len() == WITNESSES);
    assert!(missing(&pairs).is_empty());

    let six = |bits: usize| tuple_pat((0..6).map(|i| bool_pat(bits >> i & 1 == 1)).collect());
    let all: Vec<Pat> = (0..64).map(six).collect();
    assert!(missing(&all).is_empty());
    assert!(unreachable(&all).is_empty());
    assert_eq!(missing(&all[..63]), ["(true, true, true, true, true, true)"]);
}
