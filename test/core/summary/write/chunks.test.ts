import assert from "node:assert/strict";
import { messageId } from "../../../../src/core/ids.ts";
import { type Chunk, chunkOfSource, joinChunks } from "../../../../src/core/summary/write/chunks.ts";
import { readSource } from "../../../../src/core/summary/write/source.ts";
import { sourcesOf, toolResult } from "../../../support/session/summarySources.ts";

describe("joinChunks", () => {
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
        sizes.map((tokens): Chunk => {
          const source = { id: messageId(id++), turn: messageId(turn), passages: [] };
          return { sources: [source], transcript: `m${source.id}`, tokens };
        }),
      );
      const chunks = joinChunks(shown, room);
      assert.deepEqual(
        chunks.map(({ tokens }) => tokens),
        expected,
      );
      assert.equal(
        chunks.map(({ transcript }) => transcript).join("\n"),
        shown.map(({ transcript }) => transcript).join("\n"),
      );
    });
  };
  check("returns no chunk for no messages", [], 100, []);
  check("joins all messages if they fit", [[10, 20], [30], [40]], 100, [100]);
  check("splits at turns", [[40, 40], [10, 40], [50]], 100, [80, 100]);
  check("does not split a turn to fill a little remaining room", [[60], [30, 30]], 100, [60, 60]);
  check("splits a turn that is too long at its messages", [[50, 60, 30], [10]], 100, [50, 100]);
});

describe("chunkOfSource", () => {
  it("shortens a source until it fits and retains its head and tail", () => {
    const text = `first words ${"x y ".repeat(3_000)} last words`;
    const [source] = sourcesOf([toolResult(text)]);
    assert.ok(source !== undefined);
    const chunk = chunkOfSource(readSource(source), 500, (shown) => Math.ceil(shown.length / 2));
    assert.ok(chunk.tokens <= 500 && chunk.tokens > 200, `${chunk.tokens}`);
    assert.match(
      chunk.transcript,
      /^\[message 1, data from a tool or file\]\nfirst words [\s\S]* characters left out …\n[\s\S]* last words$/,
    );
  });
});
