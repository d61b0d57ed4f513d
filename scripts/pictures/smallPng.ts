/** Reduces PNGs to a palette of at most 256 colors, which halves the size of editor screenshots. */

import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Values of one byte, which each pixel takes. */
const MOST_COLOURS = 256;

/** Decoded picture: three bytes per pixel (red, green, blue), rows from the top. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/**
 * The same picture with its most frequent colors; any other becomes the nearest of them. Accepts PNGs of Chromium
 * only: eight bits per channel, with or without alpha, not interlaced. Throws on others.
 */
export function smallPng(png: Buffer, colours = MOST_COLOURS): Buffer {
  const { width, height, bytes } = decoded(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < bytes.length; at += 3) {
    const colour = colourAt(bytes, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, colours)
    .map(([colour]) => colour);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const rows = Buffer.alloc(height * (width + 1)); // each row starts with its filter: none
  for (let pixel = 0; pixel < width * height; pixel++) {
    const colour = colourAt(bytes, pixel * 3);
    const place = places.get(colour) ?? nearest(palette, colour);
    places.set(colour, place);
    rows[Math.floor(pixel / width) * (width + 1) + 1 + (pixel % width)] = place;
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function colourAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
}

function nearest(palette: readonly number[], colour: number): number {
  const distance = (other: number): number =>
    ((other >> 16) - (colour >> 16)) ** 2 +
    (((other >> 8) & 255) - ((colour >> 8) & 255)) ** 2 +
    ((other & 255) - (colour & 255)) ** 2;
  return palette.reduce((best, other, place) => {
    return distance(other) < distance(palette[best] ?? 0) ? place : best;
  }, 0);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

function decoded(png: Buffer): Pixels {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const [depth, kind, , , interlaced] = png.subarray(24, 29);
  if (depth !== 8 || (kind !== 2 && kind !== 6) || interlaced !== 0) throw new Error("a PNG of another kind");
  const channels = kind === 2 ? 3 : 4;
  const rows = unfiltered(inflateSync(Buffer.concat(dataOf(png))), width * channels, height, channels);
  const bytes = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    bytes.set(rows.subarray(pixel * channels, pixel * channels + 3), pixel * 3);
  }
  return { width, height, bytes };
}

function dataOf(png: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return parts;
}

/** Reverses the filter of each row, as in the PNG standard. */
function unfiltered(filtered: Buffer, rowBytes: number, height: number, channels: number): Uint8Array {
  const rows = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row++) {
    const filter = filtered[row * (rowBytes + 1)] ?? 0;
    for (let column = 0; column < rowBytes; column++) {
      const at = row * rowBytes + column;
      const left = column < channels ? 0 : (rows[at - channels] ?? 0);
      const above = row === 0 ? 0 : (rows[at - rowBytes] ?? 0);
      const corner = row === 0 || column < channels ? 0 : (rows[at - rowBytes - channels] ?? 0);
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0;
      rows[at] = (filtered[row * (rowBytes + 1) + 1 + column] ?? 0) + guess;
    }
  }
  return rows;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
}
