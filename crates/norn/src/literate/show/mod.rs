//! What directives show: values as text, pictures, plots, films and sounds.

mod audio;
mod gnuplot;
mod img;
mod numbers;
mod plot2d;
mod text;
mod video;

use super::directive::{Directive, DirectiveKind};
use super::page::{DirectiveOutput, Media, MediaKind};
use crate::testing::blocks::BlockError;
use crate::testing::script::Evaluator;

/// Evaluates a directive.
pub(super) fn show_directive(
    evaluator: &mut Evaluator,
    directive: &Directive,
    files: &mut Files,
) -> Result<DirectiveOutput, BlockError> {
    match directive.kind {
        DirectiveKind::Result => text::show_result(evaluator, directive).map(DirectiveOutput::Text),
        DirectiveKind::Text => text::show_text(evaluator, directive).map(DirectiveOutput::Text),
        DirectiveKind::Img => img::show(evaluator, directive, files).map(DirectiveOutput::Media),
        DirectiveKind::Plot2d => plot2d::show(evaluator, directive, files).map(DirectiveOutput::Media),
        DirectiveKind::Gnuplot => gnuplot::show(evaluator, directive, files).map(DirectiveOutput::Media),
        DirectiveKind::Video => video::show(evaluator, directive, files).map(DirectiveOutput::Media),
        DirectiveKind::Audio => audio::show(evaluator, directive, files).map(DirectiveOutput::Media),
    }
}

/// The files of a page so far.
#[derive(Default)]
pub(super) struct Files {
    names: Vec<String>,
}

impl Files {
    /// A file with the name that the directive gives it, or with a number, and with its alternative text, if it gives one.
    fn add(
        &mut self,
        directive: &Directive,
        usual: (&str, &str),
        bytes: Vec<u8>,
        kind: MediaKind,
    ) -> Result<Media, BlockError> {
        let name = match directive.param("file") {
            Some(param) => {
                let name = param.file_name()?;
                if self.names.iter().any(|other| other == name) {
                    let message = format!("There is another file `{name}` on this page.");
                    return Err(BlockError::new(param.at.clone(), message));
                }
                name.to_string()
            }
            None => {
                let (stem, extension) = usual;
                let free = |number: &usize| {
                    let name = format!("{stem}-{number}.{extension}");
                    !self.names.contains(&name)
                };
                let number = (1..).find(free).unwrap_or_default();
                format!("{stem}-{number}.{extension}")
            }
        };
        self.names.push(name.clone());
        let alternative = directive.param("alt").or_else(|| directive.param("title"));
        let alternative = alternative.map(|param| param.value.clone()).unwrap_or_default();
        Ok(Media { name, bytes, kind, alternative })
    }
}

/// An error in what a directive is about.
fn error_at(directive: &Directive, message: impl Into<String>) -> BlockError {
    BlockError::new(directive.exp.at.clone(), message)
}
