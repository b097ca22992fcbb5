//! The open documents, and who answers which question about them.
//!
//! A document is checked when something is asked about it, or when the editor has nothing to ask and wants to see its errors. A change
//! makes what is known of the document, and of those that import it, void.

use crate::diagnose::Published;
use crate::document::{Encoding, Lines, apply};
use crate::uri::{from_path, to_path};
use crate::{actions, complete, define, folding, highlight, hints, hover, rename, signature, symbols};
use gen_lsp_types as lsp;
use gen_lsp_types::{Notification as _, Request as _};
use lsp_server::{ErrorCode, ResponseError};
use norn_base::{FileId, Span};
use norn_check::{Analysis, LoadError, Loader, Session, shipped_file};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a server needs of the world.
pub trait Files: Loader {
    /// The programs in a folder and its folders.
    fn programs_in(&mut self, folder: &str) -> Vec<String>;

    /// Where a user can look at a file of the prelude, which is part of the command and not a file by itself.
    fn shown_prelude(&mut self, path: &str, text: &str) -> Option<String>;
}

pub struct Server {
    pub(crate) files: Box<dyn Files>,
    session: Session,
    pub(crate) documents: BTreeMap<String, Document>,
    pub(crate) encoding: Encoding,
    folders: Vec<String>,
    published: Published,
}

pub(crate) struct Document {
    /// As the editor writes it: there are several ways to.
    pub uri: lsp::Uri,
    pub text: String,
    pub version: i32,
    analysis: Option<Rc<Analysis>>,
    /// Its diagnostics have been sent.
    diagnosed: bool,
}

/// Documents as they are in the editor, all other files as they are stored.
struct Overlay<'a> {
    documents: &'a BTreeMap<String, Document>,
    /// Texts that are only tried out.
    tried: &'a BTreeMap<String, String>,
    files: &'a mut dyn Files,
}

impl Loader for Overlay<'_> {
    fn load(&mut self, path: &str) -> Result<String, LoadError> {
        if let Some(text) = self.tried.get(path) {
            return Ok(text.clone());
        }
        match self.documents.get(path) {
            Some(document) => Ok(document.text.clone()),
            None => self.files.load(path),
        }
    }
}

pub(crate) type Answer<T> = Result<T, String>;

/// The place of a request: the file, its analysis, and the byte.
pub(crate) struct Cursor {
    pub path: String,
    pub analysis: Rc<Analysis>,
    pub offset: usize,
}

impl Cursor {
    pub fn at(&self) -> Span {
        Span::new(self.analysis.file, self.offset, self.offset)
    }
}

impl Server {
    pub fn new(files: Box<dyn Files>) -> Server {
        Server {
            files,
            session: Session::new(Vec::new()),
            documents: BTreeMap::new(),
            encoding: Encoding::Utf16,
            folders: Vec::new(),
            published: Published::default(),
        }
    }

    /// What the server can do, for an editor that says what it can do.
    pub fn initialize(&mut self, params: &Value) -> Value {
        // Clients write a lot here, of which little matters; what cannot be read must not keep the server from starting.
        let encodings = &params["capabilities"]["general"]["positionEncodings"];
        if encodings.as_array().is_some_and(|all| all.iter().any(|e| e == "utf-8")) {
            self.encoding = Encoding::Utf8;
        }
        let folders = params["workspaceFolders"].as_array().into_iter().flatten().map(|f| &f["uri"]);
        let folders: Vec<&Value> = folders.chain([&params["rootUri"]]).collect();
        self.folders = folders.into_iter().filter_map(Value::as_str).map(|u| to_path(&u.into())).collect();
        self.folders.sort();
        self.folders.dedup();
        let capabilities = lsp::ServerCapabilities {
            position_encoding: Some(match self.encoding {
                Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
                Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
            }),
            text_document_sync: Some(lsp::TextDocumentSync::Kind(lsp::TextDocumentSyncKind::Incremental)),
            hover_provider: Some(true.into()),
            definition_provider: Some(true.into()),
            declaration_provider: Some(true.into()),
            references_provider: Some(true.into()),
            document_highlight_provider: Some(true.into()),
            document_symbol_provider: Some(true.into()),
            document_formatting_provider: Some(true.into()),
            inlay_hint_provider: Some(true.into()),
            folding_range_provider: Some(true.into()),
            workspace_symbol_provider: Some(true.into()),
            code_action_provider: Some(
                lsp::CodeActionOptions {
                    code_action_kinds: Some(vec![lsp::CodeActionKind::QuickFix]),
                    ..Default::default()
                }
                .into(),
            ),
            rename_provider: Some(
                lsp::RenameOptions { prepare_provider: Some(true), ..Default::default() }.into(),
            ),
            completion_provider: Some(lsp::CompletionOptions {
                trigger_characters: Some([".", "#", "\"", "/"].map(String::from).to_vec()),
                ..Default::default()
            }),
            signature_help_provider: Some(lsp::SignatureHelpOptions {
                trigger_characters: Some(vec![" ".into(), "(".into()]),
                ..Default::default()
            }),
            semantic_tokens_provider: Some(lsp::SemanticTokensProvider::SemanticTokensOptions(
                highlight::options(),
            )),
            ..Default::default()
        };
        let info = lsp::ServerInfo { name: "norn".into(), version: Some(env!("CARGO_PKG_VERSION").into()) };
        let result = lsp::InitializeResult { capabilities, server_info: Some(info) };
        serde_json::to_value(result).unwrap_or_default()
    }

    /// Answer a request.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, ResponseError> {
        macro_rules! route {
            ($($request:ident => $answer:expr,)*) => {$(
                if method == lsp::$request::METHOD.as_str() {
                    let params = serde_json::from_value(params).map_err(invalid)?;
                    let answer: Answer<<lsp::$request as lsp::Request>::Result> = $answer(self, params);
                    let value = |answer| serde_json::to_value(answer).unwrap_or_default();
                    return answer.map(value).map_err(refused);
                }
            )*};
        }
        route! {
            HoverRequest => hover::hover,
            DefinitionRequest => define::definition,
            DeclarationRequest => define::declaration,
            ReferencesRequest => define::references,
            DocumentHighlightRequest => define::highlights,
            PrepareRenameRequest => rename::prepare,
            RenameRequest => rename::rename,
            CompletionRequest => complete::complete,
            SignatureHelpRequest => signature::help,
            SemanticTokensRequest => highlight::tokens,
            DocumentSymbolRequest => symbols::symbols,
            DocumentFormattingRequest => actions::format,
            CodeActionRequest => actions::actions,
            InlayHintRequest => hints::hints,
            FoldingRangeRequest => folding::ranges,
            WorkspaceSymbolRequest => symbols::workspace,
        }
        let message = format!("`{method}` is not supported");
        Err(ResponseError { code: ErrorCode::MethodNotFound as i32, message, data: None })
    }

    /// Take note of a change. What is not understood is not for us.
    pub fn notification(&mut self, method: &str, params: Value) {
        macro_rules! route {
            ($($notification:ident => $note:expr,)*) => {$(
                if method == lsp::$notification::METHOD.as_str() {
                    if let Ok(params) = serde_json::from_value(params) {
                        $note(self, params);
                    }
                    return;
                }
            )*};
        }
        route! {
            DidOpenTextDocumentNotification => Server::opened,
            DidChangeTextDocumentNotification => Server::changed,
            DidCloseTextDocumentNotification => Server::closed,
            DidChangeWatchedFilesNotification => Server::files_changed,
            DidSaveTextDocumentNotification => Server::saved,
        }
    }

    fn opened(&mut self, params: lsp::DidOpenTextDocumentParams) {
        let lsp::TextDocumentItem { uri, text, version, .. } = params.text_document;
        let path = to_path(&uri);
        self.documents
            .insert(path.clone(), Document { uri, text, version, analysis: None, diagnosed: false });
        self.forget(&path);
    }

    fn changed(&mut self, params: lsp::DidChangeTextDocumentParams) {
        let path = to_path(&params.text_document.text_document_identifier.uri);
        let Some(document) = self.documents.get_mut(&path) else { return };
        document.text = apply(std::mem::take(&mut document.text), params.content_changes, self.encoding);
        document.version = params.text_document.version;
        self.forget(&path);
    }

    fn closed(&mut self, params: lsp::DidCloseTextDocumentParams) {
        let path = to_path(&params.text_document.uri);
        self.documents.remove(&path);
        self.forget(&path);
    }

    /// Editors that do not watch files report this at least: a good time to look for what else has changed.
    fn saved(&mut self, _: lsp::DidSaveTextDocumentParams) {
        for document in self.documents.values_mut() {
            document.analysis = None;
            document.diagnosed = false;
        }
    }

    fn files_changed(&mut self, params: lsp::DidChangeWatchedFilesParams) {
        params.changes.iter().for_each(|change| self.forget(&to_path(&change.uri)));
    }

    /// A file is another one now.
    fn forget(&mut self, path: &str) {
        for (own, document) in &mut self.documents {
            let concerned = own == path
                || document.analysis.as_ref().is_some_and(|a| a.imports.iter().any(|import| import == path));
            if concerned {
                document.analysis = None;
                document.diagnosed = false;
            }
        }
    }

    /// After an error of our own: nothing that was kept can be relied on.
    pub fn start_over(&mut self) {
        self.session = Session::new(Vec::new());
        self.documents.values_mut().for_each(|d| d.analysis = None);
    }

    /// The messages that bring the editor's diagnostics up to date: one document at a time, so that what the editor
    /// asks meanwhile does not wait. None if there is nothing to say.
    pub fn diagnose(&mut self) -> Option<Vec<lsp::PublishDiagnosticsParams>> {
        let next = self.documents.iter().find(|(_, d)| !d.diagnosed).map(|(path, _)| path.clone());
        if let Some(path) = &next {
            let analysis = self.analysis(path)?;
            self.published.found(path, &analysis, self.encoding);
            self.documents.get_mut(path)?.diagnosed = true;
        }
        let messages = self.published.changes(&self.documents);
        (next.is_some() || !messages.is_empty()).then_some(messages)
    }

    /// What is known of a document.
    pub(crate) fn analysis(&mut self, path: &str) -> Option<Rc<Analysis>> {
        let document = self.documents.get(path)?;
        if let Some(known) = &document.analysis {
            return Some(known.clone());
        }
        let text = document.text.clone();
        let analysis = Rc::new(self.check(path, &text));
        self.documents.get_mut(path)?.analysis = Some(analysis.clone());
        Some(analysis)
    }

    /// What is known of a text that stands for a file.
    pub(crate) fn check(&mut self, path: &str, text: &str) -> Analysis {
        self.check_among(path, text, &BTreeMap::new())
    }

    /// Likewise, if other files had these texts.
    pub(crate) fn check_among(
        &mut self,
        path: &str,
        text: &str,
        tried: &BTreeMap<String, String>,
    ) -> Analysis {
        let mut overlay = Overlay { documents: &self.documents, tried, files: &mut *self.files };
        self.session.check(path, text, &mut overlay)
    }

    /// What is known of any file.
    pub(crate) fn analysis_of_file(&mut self, path: &str) -> Option<Rc<Analysis>> {
        if self.documents.contains_key(path) {
            return self.analysis(path);
        }
        let text = self.files.load(path).ok()?;
        Some(Rc::new(self.check(path, &text)))
    }

    pub(crate) fn cursor(&mut self, place: &lsp::TextDocumentPositionParams) -> Option<Cursor> {
        let path = to_path(&place.text_document.uri);
        let analysis = self.analysis(&path)?;
        let offset = Lines::new(&self.documents.get(&path)?.text, self.encoding).offset(place.position);
        Some(Cursor { path, analysis, offset })
    }

    /// The programs of a folder and those below, stored or only open.
    pub(crate) fn programs_near(&mut self, folder: &str) -> Vec<String> {
        let mut all = self.files.programs_in(folder);
        all.extend(self.documents.keys().filter(|path| path.starts_with(folder)).cloned());
        all.sort();
        all.dedup();
        all
    }

    /// The programs of the folders that the editor works in, and the documents.
    pub(crate) fn all_programs(&mut self) -> Vec<String> {
        let mut all: Vec<String> = self.documents.keys().cloned().collect();
        for folder in &self.folders {
            all.extend(self.files.programs_in(folder));
        }
        all.sort();
        all.dedup();
        all
    }

    pub(crate) fn text_of(&mut self, path: &str) -> Option<String> {
        match self.documents.get(path) {
            Some(document) => Some(document.text.clone()),
            None => self.files.load(path).ok(),
        }
    }

    /// A place of a file as the editor knows it.
    pub(crate) fn location(&mut self, analysis: &Analysis, span: Span) -> Option<lsp::Location> {
        let file = analysis.sources().file(span.file);
        let path = match shipped_file(&file.name) {
            Some(text) => self.files.shown_prelude(&file.name, text)?,
            None => file.name.clone(),
        };
        let range = Lines::new(&file.text, self.encoding).range(span);
        Some(lsp::Location { uri: self.uri_of(&path), range })
    }

    /// What the editor calls a file.
    pub(crate) fn uri_of(&self, path: &str) -> lsp::Uri {
        self.documents.get(path).map_or_else(|| from_path(path), |document| document.uri.clone())
    }

    /// The lines of a file that was read for an analysis.
    pub(crate) fn lines<'a>(&self, analysis: &'a Analysis, file: FileId) -> Lines<'a> {
        Lines::new(&analysis.sources().file(file).text, self.encoding)
    }
}

fn invalid(error: serde_json::Error) -> ResponseError {
    ResponseError { code: ErrorCode::InvalidParams as i32, message: error.to_string(), data: None }
}

/// The request was understood, but cannot be granted; editors show the message.
fn refused(message: String) -> ResponseError {
    ResponseError { code: ErrorCode::RequestFailed as i32, message, data: None }
}
