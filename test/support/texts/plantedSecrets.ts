/** Made-up secrets of the kinds and in the forms in which people meet them; none was ever valid. */

import { inspect } from "node:util";

/** Deterministic random numbers in [0, 1). */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const DIGITS = "0123456789";
const ALNUM = UPPER + LOWER + DIGITS;
const URL_SAFE = `${ALNUM}-_`;
const BASE64 = `${ALNUM}+/`;
const HEX = `${DIGITS}abcdef`;
const BASE32 = `${UPPER}234567`;

export interface Planted {
  /** As it stands in a file. */
  readonly text: string;
  /** What must not be readable afterwards. */
  readonly secret: string;
}

const plain = (text: string): Planted => ({ text, secret: text });

/** By kind: a new secret of it. */
export const KINDS: Readonly<Record<string, (random: Random) => Planted>> = {
  Anthropic: (r) => plain(`sk-ant-api03-${of(r, URL_SAFE, 93)}AA`),
  OpenAI: (r) => plain(`sk-${of(r, ALNUM, 20)}T3BlbkFJ${of(r, ALNUM, 20)}`),
  "OpenAI project": (r) => plain(`sk-proj-${of(r, URL_SAFE, 74)}T3BlbkFJ${of(r, URL_SAFE, 74)}`),
  OpenRouter: (r) => plain(`sk-or-v1-${of(r, HEX, 64)}`),
  "Google API": (r) => plain(`AIzaSy${of(r, URL_SAFE, 33)}`),
  Groq: (r) => plain(`gsk_${of(r, ALNUM, 52)}`),
  xAI: (r) => plain(`xai-${of(r, ALNUM, 80)}`),
  Perplexity: (r) => plain(`pplx-${of(r, ALNUM, 48)}`),
  Replicate: (r) => plain(`r8_${of(r, ALNUM, 37)}`),
  "Hugging Face": (r) => plain(`hf_${of(r, UPPER + LOWER, 34)}`),
  "GitHub classic": (r) => plain(`ghp_${of(r, ALNUM, 36)}`),
  "GitHub fine-grained": (r) => plain(`github_pat_${of(r, ALNUM, 22)}_${of(r, ALNUM, 59)}`),
  "GitHub app": (r) => plain(`ghs_${of(r, ALNUM, 36)}`),
  GitLab: (r) => plain(`glpat-${of(r, URL_SAFE, 20)}`),
  npm: (r) => plain(`npm_${of(r, ALNUM, 36)}`),
  PyPI: (r) => plain(`pypi-AgEIcHlwaS5vcmc${of(r, URL_SAFE, 140)}`),
  "AWS access key and secret": (r) => {
    const secret = of(r, BASE64, 40);
    return { text: `aws_access_key_id = AKIA${of(r, BASE32, 16)}\naws_secret_access_key = ${secret}`, secret };
  },
  "AWS session token": (r) => {
    const secret = `IQoJb3JpZ2luX2Vj${of(r, BASE64, 340)}==`;
    return { text: `aws_session_token = ${secret}`, secret };
  },
  "Azure storage": (r) => {
    const secret = `${of(r, BASE64, 86)}==`;
    const text = `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${secret};EndpointSuffix=core.windows.net`;
    return { text, secret };
  },
  "Azure AD client secret": (r) => plain(`${of(r, ALNUM, 3)}8Q~${of(r, `${ALNUM}_.~-`, 33)}${of(r, ALNUM, 1)}`),
  "GCP service account": (r) => {
    const secret = pem(r, "PRIVATE KEY", 24);
    return {
      text: JSON.stringify({ type: "service_account", private_key_id: of(r, HEX, 40), private_key: secret }),
      secret: secret.split("\n")[1] ?? "",
    };
  },
  DigitalOcean: (r) => plain(`dop_v1_${of(r, HEX, 64)}`),
  Doppler: (r) => plain(`dp.pt.${of(r, ALNUM, 43)}`),
  "Stripe secret": (r) => plain(`sk_live_${of(r, ALNUM, 24)}`),
  "Stripe restricted": (r) => plain(`rk_live_${of(r, ALNUM, 99)}`),
  Twilio: (r) => plain(`SK${of(r, HEX, 32)}`),
  SendGrid: (r) => plain(`SG.${of(r, URL_SAFE, 22)}.${of(r, URL_SAFE, 43)}`),
  "Slack token": (r) => plain(`xoxb-${of(r, DIGITS, 12)}-${of(r, DIGITS, 13)}-${of(r, ALNUM, 24)}`),
  "Slack webhook": (r) =>
    plain(`https://hooks.slack.com/services/T${of(r, UPPER, 10)}/B${of(r, UPPER, 10)}/${of(r, ALNUM, 24)}`),
  "Discord bot": (r) => plain(`M${of(r, ALNUM, 25)}.${of(r, URL_SAFE, 6)}.${of(r, URL_SAFE, 38)}`),
  "Telegram bot": (r) => plain(`${of(r, "123456789", 10)}:AA${of(r, URL_SAFE, 33)}`),
  JWT: (r) =>
    plain(
      [
        { alg: "HS256", typ: "JWT" },
        { sub: of(r, DIGITS, 10), name: of(r, LOWER, 8) },
      ]
        .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
        .concat(of(r, URL_SAFE, 43))
        .join("."),
    ),
  "PEM private key": (r) => multiline(pem(r, "RSA PRIVATE KEY", 25)),
  "PGP private key block": (r) => multiline(pem(r, "PGP PRIVATE KEY BLOCK", 25)),
  "OpenSSH private key": (r) => multiline(pem(r, "OPENSSH PRIVATE KEY", 7)),
  "PuTTY key": (r) => {
    const secret = of(r, BASE64, 64);
    const head = "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: me\nPublic-Lines: 1\n";
    const text = `${head}${of(r, BASE64, 64)}\nPrivate-Lines: 2\n${secret}\n${of(r, BASE64, 32)}\nPrivate-MAC: ${of(r, HEX, 64)}`;
    return { text, secret };
  },
  "age identity": (r) => plain(`AGE-SECRET-KEY-1${of(r, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)}`),
  "database URL": (r) => {
    const secret = `${of(r, ALNUM, 6)}${of(r, DIGITS, 2)}${of(r, LOWER, 6)}`;
    return { text: `postgres://app:${secret}@db.internal:5432/shop`, secret };
  },
  ".netrc": (r) => {
    const secret = of(r, ALNUM, 16);
    return { text: `machine git.corp.test login ann password ${secret}`, secret };
  },
  "docker auth": (r) => {
    const secret = Buffer.from(`ann:${of(r, ALNUM, 20)}`).toString("base64");
    return { text: `{"auths":{"registry.corp.test":{"auth":"${secret}"}}}`, secret };
  },
  "curl -u": (r) => {
    const secret = of(r, ALNUM, 14);
    return { text: `curl -u ann:${secret} https://api.corp.test/v1`, secret };
  },
  "PASSWORD with blanks": (r) => {
    const secret = Array.from({ length: 4 }, () => of(r, LOWER, 6)).join(" ");
    return { text: `DB_PASSWORD="${secret}"`, secret };
  },
  "token of 20 and more": (r) => {
    const secret = of(r, ALNUM, 20 + Math.floor(r() * 20));
    return { text: `token=${secret}`, secret };
  },
};

/** By form: a text that contains the secret in it, and what must not be readable in that. */
export const FORMS: Readonly<Record<string, (planted: Planted, random: Random) => Planted>> = {
  raw: (planted) => planted,
  "inside JSON": ({ text, secret }) => ({
    text: JSON.stringify({ id: 7, content: `see ${text} there` }),
    secret: JSON.stringify(secret).slice(1, -1),
  }),
  "percent-encoded": ({ text, secret }) => ({
    text: `https://app.corp.test/in?body=${encodeURIComponent(text)}&page=2`,
    secret: encodeURIComponent(secret),
  }),
  base64: ({ text }) => {
    const secret = Buffer.from(text).toString("base64");
    return { text: `data: ${secret}`, secret };
  },
  "Authorization: Bearer": ({ text, secret }) => ({ text: `Authorization: Bearer ${text}`, secret }),
  "x-api-key": ({ text, secret }) => ({ text: `x-api-key: ${text}`, secret }),
  "query of a URL": ({ text, secret }) => ({
    text: `GET https://app.corp.test/v1/items?key=${text}&page=2 HTTP/1.1`,
    secret,
  }),
  "message of an error": ({ text, secret }) => ({ text: `Error: request with ${text} failed: 401`, secret }),
  "cause chain": ({ text, secret }) => ({
    text: inspect(new Error("sync failed", { cause: new Error(`refused: ${text}`) })),
    secret,
  }),
  "util.inspect": ({ text, secret }) => ({ text: inspect({ retries: 3, options: { value: text } }), secret }),
  "split over a wrapped line": ({ text, secret }, random) => {
    const at = text.indexOf(secret) + Math.floor(secret.length * (0.3 + random() * 0.4));
    const wrapped = `${text.slice(0, at)}\n${text.slice(at)}`;
    const start = text.indexOf(secret);
    return { text: wrapped, secret: `${text.slice(start, at)}\n${text.slice(at, start + secret.length)}` };
  },
};

/** Whether a redacted text still shows the secret: a third of it in one piece. */
export function isReadable(redacted: string, { secret }: Planted): boolean {
  const size = Math.max(6, Math.ceil(secret.length / 3));
  for (let at = 0; at + size <= secret.length; at++) {
    if (redacted.includes(secret.slice(at, at + size))) return true;
  }
  return false;
}

function of(random: Random, signs: string, length: number): string {
  return Array.from({ length }, () => signs[Math.floor(random() * signs.length)]).join("");
}

function pem(random: Random, name: string, lines: number): string {
  const body = Array.from({ length: lines }, () => of(random, BASE64, 64)).join("\n");
  return `-----BEGIN ${name}-----\n${body}\n-----END ${name}-----\n`;
}

function multiline(text: string): Planted {
  return { text, secret: text.slice(40, 140) };
}
