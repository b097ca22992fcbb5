//! Animations.

use super::super::directive::Directive;
use super::super::page::{Media, MediaKind};
use super::img::{kind_of, picture};
use super::{Files, error_at};
use crate::testing::blocks::BlockError;
use crate::testing::script::{Evaluator, Val, whole_number};
use crate::tools::Ffmpeg;
use norn_media::gif::write_gif;
use norn_media::png::write_apng;
use norn_media::{Animation, Picture, pictures_of};

const PARAMS: &[&str] = &["file", "alt", "fps", "format", "repeat", "loop", "autoplay"];

pub fn show(
    evaluator: &mut Evaluator,
    directive: &Directive,
    files: &mut Files,
) -> Result<Media, BlockError> {
    directive.check_params(PARAMS)?;
    let flag = |key, usual| directive.param(key).map_or(Ok(usual), |param| param.bool());
    let fps: u16 = directive.param("fps").map_or(Ok(30), |param| param.positive())?;
    let repeat = flag("repeat", true)? && flag("loop", true)?;
    let autoplay = flag("autoplay", true)?;
    let value = evaluator.eval(&directive.exp)?;
    let frames = frames(evaluator, value).map_err(|why| error_at(directive, why))?;
    let animation = Animation::new(frames, fps, repeat).map_err(|why| error_at(directive, why))?;
    let format = directive.param("format");
    match format.map(|param| param.value.as_str()) {
        None | Some("apng" | "png") => {
            files.add(directive, ("video", "png"), write_apng(&animation), MediaKind::Picture)
        }
        Some("gif") => files.add(directive, ("video", "gif"), write_gif(&animation), MediaKind::Picture),
        Some(extension) => {
            let at = format.map_or(directive.exp.at.clone(), |param| param.at.clone());
            if !extension.chars().all(|c| c.is_ascii_alphanumeric()) || extension.is_empty() {
                return Err(BlockError::new(
                    at,
                    "`format` must be apng, gif, webm or another that ffmpeg knows.",
                ));
            }
            let film = Ffmpeg.encode_film(
                &bytes(&animation),
                (animation.width(), animation.height()),
                fps,
                extension,
            );
            let film = film.map_err(|why| {
                BlockError::new(at, format!("The film cannot be written as `{extension}`: {why}."))
                    .with_help("The formats apng and gif need no other program.")
            })?;
            files.add(directive, ("video", extension), film, MediaKind::Film { repeat, autoplay })
        }
    }
}

/// The frames: those of an array, or those that a function makes, each with the state for the next. The error is a sentence.
fn frames(evaluator: &mut Evaluator, value: Val) -> Result<Vec<Picture>, String> {
    if let Some(frames) = value.plain() {
        return pictures_of(frames);
    }
    let expected = |found: String| {
        format!(
            "Expected an array of pictures, or a function, a state and a number of frames, found {found}."
        )
    };
    let parts = evaluator.parts(&value).and_then(|parts| <[Val; 3]>::try_from(parts).ok());
    let Some([step @ Val::Function(..), state, count]) = parts else {
        return Err(expected(kind_of(evaluator, &value)));
    };
    let count = whole_number(&count).ok_or("The number of frames is no integer.")?;
    let (mut state, mut frames) = (state, Vec::new());
    for _ in 0..count {
        let made = evaluator.call(&step, vec![state])?;
        let parts = evaluator.parts(&made).and_then(|parts| <[Val; 2]>::try_from(parts).ok());
        let [frame, next] = parts.ok_or_else(|| {
            format!(
                "The function must yield a picture and the next state, but yields {}.",
                kind_of(evaluator, &made)
            )
        })?;
        frames.push(picture(evaluator, &frame)?);
        state = next;
    }
    Ok(frames)
}

/// All frames one behind the other, three bytes for a pixel.
fn bytes(animation: &Animation) -> Vec<u8> {
    let pixels = animation.frames().flatten();
    pixels.flat_map(|pixel| [(pixel >> 16) as u8, (pixel >> 8) as u8, *pixel as u8]).collect()
}
