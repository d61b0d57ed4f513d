/**
 * Repacks the rank data of js-tiktoken into one compact binary file per encoding, from which the extension builds its
 * tables. Layout: token count n as 32 bits little endian, n lengths of one byte, the bytes of all tokens. A token's
 * index is its rank; a length of 0 marks an unused rank.
 */

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import cl100k from "js-tiktoken/ranks/cl100k_base";
import o200k from "js-tiktoken/ranks/o200k_base";

const PACKED = { cl100k_base: cl100k.bpe_ranks, o200k_base: o200k.bpe_ranks };

/** Writes `cl100k_base.bin` and `o200k_base.bin` into a folder, which is created if necessary. */
export async function buildRanks(outputDirectory) {
  await mkdir(outputDirectory, { recursive: true });
  for (const encoding of Object.keys(PACKED)) {
    await writeFile(path.join(outputDirectory, `${encoding}.bin`), rankBytes(encoding));
  }
}

/** The bytes of the rank file of `cl100k_base` or `o200k_base`. */
export function rankBytes(encoding) {
  const tokens = tokensByRank(PACKED[encoding]);
  const lengths = Buffer.alloc(tokens.length);
  const pool = [];
  for (let rank = 0; rank < tokens.length; rank++) {
    const token = tokens[rank];
    if (token === undefined) continue;
    if (token.length === 0 || token.length > 255) throw new Error(`token ${rank} has ${token.length} bytes`);
    lengths[rank] = token.length;
    pool.push(token);
  }
  const header = Buffer.alloc(4);
  header.writeUInt32LE(tokens.length);
  return Buffer.concat([header, lengths, ...pool]);
}

/** js-tiktoken packs ranks as lines `! <first rank> <base64 token> <base64 token> …`. */
function tokensByRank(packed) {
  const tokens = [];
  for (const line of packed.split("\n")) {
    if (line === "") continue;
    const [, firstRank, ...words] = line.split(" ");
    words.forEach((word, index) => {
      tokens[Number(firstRank) + index] = Buffer.from(word, "base64");
    });
  }
  return tokens;
}
