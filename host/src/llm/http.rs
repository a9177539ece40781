//! JSON to a server and back, for the clients that speak HTTP: within a deadline, with a second and third try where the
//! server is busy, an answer of bounded size, and no way to another host. What the JSON means is the clients' business.

mod miss;

use std::io::Read;
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use reqwest::Url;
use reqwest::blocking::{Client, Response};
use reqwest::header::{HeaderValue, RETRY_AFTER};
use reqwest::redirect::{Attempt, Policy};
use serde_json::Value;

use super::client::{Cost, Failure};
use super::key::KeySource;
use crate::error::Error;
use miss::Miss;

/// Tries of one question.
const TRIES: u32 = 3;
/// What is waited before the second try; twice as long before the third.
const PAUSE: Duration = Duration::from_millis(500);
/// A server that asks for more patience than this is left alone: the work that wants an answer is repeated later anyway.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The longest answer, in bytes. A model's hundred thousand tokens are half a megabyte.
const MOST: u64 = 4 << 20;
/// Redirects within one host.
const HOPS: usize = 3;

/// A server.
pub(super) struct Http {
    base: String,
    key: KeySource,
    client: OnceLock<Result<Client, String>>,
}

impl Http {
    pub fn new(base: &str, key: KeySource) -> Self {
        Self { base: base.trim_end_matches('/').to_owned(), key, client: OnceLock::new() }
    }

    /// Whether the key is there.
    pub fn ready(&self) -> Result<(), Error> {
        self.key.read().map(drop)
    }

    /// Sends `body` to `path` and reads JSON. `headers` says how the key is shown, and what else the server expects.
    pub fn post(
        &self,
        path: &str,
        headers: impl Fn(Option<&str>) -> Vec<(&'static str, String)>,
        body: &Value,
        deadline: Instant,
    ) -> Result<Value, Failure> {
        let nothing = |error| Failure::new(error, Cost::Nothing);
        let key = self.key.read().map_err(nothing)?;
        let client = self.client().map_err(nothing)?;
        let headers = headers(key.as_deref());
        let mut pause = PAUSE;
        for attempt in 1.. {
            let miss = match self.try_once(client, path, &headers, body, deadline) {
                Ok(answer) => return Ok(answer),
                Err(miss) => miss.without(key.as_deref()),
            };
            let wait = miss.again.map(|asked| asked.unwrap_or(pause));
            let left = deadline.saturating_duration_since(Instant::now());
            match wait {
                Some(wait) if attempt < TRIES && wait <= LONGEST_PAUSE && wait < left => sleep(wait),
                _ => return Err(miss.failure),
            }
            pause *= 2;
        }
        Err(nothing(Error::unavailable("the model was not asked")))
    }

    fn client(&self) -> Result<&Client, Error> {
        let made = self.client.get_or_init(|| {
            let builder = Client::builder().redirect(Policy::custom(within_one_host));
            // A server on this machine is asked directly: it is no business of a proxy's.
            let builder = if self.is_local() { builder.no_proxy() } else { builder };
            builder.build().map_err(|error| error.without_url().to_string())
        });
        made.as_ref().map_err(|cause| Error::unavailable(format!("no connection can be set up: {cause}")))
    }

    fn is_local(&self) -> bool {
        let url = Url::parse(&self.base).ok();
        let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
        let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    }

    fn try_once(
        &self,
        client: &Client,
        path: &str,
        headers: &[(&'static str, String)],
        body: &Value,
        deadline: Instant,
    ) -> Result<Value, Miss> {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut request = client.post(format!("{}{path}", self.base)).json(body).timeout(left);
        for (name, value) in headers {
            let mut value = HeaderValue::from_str(value)
                .map_err(|_| Miss::lost(Error::invalid("the key cannot be sent"), Cost::Nothing))?;
            value.set_sensitive(true);
            request = request.header(*name, value);
        }
        let response = request.send().map_err(|error| self.unsent(&error))?;
        let (status, patience) = (response.status(), patience(&response));
        let text = self.read(response, deadline);
        if !status.is_success() {
            return Err(self.refused(status, patience, &text.unwrap_or_default()));
        }
        serde_json::from_str(&text?).map_err(|error| {
            let error = Error::unavailable(format!("{} answered what is not JSON: {error}", self.base));
            Miss::lost(error, Cost::Unknown)
        })
    }

    /// Reads the body, for as long as there is time. Its end may come late, or never.
    fn read(&self, mut response: Response, deadline: Instant) -> Result<String, Miss> {
        let (mut text, mut piece) = (Vec::new(), vec![0; 16 << 10]);
        loop {
            match response.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => text.extend_from_slice(&piece[..read]),
                Err(_) if Instant::now() >= deadline => return Err(self.late()),
                Err(_) => {
                    let what = format!("the answer of {} broke off", self.base);
                    return Err(Miss::lost(Error::unavailable(what), Cost::Unknown));
                }
            }
            if Instant::now() >= deadline {
                return Err(self.late());
            }
            if text.len() as u64 > MOST {
                let what = format!("the answer of {} is larger than {MOST} bytes", self.base);
                return Err(Miss::lost(Error::unavailable(what), Cost::Unknown));
            }
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// Follows a redirect within the host that was asked; any other is the end of the way.
fn within_one_host(attempt: Attempt) -> reqwest::redirect::Action {
    let origin =
        |url: &Url| (url.scheme().to_owned(), url.host_str().map(str::to_owned), url.port_or_known_default());
    let stays = attempt.previous().first().is_some_and(|first| origin(first) == origin(attempt.url()));
    match stays && attempt.previous().len() <= HOPS {
        true => attempt.follow(),
        false => attempt.stop(),
    }
}

/// How long the server wants to be left alone.
fn patience(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse::<f64>().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}
