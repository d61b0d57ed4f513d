/**
 * Keys that are recognized by their own form, as the services publish it. A key begins with one of `prefixes`, at the
 * beginning of a word; `rest` is what follows, sticky.
 */
export interface KeyKind {
  /** For the mark in the text. */
  readonly name: string;
  readonly prefixes: readonly string[];
  readonly rest: RegExp;
  /** Also begins names in source code, so the rest must look random. */
  readonly isCommon?: boolean;
}

const key = (name: string, prefixes: string, rest: RegExp, isCommon = false): KeyKind => ({
  name,
  prefixes: prefixes.split(" "),
  rest: new RegExp(rest.source, "y"),
  isCommon,
});

export const KEY_KINDS: readonly KeyKind[] = [
  // Language models
  key("API key", "sk-ant-", /[A-Za-z0-9_-]{20,300}/),
  key("API key", "sk-or-v1- sk-proj- sk-svcacct- sk-admin- sk-lf- sk-kimi-", /[A-Za-z0-9_-]{20,300}/),
  key("API key", "sk- pk- rk- sk_ pk_ rk_", /[A-Za-z0-9_-]{20,300}/, true),
  key("API key", "csk- fw_ tvly- r8_", /[A-Za-z0-9_-]{20,120}/, true),
  key("API key", "gsk_ pplx- xai- nvapi- tgp_v1_ lsv2_pt_ lsv2_sk_", /[A-Za-z0-9_-]{32,120}/),
  key("Hugging Face token", "hf_ api_org_", /[A-Za-z0-9]{30,80}/),
  key("Google key", "AIza", /[A-Za-z0-9_-]{35}(?![A-Za-z0-9])/),
  key("Google key", "ya29.", /[A-Za-z0-9_-]{20,1000}/),
  key("Google key", "GOCSPX-", /[A-Za-z0-9_-]{20,60}/),
  key("Google key", "AQ.Ab", /[A-Za-z0-9_-]{30,120}/),
  // Code and packages
  key("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", /[A-Za-z0-9]{20,255}/),
  key("GitHub token", "github_pat_", /[A-Za-z0-9_]{20,255}/),
  key(
    "GitLab token",
    "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct-",
    /[A-Za-z0-9_.-]{16,300}/,
  ),
  key("npm token", "npm_", /[A-Za-z0-9]{30,80}/),
  key("PyPI token", "pypi-", /Ag[A-Za-z0-9_-]{40,400}/),
  key("RubyGems key", "rubygems_", /[0-9a-f]{40,64}/),
  key("crates token", "cio", /[A-Za-z0-9]{32}(?![A-Za-z0-9])/, true),
  key("Docker token", "dckr_pat_ dckr_oat_", /[A-Za-z0-9_-]{20,80}/),
  key("Bitbucket token", "ATBB ATCTT3 ATATT3", /[A-Za-z0-9_=-]{20,300}/, true),
  key("CI token", "CCIPAT_ bkua_ bkat_ hvs. hvb. hvr.", /[A-Za-z0-9_-]{20,300}/),
  // Clouds
  key("AWS key", "AKIA ASIA ABIA ACCA AROA AIDA", /[A-Z0-9]{16}(?![A-Za-z0-9])/),
  key("AWS session token", "IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz", /[A-Za-z0-9+/=]{80,4000}/),
  key("AWS key", "ABSK", /[A-Za-z0-9+/=]{60,300}/, true),
  key("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", /[0-9a-f]{40,80}/),
  key("Alibaba key", "LTAI", /[A-Za-z0-9]{12,24}(?![A-Za-z0-9])/, true),
  key("Yandex key", "AQVN t1.", /[A-Za-z0-9_-]{35,300}/, true),
  key("Fly token", "fo1_ fm1a_ fm1r_ fm2_", /[A-Za-z0-9_/+=-]{32,600}/),
  key("Heroku key", "HRKU-", /[A-Za-z0-9_-]{36,70}/),
  key("Netlify token", "nfp_ nfc_ nfo_ nfu_", /[A-Za-z0-9]{30,60}/),
  key("Vercel token", "vcp_ vci_ vca_ vcr_ vck_", /[A-Za-z0-9]{24,80}/),
  key("Supabase key", "sbp_ sb_secret_", /[A-Za-z0-9_]{20,80}/),
  key("Cloudflare token", "v1.0-", /[0-9a-f]{24}-[0-9a-f]{146}/),
  key("database token", "pscale_tkn_ pscale_pw_ pscale_oauth_", /[A-Za-z0-9_.=-]{32,64}/),
  key("Databricks token", "dapi", /[0-9a-f]{32}(?:-\d)?(?![0-9A-Za-z])/),
  // Payment and messages
  key("Stripe key", "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_ whsec_", /[A-Za-z0-9+/=]{10,250}/),
  key("Square key", "sq0atp- sq0csp- EAAAE EAAAl", /[A-Za-z0-9_-]{22,80}/, true),
  key("Shopify token", "shpat_ shpca_ shppa_ shpss_", /[0-9a-fA-F]{32}/),
  key("Twilio key", "SK AC", /[0-9a-f]{32}(?![0-9A-Za-z])/),
  key("SendGrid key", "SG.", /[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}/),
  key("mail key", "xkeysib- xsmtpsib-", /[0-9a-f]{64}-[A-Za-z0-9]{16}/),
  key("mail key", "key-", /[0-9a-f]{32}(?![0-9A-Za-z])/),
  key("Slack token", "xoxa- xoxb- xoxe- xoxe.xoxp- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xapp-", /[A-Za-z0-9%-]{10,400}/),
  key("webhook", "https://hooks.slack.com/", /(?:services|workflows|triggers)\/[A-Za-z0-9+/]{20,200}/),
  key(
    "webhook",
    "https://discord.com/api/webhooks/ https://discordapp.com/api/webhooks/",
    /\d{15,22}\/[A-Za-z0-9_-]{40,100}/,
  ),
  key("webhook", "https://hooks.zapier.com/hooks/catch/", /\d{3,12}\/[A-Za-z0-9]{5,40}/),
  key(
    "webhook",
    "https://hc-ping.com/ https://uptime.betterstack.com/api/v1/heartbeat/ https://uptime.betteruptime.com/api/v1/heartbeat/",
    /[A-Za-z0-9-]{20,40}/,
  ),
  // Tools
  key("Linear key", "lin_api_ lin_oauth_", /[A-Za-z0-9]{30,80}/),
  key("Notion token", "ntn_ secret_", /[A-Za-z0-9]{40,60}(?![A-Za-z0-9])/, true),
  key("Figma token", "figd_ figo_", /[A-Za-z0-9_-]{30,60}/),
  key("Airtable token", "pat", /[A-Za-z0-9]{14}\.[0-9a-f]{64}/),
  key("Postman key", "PMAK-", /[0-9a-f]{24}-[0-9a-f]{34}/),
  key("Grafana token", "glsa_ glc_", /[A-Za-z0-9_+/=]{32,400}/),
  key("New Relic key", "NRAK- NRAA- NRII- NRJS-", /[A-Za-z0-9-]{19,60}/),
  key("Sentry token", "sntrys_ sntryu_", /[A-Za-z0-9_+/=]{40,400}/),
  key("Doppler token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", /[A-Za-z0-9_.-]{40,80}/),
  key("Pulumi token", "pul-", /[0-9a-f]{40}(?![0-9A-Za-z])/),
  key("Dropbox token", "sl.", /[A-Za-z0-9_-]{60,1500}/, true),
  key("Contentful token", "CFPAT-", /[A-Za-z0-9_-]{40,60}/),
  key("1Password token", "ops_eyJ", /[A-Za-z0-9+/=_-]{100,2000}/),
  key("age key", "AGE-SECRET-KEY-1", /[A-Z0-9]{40,80}/),
];
