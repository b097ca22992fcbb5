//! Programs of others that pages and scripts can make use of where they are installed: ffmpeg, ImageMagick and gnuplot.
//!
//! Nothing depends on them that has a format of our own. Errors are phrases.

use norn_runtime::process::TempFolder;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

pub struct Ffmpeg;
pub struct ImageMagick;
pub struct Gnuplot;

impl Ffmpeg {
    /// Any sound as WAV.
    pub fn decode_sound(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let args = ["-loglevel", "error", "-i", "-", "-acodec", "pcm_s16le", "-f", "wav", "-"];
        run_tool("ffmpeg", &args, Path::new("."), bytes)
    }

    /// A sound in a WAV file in another format, which is named by its extension.
    pub fn encode_sound(&self, wav: &[u8], extension: &str) -> Result<Vec<u8>, String> {
        in_folder(|folder| {
            let output = format!("sound.{extension}");
            run_tool("ffmpeg", &["-loglevel", "error", "-f", "wav", "-i", "-", &output], folder, wav)?;
            read(folder, &output)
        })
    }

    /// Frames of pixels, three bytes each, as a film, whose format is named by its extension.
    pub fn encode_film(
        &self,
        pixels: &[u8],
        (width, height): (usize, usize),
        fps: u16,
        extension: &str,
    ) -> Result<Vec<u8>, String> {
        in_folder(|folder| {
            let (size, fps, output) =
                (format!("{width}x{height}"), fps.to_string(), format!("film.{extension}"));
            let raw = ["-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"];
            let args = [&raw[..], &["-s", &size, "-r", &fps, "-i", "-", &output]].concat();
            run_tool("ffmpeg", &args, folder, pixels)?;
            read(folder, &output)
        })
    }
}

impl ImageMagick {
    /// A picture in another format, which is named by its extension.
    pub fn convert(&self, bytes: &[u8], extension: &str) -> Result<Vec<u8>, String> {
        let output = format!("{extension}:-");
        let args = ["-", output.as_str()];
        // The command was renamed in version 7.
        match run_tool("magick", &args, Path::new("."), bytes) {
            Err(why) if why == missing("magick") => {
                let converted = run_tool("convert", &args, Path::new("."), bytes);
                converted.map_err(|why| why.replace(&missing("convert"), "ImageMagick is not installed"))
            }
            converted => converted,
        }
    }
}

impl Gnuplot {
    /// The picture (PNG) that a script draws. Each file is in a variable with its name.
    pub fn draw(&self, files: &[(String, String)], script: &str) -> Result<Vec<u8>, String> {
        in_folder(|folder| {
            let output = "plot.png";
            let mut whole =
                format!("set terminal png size 800,600 enhanced\nset output '{output}'\nset key outside\n");
            for (i, (name, content)) in files.iter().enumerate() {
                let file = format!("data-{i}");
                std::fs::write(folder.join(&file), content)
                    .map_err(|e| format!("a file for it cannot be written: {e}"))?;
                whole += &format!("{name}='{file}'\n");
            }
            whole += script;
            run_tool("gnuplot", &["-"], folder, whole.as_bytes())?;
            read(folder, output)
        })
    }
}

/// What a program writes to its standard output when it reads these bytes.
fn run_tool(name: &str, args: &[&str], folder: &Path, input: &[u8]) -> Result<Vec<u8>, String> {
    let child = Command::new(name)
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.map_err(|e| match e.kind() {
        ErrorKind::NotFound => missing(name),
        _ => format!("{name} cannot be started: {e}"),
    })?;
    let stdin = child.stdin.take();
    // It may write before it has read everything, so both happen at a time.
    let output = std::thread::scope(|scope| {
        // A program that does not read to the end says why itself.
        scope.spawn(|| stdin.map(|mut stdin| stdin.write_all(input)));
        child.wait_with_output()
    });
    let output = output.map_err(|e| format!("{name} cannot be run: {e}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{name} failed: {}", said.trim()))
}

fn missing(name: &str) -> String {
    format!("{name} is not installed")
}

/// Does `work` in a folder that goes away afterwards.
fn in_folder<T>(work: impl FnOnce(&Path) -> Result<T, String>) -> Result<T, String> {
    let folder =
        TempFolder::new("norn-").map_err(|e| format!("there is no room for temporary files: {e}"))?;
    work(folder.path())
}

fn read(folder: &Path, name: &str) -> Result<Vec<u8>, String> {
    std::fs::read(folder.join(name)).map_err(|e| format!("its result cannot be read: {e}"))
}
