//! Pages: what is seen, before it is known in which format.

/// A program with the results of its directives.
#[derive(Clone, PartialEq, Debug)]
pub struct Page {
    /// The name of the program's file, without the folder.
    pub name: String,
    pub blocks: Vec<Block>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    /// Markdown.
    Text(String),
    Code(String),
    Directive {
        /// As it is shown, if it is.
        source: Option<String>,
        shown: DirectiveOutput,
    },
}

/// What comes of a directive.
#[derive(Clone, PartialEq, Debug)]
pub enum DirectiveOutput {
    Text(String),
    Media(Media),
    /// Why nothing else is shown.
    Error(String),
}

/// A file that is part of a page.
#[derive(Clone, PartialEq, Debug)]
pub struct Media {
    pub name: String,
    pub bytes: Vec<u8>,
    pub kind: MediaKind,
    /// What a reader gets who cannot see it.
    pub alternative: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MediaKind {
    /// Pictures, plots, and animations that play where pictures do.
    Picture,
    Film {
        repeat: bool,
        autoplay: bool,
    },
    Sound,
}

impl Page {
    /// The files that belong to the page.
    pub fn media(&self) -> impl Iterator<Item = &Media> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Directive { shown: DirectiveOutput::Media(media), .. } => Some(media),
            Block::Directive { .. } | Block::Text(_) | Block::Code(_) => None,
        })
    }
}

impl Media {
    /// The type of the file, for browsers.
    pub fn mime(&self) -> &'static str {
        let extension = self.name.rsplit_once('.').map_or("", |(_, extension)| extension);
        match extension.to_ascii_lowercase().as_str() {
            "svg" => "image/svg+xml",
            "gif" => "image/gif",
            "jpg" | "jpeg" => "image/jpeg",
            "webp" => "image/webp",
            "webm" => "video/webm",
            "mp4" => "video/mp4",
            "wav" => "audio/wav",
            "mp3" => "audio/mpeg",
            "flac" => "audio/flac",
            "ogg" | "opus" => "audio/ogg",
            _ => match self.kind {
                MediaKind::Picture => "image/png",
                MediaKind::Film { .. } => "video/webm",
                MediaKind::Sound => "audio/wav",
            },
        }
    }
}
