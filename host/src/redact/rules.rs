//! The table of credentials that tell by their first letters what they are.
//!
//! A row says how such a credential begins, which characters follow and how many at least. The prefixes and lengths
//! are those the providers document or are seen to issue; lengths are taken a little short, because half a key in
//! a cut-off line is still half a key. What cannot be told from its first letters is found elsewhere.

use super::kinds::Kind;
use super::letters::{ALNUM, DASH, DIGIT, HEX, LOWER, NAME, PAD, PLUS, UPPER, WORD};

/// How one kind of credential is written.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// What it is.
    pub kind: Kind,
    /// How it begins, case and all.
    pub prefix: &'static str,
    /// The characters that follow.
    pub body: u8,
    /// How many of them there are at least.
    pub least: usize,
    /// How many there are at most: the prefix alone says little, so a longer run is something else.
    pub most: usize,
    /// The prefix counts only where a word begins.
    pub edge: bool,
    /// The prefix stays: it is an address, and only what follows is secret.
    pub keep: bool,
    /// What stands before the prefix and belongs to it: a class, and how many at least.
    pub lead: Option<(u8, usize)>,
}

const fn rule(kind: &str, prefix: &'static str, body: u8, least: usize) -> Rule {
    Rule { kind: Kind::of(kind), prefix, body, least, most: usize::MAX, edge: false, keep: false, lead: None }
}

impl Rule {
    const fn most(self, most: usize) -> Self {
        Self { most, ..self }
    }
    const fn edge(self) -> Self {
        Self { edge: true, ..self }
    }
    const fn keep(self) -> Self {
        Self { keep: true, ..self }
    }
    const fn lead(self, class: u8, least: usize) -> Self {
        Self { lead: Some((class, least)), ..self }
    }
}

const CAPITALS: u8 = UPPER | DIGIT;
const URL: u8 = NAME | PLUS;

/// Every rule. No prefix is shorter than three letters, which is what [`super::lures`] looks for.
pub const RULES: &[Rule] = &[
    rule("aws-secret-key", "ABSK", ALNUM | PLUS | PAD, 100).edge(),
    rule("azure-key", "6Q~", NAME | PAD, 31).most(40).lead(NAME | PAD, 3),
    rule("azure-key", "7Q~", NAME | PAD, 31).most(40).lead(NAME | PAD, 3),
    rule("azure-key", "8Q~", NAME | PAD, 31).most(40).lead(NAME | PAD, 3),
    rule("azure-key", "9Q~", NAME | PAD, 31).most(40).lead(NAME | PAD, 3),
    rule("google-api-key", "AIza", WORD, 30),
    rule("google-oauth-token", "ya29.", WORD, 20).edge(),
    rule("google-oauth-token", "GOCSPX-", WORD, 20),
    rule("google-oauth-token", "1//0", WORD, 30).edge(),
    rule("github-token", "ghp_", ALNUM, 20),
    rule("github-token", "gho_", ALNUM, 20),
    rule("github-token", "ghu_", ALNUM, 20),
    rule("github-token", "ghs_", NAME, 20),
    rule("github-token", "ghr_", ALNUM, 20),
    rule("github-token", "github_pat_", WORD, 20),
    rule("gitlab-token", "glpat-", NAME, 16),
    rule("gitlab-token", "gldt-", WORD, 16),
    rule("gitlab-token", "glrt-", NAME, 16),
    rule("gitlab-token", "glcbt-", WORD, 16),
    rule("gitlab-token", "glptt-", WORD, 16),
    rule("gitlab-token", "glft-", WORD, 16),
    rule("gitlab-token", "glsoat-", WORD, 16),
    rule("gitlab-token", "glagent-", WORD, 32),
    rule("gitlab-token", "gloas-", WORD, 32),
    rule("gitlab-token", "glffct-", WORD, 16),
    rule("gitlab-token", "glimt-", WORD, 16),
    rule("gitlab-token", "GR1348941", WORD, 16),
    rule("bitbucket-token", "ATBB", ALNUM, 28).edge(),
    rule("bitbucket-token", "BBDC-", ALNUM | PLUS | PAD, 36).edge(),
    rule("atlassian-token", "ATATT3", WORD | PAD, 40),
    rule("atlassian-token", "ATCTT3", WORD | PAD, 40),
    rule("npm-token", "npm_", ALNUM, 30).edge(),
    rule("pypi-token", "pypi-AgE", WORD, 30),
    rule("rubygems-token", "rubygems_", HEX, 40),
    rule("crates-token", "cio", ALNUM, 32).most(32).edge(),
    rule("docker-token", "dckr_pat_", WORD, 20),
    rule("docker-token", "dckr_oat_", WORD, 20),
    rule("slack-token", "xoxb-", NAME, 10),
    rule("slack-token", "xoxp-", NAME, 10),
    rule("slack-token", "xoxa-", NAME, 10),
    rule("slack-token", "xoxr-", NAME, 10),
    rule("slack-token", "xoxs-", NAME, 10),
    rule("slack-token", "xoxo-", NAME, 10),
    rule("slack-token", "xoxc-", NAME, 10),
    rule("slack-token", "xoxd-", URL, 10),
    rule("slack-token", "xoxe-", NAME, 10),
    rule("slack-token", "xoxe.xox", NAME, 10),
    rule("slack-token", "xapp-", NAME, 10),
    rule("slack-webhook", "hooks.slack.com/services/", URL, 16).keep(),
    rule("slack-webhook", "hooks.slack.com/workflows/", URL, 16).keep(),
    rule("slack-webhook", "hooks.slack.com/triggers/", URL, 16).keep(),
    rule("discord-webhook", "discord.com/api/webhooks/", URL, 24).keep(),
    rule("discord-webhook", "discordapp.com/api/webhooks/", URL, 24).keep(),
    rule("teams-webhook", "webhook.office.com/webhookb2/", URL, 30).keep(),
    rule("telegram-token", ":AA", WORD, 30).most(40).lead(DIGIT, 6),
    rule("stripe-key", "sk_live_", ALNUM, 10),
    rule("stripe-key", "rk_live_", ALNUM, 10),
    rule("stripe-key", "pk_live_", ALNUM, 10),
    rule("stripe-key", "sk_test_", ALNUM, 10),
    rule("stripe-key", "rk_test_", ALNUM, 10),
    rule("stripe-key", "pk_test_", ALNUM, 10),
    rule("stripe-key", "sk_prod_", ALNUM, 10),
    rule("stripe-key", "rk_prod_", ALNUM, 10),
    rule("stripe-key", "whsec_", ALNUM | PLUS | PAD, 20),
    rule("square-token", "sq0atp-", WORD, 20),
    rule("square-token", "sq0csp-", WORD, 20),
    rule("shopify-token", "shpat_", HEX, 32),
    rule("shopify-token", "shpca_", HEX, 32),
    rule("shopify-token", "shppa_", HEX, 32),
    rule("shopify-token", "shpss_", HEX, 32),
    rule("sendgrid-key", "SG.", NAME, 50).edge(),
    rule("mail-key", "key-", HEX, 32).most(32).edge(),
    rule("mail-key", "-us", DIGIT, 1).most(2).lead(HEX, 32),
    rule("mail-key", "xkeysib-", WORD, 40),
    rule("mail-key", "xsmtpsib-", WORD, 40),
    rule("anthropic-key", "sk-ant-", WORD, 20),
    rule("openai-key", "sk-", ALNUM, 32).edge(),
    rule("openai-key", "sk-proj-", WORD, 20),
    rule("openai-key", "sk-svcacct-", WORD, 20),
    rule("openai-key", "sk-admin-", WORD, 20),
    rule("openai-key", "sk-None-", WORD, 20),
    rule("openai-key", "sk-or-v1-", WORD, 20),
    rule("openai-key", "sk-lf-", WORD, 32),
    rule("huggingface-token", "hf_", ALNUM, 30).edge(),
    rule("huggingface-token", "api_org_", ALNUM, 30),
    rule("model-key", "gsk_", ALNUM, 40).edge(),
    rule("model-key", "xai-", ALNUM, 60).edge(),
    rule("model-key", "pplx-", ALNUM, 40),
    rule("model-key", "r8_", ALNUM, 37).most(40).edge(),
    rule("model-key", "nvapi-", WORD, 40),
    rule("model-key", "lsv2_pt_", WORD, 32),
    rule("model-key", "lsv2_sk_", WORD, 32),
    rule("model-key", "tvly-", WORD, 28),
    rule("monitoring-token", "NRAK-", ALNUM, 24),
    rule("monitoring-token", "NRII-", WORD, 28),
    rule("monitoring-token", "sntrys_", ALNUM | PLUS | PAD | DASH, 40),
    rule("monitoring-token", "sntryu_", HEX, 40),
    rule("monitoring-token", "glc_", ALNUM | PLUS | PAD, 32).edge(),
    rule("monitoring-token", "glsa_", WORD, 36),
    rule("monitoring-token", "dt0c01.", NAME, 60),
    rule("monitoring-token", "squ_", HEX, 40).edge(),
    rule("monitoring-token", "sqp_", HEX, 40).edge(),
    rule("digitalocean-token", "dop_v1_", HEX, 40),
    rule("digitalocean-token", "doo_v1_", HEX, 40),
    rule("digitalocean-token", "dor_v1_", HEX, 40),
    rule("cloud-token", "HRKU-", WORD, 36),
    rule("cloud-token", "fo1_", WORD, 40).edge(),
    rule("cloud-token", "fm2_", ALNUM | PLUS | PAD, 80).edge(),
    rule("cloud-token", "dapi", HEX, 32).most(32).edge(),
    rule("cloud-token", "pscale_tkn_", NAME, 30),
    rule("cloud-token", "pscale_pw_", NAME, 30),
    rule("cloud-token", "pscale_oauth_", NAME, 30),
    rule("cloud-token", "sbp_", HEX, 40).edge(),
    rule("cloud-token", "sb_secret_", WORD, 24),
    rule("cloud-token", "nfp_", ALNUM, 36).edge(),
    rule("cloud-token", "dp.pt.", ALNUM, 40),
    rule("cloud-token", "dp.st.", NAME, 40),
    rule("cloud-token", "pul-", HEX, 40).edge(),
    rule("cloud-token", "hvs.", WORD, 24).edge(),
    rule("cloud-token", "hvb.", WORD, 60).edge(),
    rule("cloud-token", ".atlasv1.", WORD | PAD, 50).lead(ALNUM, 14),
    rule("cloud-token", "LTAI", ALNUM, 16).most(26).edge(),
    rule("cloud-token", "AKCp", ALNUM, 60).edge(),
    rule("cloud-token", "cmVmd", ALNUM, 59).most(59).edge(),
    rule("cloud-token", "sha256~", WORD, 40),
    rule("cloud-token", "v1.0-", HEX | DASH, 100).edge(),
    rule("cloud-token", "tskey-", WORD, 20),
    rule("cloud-token", "bkua_", HEX, 40),
    rule("cloud-token", "ops_eyJ", ALNUM | PLUS | PAD | DASH, 100),
    rule("app-token", "ntn_", ALNUM, 40).edge(),
    rule("app-token", "secret_", ALNUM, 43).most(43).edge(),
    rule("app-token", "lin_api_", ALNUM, 32),
    rule("app-token", "figd_", WORD, 36),
    rule("app-token", "PMAK-", HEX | DASH, 50),
    rule("app-token", "CFPAT-", WORD, 40),
    rule("app-token", "tfp_", NAME | PAD, 55).edge(),
    rule("app-token", "rdme_", LOWER | DIGIT, 60),
    rule("app-token", "EZAK", ALNUM, 54).most(54).edge(),
    rule("app-token", "EZTK", ALNUM, 54).most(54).edge(),
    rule("app-token", "duffel_live_", WORD | PAD, 40),
    rule("app-token", "duffel_test_", WORD | PAD, 40),
    rule("app-token", "fio-u-", WORD | PAD, 60),
    rule("app-token", "pnu_", ALNUM, 36).edge(),
    rule("app-token", "shippo_live_", HEX, 40),
    rule("app-token", "shippo_test_", HEX, 40),
    rule("app-token", "CLOJARS_", ALNUM, 50),
    rule("app-token", "EAACEdEose0cBA", ALNUM, 20),
    rule("private-key", "AGE-SECRET-KEY-1", CAPITALS, 50),
];
