//! Sends JSON to a server and reads its JSON answer, for the clients that speak HTTP. Each request has a
//! deadline, up to three attempts if the server is busy, an answer of limited size, and no redirects to
//! another host. The clients interpret the JSON.

use std::io::Read;
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use reqwest::blocking::{Client, Response};
use reqwest::header::{HeaderValue, RETRY_AFTER};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{StatusCode, Url};
use serde_json::Value;

use super::api_key;
use super::model_client::{CallCost, ClientError, one_line};
use crate::error::Error;
use crate::secret_source::SecretSource;

/// Maximum number of attempts for one request.
const MAX_ATTEMPTS: u32 = 3;
/// Pause before the second attempt; the third waits twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Longest pause that a server may ask for. If it asks for more, the request fails: the job that needs the
/// answer is repeated later anyway.
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// Maximum size of an answer in bytes. A model's hundred thousand tokens are half a megabyte.
const MAX_ANSWER_BYTES: u64 = 4 << 20;
/// Maximum number of redirects within one host.
const MAX_REDIRECTS: usize = 3;

/// A client for one server.
pub(super) struct HttpClient {
    base: String,
    key: SecretSource,
    /// Whether the person allows a key over `http://` to another machine.
    allow_insecure: bool,
    client: OnceLock<Result<Client, String>>,
}

impl HttpClient {
    pub fn new(base: &str, key: SecretSource, allow_insecure: bool) -> Self {
        let base = base.trim_end_matches('/').to_owned();
        Self { base, key, allow_insecure, client: OnceLock::new() }
    }

    /// Checks that the key can be read and sent.
    pub fn ready(&self) -> Result<(), Error> {
        self.key().map(drop)
    }

    /// Returns the key; `None` if none is needed.
    ///
    /// # Errors
    /// As for [`api_key::read`]; `Denied` if it would be sent unencrypted to another machine.
    fn key(&self) -> Result<Option<String>, Error> {
        let is_encrypted = Url::parse(&self.base).is_ok_and(|url| url.scheme() == "https");
        if self.key != SecretSource::NotNeeded && !is_encrypted && !self.is_local() && !self.allow_insecure {
            let what = format!(
                "the key is not sent to {}, because http:// shows it to anyone on the way",
                self.base
            );
            return Err(Error::denied(what)
                .hint("use https://, or set `llm.allow_insecure_http = true` in your config.toml"));
        }
        api_key::read(&self.key)
    }

    /// Sends `body` to `path` and reads JSON. `headers` returns the header with the key, and the others that
    /// the server expects.
    pub fn post(
        &self,
        path: &str,
        headers: impl Fn(Option<&str>) -> Vec<(&'static str, String)>,
        body: &Value,
        deadline: Instant,
    ) -> Result<Value, ClientError> {
        let nothing = |error| ClientError::new(error, CallCost::Nothing);
        let key = self.key().map_err(nothing)?;
        let client = self.client().map_err(nothing)?;
        let headers = headers(key.as_deref());
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            let error = match self.try_once(client, path, &headers, body, deadline) {
                Ok(answer) => return Ok(answer),
                Err(error) => error.without_key(key.as_deref()),
            };
            let wait = error.retry.map(|requested| requested.unwrap_or(pause));
            let time_left = deadline.saturating_duration_since(Instant::now());
            match wait {
                Some(wait) if attempt < MAX_ATTEMPTS && wait <= MAX_PAUSE && wait < time_left => sleep(wait),
                _ => return Err(error.failure),
            }
            pause *= 2;
        }
        Err(nothing(Error::unavailable("the model was not asked")))
    }

    fn client(&self) -> Result<&Client, Error> {
        let client = self.client.get_or_init(|| {
            let builder = Client::builder().redirect(Policy::custom(within_one_host));
            // A server on this machine is asked directly, without a proxy.
            let builder = if self.is_local() { builder.no_proxy() } else { builder };
            builder.build().map_err(|error| error.without_url().to_string())
        });
        client.as_ref().map_err(|cause| Error::unavailable(format!("cannot set up a connection: {cause}")))
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
        let time_left = deadline.saturating_duration_since(Instant::now());
        let mut request = client.post(format!("{}{path}", self.base)).json(body).timeout(time_left);
        for (name, value) in headers {
            let mut value = HeaderValue::from_str(value).map_err(|_| {
                HttpError::permanent(Error::invalid("cannot send the key in a header"), CallCost::Nothing)
            })?;
            value.set_sensitive(true);
            request = request.header(*name, value);
        }
        let response = request.send().map_err(|error| self.send_error(&error))?;
        let (status, retry_after) = (response.status(), retry_after(&response));
        let text = self.read(response, deadline);
        if !status.is_success() {
            return Err(self.status_error(status, retry_after, &text.unwrap_or_default()));
        }
        serde_json::from_str(&text?).map_err(|error| {
            let error = Error::unavailable(format!("the answer of {} is not JSON: {error}", self.base));
            HttpError::permanent(error, CallCost::Unknown)
        })
    }

    /// Reads the body until the deadline, because its end may come late or never.
    fn read(&self, mut response: Response, deadline: Instant) -> Result<String, HttpError> {
        let (mut text, mut chunk) = (Vec::new(), vec![0; 16 << 10]);
        loop {
            match response.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => text.extend_from_slice(&chunk[..read]),
                Err(_) if Instant::now() >= deadline => return Err(self.timeout_error()),
                Err(_) => {
                    let what = format!("the answer of {} broke off", self.base);
                    return Err(HttpError::permanent(Error::unavailable(what), CallCost::Unknown));
                }
            }
            if Instant::now() >= deadline {
                return Err(self.timeout_error());
            }
            if text.len() as u64 > MAX_ANSWER_BYTES {
                let what = format!("the answer of {} is larger than {MAX_ANSWER_BYTES} bytes", self.base);
                return Err(HttpError::permanent(Error::unavailable(what), CallCost::Unknown));
            }
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// Follows a redirect within the origin of the request and stops at any other.
fn within_one_host(attempt: Attempt) -> reqwest::redirect::Action {
    let origin =
        |url: &Url| (url.scheme().to_owned(), url.host_str().map(str::to_owned), url.port_or_known_default());
    let stays = attempt.previous().first().is_some_and(|first| origin(first) == origin(attempt.url()));
    match stays && attempt.previous().len() <= MAX_REDIRECTS {
        true => attempt.follow(),
        false => attempt.stop(),
    }
}

/// Returns the pause that the server asks for.
fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse::<f64>().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The error of one failed attempt.
struct HttpError {
    failure: ClientError,
    /// Whether another attempt may succeed, and the pause that the server asks for.
    retry: Option<Option<Duration>>,
}

impl HttpError {
    /// Creates an error that another attempt would not avoid.
    fn permanent(error: Error, cost: CallCost) -> Self {
        Self { failure: ClientError::new(error, cost), retry: None }
    }

    /// Removes the key from the message, because a server may send it back.
    fn without_key(mut self, key: Option<&str>) -> Self {
        if let Some(key) = key {
            self.failure.error.message = self.failure.error.message.replace(key, "[the key]");
        }
        self
    }
}

impl HttpClient {
    /// Returns the error of a request that got no response.
    fn send_error(&self, error: &reqwest::Error) -> HttpError {
        if error.is_timeout() {
            return self.timeout_error();
        }
        let cause = one_line(&innermost_cause(error));
        let unreachable = |cost| {
            let what = format!("cannot reach {}: {cause}", self.base);
            HttpError::permanent(
                Error::unavailable(what).hint("check that the server runs, and `llm.base_url`"),
                cost,
            )
        };
        match error.is_connect() {
            true => HttpError { retry: Some(None), ..unreachable(CallCost::Nothing) },
            // The server closed the connection and may have read the prompt before.
            false => unreachable(CallCost::Prompt),
        }
    }

    fn timeout_error(&self) -> HttpError {
        let what = format!("{} did not answer in time", self.base);
        let hint = "raise `llm.timeout_seconds` in your config.toml if it needs more time";
        HttpError::permanent(Error::unavailable(what).hint(hint), CallCost::Prompt)
    }

    /// Returns the error of a response whose status is not a success.
    fn status_error(&self, status: StatusCode, retry_after: Option<Duration>, text: &str) -> HttpError {
        let code = status.as_u16();
        let message = server_message(text);
        let what = match message.is_empty() {
            true => format!("{} answered {code}", self.base),
            false => format!("{} answered {code}: {message}", self.base),
        };
        let busy = code == 429 || status.is_server_error();
        let error = match code {
            300..400 => Error::unavailable(format!("{what}: redirects to another server are not followed"))
                .hint("`llm.base_url` must name the server itself"),
            401 | 403 => Error::unavailable(what)
                .hint(format!("the server does not accept the key from {}", self.key.describe())),
            404 => Error::invalid(what).hint("check the model's name and `llm.base_url`"),
            400..500 if !busy => Error::invalid(what),
            _ => match retry_after {
                Some(pause) => {
                    Error::unavailable(format!("{what}; it asks for a pause of {} s", pause.as_secs()))
                }
                None => Error::unavailable(what),
            },
        };
        let failure = ClientError {
            refused: matches!(code, 400 | 422 | 501),
            ..ClientError::new(error, CallCost::Nothing)
        };
        HttpError { failure, retry: (busy && code != 501).then_some(retry_after) }
    }
}

/// Returns the error message of a response body, or the beginning of the body if it has none.
fn server_message(text: &str) -> String {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let message = [&value["error"]["message"], &value["error"], &value["message"], &value["detail"]];
    let message = message.into_iter().find_map(Value::as_str);
    one_line(message.unwrap_or(text))
}

/// Returns the innermost cause, which is the informative one.
fn innermost_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn ready(base: &str, allow_insecure: bool) -> Result<(), Error> {
        // A variable that every process has.
        HttpClient::new(base, SecretSource::Variable("PATH".to_owned()), allow_insecure).ready()
    }

    #[test]
    fn a_key_goes_over_plain_http_to_this_machine_only_unless_the_person_allows_more() {
        for open in ["http://llm.example.net/v1", "HTTP://10.0.0.1:80", "http://127.0.0.1.example.net/v1"] {
            let error = ready(open, false).expect_err("anyone on the way could read the key");

            assert_eq!(error.kind, ErrorKind::Denied);
            assert!(error.hint.is_some_and(|hint| hint.contains("llm.allow_insecure_http")), "{open}");
            assert!(ready(open, true).is_ok(), "{open}");
            assert!(HttpClient::new(open, SecretSource::NotNeeded, false).ready().is_ok(), "{open}");
        }
        for safe in [
            "https://llm.example.net/v1",
            "http://localhost:11434/v1",
            "http://127.0.0.1/",
            "http://[::1]:80",
        ] {
            assert!(ready(safe, false).is_ok(), "{safe}");
        }
    }
}
