import assert from "node:assert/strict";
import { modelId } from "../../../src/core/ids.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { meteredProvider, type Meter } from "../../../src/core/stream/meteredProvider.ts";
import type { ProviderUsage, StreamEvent } from "../../../src/core/stream/streamEvent.ts";
import { ask, nameOf, NEVER, prepared } from "../../support/models/providerRequests.ts";

const USAGE: ProviderUsage = {
  inputTokens: 10,
  outputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
const MODEL = modelId("m");

function providerOf(events: readonly StreamEvent[]): Provider & { readonly log: string[] } {
  const log: string[] = [];
  return {
    name: "p",
    label: "P",
    log,
    async *stream() {
      log.push("sent");
      try {
        for (const event of events) yield await Promise.resolve(event);
      } finally {
        log.push("closed");
      }
    },
    listModels: () => Promise.reject(new Error("not asked for here")),
  };
}

describe("meteredProvider", () => {
  const meterOf = (log: string[], refused = false): Meter => ({
    refusal: () => Promise.resolve(refused ? { code: "CONSENT_NEEDED", provider: "p" } : undefined),
    billed: async (_, { inputTokens, outputTokens }) => {
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`billed ${String(inputTokens)}+${String(outputTokens)}`);
    },
  });
  const usage: StreamEvent = { kind: "usage", usage: USAGE };

  it("reports the last usage once, before the end", async () => {
    const inner = providerOf([
      usage,
      { kind: "text", text: "a" },
      { kind: "usage", usage: { ...USAGE, outputTokens: 7 } },
      { kind: "done", stopReason: "endTurn" },
    ]);
    const provider = meteredProvider(inner, meterOf(inner.log));
    const options = { model: MODEL, maxOutputTokens: 1 };
    for await (const event of provider.stream(prepared("Hi"), options, NEVER)) inner.log.push(event.kind);
    assert.deepEqual(inner.log, ["sent", "usage", "text", "usage", "billed 10+7", "done", "closed"]);
  });
  it("reports the usage of a failed answer and of one not read to its end", async () => {
    const failed = providerOf([usage, { kind: "failed", error: { code: "CANCELLED" } }]);
    await ask(meteredProvider(failed, meterOf(failed.log)), MODEL);
    assert.ok(failed.log.includes("billed 10+1"));
    const left = providerOf([usage, { kind: "text", text: "a" }, { kind: "text", text: "b" }]);
    const options = { model: MODEL, maxOutputTokens: 1 };
    for await (const event of meteredProvider(left, meterOf(left.log)).stream(prepared("Hi"), options, NEVER)) {
      if (event.kind === "text") break;
    }
    assert.deepEqual(left.log, ["sent", "closed", "billed 10+1"]);
  });
  it("sends no refused request", async () => {
    const inner = providerOf([usage]);
    const { end } = await ask(meteredProvider(inner, meterOf(inner.log, true)), MODEL);
    assert.deepEqual([nameOf(end), inner.log], ["CONSENT_NEEDED", []]);
  });
  it("reports nothing without usage", async () => {
    const inner = providerOf([{ kind: "done", stopReason: "endTurn" }]);
    await ask(meteredProvider(inner, meterOf(inner.log)), MODEL);
    assert.deepEqual(inner.log, ["sent", "closed"]);
  });
});
