import assert from "node:assert/strict";
import fc from "fast-check";
import { faultIn, outlineOf, parseRange, piecesOf, type ValueRange } from "../../../src/core/documents/jsonOutline.ts";
import { tryParseJson } from "../../../src/core/json.ts";
import { MemoryText } from "../../support/documents.ts";

interface Reading {
  /** The most bytes at hand at once. */
  readonly window: number;
  readonly pieceBytes: number;
  readonly longBytes: number;
}

/** The value of a document, read piece by piece; `undefined` when it is no JSON. */
function readInPieces(json: Uint8Array | string, { window, pieceBytes, longBytes }: Reading): unknown {
  const text = new MemoryText(json, window);
  const outline = outlineOf(text, pieceBytes);
  if (!outline.ok || faultIn(text, outline.value, longBytes) !== undefined) return undefined;
  const valueOf = (range: ValueRange): unknown => {
    if (range.cuts === undefined) {
      const parsed = parseRange(text, range);
      return parsed.ok ? parsed.value : assert.fail(parsed.error);
    }
    return [...piecesOf(text, range)].flatMap((piece) => (piece.ok ? piece.value : assert.fail(piece.error)));
  };
  const { value, members } = outline.value;
  if (members === undefined) return valueOf(value);
  return Object.fromEntries([...members].map(([name, range]) => [name, valueOf(range)]));
}

const reading = fc.record({
  window: fc.integer({ min: 1, max: 40 }),
  pieceBytes: fc.integer({ min: 0, max: 30 }),
  longBytes: fc.integer({ min: 0, max: 60 }),
});
const MARKS = ["{", "}", "[", "]", ",", ":", '"', "\\", " ", "\n", "0", "e", "-", "tru", "null", "\u0000", "é"];

/** Documents as they are written: with spaces anywhere, and names that come twice. */
const document = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom("a", "b", "__proto__", "1", "é"), fc.jsonValue({ maxDepth: 3 }))),
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(undefined, 1, "\t"),
    fc.constantFrom("", "\uFEFF", " \n"),
    fc.boolean(),
  )
  .map(([members, value, indent, before, isObject]) => {
    const fields = members.map(([name, field]) => `${JSON.stringify(name)} :${JSON.stringify(field, null, indent)}`);
    return before + (isObject ? `{${fields.join(",")}}\r\n` : JSON.stringify(value, null, indent));
  });

describe("a document that is read piece by piece", () => {
  it("is what JSON.parse makes of it", () => {
    fc.assert(
      fc.property(document, reading, (json, how) => {
        assert.deepEqual(readInPieces(json, how), tryParseJson(json));
      }),
      { numRuns: 500 },
    );
  });

  it("is JSON only if JSON.parse takes it, wherever it is cut or changed", () => {
    const change = fc.record({
      from: fc.nat(),
      removed: fc.constantFrom(0, 0, 1, 2, 1_000),
      added: fc.constantFrom("", ...MARKS),
    });
    fc.assert(
      fc.property(document, change, reading, (json, { from, removed, added }, how) => {
        const at = from % (json.length + 1);
        const changed = json.slice(0, at) + added + json.slice(at + removed);
        assert.deepEqual(readInPieces(changed, how), tryParseJson(changed));
      }),
      { numRuns: 3_000 },
    );
  });

  it("has the same letters as when it is decoded as a whole, whatever bytes are in it", () => {
    const bytes = fc.uint8Array({ max: 255, maxLength: 30 }).map((each) => each.filter((byte) => byte !== 0x22));
    fc.assert(
      fc.property(fc.array(bytes), reading, (texts, how) => {
        const quote = Buffer.from('"');
        const items = texts.flatMap((each) => [quote, each, quote, Buffer.from(",")]).slice(0, -1);
        const json = Buffer.concat([Buffer.from("["), ...items, Buffer.from("]")]);
        assert.deepEqual(readInPieces(json, how), tryParseJson(new TextDecoder().decode(json)));
      }),
      { numRuns: 500 },
    );
  });

  const cases: readonly (readonly [string, string])[] = [
    ["nothing", ""],
    ["spaces", " \n"],
    ["a comma at the end of a list", "[1,2,]"],
    ["a comma at the end of an object", '{"a":1,}'],
    ["no comma", "[1 2]"],
    ["two commas", "[1,,2]"],
    ["a bracket of the other kind", '{"a":[1}}'],
    ["two brackets of the other kind", '{"a":[{]},1]}'],
    ["text after the end", "{} {}"],
    ["a fault in a value whose name comes again", '{"a":tru,"a":1}'],
    ["a name without quotes", "{a:1}"],
    ["a string without an end", '{"a":"b'],
    ["a string that ends with a backslash", '["a\\'],
    ["three marks of byte order", "\uFEFF\uFEFF\uFEFF[]"],
    ["lists without an end", "[".repeat(200_000)],
  ];
  for (const [name, json] of cases) {
    it(`is no JSON with ${name}`, () => {
      for (const pieceBytes of [0, 1, 2, 100])
        assert.equal(readInPieces(json, { window: 3, pieceBytes, longBytes: pieceBytes }), undefined, `${pieceBytes}`);
    });
  }
});
