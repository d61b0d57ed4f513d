/** All secrets of a text as it stands, without undoing any encoding. */

import { KEY_KINDS } from "./keyKinds.ts";
import { framedSecrets, matchAt, namedSecrets, type Secret } from "./namedSecrets.ts";
import { isKeyLike, looksRandom } from "./randomText.ts";

/** In no order; they may overlap. */
export function findSecrets(text: string): readonly Secret[] {
  return [
    ...keys(text),
    ...formedSecrets(text),
    ...secretsBesideKeys(text),
    ...framedSecrets(text),
    ...namedSecrets(text),
  ];
}

const ACCESS_KEY = /(?:AKIA|ASIA)[A-Z0-9]{16}/g;
/** How far from its access key AWS's secret key is looked for, in UTF-16 units. */
const BESIDE = 120;

/** The secret key of AWS has no sign of its own. */
function secretsBesideKeys(text: string): readonly Secret[] {
  const found: Secret[] = [];
  for (const { index, 0: accessKey } of text.matchAll(ACCESS_KEY)) {
    const from = index + accessKey.length;
    const secret = /(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/.exec(text.slice(from, from + BESIDE));
    if (secret === null || !looksRandom(secret[0])) continue;
    const start = from + secret.index;
    found.push({ start, end: start + secret[0].length, name: "AWS key" });
  }
  return found;
}

/** Kinds by prefix; of two that begin alike, the longer one first. */
const KINDS_BY_PREFIX = KEY_KINDS.flatMap((kind) => kind.prefixes.map((prefix) => ({ prefix, kind }))).toSorted(
  (one, other) => other.prefix.length - one.prefix.length,
);
/** One expression for all prefixes takes less time than a search for each. */
const PREFIX = new RegExp(
  `(?<![A-Za-z0-9])(?:${KINDS_BY_PREFIX.map(({ prefix }) => prefix.replaceAll(".", "\\.")).join("|")})`,
  "g",
);

function keys(text: string): readonly Secret[] {
  const found: Secret[] = [];
  for (const { index: at } of text.matchAll(PREFIX)) {
    for (const { prefix, kind } of KINDS_BY_PREFIX) {
      if (!text.startsWith(prefix, at)) continue;
      const body = matchAt(kind.rest, text, at + prefix.length)?.[0];
      if (body === undefined || /x{6}|\.\.\./i.test(body) || (kind.isCommon === true && !isKeyLike(body))) continue;
      found.push({ start: at, end: at + prefix.length + body.length, name: kind.name });
      break;
    }
  }
  return found;
}

/** Secrets with signs in a fixed place; the parts before and after `anchor` are bounded. */
interface Form {
  readonly name: string;
  readonly anchor: string;
  /** Ends at the anchor; absent: the secret begins with it. */
  readonly before?: RegExp;
  /** Only at the beginning of a word. */
  readonly isWord?: boolean;
  /** Sticky, from the anchor on. */
  readonly after: RegExp;
}

const LONGEST_BEFORE = 40;

const FORMS: readonly Form[] = [
  {
    name: "private key",
    anchor: "-----BEGIN ",
    after:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?!\.\.\.)(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z0-9 ]{0,40}-----)?/y,
  },
  {
    name: "private key",
    anchor: "PuTTY-User-Key-File-",
    after:
      /PuTTY-User-Key-File-\d: [^]{0,4000}?Private-Lines: \d{1,4}[A-Za-z0-9+/=\s\\"']{0,20000}(?:(?<=[\sn])Private-MAC: [0-9a-f]{40,64})?/y,
  },
  {
    name: "web token",
    anchor: "eyJ",
    isWord: true,
    after: /eyJ[\w-]{10,2000}\.eyJ[\w-]{6,4000}\.[\w-]{8,2000}/y,
  },
  {
    name: "web token",
    anchor: "eyJ",
    isWord: true,
    after: /eyJ[\w-]{10,2000}\.[\w-]{0,700}\.[\w-]{8,200}\.[\w-]{8,4000}\.[\w-]{8,200}/y,
  },
  {
    name: "bot token",
    anchor: ".",
    before: /(?<![\w.-])[MNO][A-Za-z0-9]{23,27}$/,
    after: /\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/y,
  },
  { name: "bot token", anchor: ":AA", before: /(?<![\w.-])\d{8,10}$/, after: /:AA[\w-]{33}(?![\w-])/y },
  { name: "client secret", anchor: "Q~", before: /(?<![\w.~-])[\w~.-]{3}\d$/, after: /Q~[\w~.-]{31,34}(?![\w~-])/y },
  {
    name: "Terraform token",
    anchor: ".atlasv1.",
    before: /(?<![\w.-])[A-Za-z0-9]{14}$/,
    after: /\.atlasv1\.[\w=-]{60,70}/y,
  },
  { name: "mail key", anchor: "-us", before: /(?<![\w.-])[0-9a-f]{32}$/, after: /-us\d{1,2}(?![\w-])/y },
];

function formedSecrets(text: string): readonly Secret[] {
  const found: Secret[] = [];
  for (const { name, anchor, before, isWord, after } of FORMS) {
    for (let at = text.indexOf(anchor); at >= 0; at = text.indexOf(anchor, at + anchor.length)) {
      if (isWord === true && /[\w.-]/.test(text.charAt(at - 1))) continue;
      const match = matchAt(after, text, at);
      if (match === undefined) continue;
      const head = before?.exec(text.slice(Math.max(0, at - LONGEST_BEFORE), at));
      if (head === null) continue;
      found.push({ start: at - (head?.[0].length ?? 0), end: at + match[0].length, name });
    }
  }
  return found;
}

const NAME_OR_FRAME =
  /pass|pwd|secret|key|token|auth|credential|bearer|basic|login|curl|:\/\/|\.[\w-]{4,6}\s{0,2}[\w-]{0,2}\.[\w-]{10}|[MNO]\w{20}/i;

/** A fast test, before wrapped secrets are sought: true if anything in the text looks like the beginning of one. */
export function mayBeginSecret(text: string): boolean {
  return (
    text.search(PREFIX) >= 0 ||
    NAME_OR_FRAME.test(text) ||
    FORMS.some(({ anchor }) => anchor.length > 1 && text.includes(anchor))
  );
}
