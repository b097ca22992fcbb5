//! Checks in a map over rows are made for all rows first, so that what is done for each element cannot fail.

use super::Elements;
use crate::nest::mentions;
use norn_ir::nest::{Atom, Body, ControlExp, Dim, Exp, Lambda, Prim, Scalar, Stm, Type, Var};

pub fn is_check(stm: &Stm) -> bool {
    matches!(stm.exp, Exp::Control(ControlExp::Check(_)))
}

/// What the checks among these statements bind.
pub fn checks_in<'a>(stms: impl IntoIterator<Item = &'a Stm>) -> Vec<Var> {
    stms.into_iter().filter(|stm| is_check(stm)).flat_map(|stm| stm.vars.iter().copied()).collect()
}

/// The statements as they are when these checks have been made.
pub fn without_checks(stms: &[Stm], checks: &[Var]) -> Vec<Stm> {
    let mut stms: Vec<Stm> = stms.iter().filter(|stm| !is_check(stm)).cloned().collect();
    stms.iter_mut().for_each(|stm| mentions::retain_certs(stm, &|cert| !checks.contains(&cert)));
    stms
}

impl Elements {
    /// What of a map fails, before all else that it does.
    pub fn checks(&mut self, stm: &Stm, width: Atom, inputs: &[Var], params: &[Var], before: &[Stm]) -> Stm {
        let holds = Atom::Const(Scalar::Bool(true));
        let body = Body { stms: before.to_vec(), result: vec![holds] };
        let lambda = self.names.copy_lambda(&Lambda::new(params.to_vec(), body));
        let checked = self.names.fresh("checked", Type::array(Prim::Bool, vec![Dim::Size(width)]));
        let map = Exp::map(width, inputs.to_vec(), lambda);
        Stm { certs: stm.certs.clone(), ..self.stm(vec![checked], map) }
    }
}
