/** Makes a server's text fit to be shown and stored: short, one line, no markup, no keys. */

import { beginningOf, shorten } from "../cutText.ts";
import { redact } from "../secrets/redact.ts";

const LONGEST = 300;
/** UTF-16 units of an error page that are searched for its message. */
const READ = 20_000;

/** Keys as services echo them, truncated or masked: "Incorrect API key provided: sk-ab**yz". */
const ECHOED_KEY = /\b(?:sk|pk|rk|gsk|xai|hf|gh[pousr]|AIza|AKIA|xox[abprs])[-_][\w*.…-]{4,300}/gi;
const HIDDEN = "[hidden]";

/** Replaces each of `secrets`, also URL-encoded, and all that looks like a key. */
export function hideKeys(text: string, secrets: readonly string[] = []): string {
  let safe = text;
  for (const secret of secrets) {
    if (secret.length < 4) continue;
    safe = safe.replaceAll(secret, HIDDEN).replaceAll(encodeURIComponent(secret), HIDDEN);
  }
  return redact(safe).text.replace(ECHOED_KEY, HIDDEN);
}

/** One readable line of at most 300 characters without tags, control characters or keys. `secrets` are the known keys. */
export function errorDetail(text: string, secrets: readonly string[] = []): string {
  const plain = withoutInvisible(hideKeys(beginningOf(text, READ), secrets))
    .replace(/<[^<>]{1,500}>/g, " ")
    .replace(/(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\s])+/gu, " ")
    .trim();
  return plain.length <= LONGEST ? plain : shorten(plain, LONGEST - 1);
}

/** An error page without its scripts, styles and head. */
function withoutInvisible(html: string): string {
  let text = "";
  let at = 0;
  for (const { index, 1: name = "" } of html.matchAll(/<(script|style|head)\b/gi)) {
    if (index < at) continue;
    const closing = new RegExp(`</${name}>`, "gi");
    closing.lastIndex = index;
    if (!closing.test(html)) break; // the message may be in it
    text += `${html.slice(at, index)} `;
    at = closing.lastIndex;
  }
  return text + html.slice(at);
}
