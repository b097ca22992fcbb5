//! Filters: a row is written as its differences from what stands beside and above, which are mostly small.

/// The filters by their numbers in the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Filter {
    None,
    Left,
    Up,
    Average,
    Paeth,
}

const FILTERS: [Filter; 5] = [Filter::None, Filter::Left, Filter::Up, Filter::Average, Filter::Paeth];

/// Appends a row with the filter that makes its numbers smallest; `step` is the distance of a byte from that of the pixel
/// before.
pub fn write_row(row: &[u8], above: &[u8], step: usize, out: &mut Vec<u8>) {
    let candidates = FILTERS.iter().enumerate().map(|(number, filter)| {
        let filtered: Vec<u8> =
            (0..row.len()).map(|i| row[i].wrapping_sub(predict(*filter, row, above, step, i))).collect();
        // As if they were signed: -1 is as small as 1.
        let size: u64 = filtered.iter().map(|byte| u64::from((*byte as i8).unsigned_abs())).sum();
        (size, number, filtered)
    });
    if let Some((_, number, filtered)) = candidates.min_by_key(|(size, number, _)| (*size, *number)) {
        out.push(number as u8);
        out.extend(filtered);
    }
}

/// What a byte is expected to be, from those before it.
fn predict(filter: Filter, row: &[u8], above: &[u8], step: usize, i: usize) -> u8 {
    let before = |bytes: &[u8]| if i >= step { bytes[i - step] } else { 0 };
    match filter {
        Filter::None => 0,
        Filter::Left => before(row),
        Filter::Up => above[i],
        Filter::Average => u16::midpoint(u16::from(before(row)), u16::from(above[i])) as u8,
        Filter::Paeth => {
            let (left, up, corner) = (i16::from(before(row)), i16::from(above[i]), i16::from(before(above)));
            let distance = |x: i16| (left + up - corner - x).abs();
            let nearest = [left, up, corner].into_iter().min_by_key(|x| distance(*x)).unwrap_or(0);
            nearest as u8
        }
    }
}
