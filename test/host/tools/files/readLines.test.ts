/** Line ranges read from bytes: numbers, bounds, encodings and redaction. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { type ByteSource, bytesInMemory } from "../../../../src/host/tools/files/byteSource.ts";
import { redact } from "../../../../src/core/secrets/redact.ts";
import { FORMS, isReadable, KINDS, seededRandom } from "../../../support/texts/plantedSecrets.ts";
import { linesOf, MOST_FILE_BYTES, readLines } from "../../../../src/host/tools/files/readLines.ts";

const bytesOf = (text: string): ByteSource => bytesInMemory(new TextEncoder().encode(text));

/** The lines, or the failure's code. */
function read(source: ByteSource, first: number, last: number, configured = "utf8"): unknown {
  const result = readLines(source, { first, last }, configured, "a.txt");
  if (!result.ok) return result.error.code;
  const { lines, totalLines, isCut } = result.value;
  return { lines, totalLines, ...(isCut ? { isCut } : {}) };
}

describe("readLines", () => {
  const check = (title: string, text: string, range: readonly [number, number], expected: unknown): void => {
    it(title, () => {
      assert.deepEqual(read(bytesOf(text), ...range), expected);
    });
  };
  check("reads a range", "a\nb\nc\nd\n", [2, 3], { lines: ["b", "c"], totalLines: 4 });
  check("reads to the end of the file when the range is longer", "a\nb", [2, 9], { lines: ["b"], totalLines: 2 });
  check("reads nothing after the end of the file", "a\nb\n", [3, 9], { lines: [], totalLines: 2 });
  check("reads an empty file", "", [1, 9], { lines: [], totalLines: 0 });
  check("reads a lone line end as one empty line", "\n", [1, 9], { lines: [""], totalLines: 1 });
  check("removes CRLF line ends", "a\r\nb\r\n", [1, 9], { lines: ["a", "b"], totalLines: 2 });
  check("removes a byte order mark", "\ufeffa\n", [1, 1], { lines: ["a"], totalLines: 1 });
  check("makes hidden characters visible", "a\u202eb\n", [1, 1], { lines: ["a[U+202E]b"], totalLines: 1 });
  check("S13 shows raw escape sequences", "a\u001b]52;c;eA==\u0007b\u00adc\u009b8m\u2028d\n", [1, 1], {
    lines: ["a[U+001B]]52;c;eA==[U+0007]b[U+00AD]c[U+009B]8m[U+2028]d"],
    totalLines: 1,
  });
  check("redacts secrets", "x\nkey = AKIAIOSFODNN7EXAMPLE\n", [2, 2], {
    lines: ["key = [redacted: AWS key]"],
    totalLines: 2,
  });
  check("truncates a long line", `${"x".repeat(5_000)}\nb\n`, [1, 2], {
    lines: [
      `${"x".repeat(2_000)}… [3,000 more characters in this line; read on with "start_line": 1, "start_column": 2001]`,
      "b",
    ],
    totalLines: 2,
  });

  /** Reads the line `number` as a model does: first as it is shown, then on from the column that is named. */
  function readOn(source: ByteSource, number: number, configured = "utf8"): readonly string[] {
    const shown = readLines(source, { first: number, last: number }, configured, "a.txt");
    assert.ok(shown.ok);
    const [line = ""] = shown.value.lines;
    const [note, next] = /… \[[\d,]+ more characters in this line; read on with .*: (\d+)\]$/.exec(line) ?? [];
    const parts = [note === undefined ? line : line.slice(0, -note.length)];
    for (let column = Number(next ?? 0); column > 0;) {
      const part = readLines(source, { first: number, last: number, column }, configured, "a.txt");
      assert.ok(part.ok && part.value.columns !== undefined && part.value.lines.length === 1);
      const { columns, lines } = part.value;
      assert.equal(columns.first, column);
      parts.push(...lines);
      column = columns.last < columns.lineLength ? columns.last + 1 : 0;
    }
    return parts;
  }

  for (const [name, line, configured] of [
    ["of 240,000 characters", "const a = 1; ".repeat(20_000).slice(0, 240_000), "utf8"],
    ["of 2,001 characters", "x".repeat(2_001), "utf8"],
    ["with emoji and combining letters", "😀e\u0301👨‍👩‍👧x".repeat(20_000), "utf8"],
    ["in Shift JIS", "日本語 abc ".repeat(20_000), "shiftjis"],
  ] as const)
    it(`E:long lines reads a line ${name} to its end`, () => {
      const bytes =
        configured === "utf8"
          ? new TextEncoder().encode(`a\n${line}\r\nb\n`)
          : Buffer.from(`a\n${line}\r\nb\n`.replaceAll("日本語", "\x93\xfa\x96\x7b\x8c\xea"), "latin1");
      const parts = readOn(bytesInMemory(bytes), 2, configured);
      assert.deepEqual([parts.join(""), parts.length > 1], [line, true]);
      assert.ok(parts.every((part) => part.isWellFormed()));
    });

  it("E:long lines says how long a line is that is too long to be read at once", () => {
    const [first] = readOn(bytesOf(`${"é".repeat(240_000)}\nb\n`), 1);
    assert.equal(first?.length, 2_000);
    assert.deepEqual(read(bytesOf(`${"é".repeat(240_000)}\nb\n`), 1, 2), {
      lines: [
        `${"é".repeat(2_000)}… [238,000 more characters in this line; read on with "start_line": 1, "start_column": 2001]`,
      ],
      totalLines: 2,
      isCut: true,
    });
  });

  it("E:long lines reads a short line whole, whatever the column, and nothing after the end of a long one", () => {
    const part = (text: string, column: number): unknown => {
      const result = readLines(bytesOf(text), { first: 1, last: 1, column }, "utf8", "a.txt");
      return result.ok ? [result.value.lines, result.value.columns] : result.error.code;
    };
    assert.deepEqual(part("short\nb", 3), [["short"], undefined]);
    assert.deepEqual(part("", 3), [[], undefined]);
    assert.deepEqual(part(`${"x".repeat(3_000)}\n`, 3_001), [[], { first: 3_001, last: 3_000, lineLength: 3_000 }]);
    assert.deepEqual(part(`${"x".repeat(3_000)}y\n`, 3_001), [["y"], { first: 3_001, last: 3_001, lineLength: 3_001 }]);
  });

  it("E:long lines shows no secret in any part of a line, and loses nothing between parts", () => {
    const secret = "AKIAIOSFODNN7EXAMPLE";
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(`k = ${secret} `, "x".repeat(700), "y".repeat(9_000)), {
          minLength: 5,
          maxLength: 14,
        }),
        (pieces) => {
          const line = `${pieces.join("")}${"z".repeat(2_100)}`;
          const parts = readOn(bytesOf(line), 1);
          assert.ok(!/AKIA|EXAMPLE/.test(parts.join("")));
          const marked = line.replaceAll(secret, "[redacted: AWS key]");
          // Parts may overlap at a mark, and a secret on their border is replaced in both.
          assert.ok(
            parts.join("").replace(/\[redacted: AWS key\]/g, "").length >=
              marked.replace(/\[redacted: AWS key\]/g, "").length,
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  const key = [
    "-----BEGIN PRIVATE KEY-----",
    ...Array.from({ length: 26 }, () => "MIIEvQIBADANBgkqhkiG9w0B"),
    "-----END PRIVATE KEY-----",
  ];
  const withKey = ["const a = 1;", ...key, "const b = 2;", ""].join("\n");
  it("redacts a multi-line key in any requested range without shifting line numbers", () => {
    const all = readLines(bytesOf(withKey), { first: 1, last: 99 }, "utf8", "a.ts");
    assert.ok(all.ok);
    assert.equal(all.value.lines.length, key.length + 2);
    assert.deepEqual(new Set(all.value.lines.slice(1, -1)), new Set(["[redacted: private key]"]));
    assert.deepEqual(
      [all.value.lines[0], all.value.lines.at(-1), all.value.secretCount],
      ["const a = 1;", "const b = 2;", 1],
    );
    for (let first = 2; first <= key.length + 1; first++) {
      const part = readLines(bytesOf(withKey), { first, last: first + 1 }, "utf8", "a.ts");
      assert.ok(
        part.ok && !part.value.lines.join("\n").includes("MIIE") && part.value.secretCount === 1,
        `line ${first}`,
      );
    }
  });
  it("leaves text readable that only mentions the first line of a key", () => {
    const text = "// begins with -----BEGIN PRIVATE KEY-----\nif (text.includes(head)) return true;\nconst c = 3;\n";
    const all = readLines(bytesOf(text), { first: 1, last: 9 }, "utf8", "a.ts");
    assert.deepEqual(all.ok && all.value.lines.slice(1), ["if (text.includes(head)) return true;", "const c = 3;"]);
  });

  it("S4 redacts a secret that is split over a wrapped line, in each range, and keeps the numbers of lines", () => {
    const random = seededRandom(26);
    const before = Array.from({ length: 30 }, (_, index) => `const before${index} = step(${index});`);
    const after = ["const after = 1;", "", "export default after;"];
    const readable: unknown[] = [];
    for (const [kind, plant] of Object.entries(KINDS)) {
      for (const [form, write] of Object.entries(FORMS)) {
        const planted = write(plant(random), random);
        const text = [...before, planted.text, ...after].join("\n");
        if (isReadable(redact(text).text, planted)) continue; // a miss of the recognition itself
        const count = text.split("\n").length;
        for (let first = before.length - 1; first <= count; first++) {
          for (const last of [first, first + 1, count]) {
            const part = readLines(bytesOf(text), { first, last }, "utf8", "a.txt");
            assert.ok(part.ok);
            assert.equal(part.value.lines.length, Math.min(last, count) - first + 1);
            if (isReadable(part.value.lines.join("\n"), planted)) readable.push([kind, form, first, last]);
          }
        }
      }
    }
    assert.deepEqual(readable, []);
  });

  const TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  const HALVES = `x;\n${TOKEN.slice(0, 18)}\n${TOKEN.slice(18)}\n(y)\n`;
  const MARK = "[redacted: GitHub token]";
  for (const [title, text, range, expected] of [
    ["above", HALVES, [2, 2], [[MARK], 1]],
    ["below", HALVES, [3, 3], [[MARK], 1]],
    ["CRLF", HALVES.replaceAll("\n", "\r\n"), [1, 4], [["x;", MARK, MARK, "(y)"], 1]],
    ["after a long line", `${"word ".repeat(60_000)};\n${HALVES.slice(3)}`, [2, 2], [[MARK], 1]],
  ] as const) {
    it(`S4 redacts half of a wrapped token: ${title}`, () => {
      const part = readLines(bytesOf(text), { first: range[0], last: range[1] }, "utf8", "a.txt");
      assert.deepEqual(part.ok && [part.value.lines, part.value.secretCount], expected);
    });
  }

  it("refuses a binary file, wherever its zero byte is", () => {
    assert.equal(read(bytesOf("PNG\0"), 1, 1), "BINARY");
    assert.equal(read(bytesOf(`${"text\n".repeat(200_000)}\0`), 1, 1), "BINARY");
  });
  it("refuses a file over the size limit without reading it", () => {
    const source: ByteSource = { sizeBytes: MOST_FILE_BYTES + 1, read: () => assert.fail("it was read") };
    assert.equal(read(source, 1, 1), "TOO_LARGE");
  });
  it("reads a few lines of a large file, and truncates a range that is too long", () => {
    const source = bytesOf(Array.from({ length: 500_000 }, (_, index) => `line ${index + 1}`).join("\n"));
    assert.deepEqual(read(source, 250_000, 250_001), { lines: ["line 250000", "line 250001"], totalLines: 500_000 });
    const many = readLines(source, { first: 1, last: 500_000 }, "utf8", "a.txt");
    assert.ok(many.ok && many.value.isCut && many.value.lines.length < 20_000);
    assert.equal(many.value.lines.at(-1), `line ${many.value.lines.length}`);
  });
  it("detects UTF-16 by its byte order mark, and uses the configured encoding otherwise", () => {
    const wide = bytesInMemory(Buffer.from("\ufeffgrün\nblau\n", "utf16le"));
    assert.deepEqual(read(wide, 1, 9), { lines: ["grün", "blau"], totalLines: 2 });
    const latin = bytesInMemory(Buffer.from([0x67, 0x72, 0xfc, 0x6e, 0x0a]));
    assert.deepEqual(read(latin, 1, 9), { lines: ["grün"], totalLines: 1 });
    const japanese = bytesInMemory(Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a]));
    assert.deepEqual(read(japanese, 1, 9, "shiftjis"), { lines: ["日本"], totalLines: 1 });
    assert.deepEqual(read(japanese, 1, 9, "no-such-encoding"), { lines: ["“ú–{"], totalLines: 1 });
  });

  it("reads the same lines as splitting the whole text, for any text and range", () => {
    const text = fc.array(fc.constantFrom("a", "é", "\n", "\r\n", "長", "x y", ""), { maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 30 }), (pieces, first, more) => {
        const whole = linesOf(pieces.join(""));
        const result = readLines(bytesOf(pieces.join("")), { first, last: first + more }, "utf8", "a.txt");
        assert.ok(result.ok);
        assert.deepEqual(result.value.lines, whole.slice(first - 1, first + more));
        assert.equal(result.value.totalLines, whole.length);
      }),
      { seed: 5, numRuns: 2_000 },
    );
  });
});
