//! The forms in which secrets get into a session: files, command lines, traces, requests, also encoded or
//! broken over lines.

use super::base64;
use super::corpus_secrets::CorpusSecret;
use serde_json::json;

/// A text that contains a secret, and the texts that redaction must remove: the secret, or its encoded form.
pub struct Carried {
    pub text: String,
    pub secrets: Vec<String>,
}

/// A carrier. Returns none for a secret that does not occur in this form.
pub type Carrier = fn(&CorpusSecret) -> Option<Carried>;

/// All carriers.
pub const CARRIERS: &[(&str, Carrier)] = &[
    ("env file", env_file),
    ("curl", curl),
    ("stack trace", trace),
    ("yaml", yaml),
    ("json", json),
    ("url", url),
    ("base64", encoded),
    ("kubernetes", kubernetes),
    ("several lines", lines),
    ("shell history", history),
    ("quoted json", quoted_json),
    ("docker", docker),
    ("diff", diff),
    ("toml", toml),
    ("xml", xml),
    ("powershell", powershell),
    ("source code", source),
    ("log line", log_line),
];

impl CorpusSecret {
    fn carried(&self, text: String) -> Option<Carried> {
        Some(Carried { text, secrets: vec![self.secret.clone()] })
    }

    /// Returns the text on one line.
    fn flat(&self) -> String {
        self.text.replace('\n', "\\n")
    }

    /// Returns the name under which the secret is written: a neutral one, if it needs none.
    fn label(&self) -> &'static str {
        self.name.unwrap_or("deploy")
    }

    /// Returns whether the secret has no text around it.
    fn is_bare(&self) -> bool {
        self.text == self.secret
    }
}

fn env_file(secret: &CorpusSecret) -> Option<Carried> {
    let quote = if secret.is_bare() { "" } else { "\"" };
    let (name, value) = (secret.label(), secret.flat());
    secret
        .carried(format!("# settings of the shop\nLOG_LEVEL=info\n{name}={quote}{value}{quote}\nPORT=8080\n"))
}

fn curl(secret: &CorpusSecret) -> Option<Carried> {
    let flat = secret.flat();
    secret.carried(match secret.name {
        Some(name) => {
            format!("curl -fsS -X POST -d 'user=ada&{name}={}' https://api.example.org/v1\n", escaped(&flat))
        }
        None if secret.is_bare() => {
            format!("curl -fsS -H \"X-Deploy: {flat}\" https://api.example.org/v1/items\n")
        }
        None => format!("curl -fsS -H '{flat}' https://api.example.org/v1/items\n"),
    })
}

fn trace(secret: &CorpusSecret) -> Option<Carried> {
    let flat = secret.flat();
    let call = match secret.name {
        Some(name) => format!("{name}=\"{flat}\""),
        None => format!("\"{flat}\""),
    };
    secret.carried(format!(
        "Traceback (most recent call last):\n  File \"app.py\", line 12, in connect\n    \
         client.open({call})\n\
         ValueError: refused by the server\n"
    ))
}

fn yaml(secret: &CorpusSecret) -> Option<Carried> {
    let name = secret.label();
    let value = match secret.text.contains('\n') {
        true => format!("|\n    {}", secret.text.replace('\n', "\n    ")),
        false if secret.is_bare() => secret.text.clone(),
        false => format!("\"{}\"", secret.text),
    };
    secret.carried(format!("shop:\n  replicas: 2\n  {name}: {value}\n  image: shop:1.4.2\n"))
}

fn json(secret: &CorpusSecret) -> Option<Carried> {
    let value = json!({ "shop": { "replicas": 2, secret.label(): secret.text, "image": "shop:1.4.2" } });
    secret.carried(serde_json::to_string_pretty(&value).ok()?)
}

/// JSON in a string of JSON, as programs log requests and replies.
fn quoted_json(secret: &CorpusSecret) -> Option<Carried> {
    let inner = json!({ "id": 7, secret.label(): secret.text }).to_string();
    secret.carried(json!({ "level": "info", "body": inner, "status": 200 }).to_string())
}

fn url(secret: &CorpusSecret) -> Option<Carried> {
    if !secret.is_bare() {
        return None;
    }
    let (name, value) = (secret.name.unwrap_or("ref"), escaped(&secret.text));
    let text = format!("GET https://api.example.org/v1/items?{name}={value}&page=2 200 14 ms\n");
    Some(Carried { text, secrets: vec![secret.secret.clone(), value] })
}

/// Returns the text with percent escapes for characters that a URL cannot contain.
fn escaped(text: &str) -> String {
    text.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D")
}

fn encoded(secret: &CorpusSecret) -> Option<Carried> {
    let line = secret.name.map_or(secret.text.clone(), |name| format!("{name}={}", secret.text));
    let encoded = base64(&format!("# settings\nLOG_LEVEL=info\n{line}\n"));
    let text = format!("echo {encoded} | base64 -d > .env\n");
    // The second half contains the secret, and the first a comment.
    let half = encoded[encoded.len() / 2..].to_owned();
    Some(Carried { text, secrets: vec![secret.secret.clone(), half] })
}

fn kubernetes(secret: &CorpusSecret) -> Option<Carried> {
    let (name, encoded) = (secret.label(), base64(&secret.text));
    let text = format!(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\ntype: Opaque\ndata:\n  {name}: {encoded}\n"
    );
    Some(Carried { text, secrets: vec![encoded] })
}

fn lines(secret: &CorpusSecret) -> Option<Carried> {
    let line = match secret.name {
        Some(name) => format!("{name}={}", secret.text),
        None => secret.text.clone(),
    };
    secret.carried(format!("cat > settings <<'EOF'\nbefore it\n{line}\nafter it\nEOF\nchmod 600 settings\n"))
}

fn history(secret: &CorpusSecret) -> Option<Carried> {
    let quote = if secret.is_bare() && !secret.text.contains('!') { "" } else { "'" };
    let (name, value) = (secret.label(), secret.flat());
    secret.carried(format!(
        "  501  cd shop\n  502  export {name}={quote}{value}{quote}\n  503  \
         ./deploy --{} {quote}{value}{quote} \
         --verbose\n  504  exit\n",
        name.replace('_', "-").to_lowercase()
    ))
}

fn docker(secret: &CorpusSecret) -> Option<Carried> {
    let (name, value) = (secret.label(), secret.flat());
    let quote = if secret.is_bare() { "" } else { "'" };
    secret
        .carried(format!("$ docker run --rm -e {name}={quote}{value}{quote} -p 8080:80 shop:1.4.2\nab12cd\n"))
}

fn diff(secret: &CorpusSecret) -> Option<Carried> {
    let (name, value) = (secret.label(), secret.flat());
    secret.carried(format!(
        "@@ -3,2 +3,2 @@ shop:\n   replicas: 2\n-  {name}: \"{value}\"\n+  {name}: ${{DEPLOY}}\n"
    ))
}

fn toml(secret: &CorpusSecret) -> Option<Carried> {
    let (name, value) = (secret.label(), secret.flat());
    secret.carried(format!("[shop]\nreplicas = 2\n{name} = \"{value}\" # since May\nimage = \"shop\"\n"))
}

fn xml(secret: &CorpusSecret) -> Option<Carried> {
    let (name, value) = (secret.label(), secret.flat());
    secret.carried(format!("<shop>\n  <{name}>{value}</{name}>\n  <image>shop</image>\n</shop>\n"))
}

fn powershell(secret: &CorpusSecret) -> Option<Carried> {
    let (name, value) = (secret.label(), secret.flat());
    secret.carried(format!("PS C:\\shop> $env:{name} = \"{value}\"; .\\deploy.ps1 -Verbose\n"))
}

fn source(secret: &CorpusSecret) -> Option<Carried> {
    let (name, value) = (secret.label(), secret.flat());
    secret.carried(format!(
        "async function open() {{\n  const {name} = '{value}';\n  return connect({name});\n}}\n"
    ))
}

fn log_line(secret: &CorpusSecret) -> Option<Carried> {
    let (name, value) = (secret.label(), secret.flat());
    let words = match secret.name {
        Some(_) => format!("{name}={value}"),
        None => value,
    };
    secret.carried(format!(
        "2026-01-31T23:59:58Z WARN shop::http [worker-3] rejected {words} from 10.0.0.7 (attempt 2)\n"
    ))
}
