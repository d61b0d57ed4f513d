/**
 * Redacts a range of lines as part of the text around it: a secret that goes on in the next line, and a private key of
 * which the range has only the middle, are recognized. Line numbers stay.
 */

import { mergedSecrets, redactSecrets, secretsIn, type Redacted } from "../../core/secrets/redact.ts";
import type { Secret } from "../../core/secrets/namedSecrets.ts";

const KEY_HEAD = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** Lines between head and end, perhaps in source code; any other line means that it was no key. */
const KEY_BODY =
  /^[\s"'`+,#*/]{0,40}(?:[A-Za-z0-9+/=]{1,1000}|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):.{0,200})?[\s"'`+,\\nr]{0,40}$/;

/** Lines above a range in which secrets may begin. */
export const LEAD_LINES = 200;
/** UTF-16 units, or bytes, of these lines; of longer ones the end is taken. */
export const MOST_LEAD = 64 * 1024;
/** UTF-16 units, or bytes, after a range in which secrets may end. */
export const TRAIL = 4 * 1024;

/** Redacts `range`; `lead` and `trail` are the text before and after it. Lines end with `\n`. */
export function redactRange(lead: string, range: string, trail: string): Redacted {
  const [start, end] = [lead.length, lead.length + range.length];
  const inside = secretsOfLines(lead + range + trail)
    .filter((secret) => secret.start < end && start < secret.end)
    .map((secret) => {
      return { ...secret, start: Math.max(secret.start, start) - start, end: Math.min(secret.end, end) - start };
    });
  return redactSecrets(range, inside, true);
}

/** Those that {@link redactRange} removes from the text, in order. */
export function secretsOfLines(text: string): readonly Secret[] {
  const secrets = secretsIn(text).map((secret) => {
    // The head may only be mentioned: whether the lines below it are a key is seen by each of them.
    return text.startsWith("-----BEGIN ", secret.start)
      ? { ...secret, end: Math.min(secret.end, endOfLine(text, secret.start)) }
      : secret;
  });
  return mergedSecrets([...secrets, ...keysOfLines(text)]);
}

/** Private keys whose lines follow the head, however they end. */
function keysOfLines(text: string): readonly Secret[] {
  const found: Secret[] = [];
  let headAt: number | undefined;
  let end: number | undefined;
  const close = (): void => {
    if (headAt !== undefined && end !== undefined) found.push({ start: headAt, end, name: "private key" });
    [headAt, end] = [undefined, undefined];
  };
  for (let at = 0; at <= text.length;) {
    const lineEnd = endOfLine(text, at);
    const line = text.slice(at, lineEnd);
    if (headAt !== undefined) {
      const isEnd = KEY_END.test(line);
      if (!isEnd && !KEY_BODY.test(line)) close();
      else if (line.trim() !== "") end = lineEnd;
      if (isEnd) close();
    }
    const head = headAt === undefined && !KEY_END.test(line) ? KEY_HEAD.exec(line) : null;
    if (head !== null) headAt = at + head.index;
    at = lineEnd + 1;
  }
  close();
  return found;
}

export function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}
