import assert from "node:assert/strict";
import { textOf } from "../../../src/core/message.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";
import { AnswerLoops } from "../../../src/core/turn/answerLoops.ts";
import { toolCallId } from "../../../src/core/ids.ts";
import { calling, saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";
import { fakeTool } from "../../support/editor/fakeTools.ts";
import { turnWorld } from "../../support/session/turnRun.ts";

const UNIT = "No, wait. ";
const pieces = (times: number): readonly string[] => Array.from({ length: times / 10 }, () => UNIT.repeat(10));

describe("L2 an answer that repeats itself", () => {
  /** News after each of `events`, without silence. */
  const told = (events: readonly StreamEvent[]): readonly unknown[] => {
    const loops = new AnswerLoops();
    return events.flatMap((event) => {
      loops.read(event);
      const news = loops.news();
      return news === undefined ? [] : [news];
    });
  };
  const many = (kind: "text" | "thinking", text: string, count: number): readonly StreamEvent[] =>
    Array.from({ length: count }, () => ({ kind, text }));
  const callId = toolCallId("a");

  for (const kind of ["text", "thinking"] as const)
    it(`is told early, and again as it grows, in ${kind}`, () => {
      assert.deepEqual(told(many(kind, UNIT, 400)), [
        ...[135, 169, 212, 265, 332].map((times) => ({ times, where: "prose" })),
      ]);
    });
  it("is told to be over", () => {
    assert.deepEqual(told([...many("thinking", UNIT, 140), ...many("text", "So: ", 1)]), [
      { times: 135, where: "prose" },
      null,
    ]);
    assert.deepEqual(told([...many("text", UNIT, 140), { kind: "text", text: "Now I am done." }]), [
      { times: 135, where: "prose" },
      null,
    ]);
  });
  it("is found in text that turns out to be thinking", () => {
    const events = [...many("text", UNIT, 100), { kind: "textWasThinking" } as const, ...many("thinking", UNIT, 40)];
    assert.deepEqual(told(events), [{ times: 135, where: "prose" }]);
  });
  it("is data in the input of a call, and new with each call", () => {
    const start = { kind: "toolCallStart", callId, name: "write_file" } as const;
    const args = Array.from(
      { length: 90 },
      () => ({ kind: "toolCallArgs", callId, json: "0, 0, ".repeat(10) }) as const,
    );
    assert.deepEqual(told([start, ...args, start, ...args]), []);
    assert.deepEqual(
      told([start, ...args, ...args]).map((news) => Object.entries(news as object).at(-1)),
      [["where", "data"]],
    );
  });

  it("is whole in the history, and sent and counted once", async () => {
    const provider = scriptedProvider(saying("Well.\n\n", ...pieces(600)), saying("Yes."), saying("Sure."));
    const world = await turnWorld({ provider });
    const events = await world.run();
    const seen = events.flatMap((event) => (event.kind === "repeating" ? [event.loop?.where] : []));
    assert.ok(seen.length > 1 && seen.length < 12 && seen.every((where) => where === "prose"), JSON.stringify(seen));
    assert.equal(textOf(world.messages()[1] ?? { role: "user", parts: [] }), `Well.\n\n${UNIT.repeat(600)}`);
    const { context } = world.deps.conversation;
    const entry = context.history.entries[1];
    assert.ok(entry?.sentTokens && entry.tokens.o200k > 2_000 && entry.sentTokens.o200k < 20, JSON.stringify(entry));
    assert.ok(context.usage().usedTokens < 100, String(context.usage().usedTokens));
    await world.run();
    assert.deepEqual(provider.requests[1]?.slice(0, 2).map(textOf), ["Q", `Well.\n\n${UNIT}[repeated 600 times] `]);
  });

  it("is sent once beside the calls that it made", async () => {
    const provider = scriptedProvider(calling(UNIT.repeat(600), { id: "a", name: "read", input: {} }), saying("Done."));
    const world = await turnWorld({ provider, tools: [fakeTool("read")] });
    await world.run();
    assert.deepEqual(provider.requests[1]?.map(textOf), ["Q", `${UNIT}[repeated 600 times] `, ""]);
    assert.ok((world.deps.conversation.history.entries[1]?.sentTokens?.o200k ?? Infinity) < 60);
  });
});
