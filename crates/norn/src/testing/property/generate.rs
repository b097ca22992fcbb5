//! Candidates made up from a type.
//!
//! Every dimension is as long as the size. Integers have as many bits as a coin says, so that small
//! ones are as frequent as large ones; floats are in [-1, 1). The numbers of each part come from a
//! source of their own, so that a smaller size gives much of the same value.

use crate::engine::{Engine, Item, ItemType, Kind};
use crate::testing::random::Rng;
use norn_values::{Expected, Value};

/// How many elements a candidate has at most; a larger size is cut down.
const MOST_ELEMENTS: usize = 10_000_000;

/// How many elements that are no plain values an array has at most: each is made alone.
const MOST_ITEMS: usize = 100_000;

/// How deep types may nest. Recursive types are opaque, so that all others end.
const MAX_NESTING: usize = 100;

/// A value, as it was assembled.
#[derive(Clone, Debug)]
pub(super) enum Made {
    Plain(Value),
    Record(Vec<Made>),
    /// An array of what is no plain value, in row-major order.
    Array(Vec<usize>, Vec<Made>),
    Sum(String, Vec<Made>),
    /// What an entry point of the program made.
    Item(Item),
}

/// Makes a value up. The error is a sentence.
pub(super) fn generate(engine: &Engine, ty: ItemType, size: i64, rng: &mut Rng) -> Result<Made, String> {
    let size = usize::try_from(size).unwrap_or(0);
    Generator { engine, size, rng, depth: 0 }.value(ty)
}

struct Generator<'a> {
    engine: &'a Engine,
    size: usize,
    rng: &'a mut Rng,
    depth: usize,
}

impl Generator<'_> {
    fn value(&mut self, ty: ItemType) -> Result<Made, String> {
        if self.depth == MAX_NESTING {
            return Err(format!("Values of type {} nest too deeply.", self.engine.type_name(ty)));
        }
        self.depth += 1;
        let made = self.value_at_depth(ty);
        self.depth -= 1;
        made
    }

    fn value_at_depth(&mut self, ty: ItemType) -> Result<Made, String> {
        match (ty, self.engine.kind(ty)) {
            (ItemType::Plain(plain), _) => self.plain(plain),
            (_, Kind::Record) => {
                let types: Vec<ItemType> = self.engine.fields(ty)?.into_iter().map(|(_, ty)| ty).collect();
                self.values(&types).map(Made::Record)
            }
            (_, Kind::Sum) => {
                let variants = self.engine.variants(ty)?;
                let count = variants.len() as u64;
                if count == 0 {
                    return Err(format!("There are no values of type {}.", self.engine.type_name(ty)));
                }
                let (name, payload) = &variants[self.rng.below(count) as usize];
                let (name, payload) = (name.to_string(), payload.clone());
                Ok(Made::Sum(name, self.values(&payload)?))
            }
            (_, Kind::Array) => {
                let (elem, rank) = (self.engine.elem_type(ty)?, self.engine.rank(ty)?);
                let dims = vec![self.dimension(rank, MOST_ITEMS); rank];
                let types = vec![elem; dims.iter().product()];
                Ok(Made::Array(dims, self.values(&types)?))
            }
            (_, Kind::Primitive | Kind::Recursive | Kind::Opaque) => self.by_convention(ty),
        }
    }

    fn values(&mut self, types: &[ItemType]) -> Result<Vec<Made>, String> {
        types.iter().map(|ty| self.value(*ty)).collect()
    }

    fn plain(&mut self, plain: Expected) -> Result<Made, String> {
        let shape = vec![self.dimension(plain.rank, MOST_ELEMENTS); plain.rank];
        let mut rng = Rng::new(self.rng.next_u64());
        let integer = |rng: &mut Rng, bits: u32| {
            let unused = rng.below(u64::from(bits)) as u32;
            // The sign stays, so that negative numbers are as frequent as others.
            let wide = rng.next_u64() as i64 >> (64 - bits);
            (wide >> unused) as u64
        };
        let float = |rng: &mut Rng, bits: u32| 2.0 * rng.unit(bits) - 1.0;
        let value = rng.value_of(plain.prim, &shape, integer, float);
        value.map(Made::Plain).ok_or_else(|| format!("Values of type {plain} are too large."))
    }

    /// The size, unless arrays of this rank would then be too large.
    fn dimension(&self, rank: usize, most: usize) -> usize {
        let fits = |size: usize| {
            let count = (0..rank).try_fold(1usize, |count, _| count.checked_mul(size));
            count.is_some_and(|count| count <= most)
        };
        let mut size = self.size;
        while !fits(size) {
            size /= 2;
        }
        size
    }

    /// A type whose values only the program can make has a generator by the name `gen_TYPE`.
    fn by_convention(&mut self, ty: ItemType) -> Result<Made, String> {
        let type_name = self.engine.type_name(ty);
        let generator = format!("gen_{type_name}");
        if self.engine.entry(&generator).is_none() {
            return Err(format!(
                "Values of type {type_name} cannot be made up; name a generator, as in `#[prop(gen(make))]`."
            ));
        }
        let args = [Value::scalar(self.size as i64), Value::scalar(self.rng.next_u64())];
        match self.engine.call(&generator, &args.map(Item::Value)) {
            Ok(item) if item.ty() == ty => Ok(Made::Item(item)),
            Ok(_) => Err(format!("The generator `{generator}` does not make values of type {type_name}.")),
            Err(error) => Err(format!("The generator `{generator}` failed.\n{}", error.rendered)),
        }
    }
}

impl Made {
    /// The value as one of the program. The error is a sentence.
    pub fn item(&self, engine: &Engine, ty: ItemType) -> Result<Item, String> {
        let items = |parts: &[Made], types: &[ItemType]| {
            parts.iter().zip(types).map(|(part, ty)| part.item(engine, *ty)).collect::<Result<Vec<_>, _>>()
        };
        match self {
            Made::Plain(value) => Ok(Item::Value(value.clone())),
            Made::Item(item) => Ok(item.clone()),
            Made::Record(parts) => {
                let types: Vec<ItemType> = engine.fields(ty)?.into_iter().map(|(_, ty)| ty).collect();
                engine.new_record(ty, &items(parts, &types)?)
            }
            Made::Array(dims, parts) => {
                let types = vec![engine.elem_type(ty)?; parts.len()];
                engine.new_array(ty, dims, &items(parts, &types)?)
            }
            Made::Sum(name, parts) => {
                let variants = engine.variants(ty)?;
                let payload =
                    variants.into_iter().find(|(variant, _)| variant == name).map(|(_, types)| types);
                engine.construct(ty, name, &items(parts, &payload.unwrap_or_default())?)
            }
        }
    }
}
