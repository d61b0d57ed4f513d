import assert from "node:assert/strict";
import { promptContext } from "../../../src/core/context/request/promptContext.ts";
import type { PreparedContext } from "../../../src/core/context/request/preparedContext.ts";
import { modelId } from "../../../src/core/ids.ts";
import { textMessage, textOf } from "../../../src/core/message.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { readInPieces } from "../../../src/core/stream/readInPieces.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";
import { fold, NEVER } from "../../support/models/providerRequests.ts";

/** A request of one message of `tokens` tokens, each of four characters. */
function request(tokens: number, systemPrompt = ""): PreparedContext {
  const made = promptContext({
    model: modelId("small"),
    limits: { contextWindow: 100_000, maxOutput: 1_000 },
    systemPrompt,
    systemTokens: { cl100k: systemPrompt.length / 4, o200k: systemPrompt.length / 4 },
    messages: [textMessage("user", "abc ".repeat(tokens))],
    tokens: [{ cl100k: tokens, o200k: tokens }],
  });
  assert.ok(made.ok);
  return made.value;
}

const SYSTEM = "Be. ".repeat(100);

interface Read {
  readonly tokens: number;
  readonly mostTokens: number;
}

/** A server with a memory of what it has read, unless it `forgets`; it tells its usage unless it is `silent`. */
function serverOf(kind: "remembers" | "forgets" | "silent" | "fails"): { provider: Provider; reads: Read[] } {
  const reads: Read[] = [];
  let before = "";
  const provider: Provider = {
    name: "p",
    label: "P",
    async *stream(prepared, { maxOutputTokens }, cancel): AsyncGenerator<StreamEvent> {
      const messages = await prepared.apiMessages();
      const text = messages.ok ? messages.value.map(textOf).join() : "";
      const read = prepared.systemPrompt.length < SYSTEM.length ? prepared.systemPrompt : prepared.systemPrompt + text;
      assert.ok(read.startsWith(before), "each begins as the one before it");
      const [inputTokens, cacheReadTokens] = [read.length / 4, kind === "remembers" ? before.length / 4 : 0];
      before = read;
      reads.push({ tokens: inputTokens, mostTokens: maxOutputTokens });
      const usage = { inputTokens, cacheReadTokens, outputTokens: 1, cacheWriteTokens: 0, reasoningTokens: 0 };
      if (kind !== "silent") yield { kind: "usage", usage };
      yield { kind: "text", text: "Yes" };
      if (cancel.aborted) yield { kind: "failed", error: { code: "CANCELLED" } };
      else if (kind === "fails" && maxOutputTokens === 1)
        yield { kind: "failed", error: { code: "REFUSED", provider: "p", detail: "" } };
      else yield { kind: "done", stopReason: "endTurn" };
    },
    listModels: () => Promise.reject(new Error("not asked for here")),
  };
  return { provider, reads };
}

describe("L4 readInPieces", () => {
  const read = async (
    kind: Parameters<typeof serverOf>[0],
    tokens: number,
    { purpose = "summary", slots = 1 }: { purpose?: "summary" | "answer"; slots?: number } = {},
  ) => {
    const { provider, reads } = serverOf(kind);
    const inner = readInPieces(provider, () => slots === 1);
    const options = { model: modelId("small"), maxOutputTokens: 500, ...(purpose === "summary" ? { purpose } : {}) };
    const events: StreamEvent[] = [];
    for await (const event of inner.stream(request(tokens - 100, SYSTEM), options, NEVER)) events.push(event);
    assert.deepEqual([fold(events).text, fold(events).end], ["Yes", { stopReason: "endTurn" }]);
    return reads.map(
      ({ tokens: count, mostTokens }) => `${String(Math.round(count / 10) * 10)} for ${String(mostTokens)}`,
    );
  };

  it("has a summary read in growing pieces, and only the whole answered", async () => {
    assert.deepEqual(await read("remembers", 300), ["60 for 1", "130 for 1", "190 for 1", "250 for 1", "300 for 500"]);
  });
  it("leaves answers and servers with more slots alone", async () => {
    assert.deepEqual(await read("remembers", 300, { purpose: "answer" }), ["300 for 500"]);
    assert.deepEqual(await read("remembers", 300, { slots: 4 }), ["300 for 500"]);
  });
  it("gives up where a server reads each piece anew, says nothing of it, or refuses it", async () => {
    assert.deepEqual(await read("forgets", 300), ["60 for 1", "130 for 1", "300 for 500"]);
    assert.deepEqual(await read("silent", 300), ["60 for 1", "300 for 500"]);
    assert.deepEqual(await read("fails", 300), ["60 for 1", "300 for 500"]);
  });
  it("ends between two pieces when it is cancelled", async () => {
    const { provider, reads } = serverOf("remembers");
    const cancel = new AbortController();
    const events: StreamEvent[] = [];
    const counted: Provider = {
      ...provider,
      stream: (...asked) => {
        if (reads.length === 2) cancel.abort();
        return provider.stream(...asked);
      },
    };
    const options = { model: modelId("small"), maxOutputTokens: 500, purpose: "summary" } as const;
    const inner = readInPieces(counted, () => true);
    for await (const event of inner.stream(request(2_000, SYSTEM), options, cancel.signal)) events.push(event);
    assert.deepEqual([reads.length, fold(events).end], [4, { error: { code: "CANCELLED" } }]);
  });
});
