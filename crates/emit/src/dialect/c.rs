//! C as gcc and clang know it.

use super::{Arithmetic, Dialect, Needs, Side};
use crate::once::is_long_and_runs_once;
use norn_ir::imp::{Elem, Fun, LoopForm};

pub(crate) struct C;

const BLOCK: &str = "norn_block *";
const REGION: &str = "norn_region *";

impl Dialect for C {
    fn headers(&self, needs: &Needs) -> Vec<&'static str> {
        let mut headers = vec![
            include_str!("../../rts/cpu/abi.h"),
            include_str!("../../rts/cpu/run.h"),
            include_str!("../../rts/cpu/memory.h"),
        ];
        let vectors = &needs.vectors;
        if needs.device {
            headers.push(include_str!("../../rts/cpu/device.h"));
        }
        if needs.ints {
            headers.push(include_str!("../../rts/cpu/int.h"));
        }
        if needs.floats || !vectors.is_empty() {
            headers.push(include_str!("../../rts/cpu/float.h"));
        }
        if needs.halves {
            headers.push(include_str!("../../rts/cpu/half.h"));
        }
        if !vectors.is_empty() {
            headers.push(include_str!("../../rts/cpu/vector.h"));
            headers.push(include_str!("../../rts/cpu/vector_ops.h"));
            headers.push(include_str!("../../rts/cpu/vector_memory.h"));
            headers.push(include_str!("../../rts/cpu/hardware.h"));
            headers.push(include_str!("../../rts/cpu/vector_convert.h"));
            if vectors.divide() {
                headers.push(include_str!("../../rts/cpu/vector_quotients.h"));
            }
        }
        let math = vectors.math();
        if math.exp || math.log || math.trig || math.pow {
            headers.push(include_str!("../../rts/cpu/vmath/native.h"));
        }
        if math.exp || math.pow {
            headers.push(include_str!("../../rts/cpu/vmath/exp.h"));
        }
        if math.log || math.pow {
            headers.push(include_str!("../../rts/cpu/vmath/log.h"));
        }
        if math.trig {
            headers.push(include_str!("../../rts/cpu/vmath/trig.h"));
        }
        if math.pow {
            headers.push(include_str!("../../rts/cpu/vmath/pow.h"));
        }
        headers
    }

    fn arithmetic(&self) -> Arithmetic {
        Arithmetic { wraps: true, has_doubles: true, long: "ll" }
    }

    fn side(&self) -> Side {
        Side::Cpu
    }

    fn pointer(&self, elem: Elem) -> String {
        match elem {
            Elem::Prim(prim) => format!("{prim} *"),
            Elem::Any => "void **".to_string(),
            Elem::Block => format!("{BLOCK}*"),
            Elem::Region => format!("{REGION}*"),
        }
    }

    fn block(&self) -> &'static str {
        BLOCK
    }

    fn region(&self) -> &'static str {
        REGION
    }

    fn function_head(&self, name: &str, fun: &Fun) -> String {
        let linkage = if is_long_and_runs_once(fun) { "NORN_ONCE" } else { "static" };
        format!("{linkage} int {name}(norn_worker *w")
    }

    fn loop_hint(&self, form: &LoopForm, _: Option<i64>) -> Option<&'static str> {
        match form {
            LoopForm::Plain => None,
            LoopForm::Independent | LoopForm::Reduce(_) => Some("NORN_INDEPENDENT"),
        }
    }

    fn words(&self) -> &'static [&'static str] {
        &[]
    }
}
