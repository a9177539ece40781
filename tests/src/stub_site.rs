//! A web site on the loopback interface: files that can be downloaded.

use std::collections::BTreeMap;
use std::io::Write;

use crate::stub_http::{self, Shared, StubServer};

/// A site that serves files until it is dropped.
pub struct StubSite(StubServer<Files>);

#[derive(Default)]
struct Files {
    /// The content of each path.
    content: BTreeMap<String, Vec<u8>>,
    /// The paths that were asked for.
    asked: Vec<String>,
}

impl StubSite {
    /// Starts a site with these files, each a path that begins with `/` and its content.
    pub fn start(files: Vec<(String, Vec<u8>)>) -> Self {
        let files = Files { content: files.into_iter().collect(), asked: Vec::new() };
        Self(StubServer::start(files, |mut stream, shared: &Shared<Files>| {
            let call = stub_http::read(&stream)?;
            let mut files = shared.lock();
            files.asked.push(call.target.clone());
            let found = files.content.get(&call.target).cloned();
            let (status, body) = found.map_or(("404 Not Found", Vec::new()), |content| ("200 OK", content));
            let head =
                format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            stream.write_all(head.as_bytes()).ok()?;
            stream.write_all(&body).ok()
        }))
    }

    /// Returns its address.
    pub fn url(&self) -> String {
        self.0.url()
    }

    /// Returns the paths that were asked for.
    pub fn asked(&self) -> Vec<String> {
        self.0.lock().asked.clone()
    }
}
