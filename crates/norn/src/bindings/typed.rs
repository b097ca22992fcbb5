//! Values of Rust as those of programs: scalars, arrays of ndarray, tuples, and structs that a module defines. Arrays go in without a copy if their elements
//! are side by side, and come out with one.

use crate::engine::{Argument, CallError, CallOptions, Handle, Kept};
use crate::program::{Entry, Program};
pub use half::f16;
pub use ndarray::{Array1, Array2, Array3, Array4, Array5, Array6};
use ndarray::{ArrayBase, Data, Dimension};
pub use ndarray::{ArrayView1, ArrayView2, ArrayView3, ArrayView4, ArrayView5, ArrayView6};
use norn_exec::{Column, Elements, Held, Loan};
use norn_ir::nest::Scalar;
use norn_values::Element;
use std::sync::Arc;
use std::vec::IntoIter;

/// A part of an argument: what one column is made of.
#[derive(Debug)]
pub enum Part<'a> {
    Scalar(Scalar),
    /// An array of the caller's.
    Lent(Loan<'a>),
    /// A copy, where elements were not side by side.
    Copied(Held),
}

/// What a program is given.
pub trait Input {
    /// Its columns, by the rules of `nest::iface`.
    fn add_parts<'a>(&'a self, parts: &mut Vec<Part<'a>>);
}

/// What a program yields. None if the columns are of other types.
pub trait Output: Sized {
    fn take(columns: &mut IntoIter<Column<'static>>) -> Option<Self>;
}

macro_rules! scalars {
    ($($ty:ty = $variant:ident)*) => {$(
        impl Input for $ty {
            fn add_parts<'a>(&'a self, parts: &mut Vec<Part<'a>>) {
                parts.push(Part::Scalar(Scalar::$variant(*self)));
            }
        }

        impl Output for $ty {
            fn take(columns: &mut IntoIter<Column<'static>>) -> Option<$ty> {
                match columns.next()? {
                    Column::Scalar(Scalar::$variant(value)) => Some(value),
                    _ => None,
                }
            }
        }
    )*};
}

scalars! {
    i8 = I8 i16 = I16 i32 = I32 i64 = I64 u8 = U8 u16 = U16 u32 = U32 u64 = U64 f16 = F16 f32 = F32 f64 = F64 bool = Bool
}

impl<T: Element, S: Data<Elem = T>, D: Dimension> Input for ArrayBase<S, D> {
    fn add_parts<'a>(&'a self, parts: &mut Vec<Part<'a>>) {
        parts.push(match self.as_slice() {
            Some(elements) => Part::Lent(Loan::new(self.shape(), elements)),
            None => {
                let elements = Arc::new(T::into_data(self.iter().copied().collect()));
                let held = Held::of_host(self.shape(), elements);
                Part::Copied(
                    held.unwrap_or_else(|| panic!("an array has as many elements as its shape says")),
                )
            }
        });
    }
}

impl<T: Element, D: Dimension> Output for ndarray::Array<T, D> {
    fn take(columns: &mut IntoIter<Column<'static>>) -> Option<Self> {
        let array = match columns.next()? {
            Column::Held(held) => held.fetch().ok()?,
            Column::Array(array) => array,
            Column::Scalar(_) | Column::Ref(_) => return None,
        };
        let (dims, _, elements) = array.into_parts();
        let dims: Vec<usize> = dims.into_iter().collect::<Option<_>>()?;
        let Elements::Prim(data) = elements else { return None };
        let array = ndarray::ArrayD::from_shape_vec(dims, T::from_data(data.into_owned())?).ok()?;
        array.into_dimensionality().ok()
    }
}

macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: Input),*> Input for ($($name,)*) {
            fn add_parts<'a>(&'a self, _parts: &mut Vec<Part<'a>>) {
                #[allow(non_snake_case)]
                let ($($name,)*) = self;
                $($name.add_parts(_parts);)*
            }
        }

        impl<$($name: Output),*> Output for ($($name,)*) {
            fn take(_columns: &mut IntoIter<Column<'static>>) -> Option<Self> {
                Some(($($name::take(_columns)?,)*))
            }
        }
    };
}

tuples! {}
tuples! { A }
tuples! { A B }
tuples! { A B C }
tuples! { A B C D }
tuples! { A B C D E }
tuples! { A B C D E F }
tuples! { A B C D E F G }
tuples! { A B C D E F G H }
tuples! { A B C D E F G H I }
tuples! { A B C D E F G H I J }
tuples! { A B C D E F G H I J K }
tuples! { A B C D E F G H I J K L }

/// Makes a struct a value of programs; its fields are in the order of a record's.
#[macro_export]
macro_rules! record {
    ($name:ident { $($field:ident),* }) => {
        impl $crate::bindings::typed::Input for $name {
            fn add_parts<'a>(&'a self, _parts: &mut ::std::vec::Vec<$crate::bindings::typed::Part<'a>>) {
                $($crate::bindings::typed::Input::add_parts(&self.$field, _parts);)*
            }
        }

        impl $crate::bindings::typed::Output for $name {
            fn take(_columns: &mut $crate::bindings::typed::Columns) -> Option<Self> {
                $(let $field = $crate::bindings::typed::Output::take(_columns)?;)*
                Some($name { $($field),* })
            }
        }
    };
}

/// The columns of a result.
pub type Columns = IntoIter<Column<'static>>;

/// A call that is being made.
pub struct Call<'a> {
    entry: Option<Entry>,
    args: Vec<Arg<'a>>,
}

enum Arg<'a> {
    Parts(Vec<Part<'a>>),
    Handle(&'a Handle),
}

impl<'a> Call<'a> {
    pub fn new(program: &Program, entry: &str) -> Call<'a> {
        Call { entry: program.entry(entry), args: Vec::new() }
    }

    /// Adds an argument.
    pub fn with(mut self, value: &'a impl Input) -> Call<'a> {
        let mut parts = Vec::new();
        value.add_parts(&mut parts);
        self.args.push(Arg::Parts(parts));
        self
    }

    /// Adds an argument of a type that has no form of its own in Rust.
    pub fn with_handle(mut self, value: &'a Handle) -> Call<'a> {
        self.args.push(Arg::Handle(value));
        self
    }

    /// Calls the entry point.
    pub fn result<T: Output>(self) -> Result<T, CallError> {
        self.made(|entry, value| {
            let engine = entry.program().engine();
            let columns = engine.to_columns(entry.head().result, value);
            let taken = columns.and_then(|columns| T::take(&mut columns.into_iter()));
            taken.ok_or_else(|| {
                CallError::Bug("The result is not of the type that the entry point has.".to_string())
            })
        })
    }

    /// The same for a result of a type that has no form of its own in Rust.
    pub fn handle(self) -> Result<Handle, CallError> {
        // What it is in must not be the caller's memory.
        self.made(|entry, value| entry.program().to_item(value).map(Handle::Item).map_err(CallError::Bug))
    }

    /// Arrays of the caller are lent until the result was taken.
    fn made<T>(self, take: impl FnOnce(&Entry, Handle) -> Result<T, CallError>) -> Result<T, CallError> {
        let Call { entry: Some(entry), args } = self else {
            return Err(CallError::Bug("There is no such entry point.".to_string()));
        };
        let parts = args.iter().flat_map(|arg| match arg {
            Arg::Parts(parts) => &parts[..],
            Arg::Handle(_) => &[],
        });
        let loans: Vec<&Loan> =
            parts.filter_map(|part| if let Part::Lent(loan) = part { Some(loan) } else { None }).collect();
        Held::lend_while(&loans, |lent| {
            let mut lent = lent.into_iter();
            let engine = entry.program().engine();
            let mut kept: Vec<Option<Kept>> = Vec::new();
            for (arg, param) in args.iter().zip(&entry.head().params) {
                kept.push(match arg {
                    Arg::Handle(_) => None,
                    Arg::Parts(parts) => {
                        let column = |part: &Part| match part {
                            Part::Scalar(scalar) => Some(Column::Scalar(*scalar)),
                            Part::Lent(_) => lent.next().map(Column::Held),
                            Part::Copied(held) => Some(Column::Held(held.clone())),
                        };
                        let columns: Option<Vec<Column<'static>>> = parts.iter().map(column).collect();
                        let made = columns.and_then(|columns| engine.of_columns(param.ty, columns));
                        let wrong = || {
                            CallError::Arguments(format!("The argument `{}` is of another type.", param.name))
                        };
                        Some(made.ok_or_else(wrong)?)
                    }
                });
            }
            let passed: Vec<Argument> = (args.iter().zip(&kept))
                .map(|(arg, kept)| match (arg, kept) {
                    (Arg::Handle(handle), _) => Argument::from(*handle),
                    (Arg::Parts(_), kept) => {
                        kept.as_ref().map_or_else(|| panic!("an argument without columns"), Argument::Kept)
                    }
                })
                .collect();
            let called = entry.call_with(&passed, &CallOptions::default())?;
            take(&entry, called.value)
        })
    }
}
