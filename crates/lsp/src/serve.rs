//! The conversation with an editor.

use crate::server::{Files, Server};
use gen_lsp_types as lsp;
use gen_lsp_types::{Notification as _, Request as _};
use lsp_server::{
    Connection, ErrorCode, Message, Notification, ProtocolError, Request, Response, ResponseError,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Talk with the editor at the other end until it says good-bye. An error of ours costs one answer, not the server.
pub fn serve(connection: &Connection, files: Box<dyn Files>) -> Result<(), ProtocolError> {
    let mut server = Server::new(files);
    let (id, params) = connection.initialize_start()?;
    connection.initialize_finish(id, server.initialize(&params))?;
    // Programs that other programs change count, too, if the editor can watch them.
    if params["capabilities"]["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"] == true {
        let _ = connection.sender.send(watch_programs().into());
    }
    loop {
        // Diagnostics can wait until nobody asks for anything else.
        let message = match connection.receiver.try_recv() {
            Ok(message) => message,
            Err(_) => match guarded(&mut server, |server| server.diagnose()).ok().flatten() {
                Some(all) => {
                    for params in all {
                        let method = lsp::PublishDiagnosticsNotification::METHOD.as_str();
                        let _ = connection.sender.send(Notification::new(method.into(), params).into());
                    }
                    continue;
                }
                None => match connection.receiver.recv() {
                    Ok(message) => message,
                    Err(_) => return Ok(()),
                },
            },
        };
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                let id = request.id.clone();
                let answer = guarded(&mut server, |server| server.request(&request.method, request.params));
                let response_result = answer.unwrap_or_else(|message| {
                    Err(ResponseError { code: ErrorCode::InternalError as i32, message, data: None })
                });
                let _ = connection.sender.send(Message::Response(Response { id, response_result }));
            }
            Message::Notification(note) => {
                let _ = guarded(&mut server, |server| server.notification(&note.method, note.params));
            }
            Message::Response(_) => {}
        }
    }
}

/// Ask the editor to report when programs change.
fn watch_programs() -> Request {
    let watchers = serde_json::json!({ "watchers": [{ "globPattern": "**/*.fut" }] });
    let method = lsp::DidChangeWatchedFilesNotification::METHOD.as_str().into();
    let registration = lsp::Registration { id: "programs".into(), method, register_options: Some(watchers) };
    let params = lsp::RegistrationParams { registrations: vec![registration] };
    Request::new("programs".to_string().into(), lsp::RegistrationRequest::METHOD.as_str().into(), params)
}

/// Do something that should not panic.
fn guarded<T>(server: &mut Server, work: impl FnOnce(&mut Server) -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(|| work(server))).map_err(|_| {
        server.start_over();
        "an error in the language server, which goes on".to_string()
    })
}
