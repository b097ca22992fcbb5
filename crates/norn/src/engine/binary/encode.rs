//! Batches as bytes; the header of the folder says how.

use super::batch::{Batch, Sums};
use super::strip::Lengths;
use norn_values::binary::write_elements;

pub(super) fn batch(batch_: &Batch, out: &mut Vec<u8>) {
    match batch_ {
        Batch::Scalars(data) => write_elements(data, out),
        Batch::Cells(cells) => cells.iter().for_each(|cell| out.extend(cell.to_le_bytes())),
        Batch::Arrays(dims, elements) => {
            dims.iter().for_each(|dim| lengths(dim, out));
            batch(elements, out);
        }
        Batch::Records(count, fields) if fields.is_empty() => out.resize(out.len() + count, 0),
        Batch::Records(_, fields) => fields.iter().for_each(|field| batch(field, out)),
        Batch::Sums(Sums { tags, payloads }) => sums(payloads.len(), tags, payloads, out),
    }
}

/// Values of a sum with so many constructors.
pub(super) fn sums(constructors: usize, tags: &[usize], payloads: &[Vec<Batch>], out: &mut Vec<u8>) {
    let width = tag_width(constructors);
    tags.iter().for_each(|tag| out.extend(&tag.to_le_bytes()[..width]));
    payloads.iter().flatten().for_each(|payload| batch(payload, out));
}

/// How many bytes the number of a constructor takes.
pub(super) fn tag_width(constructors: usize) -> usize {
    match constructors {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    }
}

fn lengths(dim: &Lengths, out: &mut Vec<u8>) {
    let (kind, lengths) = match (dim.same(), dim) {
        (Some(length), _) | (None, &Lengths::Same(length)) => (SAME, &[length][..]),
        (None, Lengths::Each(lengths)) => (EACH, &lengths[..]),
    };
    out.push(kind);
    lengths.iter().for_each(|length| out.extend((*length as u64).to_le_bytes()));
}

/// All rows of a dimension are of one length.
pub(super) const SAME: u8 = 0;

/// Each row of a dimension has a length of its own.
pub(super) const EACH: u8 = 1;
