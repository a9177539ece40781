//! JSON to a server and back, for the clients that speak HTTP: within a deadline, with a second and third try
//! where the server is busy, an answer of bounded size, and no way to another host. What the JSON means is
//! the clients' business.

use std::io::Read;
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use reqwest::blocking::{Client, Response};
use reqwest::header::{HeaderValue, RETRY_AFTER};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{StatusCode, Url};
use serde_json::Value;

use super::key_source::KeySource;
use super::model_client::{CallCost, ClientError, one_line};
use crate::error::Error;

/// Tries of one question.
const MAX_ATTEMPTS: u32 = 3;
/// What is waited before the second try; twice as long before the third.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// A server that asks for more patience than this is left alone: the work that wants an answer is repeated
/// later anyway.
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// The longest answer, in bytes. A model's hundred thousand tokens are half a megabyte.
const MAX_ANSWER_BYTES: u64 = 4 << 20;
/// Redirects within one host.
const MAX_REDIRECTS: usize = 3;

/// A server.
pub(super) struct HttpClient {
    base: String,
    key: KeySource,
    client: OnceLock<Result<Client, String>>,
}

impl HttpClient {
    pub fn new(base: &str, key: KeySource) -> Self {
        Self { base: base.trim_end_matches('/').to_owned(), key, client: OnceLock::new() }
    }

    /// Whether the key is there.
    pub fn ready(&self) -> Result<(), Error> {
        self.key.read().map(drop)
    }

    /// Sends `body` to `path` and reads JSON. `headers` says how the key is shown, and what else the server
    /// expects.
    pub fn post(
        &self,
        path: &str,
        headers: impl Fn(Option<&str>) -> Vec<(&'static str, String)>,
        body: &Value,
        deadline: Instant,
    ) -> Result<Value, ClientError> {
        let nothing = |error| ClientError::new(error, CallCost::Nothing);
        let key = self.key.read().map_err(nothing)?;
        let client = self.client().map_err(nothing)?;
        let headers = headers(key.as_deref());
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            let miss = match self.try_once(client, path, &headers, body, deadline) {
                Ok(answer) => return Ok(answer),
                Err(miss) => miss.without(key.as_deref()),
            };
            let wait = miss.again.map(|asked| asked.unwrap_or(pause));
            let left = deadline.saturating_duration_since(Instant::now());
            match wait {
                Some(wait) if attempt < MAX_ATTEMPTS && wait <= MAX_PAUSE && wait < left => sleep(wait),
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
    ) -> Result<Value, HttpError> {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut request = client.post(format!("{}{path}", self.base)).json(body).timeout(left);
        for (name, value) in headers {
            let mut value = HeaderValue::from_str(value)
                .map_err(|_| HttpError::lost(Error::invalid("the key cannot be sent"), CallCost::Nothing))?;
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
            HttpError::lost(error, CallCost::Unknown)
        })
    }

    /// Reads the body, for as long as there is time. Its end may come late, or never.
    fn read(&self, mut response: Response, deadline: Instant) -> Result<String, HttpError> {
        let (mut text, mut piece) = (Vec::new(), vec![0; 16 << 10]);
        loop {
            match response.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => text.extend_from_slice(&piece[..read]),
                Err(_) if Instant::now() >= deadline => return Err(self.late()),
                Err(_) => {
                    let what = format!("the answer of {} broke off", self.base);
                    return Err(HttpError::lost(Error::unavailable(what), CallCost::Unknown));
                }
            }
            if Instant::now() >= deadline {
                return Err(self.late());
            }
            if text.len() as u64 > MAX_ANSWER_BYTES {
                let what = format!("the answer of {} is larger than {MAX_ANSWER_BYTES} bytes", self.base);
                return Err(HttpError::lost(Error::unavailable(what), CallCost::Unknown));
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
    match stays && attempt.previous().len() <= MAX_REDIRECTS {
        true => attempt.follow(),
        false => attempt.stop(),
    }
}

/// How long the server wants to be left alone.
fn patience(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse::<f64>().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// One try that brought nothing.
struct HttpError {
    failure: ClientError,
    /// Whether another try may bring more, and how long the server wants to be left alone.
    again: Option<Option<Duration>>,
}

impl HttpError {
    fn lost(error: Error, cost: CallCost) -> Self {
        Self { failure: ClientError::new(error, cost), again: None }
    }

    /// Without the key, which a server may send back.
    fn without(mut self, key: Option<&str>) -> Self {
        if let Some(key) = key {
            self.failure.error.message = self.failure.error.message.replace(key, "[the key]");
        }
        self
    }
}

impl HttpClient {
    /// No response at all.
    fn unsent(&self, error: &reqwest::Error) -> HttpError {
        if error.is_timeout() {
            return self.late();
        }
        let cause = one_line(&causes(error));
        let unreachable = |cost| {
            let what = format!("{} cannot be asked: {cause}", self.base);
            HttpError::lost(
                Error::unavailable(what).hint("see that the server runs, and to `llm.base_url`"),
                cost,
            )
        };
        match error.is_connect() {
            true => HttpError { again: Some(None), ..unreachable(CallCost::Nothing) },
            // It hung up on a question that it may have read.
            false => unreachable(CallCost::Prompt),
        }
    }

    fn late(&self) -> HttpError {
        let what = format!("{} did not answer in time", self.base);
        let hint = "`llm.timeout_seconds` in your config.toml is how long it may take";
        HttpError::lost(Error::unavailable(what).hint(hint), CallCost::Prompt)
    }

    /// A response that is none.
    fn refused(&self, status: StatusCode, patience: Option<Duration>, text: &str) -> HttpError {
        let code = status.as_u16();
        let said = words(text);
        let what = match said.is_empty() {
            true => format!("{} answered {code}", self.base),
            false => format!("{} answered {code}: {said}", self.base),
        };
        let busy = code == 429 || status.is_server_error();
        let error = match code {
            300..400 => {
                Error::unavailable(format!("{what}: it redirects to another place, which is not asked"))
                    .hint("`llm.base_url` must name the server itself")
            }
            401 | 403 => Error::unavailable(what)
                .hint(format!("it does not take the key from {}", self.key.describe())),
            404 => Error::invalid(what).hint("see to the model's name and to `llm.base_url`"),
            400..500 if !busy => Error::invalid(what),
            _ => match patience {
                Some(patience) => Error::unavailable(format!(
                    "{what}; it asks to be left alone for {} s",
                    patience.as_secs()
                )),
                None => Error::unavailable(what),
            },
        };
        let failure = ClientError {
            refused: matches!(code, 400 | 422 | 501),
            ..ClientError::new(error, CallCost::Nothing)
        };
        HttpError { failure, again: (busy && code != 501).then_some(patience) }
    }
}

/// What the server says is wrong: its message, else the beginning of what it sent.
fn words(text: &str) -> String {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let message = [&value["error"]["message"], &value["error"], &value["message"], &value["detail"]];
    let message = message.into_iter().find_map(Value::as_str);
    one_line(message.unwrap_or(text))
}

/// The innermost cause is the one that tells.
fn causes(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
