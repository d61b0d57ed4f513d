/** Classifies single words of technical prose by their shape: path, version, identifier, … or plain. */

import { WordSplitter } from "./wordSplitter.ts";

export type WordKind = "path" | "url" | "version" | "commit" | "date" | "identifier";

export interface WordFact {
  readonly kind: WordKind;
  readonly text: string;
}

const LONGEST_WORD_UNITS = 300;
/** `.`, `/`, `:`, `-`, `@`, `#` and parentheses of a call are parts of words. */
const SPLITTER = new WordSplitter(",;\"'`“”‘’«»「」<>{}|*=!?");
const CLOSING_TAG = /<\/[\w:.-]{0,60}>?/g;
const URL = /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s<>"'`|\\^{}“”]{2,300}/gi;
const COMMIT = /^(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}$/;
const DATE =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$|^\d{1,2}\.\d{1,2}\.\d{4}$|^\d{4}\/\d{2}\/\d{2}$|^\d{1,2}\/\d{1,2}\/\d{4}$/;
const VERSION =
  /^(?:@?[\w./-]{1,80}@)?[\^~]?v?\d{1,5}\.\d{1,5}(?:\.\d{1,8}){1,2}(?:-[\w.-]{1,40})?(?:\+[\w.-]{1,40})?$|^[\^~]?v\d{1,5}(?:\.\d{1,8}){0,3}$|^@?[\w./-]{1,80}@[\^~]?v?\d{1,5}(?:\.\d{1,8}){0,3}$/;
const ADDRESS =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?|localhost|[a-z][\w-]*(?:\.[\w-]+)*)(?::\d{2,5})$|^\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?$/i;

const FILE_ENDING =
  /\.(?:[cm]?[jt]sx?|json[c5]?|md|mdx|txt|ya?ml|toml|lock|ini|cfg|conf|env|xml|html?|s?css|less|vue|svelte|py|pyi|ipynb|rb|go|rs|java|kts?|swift|cs|fs|php|lua|pl|r|jl|c|cc|cpp|h|hpp|m|mm|sql|sqlite|db|graphql|proto|sh|bash|zsh|ps1|bat|csv|tsv|parquet|log|patch|diff|tf|gradle|cmake|mk|dockerfile|png|jpe?g|svg|gif|pdf|zip|gz|tar|wasm|bin|map|snap|test|spec|dart|ex|exs|erl|hs|clj|scala|zig|nix)$/i;
const FILE_NAMES =
  /^(?:Dockerfile|Makefile|Rakefile|Gemfile|Procfile|Jenkinsfile|CODEOWNERS|LICENSE|\.[a-z][\w.-]{2,40}(?:rc|ignore|config|env|attributes))$/;
const PATH = /^(?:[A-Za-z]:)?(?:[\w@.+$~()[\]-]*[\\/])+[\w@.+$~()[\]-]*$/;

const IDENTIFIERS: readonly RegExp[] = [
  /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/, // camelCase
  /^(?:[A-Z][a-z0-9]+){2,}[A-Z]*$|^[A-Z]{2,}[a-z]+(?:[A-Z][a-z0-9]*)*$|^[A-Z][a-z]+[A-Z]+$/, // PascalCase, HTTPServer
  /^[_$]*[A-Za-z0-9]+(?:_+[A-Za-z0-9]+)+_*$|^__\w+__$|^_[a-z]\w+$|^\$\w{2,}$/, // snake_case, UPPER_CASE
  /^[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*){1,6}$/, // dotted
  /^[A-Z]{2,10}-\d{1,7}$|^#\d{1,7}$|^[A-Z]{1,6}\d{2,6}$|^E[A-Z]{4,20}$/, // tickets, issue numbers, error codes
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^--[a-z][\w-]{1,60}$/, // command line options
  /^X(?:-[A-Z][A-Za-z0-9]*)+$|^[A-Z][a-z]+(?:-[A-Z][A-Za-z0-9]*){2,}$/, // X-Request-Id, If-None-Match
  /^(?=\D*\d)(?=[^a-z]*[a-z])[a-z]+(?:[-_][a-z0-9]+)+$/i, // usr-9f8e7d, us-east-1
  /^(?:0x[0-9a-f]{2,40}|sha\d+[:-][0-9a-f]{6,80})$/i,
];

/** Everyday names that look like identifiers. */
const HOUSEHOLD = new Set(
  [
    "JavaScript",
    "TypeScript",
    "GitHub",
    "GitLab",
    "macOS",
    "iOS",
    "iPhone",
    "PostgreSQL",
    "MySQL",
    "SQLite",
    "OpenAI",
    "VSCode",
  ].concat([
    "DevOps",
    "YouTube",
    "LinkedIn",
    "JetBrains",
    "IntelliJ",
    "WebSocket",
    "GraphQL",
    "Node.js",
    "Next.js",
    "Vue.js",
    "e.g",
    "i.e",
    "z.B",
    "d.h",
  ]),
);

/** Non-plain words of a prose line, in order. `isQuoted`: from backticks, where any single word is a name. */
export function wordFactsOf(line: string, isQuoted = false): readonly WordFact[] {
  const facts: WordFact[] = [];
  let rest = line;
  if (rest.includes("://")) {
    for (const [url] of rest.matchAll(URL)) facts.push({ kind: "url", text: bare(url) });
    rest = rest.replaceAll(URL, " ");
  }
  rest = withoutClosingTags(rest);
  if (isQuoted && SPLITTER.isOneWord(rest)) {
    const text = bare(rest);
    const kind = kindOfWord(text) ?? (NAME.test(text) ? "identifier" : undefined);
    return kind === undefined ? facts : [...facts, { kind, text }];
  }
  for (const word of SPLITTER.wordsNotPlain(rest)) {
    const text = bare(word);
    const kind = kindOfWord(text);
    if (kind !== undefined) facts.push({ kind, text });
  }
  return facts;
}

/** They would be read as paths otherwise. */
export function withoutClosingTags(text: string): string {
  return text.includes("</") ? text.replaceAll(CLOSING_TAG, " ") : text;
}

/** In backticks even a plain word is a name. */
const NAME = /^[A-Za-z_$@][\w$@./-]{2,60}$/;

/** `undefined` for a plain word. */
function kindOfWord(word: string): WordKind | undefined {
  if (word.length < 2 || word.length > LONGEST_WORD_UNITS || HOUSEHOLD.has(word)) return undefined;
  if (DATE.test(word)) return "date";
  if (isPathWord(beforeEnd(word, POSITION))) return "path";
  if (ADDRESS.test(word)) return "identifier";
  if (VERSION.test(word)) return "version";
  if (COMMIT.test(word)) return "commit";
  const name = beforeEnd(word, CALL);
  return IDENTIFIERS.some((pattern) => pattern.test(name)) ? "identifier" : undefined;
}

/** The word without its end, if that matches `end`. */
export function beforeEnd(word: string, end: RegExp): string {
  const at = word.search(end);
  return at < 0 ? word : word.slice(0, at);
}

const CALL = /\(\)?$/;
/** `:12`, `:12:5`, `(12,5)`, `#L12` after a path. */
const POSITION = /(?::\d{1,7}){1,2}$|\(\d{1,7},\d{1,7}\)$|#L\d{1,7}$/;

export function isPathWord(word: string): boolean {
  if (FILE_ENDING.test(word) && /^[\w@.+$~()[\]\\/:-]+$/.test(word) && !word.startsWith(".")) return word.length > 3;
  if (FILE_NAMES.test(word)) return true;
  if (!PATH.test(word) || /^\\[\w$]+$|\\n(?:\W|$)/.test(word)) return false; // \frac and \n are no paths
  const segments = word.split(/[\\/]/).filter((segment) => segment !== "");
  if (segments.length === 0 || segments.every((segment) => /^[\d.$-]+$/.test(segment))) return false;
  const isRooted = /^(?:[A-Za-z]:)?[\\/]|^\.{1,2}[\\/]|^~[\\/]|^@[\w-]+[\\/]/.test(word);
  return (
    (isRooted && segments.some((segment) => segment.length > 1)) ||
    segments.length > 2 ||
    word.endsWith("/") ||
    FILE_ENDING.test(word)
  );
}

/** Strips sentence punctuation from a word. */
function bare(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && "([:-".includes(word.charAt(start)) && !word.startsWith("--", start)) start++;
  while (end > start && ".:,;])…".includes(word.charAt(end - 1))) {
    if (word.charAt(end - 1) === ")" && word.slice(start, end).includes("(")) break;
    if (word.charAt(end - 1) === "]" && word.slice(start, end).includes("[")) break;
    end--;
  }
  const inner = word.slice(start, end);
  return inner.includes("(") && !inner.includes(")") ? inner.slice(0, inner.indexOf("(")) : inner;
}
