//! Lists in which things are known by their numbers, and from which some are removed: the others have new numbers.

/// The new number of each thing that stays.
pub fn numbering(count: usize, stays: impl Fn(usize) -> bool) -> Vec<Option<u32>> {
    let mut next = 0;
    let mut number = |index| {
        stays(index).then(|| {
            next += 1;
            next - 1
        })
    };
    (0..count).map(&mut number).collect()
}

pub fn renumber(id: &mut u32, numbers: &[Option<u32>]) {
    if let Some(number) = numbers[*id as usize] {
        *id = number;
    }
}

pub fn keep<T>(list: &mut Vec<T>, stays: impl Fn(usize) -> bool) {
    let mut index = 0;
    list.retain(|_| {
        index += 1;
        stays(index - 1)
    });
}
