//! Shapes of few and of many dimensions.

use norn_interp::dims::{Dims, product};

#[test]
fn few_and_many_dimensions_are_alike() {
    for rank in 0..6 {
        let dims: Vec<usize> = (1..=rank).collect();
        let (collected, copied): (Dims, Dims) = (dims.iter().copied().collect(), dims[..].into());
        assert_eq!(&*collected, &dims[..]);
        assert_eq!(collected, copied);
        assert_eq!(collected.count(), dims.iter().product::<usize>());
    }
}

#[test]
fn products_do_not_overflow() {
    assert_eq!(product(&[usize::MAX, usize::MAX, 0]), 0);
    assert_eq!(product(&[usize::MAX, 2]), usize::MAX);
}
