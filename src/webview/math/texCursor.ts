import type { TexToken } from "./texTokens.ts";

/** Goes through the words of a formula; it never goes back. */
export class TexCursor {
  readonly #tokens: TexToken[];
  #at = 0;

  constructor(tokens: readonly TexToken[]) {
    this.#tokens = [...tokens];
  }

  /** The next word that is no white space; it stays the next. */
  peek(): TexToken | undefined {
    while (this.#tokens[this.#at]?.kind === "space") this.#at++;
    return this.#tokens[this.#at];
  }

  /** Takes the next word that is no white space. */
  next(): TexToken | undefined {
    const token = this.peek();
    if (token !== undefined) this.#at++;
    return token;
  }

  /** Takes the next word if it is this one, and says whether it was. */
  take(kind: TexToken["kind"], text: string): boolean {
    const token = this.peek();
    const isIt = token?.kind === kind && token.text === text;
    if (isIt) this.#at++;
    return isIt;
  }

  /** Takes one digit of the number that comes next: an argument without braces is one sign. */
  digit(): string {
    const { text = "" } = this.#tokens[this.#at] ?? {};
    const rest = text.slice(1);
    if (rest === "") this.#at++;
    else this.#tokens[this.#at] = { kind: "number", text: rest };
    return text.slice(0, 1);
  }

  /** Takes what stands between braces as it is written, the braces inside it left out; "" where there are none. */
  text(): string {
    if (!this.take("sign", "{")) return "";
    let text = "";
    for (let depth = 1; depth > 0; this.#at++) {
      const token = this.#tokens[this.#at];
      if (token === undefined) break;
      const isBrace = token.kind === "sign" && /^[{}]$/.test(token.text);
      if (isBrace) depth += token.text === "{" ? 1 : -1;
      else text += token.kind === "command" ? commandText(token.text) : token.text === "~" ? " " : token.text;
    }
    return text.replace(/\s+/g, " ");
  }

  /** Takes what stands in brackets that follow, as it is written; null where none follow or none close. */
  option(): string | null {
    const token = this.peek();
    if (token?.kind !== "sign" || token.text !== "[") return null;
    const end = this.#tokens.findIndex(({ kind, text }, index) => index > this.#at && kind === "sign" && text === "]");
    if (end < 0) return null;
    const inside = this.#tokens.slice(this.#at + 1, end);
    this.#at = end + 1;
    return inside.map(({ kind, text }) => (kind === "command" ? `\\${text}` : text)).join("");
  }

  /** The next few words as they are written; they stay the next. */
  ahead(): string {
    return this.#tokens
      .slice(this.#at, this.#at + 8)
      .map(({ text }) => text)
      .join("");
  }

  /** Takes the letters that come next, without anything between them. */
  letters(): string {
    let letters = "";
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token?.kind !== "sign" || !/^\p{L}$/u.test(token.text)) return letters;
      letters += token.text;
      this.#at++;
    }
  }

  /** Goes to the end: the rest is not read. */
  giveUp(): void {
    this.#at = this.#tokens.length;
  }
}

/** A command inside a text: a space, a sign that would mean something, or a name that stays what it is. */
function commandText(name: string): string {
  if (/^[A-Za-z]/.test(name)) return `\\${name}`;
  return name === "!" ? "" : /^[,:;> \n]$/.test(name) ? " " : name;
}
