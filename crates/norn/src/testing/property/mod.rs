//! Property tests: entry points that should hold for every value.
//!
//! ```text
//! -- ==
//! -- property: reverse_twice
//!
//! #[prop(size(20))]
//! entry reverse_twice (xs: []i32) = and (map2 (==) (reverse (reverse xs)) xs)
//! ```
//!
//! A property has one parameter, a result of type `bool`, and the attribute `prop`, with these
//! arguments on request: `gen(f)` names an entry point that makes candidates from a size and a seed,
//! `(i64, u64) -> t`; `shrink(f)` one that makes them smaller, `(t, u64) -> t`; `size(n)` sets the
//! size. Without a generator candidates are made up from the type (`generate`). A counterexample is
//! made smaller (`shrink`) before it is reported.

mod attribute;
mod generate;
mod shrink;
mod simplify;
#[cfg(test)]
mod tests;

pub use attribute::{Attribute, find_attribute};

use super::random::Rng;
use crate::engine::{Engine, Item, ItemType, Kind, show};
use generate::{Made, generate};
use norn_values::{Expected, Prim, Value};
use shrink::shrink;

/// How much of a counterexample is shown.
const SHOWN_ELEMENTS: usize = 200;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PropertyOptions {
    /// How many candidates are tried.
    pub tests: usize,
    /// The size of candidates, where the property does not say.
    pub size: i64,
    pub seed: u64,
}

impl Default for PropertyOptions {
    fn default() -> PropertyOptions {
        PropertyOptions { tests: 100, size: 50, seed: 1 }
    }
}

/// Looks for a counterexample. The error describes what was found, or why nothing could be.
pub fn check_property(engine: &Engine, name: &str, options: PropertyOptions) -> Result<(), String> {
    let mut property = Property::new(engine, name, options)?;
    let mut rng = Rng::new(options.seed);
    for number in 1..=options.tests {
        let seed = rng.next_u64();
        let candidate = property.candidate(property.size, seed)?;
        match property.holds(&candidate.item) {
            Ok(true) => {}
            Ok(false) => {
                let (smallest, note) = shrink(&mut property, candidate, seed, &mut rng);
                let tried = if number == 1 { "1 candidate".into() } else { format!("{number} candidates") };
                let (size, seed) = (property.size, options.seed);
                let shown = property.show(&smallest);
                return Err(format!(
                    "It does not hold (found with {tried}, size {size}, seed {seed}).\ncounterexample: {shown}\n{note}"
                ));
            }
            Err(rendered) => {
                let shown = property.show(&candidate.item);
                return Err(format!("It fails.\ncandidate: {shown}\n{rendered}"));
            }
        }
    }
    Ok(())
}

/// A property that is tested.
struct Property<'a> {
    engine: &'a Engine,
    name: &'a str,
    /// The type of candidates.
    ty: ItemType,
    generator: Option<String>,
    shrinker: Option<String>,
    size: i64,
}

/// A value to try, and how it was made up if it was.
struct Candidate {
    item: Item,
    made: Option<Made>,
}

impl<'a> Property<'a> {
    fn new(engine: &'a Engine, name: &'a str, options: PropertyOptions) -> Result<Property<'a>, String> {
        let Some(entry) = engine.entry(name) else {
            return Err("There is no entry point with this name.".into());
        };
        let Some(attribute) = find_attribute(&entry.attrs)? else {
            return Err("The entry point has no attribute `#[prop]`.".into());
        };
        let [param] = &entry.params[..] else {
            return Err(format!("A property has one parameter, but this one has {}.", entry.params.len()));
        };
        let result = engine.item_type(entry.result);
        if result != ItemType::Plain(Expected::new(Prim::Bool, 0)) {
            return Err(format!(
                "A property is a bool, but this one is of type {}.",
                engine.type_name(result)
            ));
        }
        let ty = engine.item_type(param.ty);
        let plain = |prim| ItemType::Plain(Expected::new(prim, 0));
        check_helper(engine, "generator", &attribute.generator, &[plain(Prim::I64), plain(Prim::U64)], ty)?;
        check_helper(engine, "shrinker", &attribute.shrinker, &[ty, plain(Prim::U64)], ty)?;
        let Attribute { generator, shrinker, size } = attribute;
        Ok(Property { engine, name, ty, generator, shrinker, size: size.unwrap_or(options.size) })
    }

    fn candidate(&mut self, size: i64, seed: u64) -> Result<Candidate, String> {
        let Some(generator) = &self.generator else {
            let made = generate(self.engine, self.ty, size, &mut Rng::new(seed))?;
            return Ok(Candidate { item: made.item(self.engine, self.ty)?, made: Some(made) });
        };
        let args = vec![Item::Value(Value::scalar(size)), Item::Value(Value::scalar(seed))];
        let item = self.engine.call(generator, &args).map_err(|error| {
            format!("The generator `{generator}` failed for size {size} and seed {seed}.\n{}", error.rendered)
        })?;
        Ok(Candidate { item, made: None })
    }

    /// Whether the property holds; or, rendered, how it failed.
    fn holds(&mut self, candidate: &Item) -> Result<bool, String> {
        match self.engine.call(self.name, std::slice::from_ref(candidate)) {
            Ok(Item::Value(value)) => Ok(value.as_scalar() == Some(true)),
            Ok(Item::Opaque(_)) => Err("error: The property has no result.\n".into()),
            Err(error) => Err(error.rendered),
        }
    }

    fn show(&self, item: &Item) -> String {
        let shown = show(self.engine, item, SHOWN_ELEMENTS);
        match (item, self.engine.kind(item.ty())) {
            // Short values say their type themselves.
            (Item::Value(value), Kind::Primitive) => value.to_string(),
            _ => format!("{shown}, of type {}", self.engine.type_name(item.ty())),
        }
    }
}

/// That an entry point which a property uses exists and has the type it should have.
fn check_helper(
    engine: &Engine,
    what: &str,
    name: &Option<String>,
    params: &[ItemType],
    result: ItemType,
) -> Result<(), String> {
    let Some(name) = name else { return Ok(()) };
    let Some(entry) = engine.entry(name) else {
        return Err(format!("The {what} `{name}` is no entry point."));
    };
    let found: Vec<ItemType> = entry.params.iter().map(|param| engine.item_type(param.ty)).collect();
    let found_result = engine.item_type(entry.result);
    if found == params && found_result == result {
        return Ok(());
    }
    let text = |params: &[ItemType], result| {
        let types: Vec<String> = params.iter().chain([&result]).map(|ty| engine.type_name(*ty)).collect();
        types.join(" -> ")
    };
    Err(format!(
        "The {what} `{name}` has the wrong type.\nexpected: {}\n   found: {}",
        text(params, result),
        text(&found, found_result)
    ))
}
