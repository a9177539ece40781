//! What carries secrets into a session: files, command lines, traces, requests, and the same wrapped or broken.

use super::super::base64;
use super::samples::Sample;
use serde_json::json;

/// A text with a secret in it, and what must not be left of it: the secret, or what it was wrapped into.
pub struct Carried {
    pub text: String,
    pub secrets: Vec<String>,
}

/// A carrier: nothing where people do not write such a secret so.
pub type Carrier = fn(&Sample) -> Option<Carried>;

/// All of them.
pub const CARRIERS: &[(&str, Carrier)] = &[
    ("env file", env_file),
    ("curl", curl),
    ("stack trace", trace),
    ("yaml", yaml),
    ("json", json),
    ("url", url),
    ("base64", wrapped),
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

impl Sample {
    fn carried(&self, text: String) -> Option<Carried> {
        Some(Carried { text, secrets: vec![self.secret.clone()] })
    }

    /// On one line.
    fn flat(&self) -> String {
        self.text.replace('\n', "\\n")
    }

    /// The name under which it is written: one that says nothing, if it needs none.
    fn label(&self) -> &'static str {
        self.name.unwrap_or("deploy")
    }

    /// Whether it stands for itself, without a text around it.
    fn is_bare(&self) -> bool {
        self.text == self.secret
    }
}

fn env_file(sample: &Sample) -> Option<Carried> {
    let quote = if sample.is_bare() { "" } else { "\"" };
    let (name, value) = (sample.label(), sample.flat());
    sample
        .carried(format!("# settings of the shop\nLOG_LEVEL=info\n{name}={quote}{value}{quote}\nPORT=8080\n"))
}

fn curl(sample: &Sample) -> Option<Carried> {
    let flat = sample.flat();
    sample.carried(match sample.name {
        Some(name) => {
            format!("curl -fsS -X POST -d 'user=ada&{name}={}' https://api.example.org/v1\n", escaped(&flat))
        }
        None if sample.is_bare() => {
            format!("curl -fsS -H \"X-Deploy: {flat}\" https://api.example.org/v1/items\n")
        }
        None => format!("curl -fsS -H '{flat}' https://api.example.org/v1/items\n"),
    })
}

fn trace(sample: &Sample) -> Option<Carried> {
    let flat = sample.flat();
    let call = match sample.name {
        Some(name) => format!("{name}=\"{flat}\""),
        None => format!("\"{flat}\""),
    };
    sample.carried(format!(
        "Traceback (most recent call last):\n  File \"app.py\", line 12, in connect\n    client.open({call})\n\
         ValueError: refused by the server\n"
    ))
}

fn yaml(sample: &Sample) -> Option<Carried> {
    let name = sample.label();
    let value = match sample.text.contains('\n') {
        true => format!("|\n    {}", sample.text.replace('\n', "\n    ")),
        false if sample.is_bare() => sample.text.clone(),
        false => format!("\"{}\"", sample.text),
    };
    sample.carried(format!("shop:\n  replicas: 2\n  {name}: {value}\n  image: shop:1.4.2\n"))
}

fn json(sample: &Sample) -> Option<Carried> {
    let value = json!({ "shop": { "replicas": 2, sample.label(): sample.text, "image": "shop:1.4.2" } });
    sample.carried(serde_json::to_string_pretty(&value).ok()?)
}

/// As programs log requests and replies: JSON in a string of JSON.
fn quoted_json(sample: &Sample) -> Option<Carried> {
    let inner = json!({ "id": 7, sample.label(): sample.text }).to_string();
    sample.carried(json!({ "level": "info", "body": inner, "status": 200 }).to_string())
}

fn url(sample: &Sample) -> Option<Carried> {
    if !sample.is_bare() {
        return None;
    }
    let (name, value) = (sample.name.unwrap_or("ref"), escaped(&sample.text));
    let text = format!("GET https://api.example.org/v1/items?{name}={value}&page=2 200 14 ms\n");
    Some(Carried { text, secrets: vec![sample.secret.clone(), value] })
}

/// What an address cannot hold is written by its number.
fn escaped(text: &str) -> String {
    text.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D")
}

fn wrapped(sample: &Sample) -> Option<Carried> {
    let line = sample.name.map_or(sample.text.clone(), |name| format!("{name}={}", sample.text));
    let wrapped = base64(&format!("# settings\nLOG_LEVEL=info\n{line}\n"));
    let text = format!("echo {wrapped} | base64 -d > .env\n");
    // The end of it holds the secret, and its beginning a comment.
    let half = wrapped[wrapped.len() / 2..].to_owned();
    Some(Carried { text, secrets: vec![sample.secret.clone(), half] })
}

fn kubernetes(sample: &Sample) -> Option<Carried> {
    let (name, wrapped) = (sample.label(), base64(&sample.text));
    let text = format!(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\ntype: Opaque\ndata:\n  {name}: {wrapped}\n"
    );
    Some(Carried { text, secrets: vec![wrapped] })
}

fn lines(sample: &Sample) -> Option<Carried> {
    let line = match sample.name {
        Some(name) => format!("{name}={}", sample.text),
        None => sample.text.clone(),
    };
    sample.carried(format!("cat > settings <<'EOF'\nbefore it\n{line}\nbehind it\nEOF\nchmod 600 settings\n"))
}

fn history(sample: &Sample) -> Option<Carried> {
    let quote = if sample.is_bare() && !sample.text.contains('!') { "" } else { "'" };
    let (name, value) = (sample.label(), sample.flat());
    sample.carried(format!(
        "  501  cd shop\n  502  export {name}={quote}{value}{quote}\n  503  ./deploy --{} {quote}{value}{quote} --verbose\n  504  exit\n",
        name.replace('_', "-").to_lowercase()
    ))
}

fn docker(sample: &Sample) -> Option<Carried> {
    let (name, value) = (sample.label(), sample.flat());
    let quote = if sample.is_bare() { "" } else { "'" };
    sample
        .carried(format!("$ docker run --rm -e {name}={quote}{value}{quote} -p 8080:80 shop:1.4.2\nab12cd\n"))
}

fn diff(sample: &Sample) -> Option<Carried> {
    let (name, value) = (sample.label(), sample.flat());
    sample.carried(format!(
        "@@ -3,2 +3,2 @@ shop:\n   replicas: 2\n-  {name}: \"{value}\"\n+  {name}: ${{DEPLOY}}\n"
    ))
}

fn toml(sample: &Sample) -> Option<Carried> {
    let (name, value) = (sample.label(), sample.flat());
    sample.carried(format!("[shop]\nreplicas = 2\n{name} = \"{value}\" # since May\nimage = \"shop\"\n"))
}

fn xml(sample: &Sample) -> Option<Carried> {
    let (name, value) = (sample.label(), sample.flat());
    sample.carried(format!("<shop>\n  <{name}>{value}</{name}>\n  <image>shop</image>\n</shop>\n"))
}

fn powershell(sample: &Sample) -> Option<Carried> {
    let (name, value) = (sample.label(), sample.flat());
    sample.carried(format!("PS C:\\shop> $env:{name} = \"{value}\"; .\\deploy.ps1 -Verbose\n"))
}

fn source(sample: &Sample) -> Option<Carried> {
    let (name, value) = (sample.label(), sample.flat());
    sample.carried(format!(
        "async function open() {{\n  const {name} = '{value}';\n  return connect({name});\n}}\n"
    ))
}

fn log_line(sample: &Sample) -> Option<Carried> {
    let (name, value) = (sample.label(), sample.flat());
    let words = match sample.name {
        Some(_) => format!("{name}={value}"),
        None => value,
    };
    sample.carried(format!(
        "2026-01-31T23:59:58Z WARN shop::http [worker-3] rejected {words} from 10.0.0.7 (attempt 2)\n"
    ))
}
