//! Attempts to leave the sandbox: files, the environment, the network. Each replies with what it got.

use std::fmt::Display;
use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::{env, fs};

use crate::{Misbehavior, text_reply};

pub(crate) fn run(how: &str) -> Misbehavior {
    let (verb, object) = how.split_once(' ').unwrap_or((how, ""));
    let text = match verb {
        "read" => describe(fs::read_to_string(object)),
        "write-to" => describe(fs::write(object, "was here").map(|()| "written")),
        "make" => describe(fs::create_dir(object).map(|()| "made")),
        "remove" => describe(fs::remove_file(object).map(|()| "removed")),
        "link" => describe(fs::hard_link(object, format!("{object}.link")).map(|()| "linked")),
        "list" => describe(list(object)),
        "look-around" => look_around(),
        "connect" => describe(TcpStream::connect(address(object)).map(|_| "connected")),
        "listen" => describe(TcpListener::bind("127.0.0.1:0").map(|_| "bound")),
        "send" => describe(UdpSocket::bind("127.0.0.1:0").map(|_| "bound")),
        "look-up" => {
            describe((object, 80).to_socket_addrs().map(|found| format!("{:?}", found.collect::<Vec<_>>())))
        }
        _ => return None,
    };
    Some(Ok(text_reply(&text)))
}

fn describe<T: Display>(result: std::io::Result<T>) -> String {
    match result {
        Ok(got) => format!("got {got}"),
        Err(error) => format!("failed, {error}"),
    }
}

fn list(folder: &str) -> std::io::Result<String> {
    let entries = fs::read_dir(folder)?.filter_map(Result::ok);
    Ok(entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect::<Vec<_>>().join(" "))
}

/// Turns `HOST PORT` into an address: a prompt cannot hold a colon, which ends the part that the layer reads.
fn address(object: &str) -> String {
    object.replace(' ', ":")
}

fn look_around() -> String {
    let variables: Vec<String> = env::vars().map(|(name, value)| format!("{name}={value}")).collect();
    let arguments: Vec<String> = env::args().collect();
    let folder = env::current_dir().map(|folder| folder.display().to_string()).unwrap_or_default();
    let home = env::var("HOME").unwrap_or_default();
    format!("variables {variables:?} arguments {arguments:?} folder {folder:?} home {home:?}")
}
