import assert from "node:assert/strict";
import { deflateSync, inflateSync } from "node:zlib";
import { smallPng } from "../../scripts/pictures/smallPng.ts";

/** A PNG with eight-bit channels; each row of `rows` starts with its filter type. */
function pngOf(width: number, kind: 2 | 6, rows: readonly (readonly number[])[]): Buffer {
  const part = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type, "latin1"), data, Buffer.alloc(4)]);
  };
  const header = Buffer.from([0, 0, 0, width, 0, 0, rows.length >> 8, rows.length & 255, 8, kind, 0, 0, 0]);
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([Buffer.alloc(8), part("IHDR", header), part("IDAT", data), part("IEND", Buffer.alloc(0))]);
}

/** The data of a chunk. */
function chunkOf(png: Buffer, type: string): Buffer {
  const at = png.indexOf(type, 0, "latin1");
  return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
}

/** The colours of a picture with a palette, row by row. */
function shown(png: Buffer, width: number): readonly (readonly string[])[] {
  const palette = chunkOf(png, "PLTE").toString("hex").match(/.{6}/g) ?? [];
  const rows = inflateSync(chunkOf(png, "IDAT"));
  return Array.from({ length: rows.length / (width + 1) }, (_, row) =>
    [...rows.subarray(row * (width + 1) + 1, (row + 1) * (width + 1))].map((place) => palette[place] ?? "none"),
  );
}

describe("smallPng", () => {
  it("preserves the colours for every row filter", () => {
    const gray = ["101010", "202020"];
    const rows = [
      [0, 16, 16, 16, 32, 32, 32], // none
      [1, 16, 16, 16, 16, 16, 16], // sub: minus left
      [2, 0, 0, 0, 0, 0, 0], // up: minus above
      [3, 8, 8, 8, 8, 8, 8], // average: minus half of both
      [4, 0, 0, 0, 0, 0, 0], // Paeth: minus the nearest of left, above and above left
    ];
    assert.deepEqual(shown(smallPng(pngOf(2, 2, rows)), 2), [gray, gray, gray, gray, gray]);
  });

  it("drops the alpha channel", () => {
    const row = [0, 1, 2, 3, 255, 250, 251, 252, 255];
    assert.deepEqual(shown(smallPng(pngOf(2, 6, [row])), 2), [["010203", "fafbfc"]]);
  });

  it("replaces any other colour by the nearest of the 256 most frequent ones", () => {
    const twice = Array.from({ length: 256 }, (_, value) => [0, value, 0, 0, value, 0, 0]);
    const once = [0, 7, 1, 0, 250, 0, 2];
    const rows = shown(smallPng(pngOf(2, 2, [...twice, once])), 2);
    assert.deepEqual(rows.at(-1), ["070000", "fa0000"]);
    assert.deepEqual(rows[200], ["c80000", "c80000"]);
  });
});
