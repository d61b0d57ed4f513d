/**
 * Redacts secrets line by line, so that line numbers stay and any range can be shown: a key that spans lines is
 * recognized by its head even when the range begins below it.
 */

import { redact } from "../../core/secrets/redact.ts";

const KEY_HEAD = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/;
const KEY_END = /-----END [A-Z ]{0,40}PRIVATE KEY-----/;
/** Lines between head and end, perhaps in source code; any other line means that it was no key. */
const KEY_BODY = /^[\s"'`+,#*/]{0,40}(?:[A-Za-z0-9+/=]{4,1000}|(?:Proc-Type|DEK-Info):.{0,200})?[\s"'`+,\\nr]{0,40}$/;
const KEY_LINE = "[redacted: private key]";
/** Longer lines are redacted in pieces of this many UTF-16 units, so that the work stays linear. */
const MOST_AT_ONCE = 100_000;

export interface RedactedLine {
  readonly text: string;
  readonly secretCount: number;
}

const NOT_SHOWN: RedactedLine = { text: "", secretCount: 0 };

/** Takes the lines of one text in order. */
export class LineRedactor {
  #key: "none" | "shown" | "notShown" = "none";

  /** Must also be called for lines that are not shown, with `isShown` false. */
  redactNext(line: string, isShown: boolean): RedactedLine {
    if (this.#key !== "none") {
      const isEnd = KEY_END.test(line);
      if (isEnd || KEY_BODY.test(line)) return this.#keyLine(isShown, isEnd);
      this.#key = "none";
    }
    if (KEY_HEAD.test(line) && !KEY_END.test(line)) this.#key = isShown ? "shown" : "notShown";
    return isShown ? clean(line) : NOT_SHOWN;
  }

  #keyLine(isShown: boolean, isEnd: boolean): RedactedLine {
    const secretCount = isShown && this.#key === "notShown" ? 1 : 0;
    if (isEnd) this.#key = "none";
    else if (isShown) this.#key = "shown";
    return isShown ? { text: KEY_LINE, secretCount } : NOT_SHOWN;
  }
}

function clean(line: string): RedactedLine {
  if (line.length <= MOST_AT_ONCE) return cleanPiece(line);
  const pieces = Array.from({ length: Math.ceil(line.length / MOST_AT_ONCE) }, (_, index) =>
    cleanPiece(line.slice(index * MOST_AT_ONCE, (index + 1) * MOST_AT_ONCE)),
  );
  return {
    text: pieces.map(({ text }) => text).join(""),
    secretCount: pieces.reduce((sum, { secretCount }) => sum + secretCount, 0),
  };
}

function cleanPiece(text: string): RedactedLine {
  const redacted = redact(text);
  return { text: redacted.text, secretCount: redacted.count };
}
