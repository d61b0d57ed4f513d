/** Every function that cuts text, over random text: well-formed, and no character of a reader is cut in two. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { shorten } from "../../src/core/cutText.ts";
import { describeValue } from "../../src/core/documents/documentReader.ts";
import { excerptText } from "../../src/core/context/request/excerpts.ts";
import { searchExcerpt } from "../../src/core/search/searchExcerpt.ts";
import { errorDetail } from "../../src/core/stream/errorDetail.ts";
import { linesOf } from "../../src/core/summary/facts/lines.ts";
import { excerpt } from "../../src/core/summary/write/excerpt.ts";
import { questionText } from "../../src/host/editorChat/questionText.ts";
import { BoundedOutput } from "../../src/host/tools/command/boundedOutput.ts";
import { changedRange } from "../../src/adapters/diff/textChanges.ts";
import { onOneLine } from "../../src/host/tools/hiddenText.ts";
import { fileMatches } from "../../src/host/tools/search/fileMatches.ts";
import { shortenTitle, titleFrom } from "../../src/host/transcript/title.ts";
import { plainWords } from "../../src/host/words/plainWords.ts";
import { textPieces } from "../../src/webview/answer/textPieces.ts";

const FAMILY = "👨‍👩‍👧‍👦";
const CHARACTERS = [FAMILY, "🚀", "🇩🇪", "е\u0308", "漢", "क्षि"];

const places: readonly (readonly [name: string, cut: (text: string, units: number) => string])[] = [
  ["shorten", shorten],
  ["the value of a document", (text) => describeValue(text)],
  ["an excerpt of a message", (text, units) => excerptText(text, units, "…")],
  ["an excerpt of a search", (text, units) => searchExcerpt(text, { start: units })],
  ["an error", (text) => errorDetail(text)],
  [
    "lines",
    (text) =>
      linesOf(text)
        .map((line) => line.text)
        .join("\n"),
  ],
  ["an excerpt for a summary", excerpt],
  ["a question of the editor's chat", (text) => questionText(text, [{ kind: "text", text }])],
  [
    "output of a command",
    (text, units) => {
      const output = new BoundedOutput({ head: units, tail: units });
      output.add(text);
      output.add(text);
      return output.text();
    },
  ],
  ["one line", onOneLine],
  ["a match in a file", (text) => fileMatches(`${text}NEEDLE${text}`, /NEEDLE/, 9).lines[0]?.text ?? ""],
  ["a title", titleFrom],
  ["a shortened title", shortenTitle],
  ["plain words", (text, units) => plainWords(text, units)],
  ["pieces of a page", (text) => textPieces(text).join("\n")],
];

describe("every cut of text", () => {
  const texts = fc
    .array(fc.constantFrom(...CHARACTERS, "a", " "), { minLength: 1, maxLength: 60 })
    .chain((characters) => fc.integer({ min: 1, max: 60 }).map((times) => characters.join("").repeat(times)));

  for (const [name, cut] of places) {
    it(`§1 keeps characters whole: ${name}`, () => {
      fc.assert(
        fc.property(texts, fc.integer({ min: 1, max: 3_000 }), (text, units) => {
          const result = cut(text, units);
          assert.ok(result.isWellFormed());
          const parts = new Set(Array.from(new Intl.Segmenter("en").segment(result), ({ segment }) => segment));
          const broken = [...parts].filter((part) =>
            CHARACTERS.some((whole) => whole !== part && whole.startsWith(part) !== whole.endsWith(part)),
          );
          assert.deepEqual(broken, []);
        }),
        { numRuns: 60 },
      );
    });
  }

  for (const [before, after, expected] of [
    ["a🚀b", "a🔥b", { start: 1, end: 3, text: "🔥" }],
    ["a\r\nb", "a\nb", { start: 1, end: 3, text: "\n" }],
    ["x👍y", "x👍🏽y", { start: 1, end: 3, text: "👍🏽" }],
    ["é", "e", { start: 0, end: 1, text: "e" }],
    ["🇩🇪🇫🇷", "🇩🇪", { start: 4, end: 8, text: "" }],
  ] as const) {
    it(`§1 changes whole characters of a file: ${JSON.stringify([before, after])}`, () => {
      assert.deepEqual(changedRange(before, after), expected);
    });
  }
});
