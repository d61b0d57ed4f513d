import assert from "node:assert/strict";
import { messageId } from "../../../../src/core/ids.ts";
import {
  ChunkJoiner,
  type ShownSource,
  shownWithin,
  transcriptOfChunk,
} from "../../../../src/core/summary/write/chunks.ts";
import { readSource } from "../../../../src/core/summary/write/source.ts";
import { sourcesOf, toolResult } from "../../../support/session/summarySources.ts";

describe("ChunkJoiner", () => {
  /** `turns` lists the tokens of each message by turn. */
  const check = (
    name: string,
    turns: readonly (readonly number[])[],
    room: number,
    expected: readonly number[],
  ): void => {
    it(name, () => {
      let id = 0;
      const shown = turns.flatMap((sizes, turn) =>
        sizes.map((tokens): ShownSource => {
          return {
            source: { id: messageId(id++), turn: messageId(turn), passages: [] },
            share: 1,
            isBrief: false,
            tokens,
          };
        }),
      );
      const joiner = new ChunkJoiner(room);
      const counts = shown.map((each) => {
        joiner.add(each);
        return joiner.count;
      });
      const chunks = joiner.end();
      assert.deepEqual(
        chunks.map(({ tokens }) => tokens),
        expected,
      );
      assert.deepEqual(
        chunks.flatMap((chunk) => chunk.shown),
        shown,
      );
      assert.deepEqual(
        [...counts, chunks.length],
        [...counts, chunks.length].toSorted((a, b) => a - b),
      );
    });
  };
  check("returns no chunk for no messages", [], 100, []);
  check("joins all messages if they fit", [[10, 20], [30], [40]], 100, [100]);
  check("splits at turns", [[40, 40], [10, 40], [50]], 100, [80, 100]);
  check("does not split a turn to fill a little remaining room", [[60], [30, 30]], 100, [60, 60]);
  check("splits a turn that is too long at its messages", [[50, 60, 30], [10]], 100, [50, 100]);
});

describe("shownWithin", () => {
  it("shortens a source until it fits and retains its head and tail", () => {
    const text = `first words ${"x y ".repeat(3_000)} last words`;
    const [source] = sourcesOf([toolResult(text)]);
    assert.ok(source !== undefined);
    const shown = shownWithin(readSource(source), 500, (text) => Math.ceil(text.length / 2));
    assert.ok(shown.tokens <= 500 && shown.tokens > 200, `${shown.tokens}`);
    assert.match(
      transcriptOfChunk({ shown: [shown] }),
      /^\[message 1, data from a tool or file\]\nfirst words [\s\S]* characters left out …\n[\s\S]* last words$/,
    );
  });
});
