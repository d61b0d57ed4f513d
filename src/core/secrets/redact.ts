/**
 * Removes secrets from text: on the way to a model, a summarizer or a log, and again on the way back. What is left can
 * still be read. Time grows with the length of the text and with nothing else.
 *
 * The forms of keys are those that the services and the published rules of secret scanners name.
 */

import { findSecrets, mayBeginSecret } from "./findSecrets.ts";
import type { Secret } from "./namedSecrets.ts";
import { base64Texts, jsonView, percentView, unwrappedView, type View } from "./views.ts";

/** `count`: number of secrets removed. */
export interface Redacted {
  readonly text: string;
  readonly count: number;
}

/** Replaces each secret by `[redacted: kind]`. Idempotent. With `keepLines`, one of several lines by a mark in each. */
export function redact(text: string, { keepLines = false }: { readonly keepLines?: boolean } = {}): Redacted {
  return redactSecrets(text, secretsIn(text), keepLines);
}

/** Those that {@link redact} removes, in order. */
export function secretsIn(text: string): readonly Secret[] {
  const plain = findSecrets(text);
  return mergedSecrets([...plain, ...encodedSecrets(text), ...wrappedSecrets(text, plain)]);
}

/** Replaces `secrets`, which are in order and do not overlap. */
export function redactSecrets(text: string, secrets: readonly Secret[], keepLines: boolean): Redacted {
  let redacted = "";
  let at = 0;
  for (const { start, end, name } of secrets) {
    const mark = `[redacted: ${name}]`;
    redacted += text.slice(at, start);
    redacted += keepLines ? text.slice(start, end).replaceAll(/[^\r\n]+/g, mark) : mark;
    at = end;
  }
  return { text: secrets.length === 0 ? text : redacted + text.slice(at), count: secrets.length };
}

function encodedSecrets(text: string): readonly Secret[] {
  const found: Secret[] = [];
  for (const view of [percentView(text), jsonView(text)]) {
    if (view !== undefined) found.push(...secretsOfView(view));
  }
  for (const { start, end, text: decoded } of base64Texts(text)) {
    const [secret] = findSecrets(decoded);
    if (secret !== undefined) found.push({ start, end, name: secret.name });
  }
  return found;
}

/** Secrets that go on in the next line. What merely stands there, a word or another secret, is not part of one. */
function wrappedSecrets(text: string, plain: readonly Secret[]): readonly Secret[] {
  const view = mayBeginSecret(text) ? unwrappedView(text) : undefined;
  if (view === undefined) return [];
  const starts = new Set(plain.map(({ start }) => start));
  return secretsOfView(view).filter(({ start, end }) => {
    const [, rest = ""] = /\n[ \t]*["'`]?([^\n]*)$/.exec(text.slice(start, end)) ?? [];
    return !starts.has(end - rest.length) && !(starts.has(start) && /^[A-Z]?[a-z]{1,20}$/.test(rest));
  });
}

/** Those of a view, at their places in the text. */
function secretsOfView({ text, originalOf }: View): readonly Secret[] {
  return findSecrets(text).flatMap(({ start, end, name }) => {
    const place = originalOf(start, end);
    return place === undefined ? [] : [{ ...place, name }];
  });
}

/** Sorted, and those that overlap as one, named by the first. */
export function mergedSecrets(secrets: readonly Secret[]): readonly Secret[] {
  const sorted = secrets.toSorted((one, other) => one.start - other.start || other.end - one.end);
  const disjoint: Secret[] = [];
  for (const secret of sorted) {
    const last = disjoint.at(-1);
    if (last === undefined || secret.start >= last.end) disjoint.push(secret);
    else if (secret.end > last.end) disjoint[disjoint.length - 1] = { ...last, end: secret.end };
  }
  return disjoint;
}
