/**
 * Secrets that are recognized by what stands before them: the name of a field, a header, a command, an address. All
 * patterns are sticky or bounded, so the time grows with the length of the text and with nothing else.
 */

import { isKeyLike, isPlaceholder, looksRandom } from "./randomText.ts";

/** `[start, end)` is the secret itself. */
export interface Secret {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Names of fields that hold nothing but secrets, and names that often hold something else. */
const NAME =
  /pass(?:word|wd|phrase|code)|\bpwd|secret|api[-_ ]?key|access[-_]?key|account[-_]?key|private[-_]?key|signing[-_]?key|encryption[-_]?key|master[-_]?key|x-[a-z-]{0,20}key|token|\bauth\b|credential|session[-_]?key/gi;
const STRONG = /pass|pwd|secret|api|access|account|private|signing|encryption|master|x-/i;
/** The rest of the name, the end of its quotes, and the assignment. */
const ASSIGNMENT = /[A-Za-z0-9_-]{0,24}\\{0,3}["'`]?\]?[ \t]{0,4}(?::=|=>|[:=])[ \t]{0,4}/y;
const QUOTED = /(\\{0,3}["'`])([^"'`\n\\]{8,500})\1/y;
const BARE = /[^\s"'`,;()<>{}[\]&|\\]{8,500}/y;
const CODE_AFTER = /[ \t]{0,2}[(.[]|\?\./y;

export function namedSecrets(text: string): readonly Secret[] {
  const found: Secret[] = [];
  for (const match of text.matchAll(NAME)) {
    const nameEnd = match.index + match[0].length;
    const start = endOf(ASSIGNMENT, text, nameEnd);
    if (start === undefined) continue;
    const isStrong = STRONG.test(match[0]);
    const quoted = matchAt(QUOTED, text, start);
    if (quoted !== undefined) {
      const value = quoted[2] ?? "";
      const from = start + (quoted[1] ?? "").length;
      const isConstant = /^[A-Z]/.test(match[0]) && match[0] === match[0].toUpperCase();
      const isPhrase = isConstant && text.charAt(start - 1) === "=" && isPassphrase(value);
      if (isPhrase || isSecretValue(value, isStrong, true))
        found.push({ start: from, end: from + value.length, name: "secret" });
      continue;
    }
    const bare = matchAt(BARE, text, start)?.[0].replace(/[.:?!]+$/, "");
    if (bare === undefined || endOf(CODE_AFTER, text, start + bare.length) !== undefined) continue;
    if (isSecretValue(bare, isStrong, false)) found.push({ start, end: start + bare.length, name: "secret" });
  }
  return found;
}

/** At least three words, as people choose them. */
function isPassphrase(value: string): boolean {
  return /^[^\s=;{}()<>$]{2,40}(?:[ ][^\s=;{}()<>$]{1,40}){2,12}$/.test(value) && !isPlaceholder(value);
}

function isSecretValue(value: string, isStrong: boolean, isQuoted: boolean): boolean {
  if (
    /[\s\u2010-\u303f\u4e00-\u9fff\uff00-\uffef]/.test(value) ||
    isDate(value) ||
    isPlaceholder(value) ||
    /^(?:https?|file):|^--/.test(value)
  )
    return false;
  if (/^[./~]/.test(value) && !isKeyLike(value)) return false;
  if (!isStrong || !isQuoted)
    return value.length >= (isStrong ? 12 : 20) && isKeyLike(value) && !isNameWithNumber(value);
  return value.length >= 12
    ? hasDigit(value) && (looksRandom(value) || hasSign(value))
    : hasDigit(value) && hasSign(value);
}

/** `SignUpAttributeV2`. */
function isNameWithNumber(value: string): boolean {
  return /^[A-Za-z]+\d$/.test(value) && !isKeyLike(value.slice(0, -1));
}

function isDate(value: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(value);
}

function hasDigit(value: string): boolean {
  return /\d/.test(value);
}

/** A sign that passwords have and names do not. */
function hasSign(value: string): boolean {
  return /[!@#$%^&*+=?~-]/.test(value);
}

interface Frame {
  readonly name: string;
  /** Group 1 is what stands before the secret, group 2 the secret. */
  readonly pattern: RegExp;
  readonly isSecret: (value: string) => boolean;
}

const isPassword = (value: string): boolean =>
  !isPlaceholder(value) &&
  !/^(?:pass(?:word|wd)?|pwd?|secret|token|key|test|admin|user(?:name)?|root|foo|bar|xyz|abc)\d{0,3}$/i.test(value);

/** Secrets by the text that programs write before them. */
const FRAMES: readonly Frame[] = [
  {
    name: "credential",
    pattern: /(\b(?:bearer|basic|token)[ \t]{1,4})([A-Za-z0-9._~+/-]{16,2000}={0,2})/gi,
    isSecret: isKeyLike,
  },
  {
    name: "password",
    pattern: /(:\/\/[^\s:/@"'`<>{}$]{0,100}:)([^\s@/"'`<>{}$]{3,200})(?=@[A-Za-z0-9[])/g,
    isSecret: isPassword,
  },
  {
    name: "password",
    pattern: /(\bcurl\b[^\n]{0,300}?[ \t](?:-u|--user|--proxy-user)[ \t=]{0,2}["']?[^\s:"'$]{1,100}:)([^\s"']{3,200})/g,
    isSecret: isPassword,
  },
  {
    name: "password",
    pattern: /(\blogin[ \t\n]{1,8}[^\s]{1,100}[ \t\n]{1,8}password[ \t]{1,8})([^\s"'\\]{4,200})/g,
    isSecret: isPassword,
  },
  {
    name: "credential",
    pattern: /("auth\\{0,3}"[ \t]{0,4}:[ \t]{0,4}\\{0,3}")([A-Za-z0-9+/]{12,400}={0,2})(?=\\{0,3}")/g,
    isSecret: (value) => !isPlaceholder(value),
  },
  {
    name: "storage key",
    pattern: /((?:AccountKey|SharedAccessKey|SharedAccessSignature)=)([A-Za-z0-9+/]{40,100}={0,2})/gi,
    isSecret: () => true,
  },
  {
    name: "cookie",
    pattern:
      /(\bcookie["']?[ \t]{0,4}:[^\n=]{0,80}[ \t;"'.](?:[a-z_.-]{0,20}sess[a-z_.-]{0,12}|[a-z_.-]{0,12}sid)=)([^\s;"',]{20,4000})/gi,
    isSecret: isKeyLike,
  },
  {
    name: "signature",
    pattern: /([?&;](?:sig|signature|x-(?:amz|goog|oss)-signature)=)([A-Za-z0-9%+/_~-]{32,700}={0,2})/gi,
    isSecret: () => true,
  },
];

export function framedSecrets(text: string): readonly Secret[] {
  const found: Secret[] = [];
  for (const { name, pattern, isSecret } of FRAMES) {
    for (const match of text.matchAll(pattern)) {
      const [, before = "", secret = ""] = match;
      const start = match.index + before.length;
      if (isSecret(secret)) found.push({ start, end: start + secret.length, name });
    }
  }
  return found;
}

/** Where a sticky pattern that matches at `at` ends. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  const match = matchAt(pattern, text, at);
  return match === undefined ? undefined : at + match[0].length;
}

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
