/**
 * Names and paths that occur again and again in a span, whoever states them: what the work is about. Most of them stand
 * in code and in output, where a single mention says nothing.
 */

import { ownCopy } from "../../cutText.ts";
import { beforeEnd, isPathWord, withoutClosingTags } from "./words.ts";
import { WordSplitter } from "./wordSplitter.ts";

/** Fewer mentions do not make a name one in use. */
export const MENTIONS_IN_USE = 3;

const SPLITTER = new WordSplitter("`\"'“”‘’„«»<>()[]{}|,;*=!&?\\");
/** `:12:5` and punctuation after a word. */
const AFTER = /(?::\d{1,7}){0,2}[.,:;…]{0,3}$/;
const NAME = /[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*/g;
/** `readFile`, `read_file`, `MAX_SIZE`. */
const COMPOUND = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]/;
const SHORTEST_NAME_UNITS = 5;
const LONGEST_NAME_UNITS = 120;

/** Counts the mentions of names, text by text. */
export class NameCount {
  readonly #mentions = new Map<string, { readonly kind: "path" | "identifier"; count: number }>();

  add(text: string): void {
    for (const piece of SPLITTER.wordsNotPlain(withoutClosingTags(text))) {
      if (piece.length < SHORTEST_NAME_UNITS) continue;
      const word = beforeEnd(piece, AFTER);
      if (word.length > LONGEST_NAME_UNITS) continue;
      if (isPathWord(word)) this.#note(word, "path");
      else {
        for (const [name] of word.matchAll(NAME)) {
          if (name.length >= SHORTEST_NAME_UNITS && COMPOUND.test(name)) this.#note(name, "identifier");
        }
      }
    }
  }

  /** Takes over a name of an earlier ledger, where it stands for several mentions. */
  listed(kind: "path" | "identifier", text: string): void {
    for (let count = 0; count < MENTIONS_IN_USE; count++) this.#note(text, kind);
  }

  /** Those with at least {@link MENTIONS_IN_USE} mentions. */
  inUse(): readonly { readonly text: string; readonly kind: "path" | "identifier"; readonly mentions: number }[] {
    return [...this.#mentions].flatMap(([text, { kind, count }]) =>
      count >= MENTIONS_IN_USE ? [{ text, kind, mentions: count }] : [],
    );
  }

  #note(text: string, kind: "path" | "identifier"): void {
    const known = this.#mentions.get(text);
    if (known === undefined) this.#mentions.set(ownCopy(text), { kind, count: 1 });
    else known.count++;
  }
}
