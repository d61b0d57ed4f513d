/** Bytes that a change does not touch stay as they are, in every encoding. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { changesBetween, type TextChange, withChanges } from "../../../../src/adapters/diff/textChanges.ts";
import { changesOf } from "../../../../src/host/tools/edit/applyEdits.ts";
import { withOwnLineEnds } from "../../../../src/host/tools/edit/lineEnds.ts";
import { decodeFile, spliceBytes } from "../../../../src/host/tools/edit/spliceBytes.ts";
import { markOf } from "../../../../src/host/tools/edit/unicodeCodec.ts";
import { CODECS, codecNamed } from "../../../support/texts/codecs.ts";

type Bytes = readonly (string | number)[];

/** ASCII texts and single bytes. */
const bytesOf = (parts: Bytes): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from([part]))));

async function edited(encoding: string, bytes: Uint8Array, oldText: string, newText: string): Promise<unknown> {
  const file = await decodeFile(bytes, codecNamed(encoding));
  const changes = changesOf(file.text.replaceAll("\r\n", "\n"), [{ oldText, newText }]);
  if (!changes.ok) return changes.error.code;
  const spliced = await spliceBytes(file, withOwnLineEnds(file.text, changes.value));
  return spliced.ok ? Buffer.from(spliced.value).toString("hex") : spliced.error;
}

describe("spliceBytes", () => {
  const check = (
    title: string,
    encoding: string,
    [before, oldText, newText, after]: readonly [Bytes, string, string, Bytes],
  ): void => {
    it(title, async () => {
      assert.equal(await edited(encoding, bytesOf(before), oldText, newText), bytesOf(after).toString("hex"));
    });
  };
  const refuse = (
    title: string,
    encoding: string,
    [before, oldText, newText]: readonly [Bytes, string, string],
    problem: object,
  ): void => {
    it(title, async () => {
      assert.deepEqual(await edited(encoding, bytesOf(before), oldText, newText), problem);
    });
  };

  check("E:encodings Latin-1", "windows1252", [["caf", 0xe9, " = offen\nport = 1\n"], "port = 1", "port = 2", ["caf", 0xe9, " = offen\nport = 2\n"]]); // prettier-ignore
  check("E:encodings Latin-1, with a letter of its own", "windows1252", [["caf", 0xe9, "\nport\n"], "port", "Tür", ["caf", 0xe9, "\nT", 0xfc, "r\n"]]); // prettier-ignore
  check("E:encodings a stray byte in UTF-8, on the same line", "utf8", [["a ", 0xff, " b"], "b", "ü", ["a ", 0xff, " ", 0xc3, 0xbc]]); // prettier-ignore
  check("E:encodings a stray byte that the edit names", "utf8", [["a ", 0xe9, " = 1"], "a \ufffd = 1", "a \ufffd = 2", ["a ", 0xe9, " = 2"]]); // prettier-ignore
  check("E:encodings a cut character at the end", "utf8", [["a\nb", 0xe2, 0x82], "a", "c", ["c\nb", 0xe2, 0x82]]);
  check("E:encodings several stray bytes side by side", "utf8", [[0xff, 0xfe, "x", 0xc3, 0x28, "y"], "x", "z", [0xff, 0xfe, "z", 0xc3, 0x28, "y"]]); // prettier-ignore
  check("E:encodings Shift-JIS whose second byte is a backslash", "shiftjis", [[0x95, 0x5c, "a\\b"], "a\\b", "c", [0x95, 0x5c, "c"]]); // prettier-ignore
  check("E:encodings Shift-JIS with a sign that has two codes", "shiftjis", [[0xee, 0xf9, " x ", 0xee, 0xf9, " y"], "x \uffe2 y", "X \uffe2 Y", [0xee, 0xf9, " X ", 0xee, 0xf9, " Y"]]); // prettier-ignore
  check("E:encodings GBK", "gbk", [[0xd6, 0xd0, "\nx\n", 0xff, "\n"], "x", "国", [0xd6, 0xd0, "\n", 0xb9, 0xfa, "\n", 0xff, "\n"]]); // prettier-ignore
  check("E:encodings UTF-16 with half a pair", "utf16le", [[0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00, 0x62, 0x00], "b", "c", [0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00, 0x63, 0x00]]); // prettier-ignore
  check("E:encodings UTF-16 with a byte too many", "utf16be", [[0xfe, 0xff, 0x00, 0x61, 0x00, 0x62, 0x00], "a", "c", [0xfe, 0xff, 0x00, 0x63, 0x00, 0x62, 0x00]]); // prettier-ignore
  check("E:encodings UTF-8 with its mark", "utf8bom", [[0xef, 0xbb, 0xbf, "a"], "a", "b", [0xef, 0xbb, 0xbf, "b"]]);
  check("§1 an emoji for another one", "utf8", [["a", 0xf0, 0x9f, 0x9a, 0x80, "b"], "🚀", "🔥", ["a", 0xf0, 0x9f, 0x94, 0xa5, "b"]]); // prettier-ignore
  check("§2 mixed line ends", "utf8", [["a\r\nb\nc"], "c", "C", ["a\r\nb\nC"]]);
  check("§2 mixed line ends within the edit", "utf8", [["a\r\nb\nc\r\nd"], "a\nb\nc\nd", "a\nB\nc\nD", ["a\r\nB\nc\r\nD"]]); // prettier-ignore
  check("§2 a new line ends as the one before it", "utf8", [["a\nb\r\nc\n"], "c", "c\nd", ["a\nb\r\nc\r\nd\n"]]);
  check("§2 a lone carriage return", "utf8", [["a\rb\nc"], "c", "C", ["a\rb\nC"]]);

  refuse("E:encodings refuses a letter that Latin-1 does not have", "windows1252", [["a", 0xe9], "a", "→"], { kind: "character", character: "→" }); // prettier-ignore
  refuse("E:encodings refuses half a pair in UTF-8", "utf8", [["a"], "a", "x\ud83d"], { kind: "character", character: "\ud83d" }); // prettier-ignore
  refuse("E:encodings refuses a letter that would join a stray byte", "gbk", [["a", 0x81], "a\ufffd", "a\ufffdB"], { kind: "place" }); // prettier-ignore

  it("E:encodings refuses to write U+FFFD for bytes that it moves", async () => {
    const file = await decodeFile(bytesOf(["a ", 0xe9, "\nb\n"]), codecNamed("utf8"));
    const moved = await spliceBytes(file, changesBetween(file.text, "b\na \ufffd\n"));
    assert.deepEqual(moved, { ok: false, error: { kind: "place" } });
    const whole = await decodeFile(bytesOf(["a\nb\n"]), codecNamed("utf8"));
    const written = await spliceBytes(whole, changesBetween(whole.text, "a \ufffd\nb\n"));
    assert.deepEqual(written.ok && Buffer.from(written.value).toString(), "a \ufffd\nb\n");
  });
  it("§2 keeps untouched lines of a file that is written anew with hundreds of changes", async () => {
    const lines = Array.from({ length: 400 }, (_, index) => [`line ${index} `, 0x80 + (index % 0x40), index % 3 === 0 ? "\r\n" : "\n"]); // prettier-ignore
    const file = await decodeFile(bytesOf(lines.flat()), codecNamed("utf8"));
    const plain = file.text.replaceAll("\r\n", "\n");
    const wanted = plain.replace(/^line \d*[02468] .\n/gmu, "changed\n");
    const spliced = await spliceBytes(file, withOwnLineEnds(file.text, changesBetween(plain, wanted)));
    const expected = lines.flatMap((line, index) => (index % 2 === 0 ? ["changed", line[2] ?? ""] : line));
    assert.deepEqual(spliced.ok && Buffer.from(spliced.value), bytesOf(expected));
  });
  it("E:encodings begins an empty file in UTF-16 with its mark", async () => {
    const file = await decodeFile(new Uint8Array(), codecNamed("utf16le"));
    const spliced = await spliceBytes(file, [{ start: 0, end: 0, text: "a" }]);
    assert.deepEqual(spliced, { ok: true, value: Uint8Array.of(0xff, 0xfe, 0x61, 0) });
  });
  it("E:encodings keeps all other bytes or refuses, for any file and any changes", async function () {
    this.timeout(120_000);
    const letters = ["a", "b", " ", "\n", "\r\n", "\r", "é", "ü", "日", "本", "ソ", "中", "国", "한", "Ж", "￢", "🚀", "e\u0301", "\ufeff", "\u2028"]; // prettier-ignore
    const token = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...letters).map((text) => ({ text, stray: [] as number[] })) },
      { weight: 1, arbitrary: fc.array(fc.integer({ min: 0x80, max: 0xff }), { minLength: 1, maxLength: 3 }).map((stray) => ({ text: "", stray })) }, // prettier-ignore
    );
    const fresh = fc.array(fc.constantFrom("x", "ü", "日", "\n", "→"), { maxLength: 4 }).map((parts) => parts.join(""));
    const change = fc.record({ from: fc.nat(40), length: fc.nat(3), text: fresh });
    const counts = { written: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...CODECS),
        fc.boolean(),
        fc.array(token, { maxLength: 40 }),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        async (codec, hasMark, tokens, wanted) => {
          const pieces: { readonly text: string; readonly bytes: Uint8Array }[] = [];
          for (const { text, stray } of tokens) {
            const bytes =
              text === ""
                ? Uint8Array.from(codec.unitBytes === 2 ? [...stray, ...stray] : stray)
                : await codec.encode(text);
            pieces.push({ text: await codec.decode(bytes), bytes });
          }
          const mark = hasMark ? markOf(codec.name) : new Uint8Array();
          const body = Buffer.concat(pieces.map(({ bytes }) => bytes));
          const file = await decodeFile(Buffer.concat([mark, body]), codec);
          // Where pieces join to other characters, their places in the text are not known.
          fc.pre(file.text === pieces.map(({ text }) => text).join("") && file.body.length === body.length);
          const changes: TextChange[] = [];
          const expected: Uint8Array[] = [file.mark];
          let [at, textAt] = [0, 0];
          const keepUntil = (index: number): void => {
            for (; at < index; at++) {
              expected.push(pieces[at]?.bytes ?? new Uint8Array());
              textAt += pieces[at]?.text.length ?? 0;
            }
          };
          for (const { from, length, text } of wanted.toSorted((one, other) => one.from - other.from)) {
            const first = Math.max(at, Math.min(from, pieces.length));
            const last = Math.min(first + length, pieces.length);
            keepUntil(first);
            const removed = pieces.slice(first, last).map((piece) => piece.text).join(""); // prettier-ignore
            changes.push({ start: textAt, end: textAt + removed.length, text });
            expected.push(await codec.encode(text));
            textAt += removed.length;
            at = last;
          }
          keepUntil(pieces.length);
          const spliced = await spliceBytes(file, changes);
          if (spliced.ok) assert.deepEqual(Buffer.from(spliced.value), Buffer.concat(expected));
          const isKnown = async (text: string): Promise<boolean> =>
            (await codec.decode(await codec.encode(text))) === text;
          const known = await Promise.all(changes.map(({ text }) => isKnown(text)));
          if (known.includes(false)) assert.equal(spliced.ok, false);
          else if (tokens.every(({ stray }) => stray.length === 0)) assert.ok(spliced.ok, JSON.stringify(spliced));
          counts[spliced.ok ? "written" : "refused"]++;
        },
      ),
      { seed: 26, numRuns: 4_000 },
    );
    assert.ok(counts.written > 1_000 && counts.refused > 100, JSON.stringify(counts));
  });
});

describe("changesBetween", () => {
  const check = (
    title: string,
    before: string,
    after: string,
    expected: readonly (readonly [number, number, string])[],
  ): void => {
    it(title, () => {
      const found = changesBetween(before, after).map(({ start, end, text }) => [start, end, text]);
      assert.deepEqual(found, expected);
    });
  };
  check("finds none in equal texts", "a\n", "a\n", []);
  check("keeps what is between two changes of a line", "one two three", "ONE two THREE", [[0, 3, "ONE"], [8, 13, "THREE"]]); // prettier-ignore
  check("keeps lines between two changes", "a\nb\nc\n", "A\nb\nC\n", [[0, 1, "A"], [4, 5, "C"]]); // prettier-ignore
  check("changes whole characters", "e\u0301", "e\u0300", [[0, 2, "e\u0300"]]);

  it("finds what differs between lines that both have once, for any two long texts", () => {
    const line = fc.oneof(fc.constant("same\n"), fc.nat(300).map((number) => `${number}\n`)); // prettier-ignore
    const text = fc.array(line, { minLength: 120, maxLength: 400 }).map((lines) => lines.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const changes = changesBetween(before, after);
        assert.equal(withChanges(before, changes), after);
        const isInOrder = changes.every(
          ({ start, end }, index) => start <= end && (changes[index - 1]?.end ?? 0) <= start,
        );
        assert.ok(isInOrder);
      }),
      { seed: 5, numRuns: 200 },
    );
  });
  it("makes one text of the other, for any two", () => {
    const text = fc.array(fc.constantFrom("a", "b ", "\n", "é", "e\u0301", "😀", "👨‍👩‍👧"), { maxLength: 30 }).map((parts) => parts.join("")); // prettier-ignore
    fc.assert(
      fc.property(text, text, (before, after) => {
        assert.equal(withChanges(before, changesBetween(before, after)), after);
      }),
      { seed: 5, numRuns: 3_000 },
    );
  });
});
