//! Sounds.

use super::super::directive::Directive;
use super::super::page::{Media, MediaKind};
use super::img::kind_of;
use super::{Files, error_at};
use crate::testing::blocks::BlockError;
use crate::testing::script::Evaluator;
use crate::tools::Ffmpeg;
use norn_media::wav::write_wav;

pub fn show(
    evaluator: &mut Evaluator,
    directive: &Directive,
    files: &mut Files,
) -> Result<Media, BlockError> {
    directive.check_params(&["file", "alt", "sampling_frequency", "codec"])?;
    let rate: u32 = directive.param("sampling_frequency").map_or(Ok(44_100), |param| param.positive())?;
    let value = evaluator.eval(&directive.exp)?;
    let found = || error_at(directive, format!("Expected a sound, found {}.", kind_of(evaluator, &value)));
    let wav = write_wav(value.plain().ok_or_else(found)?, rate).map_err(|why| error_at(directive, why))?;
    let codec = directive.param("codec").filter(|param| param.value != "wav");
    let Some(codec) = codec else {
        return files.add(directive, ("audio", "wav"), wav, MediaKind::Sound);
    };
    if !codec.value.chars().all(|c| c.is_ascii_alphanumeric()) || codec.value.is_empty() {
        return Err(codec.wrong("wav, mp3, flac, ogg, opus or another that ffmpeg knows"));
    }
    let sound = Ffmpeg.encode_sound(&wav, &codec.value).map_err(|why| {
        BlockError::new(codec.at.clone(), format!("The sound cannot be written as `{}`: {why}.", codec.value))
            .with_help("The codec wav needs no other program.")
    })?;
    files.add(directive, ("audio", &codec.value), sound, MediaKind::Sound)
}
