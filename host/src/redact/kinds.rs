//! The kinds of things that are taken out: the table that documentation and tests are made from.
//!
//! The order says which kind is named when two finders meet at one place: the earlier is the more telling, so a
//! GitHub token in `TOKEN=…` is called what it is.

/// What a kind is called in the text that stays, and what it covers.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// The name in `[SECRET:name]`.
    pub name: &'static str,
    /// What it covers, for people.
    pub covers: &'static str,
}

const fn about(name: &'static str, covers: &'static str) -> About {
    About { name, covers }
}

/// Every kind there is, the most telling first.
pub const KINDS: &[About] = &[
    about("private-key", "private key blocks as a whole (PEM, OpenSSH, PGP, PuTTY, age), also when cut off"),
    about("aws-access-key", "AWS access key ids: AKIA, ASIA, ABIA, ACCA, A3T"),
    about("aws-secret-key", "AWS secret access keys: by name, or beside an access key id"),
    about("azure-key", "Azure account, storage and shared access keys, and client secrets (…Q~…)"),
    about("google-api-key", "Google API keys: AIza"),
    about("google-oauth-token", "Google OAuth: ya29., GOCSPX-, 1//0"),
    about("github-token", "GitHub: ghp_, gho_, ghu_, ghs_, ghr_, github_pat_"),
    about("gitlab-token", "GitLab: glpat- and the other gl…- tokens, GR1348941"),
    about("bitbucket-token", "Bitbucket: ATBB, BBDC-"),
    about("atlassian-token", "Atlassian: ATATT3, ATCTT3"),
    about("npm-token", "npm: npm_"),
    about("pypi-token", "PyPI: pypi-"),
    about("rubygems-token", "RubyGems: rubygems_"),
    about("crates-token", "crates.io: cio"),
    about("nuget-token", "NuGet: oy2"),
    about("docker-token", "Docker Hub: dckr_pat_, dckr_oat_"),
    about("slack-token", "Slack: xoxb-, xoxp- and the others, xapp-"),
    about("slack-webhook", "Slack webhook addresses (the host stays)"),
    about("discord-webhook", "Discord webhook addresses (the host stays)"),
    about("teams-webhook", "Microsoft Teams webhook addresses (the host stays)"),
    about("telegram-token", "Telegram bots: digits, a colon and AA…"),
    about("stripe-key", "Stripe: sk_live_, rk_live_, pk_live_, their _test_ forms, whsec_"),
    about("square-token", "Square: sq0atp-, sq0csp-"),
    about("shopify-token", "Shopify: shpat_, shpca_, shppa_, shpss_"),
    about("twilio-key", "Twilio: SK and 32 hexadecimal digits"),
    about("payment-key", "Plaid, Flutterwave, Razorpay, Paddle, EasyPost"),
    about("sendgrid-key", "SendGrid: SG."),
    about("mail-key", "Mailgun key-, Mailchimp …-us1, Brevo xkeysib- and xsmtpsib-"),
    about("anthropic-key", "Anthropic: sk-ant-"),
    about("openai-key", "OpenAI and compatible: sk-, sk-proj-, sk-svcacct-, sk-admin-"),
    about("huggingface-token", "Hugging Face: hf_, api_org_"),
    about(
        "model-key",
        "other model providers: Groq, xAI, Perplexity, Replicate, NVIDIA, LangSmith, Tavily, Cerebras, Pinecone, W&B",
    ),
    about("datadog-key", "Datadog: 32 or 40 hexadecimal digits near its name"),
    about("monitoring-token", "New Relic, Sentry, Grafana, Dynatrace, Sonar, PostHog, Honeycomb"),
    about("digitalocean-token", "DigitalOcean: dop_v1_, doo_v1_, dor_v1_"),
    about("vercel-token", "Vercel: vcp_, vci_, vca_, vcr_, vck_"),
    about("cloudflare-token", "Cloudflare: cfk_, cfut_, cfat_, origin CA keys (v1.0-)"),
    about("vault-token", "HashiCorp Vault (hvs., hvb., hvr.), Doppler (dp.), 1Password (ops_, A3-)"),
    about("ci-token", "CircleCI, Buildkite, Octopus Deploy, Sourcegraph, Harness, Infracost"),
    about(
        "cloud-token",
        "Heroku, Fly.io, Databricks, PlanetScale, Supabase, Netlify, Pulumi, Terraform, Alibaba, Yandex and others",
    ),
    about("app-token", "Notion, Linear, Figma, Postman, Contentful, Airtable, HubSpot, Dropbox and others"),
    about("jwt", "JSON web tokens"),
    about("basic-auth", "the value of basic authorisation, and of docker's `auth`"),
    about("bearer-token", "what follows `Bearer`"),
    about("authorization", "the value of an authorisation header of any other scheme"),
    about("cookie", "the values of Cookie and Set-Cookie headers"),
    about("session", "session ids and signatures in addresses and cookies"),
    about("url-password", "the password in an address (user and host stay)"),
    about(
        "password",
        "values of names like password, passwd, pwd, passphrase; password flags of known commands; passwords told in a sentence",
    ),
    about("api-key", "values of names like api_key, access_key, secret_key"),
    about("token", "values of names like token, access_token, credentials"),
    about("secret", "values of names like secret, client_secret"),
    about("custom", "what the user's own patterns match"),
    about("home", "home folders, which hold a person's name: written as ~"),
];

/// One of [`KINDS`], by its place in the table: the smaller, the more telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(u8);

impl Kind {
    /// Gives way to every other kind.
    pub const LEAST: Self = Self(KINDS.len() as u8 - 1);

    /// The kind of this name. In a constant, a name that is not in the table does not compile.
    pub const fn of(name: &str) -> Self {
        match Self::named(name) {
            Some(kind) => kind,
            None => panic!("no kind of that name is in the table"),
        }
    }

    /// The kind of this name, if there is one.
    pub const fn named(name: &str) -> Option<Self> {
        let mut place = 0;
        while place < KINDS.len() {
            if same(KINDS[place].name.as_bytes(), name.as_bytes()) {
                return Some(Self(place as u8));
            }
            place += 1;
        }
        None
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        KINDS[self.0 as usize].name
    }

    /// What stands in the text instead.
    pub fn mark(self) -> String {
        if self == HOME { "~".to_owned() } else { format!("[SECRET:{}]", self.name()) }
    }
}

/// A home folder, the one kind that is no secret and has a mark of its own.
pub const HOME: Kind = Kind::of("home");

const fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}
