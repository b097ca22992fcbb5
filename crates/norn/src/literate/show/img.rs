//! Pictures.

use super::super::directive::Directive;
use super::super::page::{Media, MediaKind};
use super::{Files, error_at};
use crate::testing::blocks::BlockError;
use crate::testing::script::{Evaluator, Val};
use crate::tools::ImageMagick;
use norn_media::png::write_png;
use norn_media::{Picture, picture_of};

/// Extensions that promise another format than PNG.
const OTHERS: &[&str] = &["jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "ppm", "pgm"];

pub fn show(
    evaluator: &mut Evaluator,
    directive: &Directive,
    files: &mut Files,
) -> Result<Media, BlockError> {
    directive.check_params(&["file", "alt"])?;
    let value = evaluator.eval(&directive.exp)?;
    let picture = picture(evaluator, &value).map_err(|why| error_at(directive, why))?;
    let png = write_png(&picture);
    let other = directive.param("file").and_then(|param| {
        let extension = param.value.rsplit_once('.')?.1.to_ascii_lowercase();
        OTHERS.contains(&extension.as_str()).then_some((param, extension))
    });
    let bytes = match other {
        None => png,
        Some((param, extension)) => ImageMagick.convert(&png, &extension).map_err(|why| {
            let message = format!("The picture cannot be written as `{extension}`: {why}.");
            BlockError::new(param.at.clone(), message)
                .with_help("Names that end in `.png` need no other program.")
        })?,
    };
    files.add(directive, ("img", "png"), bytes, MediaKind::Picture)
}

/// The picture that a value is. The error is a sentence.
pub fn picture(evaluator: &Evaluator, value: &Val) -> Result<Picture, String> {
    let expected =
        || format!("Expected a picture, an array of two dimensions, found {}.", kind_of(evaluator, value));
    picture_of(value.plain().ok_or_else(expected)?)
}

/// What a value is, for people.
pub fn kind_of(evaluator: &Evaluator, value: &Val) -> String {
    match value {
        Val::Const(value) => value.type_text(),
        Val::Item(item) => format!("a value of type {}", evaluator.engine.type_name(item.ty())),
        Val::Tuple(parts) => format!("a tuple of {}", parts.len()),
        Val::Record(_) => "a record".into(),
        Val::Array(_) => "an array of what is no plain value".into(),
        Val::Function(entry, _) => format!("the entry point `{entry}`, which lacks arguments"),
    }
}
