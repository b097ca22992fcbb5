//! What a function of a library's interface asks of its arguments before it uses them: the first line of its body.
//!
//! ```c
//! if (!(norn_is_given(ctx, out, "out") && norn_is_of(ctx, obj, &norn_type_3, "obj"))) return NORN_PROGRAM_ERROR;
//! ```
//!
//! The functions that it calls are in rts/library (context.h, value.h). They have the context report what is wrong.

use super::names::Types;
use super::tables::quoted;
use norn_ir::nest::IfaceId;

/// What a function returns when its caller has made a mistake.
pub const ERROR: &str = "NORN_PROGRAM_ERROR";

/// The first line of a function: unless all of these hold, it returns this, and the context has an error.
pub fn unless(checks: &[String], result: &str) -> String {
    match checks {
        [check] => format!("if (!{check}) return {result};"),
        _ => format!("if (!({})) return {result};", checks.join(" && ")),
    }
}

/// There is a context in which something can be done.
pub fn is_ready() -> String {
    "norn_is_ready(ctx)".into()
}

/// There is a place to write to or read from.
pub fn is_given(place: &str) -> String {
    format!("norn_is_given(ctx, {place}, \"{place}\")")
}

/// There is a value of this type.
pub fn is_of(id: IfaceId, value: &str) -> String {
    is_of_type(id, value, value)
}

/// The same for an argument that the program calls otherwise than C.
pub fn is_of_type(id: IfaceId, value: &str, called: &str) -> String {
    format!("norn_is_of(ctx, {value}, &norn_type_{}, {})", id.0, quoted(called))
}

/// What a function needs that makes something of these values.
pub fn needs(types: &Types, out: &str, inputs: &[(String, IfaceId)]) -> Vec<String> {
    let values = inputs.iter().filter(|(_, ty)| types.scalar(*ty).is_none());
    [is_given(out)].into_iter().chain(values.map(|(input, ty)| is_of(*ty, input))).collect()
}

/// What a function needs that takes a value apart into these.
pub fn taken_apart(id: IfaceId, outputs: &[(String, IfaceId)]) -> Vec<String> {
    [is_of(id, "obj")].into_iter().chain(outputs.iter().map(|(output, _)| is_given(output))).collect()
}
