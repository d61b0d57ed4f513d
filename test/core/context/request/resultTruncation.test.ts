import assert from "node:assert/strict";
import fc from "fast-check";
import {
  MAX_RESULT_BYTES,
  MAX_MESSAGE_RESULTS_BYTES,
  withTruncatedResults,
} from "../../../../src/core/context/request/resultTruncation.ts";
import { messageId, toolCallId } from "../../../../src/core/ids.ts";
import type { Message } from "../../../../src/core/message.ts";
import { excerptText } from "../../../../src/core/context/request/excerpts.ts";
import { fakeTool } from "../../../support/editor/fakeTools.ts";
import { calling, saying, scriptedProvider } from "../../../support/models/scriptedProvider.ts";
import { resultsIn, turnWorld } from "../../../support/session/turnRun.ts";

const results = (...texts: readonly string[]): Message => ({
  role: "user",
  parts: texts.map((text, index) => ({ kind: "toolResult", callId: toolCallId(String(index)), outcome: "ok", text })),
});
const textsOf = ({ parts }: Message): readonly string[] =>
  parts.map((part) => (part.kind === "toolResult" ? part.text : ""));
const bytesOf = (text: string): number => Buffer.byteLength(text);

describe("the truncation of tool results", () => {
  it("returns the same object when no result is too long", () => {
    for (const message of [
      results(),
      results("short"),
      results("x".repeat(MAX_RESULT_BYTES)),
      results(...Array<string>(4).fill("x".repeat(MAX_RESULT_BYTES))),
    ]) {
      assert.equal(withTruncatedResults(message, messageId(3)), message);
    }
  });

  it("retains head and tail of a long result, with its size and where to read it", () => {
    const long = `BEGIN${"x".repeat(500_000)}END`;
    const [sent = ""] = textsOf(withTruncatedResults(results(long), messageId(3)));
    assert.ok(sent.startsWith("BEGINxx") && sent.endsWith("xxEND"));
    assert.match(
      sent,
      /\[… cut here: the whole result has 500,008 characters\. Ask `recall_history` for message 4 …\]/,
    );
    assert.ok(bytesOf(sent) <= MAX_RESULT_BYTES && bytesOf(sent) > MAX_RESULT_BYTES - 8);
  });

  it("stays within its bounds for any results, and truncates the largest first", () => {
    const text = fc.tuple(fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 }), fc.nat(60_000));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (list) => {
        const whole = list.map(([unit, times]) => unit.repeat(Math.ceil(times / unit.length)));
        const sent = textsOf(withTruncatedResults(results(...whole), messageId(3)));
        const sizes = sent.map(bytesOf);
        assert.ok(sizes.every((size) => size <= MAX_RESULT_BYTES));
        assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= MAX_MESSAGE_RESULTS_BYTES);
        const smallestCut = Math.min(...sizes.filter((_size, index) => sent[index] !== whole[index]));
        for (const [index, size] of sizes.entries()) {
          if (sent[index] === whole[index]) assert.ok(size <= smallestCut + 8, "what is larger is cut first");
        }
      }),
      { seed: 20_261_122, numRuns: 200 },
    );
  });

  it("applies to the counted and sent results, while the history retains them whole", async () => {
    const long = "word ".repeat(100_000);
    const read = fakeTool("read", { run: () => Promise.resolve({ outcome: "ok", text: long }) });
    const provider = scriptedProvider(calling("", { id: "a", name: "read", input: {} }), saying("Done."));
    const world = await turnWorld({ provider, tools: [read] });
    await world.run();
    assert.equal(resultsIn(world.messages())[0]?.[2], long);
    const sent = resultsIn(provider.requests[1] ?? [])[0]?.[2] ?? "";
    assert.ok(sent.length < 33_000);
    assert.equal(sent, excerptText(long, MAX_RESULT_BYTES, /\n\n\[….*…\]\n\n/.exec(sent)?.[0] ?? ""));
    const entry = world.deps.conversation.context.history.entries[2];
    assert.ok(entry?.sentTokens && entry.tokens.o200k > 100_000 && entry.sentTokens.o200k < 10_000);
    assert.ok(world.deps.conversation.context.usage().usedTokens < 11_000);
  });
});
