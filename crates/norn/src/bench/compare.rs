//! Two files of results side by side.

use super::results::{DataSet, Program, Results};
use super::show::show_time;
use super::stats::Summary;

/// The line about a data set that both files have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Faster,
    Slower,
    /// The intervals overlap: the difference may be chance.
    Unclear,
}

/// A table of the data sets of both files, and of those that only one has.
///
/// ```text
/// dot.fut:main
///   input 10000000i64  8.012 ms  4.100 ms  0.51  faster
/// ```
pub fn compare(before: &Results, after: &Results) -> String {
    let mut rows = Vec::new();
    let names =
        before.programs.keys().chain(after.programs.keys().filter(|n| !before.programs.contains_key(*n)));
    let mut names: Vec<&String> = names.collect();
    names.sort();
    for name in names {
        rows.push(vec![name.clone()]);
        let of = |results: &Results| results.programs.get(name).cloned().unwrap_or_default();
        rows.extend(program_rows(&of(before), &of(after)));
    }
    layout(&rows)
}

fn program_rows(before: &Program, after: &Program) -> Vec<Vec<String>> {
    let find = |program: &Program, name: &str| {
        program.data_sets.iter().find(|(other, _)| other == name).map(|(_, data_set)| data_set.clone())
    };
    let only_after = after.data_sets.iter().filter(|(name, _)| find(before, name).is_none());
    before
        .data_sets
        .iter()
        .chain(only_after)
        .map(|(name, _)| {
            let (old, new) = (find(before, name), find(after, name));
            let mut row = vec![format!("  {name}"), time_text(&old), time_text(&new)];
            if let (Some(old), Some(new)) = (summary(&old), summary(&new)) {
                let word = match change(&old, &new) {
                    Change::Faster => "faster",
                    Change::Slower => "slower",
                    Change::Unclear => "",
                };
                row.extend([format!("{:.2}", new.median / old.median), word.into()]);
            }
            row
        })
        .collect()
}

fn summary(data_set: &Option<DataSet>) -> Option<Summary> {
    match data_set {
        Some(DataSet::Measured(measured)) => measured.summary(),
        Some(DataSet::Failed(_)) | None => None,
    }
}

fn time_text(data_set: &Option<DataSet>) -> String {
    match (data_set, summary(data_set)) {
        (_, Some(summary)) => show_time(summary.median),
        (Some(DataSet::Failed(_)), None) => "failed".into(),
        (Some(DataSet::Measured(_)) | None, None) => "-".into(),
    }
}

fn change(before: &Summary, after: &Summary) -> Change {
    if after.confidence.1 < before.confidence.0 {
        Change::Faster
    } else if after.confidence.0 > before.confidence.1 {
        Change::Slower
    } else {
        Change::Unclear
    }
}

/// Columns of a width: names to the left, numbers to the right, words to the left. A row of one cell is
/// a heading.
fn layout(rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter(|row| row.len() > 1).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..5).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(column, cell)| match column {
            _ if row.len() == 1 => cell.clone(),
            0 => format!("{cell:<width$}", width = widths[0]),
            4 => cell.clone(),
            _ => format!("  {cell:>width$}", width = widths[column]),
        });
        let cells: Vec<String> = cells.collect();
        let (word, numbers) = match &cells[..] {
            [numbers @ .., word] if cells.len() == 5 => (format!("  {word}"), numbers.concat()),
            all => (String::new(), all.concat()),
        };
        text += (numbers + &word).trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::results::Measured;
    use super::*;

    fn results(sets: &[(&str, &[f64])]) -> Results {
        let mut results = Results::default();
        for (name, runtimes) in sets {
            let measured = Measured { runtimes: runtimes.to_vec(), peak_bytes: None, verified: false };
            results.add("a.fut", "main", "cpu", (*name).into(), DataSet::Measured(measured));
        }
        results
    }

    #[test]
    fn data_sets_are_compared_by_name() {
        let before = results(&[("small", &[10.0, 11.0]), ("large", &[2000.0, 2010.0]), ("old", &[1.0])]);
        let mut after = results(&[("large", &[1000.0]), ("small", &[10.5, 12.0]), ("new", &[])]);
        after.add("b.fut", "main", "cpu", "one".into(), DataSet::Failed("no".into()));
        assert_eq!(
            compare(&before, &after),
            "a.fut:main\n  \
               small  10.50 us  11.25 us  1.07\n  \
               large  2.005 ms  1.000 ms  0.50  faster\n  \
               old    1.000 us         -\n  \
               new           -         -\n\
             b.fut:main\n  \
               one           -    failed\n"
        );
    }
}
