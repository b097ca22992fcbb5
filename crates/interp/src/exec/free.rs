//! What the language leaves open, decided by `Freedom`: chunks of reductions and scans, the order of writes, rounding.

use super::{Machine, Value, read, write};
use crate::code::{Bind, Combine, Operand, Operator, Place, Round, Use};
use crate::dims::product;
use crate::failure::Outcome;
use crate::locals::Locals;
use crate::view::View;

/// One in so many elements of a reduction or a scan is the last of a chunk.
const CHUNK: u64 = 3;
/// One in so many is beside a chunk that is empty.
const EMPTY: u64 = 16;

/// A part of the elements that an operator combines by themselves, from the neutral element.
pub(super) struct Chunk {
    neutral: Vec<Value>,
    /// All chunks before this one, combined.
    before: Option<Vec<Value>>,
    /// It begins with its first element instead.
    without_neutral: bool,
    /// Nothing has been combined in it yet.
    is_empty: bool,
}

impl Chunk {
    /// Goes on with what the chunk has accumulated, or with the next one.
    pub(super) fn go_on(&mut self, locals: &mut Locals, op: &Operator, own: Vec<Value>, is_last: bool) {
        if is_last {
            self.before = Some(values(locals, &op.acc));
            put(locals, &op.acc, &self.neutral);
            self.is_empty = true;
        } else {
            put(locals, &op.acc, &own);
        }
    }
}

impl Machine<'_> {
    /// The first chunk of each operator; none if there is no freedom. It may begin with a chunk that is empty.
    pub(super) fn first_chunks<'c>(
        &mut self,
        locals: &mut Locals,
        ops: impl Iterator<Item = &'c Operator>,
    ) -> Outcome<Vec<Chunk>> {
        let mut chunks = Vec::new();
        if self.freedom.is_some() {
            for op in ops {
                let neutral = values(locals, &op.acc);
                if self.chooses() {
                    put(locals, &op.value, &neutral);
                    self.run(locals, &op.block)?;
                }
                let without_neutral = self.chooses();
                chunks.push(Chunk { neutral, before: None, without_neutral, is_empty: true });
            }
        }
        Ok(chunks)
    }

    /// Combines an element with what has been accumulated. Chunks may begin with their first elements as well as with the neutral one.
    pub(super) fn accumulate(
        &mut self,
        locals: &mut Locals,
        op: &Operator,
        chunk: Option<&mut Chunk>,
    ) -> Outcome {
        if chunk.is_some_and(|chunk| std::mem::take(&mut chunk.is_empty) && chunk.without_neutral) {
            let element = values(locals, &op.value);
            put(locals, &op.acc, &element);
            return Ok(());
        }
        self.run(locals, &op.block)
    }

    /// Whether the next chunk begins after this element.
    pub(super) fn ends_chunk(&mut self) -> bool {
        self.freedom.as_mut().is_some_and(|freedom| freedom.choose(CHUNK) == 0)
    }

    /// Combines what the chunk has accumulated with all before it, and yields what it has accumulated by itself.
    pub(super) fn combine_chunk(
        &mut self,
        locals: &mut Locals,
        op: &Operator,
        chunk: Option<&Chunk>,
    ) -> Outcome<Vec<Value>> {
        let Some(chunk) = chunk else { return Ok(Vec::new()) };
        let own = values(locals, &op.acc);
        if let Some(before) = &chunk.before {
            let swap = op.commutative && self.chooses();
            let (first, second) = if swap { (&own, before) } else { (before, &own) };
            put(locals, &op.acc, first);
            put(locals, &op.value, second);
            self.run(locals, &op.block)?;
        }
        self.combine_with_empty_chunk(locals, op, &chunk.neutral)?;
        Ok(own)
    }

    /// A chunk that is empty may come before all that has been accumulated, or after it.
    fn combine_with_empty_chunk(&mut self, locals: &mut Locals, op: &Operator, neutral: &[Value]) -> Outcome {
        if self.freedom.as_mut().is_none_or(|freedom| freedom.choose(EMPTY) != 0) {
            return Ok(());
        }
        let all = values(locals, &op.acc);
        let (first, second) = if self.chooses() { (neutral, &all[..]) } else { (&all[..], neutral) };
        put(locals, &op.acc, first);
        put(locals, &op.value, second);
        self.run(locals, &op.block)
    }

    /// The numbers of elements, in the order in which a scatter or a histogram writes them: with freedom from any of them on, either way around.
    /// Two orders alone would yield the same sum of what is written too often.
    pub(super) fn order_of_writes(&mut self, width: usize) -> Box<dyn Iterator<Item = usize>> {
        let first = self.freedom.as_mut().map_or(0, |freedom| freedom.choose(width.max(1) as u64) as usize);
        let order = (first..width).chain(0..first);
        if self.chooses() { Box::new(order.rev()) } else { Box::new(order) }
    }

    /// The value that a histogram is to combine may be combined with the neutral element before.
    pub(super) fn combine_with_neutral(&mut self, locals: &mut Locals, op: &Combine) -> Outcome {
        let Some(neutral) = &op.neutral else { return Ok(()) };
        if !self.chooses() {
            return Ok(());
        }
        for (target, place) in op.acc.iter().zip(neutral) {
            locals.set_word(word_of(*target), locals.word(*place));
        }
        self.run(locals, &op.block)?;
        for (target, result) in op.value.iter().zip(&op.acc) {
            locals.set_word(word_of(*target), locals.word(word_of(*result)));
        }
        Ok(())
    }

    /// A histogram may combine what is in a bin with the neutral element, also where nothing falls into it.
    pub(super) fn combine_bins_with_neutral(
        &mut self,
        locals: &mut Locals,
        op: &Combine,
        dests: &mut [View],
        indexed: usize,
    ) -> Outcome {
        let (Some(neutral), Some(dest)) = (&op.neutral, dests.first()) else { return Ok(()) };
        for position in 0..product(&dest.shape[..indexed]) {
            if self.chooses() {
                for (target, place) in op.value.iter().zip(neutral) {
                    locals.set_word(word_of(*target), locals.word(*place));
                }
                self.combine(locals, op, dests, indexed, position)?;
            }
        }
        Ok(())
    }

    pub(super) fn round(&mut self, locals: &mut Locals, round: &Round) {
        if let Some(freedom) = &mut self.freedom {
            let operands = round.operands.map(|place| locals.word(place));
            let result = freedom.round(round.rounding, round.prim, operands, locals.word(round.dst));
            locals.set_word(round.dst, result);
        }
    }

    /// One of two ways; the first if there is no freedom.
    fn chooses(&mut self) -> bool {
        self.freedom.as_mut().is_some_and(|freedom| freedom.choose(2) == 0)
    }
}

fn values(locals: &mut Locals, places: &[Place]) -> Vec<Value> {
    let operand = |place: &Place| match place {
        Place::Word(place) => Operand::Word(*place),
        Place::Object(place) => Operand::Object(Use { place: *place, last: false }),
        Place::Nothing => Operand::Nothing,
    };
    places.iter().map(|place| read(locals, operand(place))).collect()
}

fn put(locals: &mut Locals, places: &[Place], values: &[Value]) {
    for (place, value) in places.iter().zip(values) {
        write(locals, *place, value.clone());
    }
}

fn word_of(bind: Bind) -> u32 {
    match bind {
        Bind::Word(place) => place,
        Bind::Row(_) | Bind::Entry { .. } => panic!("only neutral elements of scalars are used"),
    }
}
