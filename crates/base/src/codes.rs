//! The list of all diagnostic codes.
//!
//! `E01` lexer and parser, `E02` names and modules, `E03` types, `E04` sizes, `E05` consumption,
//! `E06` patterns, `E07` entry points, `W` warnings with the same second digit. Each code has a
//! page in docs/src/errors, named after it, with a program that fails and the corrected program.

use crate::diagnostic::Code;

macro_rules! codes {
    ($($code:ident $name:ident $title:literal)*) => {
        $(#[doc = $title] pub const $name: Code = Code(stringify!($code));)*

        /// Every code with its one-line title, in order.
        pub const ALL: &[(Code, &str)] = &[$(($name, $title)),*];
    };
}

/// Warnings that are given only if asked for, by the names under which they are.
pub const OPTIONAL: &[(&str, Code)] = &[("shadowing", SHADOWED_NAME)];

codes! {
    E0101 INVALID_CHARACTER "An invalid character, or text that is not UTF-8"
    E0102 UNTERMINATED_LITERAL "A string or character literal without an end"
    E0103 MALFORMED_LITERAL "A number, character or escape that cannot be read"
    E0104 SYNTAX "Text that does not follow the grammar"
    E0105 UNCLOSED_DELIMITER "A bracket without its partner"
    E0106 NESTING_TOO_DEEP "Nesting deeper than the compiler accepts"
    E0107 MISPLACED_DOC "A documentation comment that documents nothing"
    E0201 UNKNOWN_NAME "A variable, function or operator that is not in scope"
    E0202 UNKNOWN_TYPE "A type that is not in scope"
    E0203 UNKNOWN_MODULE "A module that is not in scope"
    E0204 UNKNOWN_MODULE_TYPE "A module type that is not in scope"
    E0205 DUPLICATE_NAME "A name bound twice where it can be bound once"
    E0206 NOT_A_MODULE "A module used as a value, or something else used as a module"
    E0207 CANNOT_IMPORT "A file that cannot be imported"
    E0208 IMPORT_CYCLE "Files that import one another in a circle"
    E0209 RESERVED_NAME "A name that cannot be defined"
    E0251 MISSING_FROM_MODULE "A module that lacks what its module type asks for"
    E0252 VALUE_SPEC_MISMATCH "A value whose type is not the one its module type gives it"
    E0253 TYPE_SPEC_MISMATCH "A type that is not the one its module type asks for"
    E0254 MODULE_KIND_MISMATCH "A parametric module where a plain one is needed, or the reverse"
    E0255 BAD_REFINEMENT "A module type refined in a way it does not allow"
    E0256 BAD_SPEC "A specification that cannot be fulfilled"
    E0301 TYPE_MISMATCH "Two types that should be the same and are not"
    E0302 INFINITE_TYPE "A type that would contain itself"
    E0303 AMBIGUOUS_TYPE "A type that cannot be determined"
    E0304 NOT_A_FUNCTION "An argument given to something that takes none"
    E0305 NO_SUCH_FIELD "A field that a record does not have"
    E0306 TYPE_ARGUMENTS "Wrong arguments for a type"
    E0308 LITERAL_OUT_OF_RANGE "A literal that its type cannot hold"
    E0309 NO_EQUALITY "A type whose values cannot be compared"
    E0310 RIGID_TYPE "A type parameter that would have to be a particular type"
    E0311 NEEDS_LIFTED_DECLARATION "A type abbreviation that must be declared lifted"
    E0313 BAD_RECURSIVE_TYPE "A recursive type that has no values, or that is not a sum"
    E0314 OVERLOAD_MISMATCH "An operator or literal used at a type it is not defined for"
    E0315 NO_SUCH_CONSTRUCTOR "A constructor that a sum type does not have"
    E0401 SIZE_MISMATCH "Two sizes that should be the same and are not"
    E0402 SIZE_OUT_OF_SCOPE "A size that depends on a name not in scope"
    E0403 CAUSALITY "A size needed before it is computed"
    E0404 AMBIGUOUS_SIZE "A size that cannot be determined"
    E0405 UNUSED_SIZE_PARAMETER "A size parameter that no parameter determines"
    E0406 ANONYMOUS_SIZE "An anonymous size where sizes must be named"
    E0407 IRREGULAR_ARRAY "An irregular array where a regular one is required"
    E0408 BAD_SIZE_EXPRESSION "An expression that cannot be a size"
    E0409 EXISTENTIAL_IN_PARAMETER "An existential size in a parameter of a result"
    E0410 INACCESSIBLE_SIZE "A parameter whose size the caller cannot name"
    E0411 IRREGULAR_DIMENSION "An irregular dimension outside an array's elements"
    E0412 SIZE_POLYMORPHIC_VALUE "A value with both a size parameter and a hidden size"
    E0501 USE_AFTER_CONSUME "A value used after it was consumed"
    E0502 CANNOT_CONSUME "Consumption of a value that the function does not own"
    E0503 NOT_UNIQUE "A result that aliases what it may not"
    E0504 LOOP_CONSUMPTION "A loop that consumes what the next iteration needs"
    E0505 CONSUMING_FUNCTION "A consuming function where an observing one is needed"
    E0506 CONSUMPTION_IN_CLOSURE "A function value that is made by consuming something"
    E0507 SELF_ALIAS "A value that aliases itself"
    E0601 NON_EXHAUSTIVE_MATCH "A match that does not cover every value"
    E0602 REFUTABLE_PATTERN "A pattern that can fail where it must not"
    E0701 BAD_ENTRY_POINT "A definition that cannot be an entry point"
    E0801 NOT_SUPPORTED "Something that is not supported yet"
    E0802 TOO_LARGE "A program that would become too large"
    E0803 NOT_ON_DEVICE "Something that a GPU leaves to the processor, though `--strict-device` was given"
    W0201 UNUSED_NAME "A name that is never used"
    W0202 SHADOWED_NAME "A name that hides another"
    W0301 DEFAULTED_TYPE "An ambiguous number given its default type"
    W0302 LITERAL_CUT_OFF "A literal with a suffix that has more bits than its type"
    W0401 SIZE_WITH_BINDING "A size expression with a binding, replaced by an unknown size"
    W0601 REDUNDANT_CASE "A case that can never be reached"
    W0701 DEPRECATED "A construct that will go away"
    W0702 SUSPICIOUS_RANGE "A range whose step is zero"
}
