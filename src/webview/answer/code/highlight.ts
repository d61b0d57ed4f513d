/** Splits code into highlighted tokens, never HTML. */
import type { Emitter } from "highlight.js";
import hljs from "highlight.js/lib/core";
import { codeLanguages, moreAliases } from "./codeLanguages.ts";
import { maxHighlightedLength, type CodeToken, type CodeTokenKind } from "./codeTokens.ts";

for (const [name, language] of Object.entries(codeLanguages)) hljs.registerLanguage(name, language);
for (const [languageName, aliases] of Object.entries(moreAliases)) hljs.registerAliases([...aliases], { languageName });

/** Code with more tokens stays plain, too: each of which is an element: three times as many as usual code of that length has. */
const maxTokens = 15_000;

/** Longer code is tokenized in chunks of whole lines of up to this length, which bounds the lookahead of rules. */
const chunkLength = 500;
const chunk = new RegExp(
  `[^]{1,${String(chunkLength)}}(?:(?<=\\n)|(?![^]))|[^]{1,${String(chunkLength)}}(?![\\udc00-\\udfff])`,
);

/** Wrapper that passes its text to `language` in chunks; open scopes continue in the next chunk. */
function chunkedLanguage(language: string): string {
  const subLanguage = hljs.listLanguages().find((name) => hljs.getLanguage(name) === hljs.getLanguage(language));
  const name = `chunked-${String(subLanguage)}`;
  if (subLanguage !== undefined && hljs.getLanguage(name) === undefined)
    hljs.registerLanguage(name, () => ({ name, contains: [{ begin: chunk, subLanguage }] }));
  return name;
}

/** Token kinds of highlight.js scopes; the longest matching prefix wins. */
const kinds: Readonly<Record<string, CodeTokenKind>> = {
  keyword: "keyword",
  "meta.keyword": "keyword",
  "selector-tag": "keyword",
  name: "keyword",
  section: "keyword",
  string: "string",
  regexp: "string",
  char: "string",
  "template-tag": "string",
  link: "string",
  code: "string",
  number: "number",
  literal: "literal",
  symbol: "literal",
  comment: "comment",
  quote: "comment",
  doctag: "comment",
  meta: "comment",
  title: "function",
  "title.class": "type",
  "title.function": "function",
  type: "type",
  built_in: "type",
  "selector-class": "type",
  "selector-id": "type",
  attr: "variable",
  attribute: "variable",
  variable: "variable",
  "template-variable": "variable",
  bullet: "literal",
  addition: "inserted",
  deletion: "deleted",
};

/** Null for an unknown language, and for code over one of the limits. */
export function highlight(language: string, code: string): readonly CodeToken[] | null {
  if (code.length > maxHighlightedLength || hljs.getLanguage(language) === undefined) return null;
  const tokens = tokensOf(code.length <= chunkLength ? language : chunkedLanguage(language), code);
  return tokens !== null && tokens.length > maxTokens ? null : tokens;
}

function tokensOf(language: string, code: string): readonly CodeToken[] | null {
  const result = hljs.highlight(code, { language, ignoreIllegals: true });
  const emitter = result._emitter;
  return result.errorRaised === undefined && emitter instanceof TokenListEmitter ? emitter.tokens : null;
}

/** Cache of {@link longestPrefixKind}; there are few scope names. */
const kindCache = new Map<string, CodeTokenKind | null>();

function kindOf(scope: string): CodeTokenKind | null {
  const known = kindCache.get(scope);
  if (known !== undefined) return known;
  const kind = longestPrefixKind(scope);
  kindCache.set(scope, kind);
  return kind;
}

function longestPrefixKind(scope: string): CodeTokenKind | null {
  const parts = scope.split(".").map((part) => part.replace(/_+$/, ""));
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join(".");
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind !== undefined) return kind;
  }
  return null;
}

/** Collects highlight.js events as a flat token list; a scope without a colour inherits its parent's. */
class TokenListEmitter implements Emitter {
  readonly tokens: CodeToken[] = [];
  readonly #open: (CodeTokenKind | null)[] = [];

  addText(text: string): void {
    if (text !== "") this.#add({ kind: this.#open.at(-1) ?? null, text });
  }

  startScope(name: string): void {
    this.openNode(name);
  }

  endScope(): void {
    this.closeNode();
  }

  openNode(name: string): void {
    this.#open.push(kindOf(name) ?? this.#open.at(-1) ?? null);
  }

  closeNode(): void {
    this.#open.pop();
  }

  __addSublanguage(emitter: Emitter): void {
    if (!(emitter instanceof TokenListEmitter)) return;
    for (const token of emitter.tokens) this.#add(token);
  }

  finalize(): void {
    this.#open.length = 0;
  }

  #add({ kind, text }: CodeToken): void {
    const last = this.tokens.at(-1);
    if (last?.kind === kind) this.tokens.splice(-1, 1, { kind, text: last.text + text });
    else this.tokens.push({ kind, text });
  }

  /** Required by the interface, never read. */
  toHTML(): string {
    return "";
  }
}
hljs.configure({ __emitter: TokenListEmitter });
