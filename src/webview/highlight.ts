/**
 * Entry of the highlighter, a file of its own: 170 KB that the first picture does not need. Gives tokens, never HTML.
 */
import type { Emitter, LanguageFn } from "highlight.js";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cmake from "highlight.js/lib/languages/cmake";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import dart from "highlight.js/lib/languages/dart";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import dos from "highlight.js/lib/languages/dos";
import elixir from "highlight.js/lib/languages/elixir";
import go from "highlight.js/lib/languages/go";
import graphql from "highlight.js/lib/languages/graphql";
import groovy from "highlight.js/lib/languages/groovy";
import haskell from "highlight.js/lib/languages/haskell";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import nginx from "highlight.js/lib/languages/nginx";
import objectivec from "highlight.js/lib/languages/objectivec";
import perl from "highlight.js/lib/languages/perl";
import php from "highlight.js/lib/languages/php";
import powershell from "highlight.js/lib/languages/powershell";
import protobuf from "highlight.js/lib/languages/protobuf";
import python from "highlight.js/lib/languages/python";
import r from "highlight.js/lib/languages/r";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import scala from "highlight.js/lib/languages/scala";
import scss from "highlight.js/lib/languages/scss";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import type { CodeToken, CodeTokenKind } from "./codeTokens.ts";

const languages: Readonly<Record<string, LanguageFn>> = {
  bash,
  c,
  cmake,
  cpp,
  csharp,
  css,
  dart,
  diff,
  dockerfile,
  dos,
  elixir,
  go,
  graphql,
  groovy,
  haskell,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  nginx,
  objectivec,
  perl,
  php,
  powershell,
  protobuf,
  python,
  r,
  ruby,
  rust,
  scala,
  scss,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
// Their files are HTML with scripts and styles in it.
hljs.registerAliases(["astro", "svelte", "vue"], { languageName: "xml" });
hljs.registerAliases("gradle", { languageName: "groovy" });
hljs.registerAliases("objective-c", { languageName: "objectivec" });
// Near enough; its own would hold every name of CSS once more.
hljs.registerAliases("less", { languageName: "scss" });

/** Longer code stays plain: highlighting it would hold up the view for more than a few frames. */
const maxCodeLength = 50_000;

/**
 * So does a word, or room between two, of so many characters, as in a dump: many rules of the highlighter look at the rest of
 * it anew at each of them.
 */
const longRun = /(?<![\w$.-])[\w$.-]{500}|(?<!\s)\s{500}/;

/** What the highlighter calls things, in the kinds that the theme has colours for. The longest prefix counts. */
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

/** Splits `code` into tokens; null for a language that is not known, and for very long code. */
export function highlight(language: string, code: string): readonly CodeToken[] | null {
  if (code.length > maxCodeLength || hljs.getLanguage(language) === undefined || longRun.test(code)) return null;
  const result = hljs.highlight(code, { language, ignoreIllegals: true });
  const emitter = result._emitter;
  return result.errorRaised === undefined && emitter instanceof TokenListEmitter ? emitter.tokens : null;
}

/** What was found out about names of scopes; there are few. */
const knownKinds = new Map<string, CodeTokenKind | null>();

function kindOf(scope: string): CodeTokenKind | null {
  const known = knownKinds.get(scope);
  if (known !== undefined) return known;
  const kind = longestPrefixKind(scope);
  knownKinds.set(scope, kind);
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

/** Takes the highlighter's events and keeps them as a flat list; an inner scope without a colour keeps the outer's. */
class TokenListEmitter implements Emitter {
  readonly tokens: CodeToken[] = [];
  readonly #open: (CodeTokenKind | null)[] = [];

  addText(text: string): void {
    if (text === "") return;
    const kind = this.#open.at(-1) ?? null;
    const last = this.tokens.at(-1);
    if (last?.kind === kind) this.tokens.splice(-1, 1, { kind, text: last.text + text });
    else this.tokens.push({ kind, text });
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
    for (const token of emitter.tokens) this.tokens.push(token);
  }

  finalize(): void {
    this.#open.length = 0;
  }

  /** The highlighter asks for HTML as well; nobody reads it. */
  toHTML(): string {
    return "";
  }
}
hljs.configure({ __emitter: TokenListEmitter });
