//! The shape of an array while it is read: which brackets are open and how long rows must be.

use crate::error::{ErrorKind, ReadError};
use crate::value::MAX_RANK;

/// The brackets that are open, and the shape as far as it is known.
///
/// The first row of each level fixes the length of that level, the first element the rank; all that
/// follow are held against them.
#[derive(Default)]
pub(super) struct Nesting {
    open: Vec<Row>,
    /// Per level, outermost first. As long as the deepest row so far.
    lengths: Vec<Option<usize>>,
    rank: Option<usize>,
}

struct Row {
    start: usize,
    count: usize,
}

impl Nesting {
    pub fn open(&mut self, start: usize) -> Result<(), ReadError> {
        let depth = self.open.len();
        if self.rank.is_some_and(|rank| depth >= rank) {
            return Err(ReadError::new(start, ErrorKind::Irregular, "an element", "an array"));
        }
        if depth == MAX_RANK {
            return Err(too_deep(start));
        }
        if self.lengths.len() == depth {
            self.lengths.push(None);
        }
        self.open.push(Row { start, count: 0 });
        Ok(())
    }

    /// Whether a scalar may stand here.
    pub fn check_element(&mut self, start: usize) -> Result<(), ReadError> {
        if *self.rank.get_or_insert(self.open.len()) == self.open.len() {
            return Ok(());
        }
        let missing = self.lengths.get(self.open.len()).copied().flatten();
        let expected = match missing {
            Some(length) => format!("an array of {}", elements(length)),
            None => "an array".to_string(),
        };
        Err(ReadError::new(start, ErrorKind::Irregular, expected, "an element"))
    }

    pub fn add_elements(&mut self, count: usize) {
        if let Some(row) = self.open.last_mut() {
            row.count += count;
        }
    }

    /// Adds a row that was written whole.
    pub fn add_row(&mut self, start: usize, shape: &[usize]) -> Result<(), ReadError> {
        let depth = self.open.len();
        let rank = depth + shape.len();
        if rank > MAX_RANK {
            return Err(too_deep(start));
        }
        let known = *self.rank.get_or_insert(rank);
        if known != rank {
            let (expected, found) = (known.saturating_sub(depth), shape.len());
            let rows =
                |rank| if rank == 0 { "an element".into() } else { format!("an array of rank {rank}") };
            return Err(ReadError::new(start, ErrorKind::Irregular, rows(expected), rows(found)));
        }
        self.lengths.resize(rank, None);
        for (level, &length) in shape.iter().enumerate() {
            self.fix_length(depth + level, length, start)?;
        }
        self.add_elements(1);
        Ok(())
    }

    /// Ends the innermost row. True when it was the outermost as well.
    pub fn close(&mut self) -> Result<bool, ReadError> {
        let Row { start, count } = self.open.pop().expect("only what is open is closed");
        if count == 0 {
            let expected = "an element (an array without any is written like `empty([0]i32)`)";
            return Err(ReadError::new(start, ErrorKind::Syntax, expected, "`[]`"));
        }
        self.fix_length(self.open.len(), count, start)?;
        self.add_elements(1);
        Ok(self.open.is_empty())
    }

    fn fix_length(&mut self, level: usize, length: usize, start: usize) -> Result<(), ReadError> {
        let known = *self.lengths[level].get_or_insert(length);
        if known == length {
            return Ok(());
        }
        let expected = format!("a row of {}", elements(known));
        Err(ReadError::new(start, ErrorKind::Irregular, expected, elements(length)))
    }

    pub fn into_shape(self) -> Vec<usize> {
        self.lengths.into_iter().map(|length| length.unwrap_or(0)).collect()
    }
}

fn elements(count: usize) -> String {
    if count == 1 { "1 element".into() } else { format!("{count} elements") }
}

pub(super) fn too_deep(start: usize) -> ReadError {
    let expected = format!("at most {MAX_RANK} dimensions");
    ReadError::new(start, ErrorKind::TooLarge, expected, "more")
}
