import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { NOTHING_SPENT } from "../../../src/core/history/spending.ts";
import { messageId, modelId } from "../../../src/core/ids.ts";
import { ModelRegistry } from "../../../src/core/models/modelRegistry.ts";
import type { StreamOptions } from "../../../src/core/stream/provider.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";
import { explain } from "../../../src/host/words/explain.ts";
import { readSettings } from "../../../src/host/editor/settings.ts";
import { SpendingTracker } from "../../../src/host/connections/spendingTracker.ts";
import {
  answerCost,
  isFreeOfCharge,
  spendingLines,
  warningBanner,
} from "../../../src/host/connections/spendingText.ts";
import type { Banner } from "../../../src/protocol/toView.ts";
import { openSession } from "../../support/session/openSession.ts";
import { fold, nameOf, NEVER, prepared, type Received } from "../../support/models/providerRequests.ts";
import { scriptedProvider } from "../../support/models/scriptedProvider.ts";

const BILLED: StreamEvent = {
  kind: "usage",
  usage: {
    inputTokens: 100_000,
    outputTokens: 10_000,
    cacheReadTokens: 50_000,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  },
};
/** 50k fresh at $4, 50k cached at $0.2 and 10k out at $20 a million. */
const COST = 0.41;
const PRICED = "claude-opus-5-5";

interface Metered {
  readonly banners: Banner[];
  readonly lines: number[];
  readonly logged: string[];
  readonly session: Awaited<ReturnType<typeof openSession>>["session"];
  readonly ask: (options?: Partial<StreamOptions>) => Promise<Received>;
  readonly spending: SpendingTracker;
}

async function metered(
  settings: Readonly<Record<string, unknown>>,
  { name = "anthropic", ledgerFails = false } = {},
): Promise<Metered> {
  const banners: Banner[] = [];
  const lines: number[] = [];
  const logged: string[] = [];
  const { session } = await openSession(scriptedProvider());
  const spending = new SpendingTracker(
    {
      add: (usd) => (ledgerFails ? Promise.reject(new Error("EIO")) : Promise.resolve(void lines.push(usd))),
      spentOn: () =>
        ledgerFails ? Promise.reject(new Error("EIO")) : Promise.resolve(lines.reduce((sum, usd) => sum + usd, 0)),
      erase: () => {
        if (ledgerFails) return Promise.reject(Object.assign(new Error("EIO"), { code: "EIO" }));
        return Promise.resolve(void lines.splice(0));
      },
    },
    new ModelRegistry(),
    { current: readSettings((key) => settings[key], {}) },
    { session },
    { nowMs: () => 1_000_000, after: () => () => undefined },
    { error: (text) => logged.push(text) },
  );
  spending.onDidBill((passed) => banners.push(...passed.map(warningBanner)));
  const place = { name: name === "ollama" ? ("ollama" as const) : ("anthropic" as const), baseUrl: "", key: undefined };
  return {
    banners,
    lines,
    logged,
    session,
    spending,
    ask: async (options = {}) => {
      const inner = scriptedProvider(async function* () {
        await Promise.resolve();
        yield BILLED;
        yield { kind: "done", stopReason: "endTurn" };
      });
      const provider = spending.withMetering(inner, place);
      const request = { model: modelId(PRICED), maxOutputTokens: 10, ...options };
      const events: StreamEvent[] = [];
      for await (const event of provider.stream(prepared("Hi"), request, NEVER)) events.push(event);
      return fold(events);
    },
  };
}

describe("SpendingTracker", () => {
  it("records the cost of an answer for its conversation and its day", async () => {
    const { ask, session, lines } = await metered({});
    assert.equal(nameOf((await ask()).end), "endTurn");
    const { spending } = session.opened.manager.history;
    assert.deepEqual([spending.total.usd, spending.of(messageId(0))?.usd, lines], [COST, COST, [COST]]);
  });
  it("records the cost of a summary for the day only, since its receipt records it for the conversation", async () => {
    const { ask, session, lines } = await metered({});
    await ask({ purpose: "summary" });
    assert.deepEqual([session.opened.manager.history.spending.total, lines], [NOTHING_SPENT, [COST]]);
  });
  it("counts requests of unknown price, and bills nothing for a self-hosted server", async () => {
    const unknown = await metered({});
    await unknown.ask({ model: modelId("claude-nobody-9") });
    const own = await metered({}, { name: "ollama" });
    await own.ask({ model: modelId("qwen3:8b") });
    assert.deepEqual(
      [unknown, own].map(({ session, lines }) => [
        session.opened.manager.history.spending.total.unpricedRequests,
        lines,
      ]),
      [
        [1, []],
        [0, []],
      ],
    );
  });
  it("sends nothing once a limit is reached, and names the limit", async () => {
    for (const [name, scope] of [
      ["spending.limitPerDayUsd", "a day"],
      ["spending.limitPerConversationUsd", "a conversation"],
    ] as const) {
      const { ask, lines } = await metered({ [name]: 0.4 });
      assert.equal(nameOf((await ask()).end), "endTurn");
      const { end } = await ask();
      assert.ok(end !== undefined && "error" in end && end.error.code === "SPENDING_LIMIT");
      assert.match(
        explain(end.error, "Anthropic").text,
        new RegExp(`your limit of \\$0.40 for ${scope}: \\$0.41 is spent`),
      );
      assert.deepEqual(lines, [COST]);
    }
  });
  it("warns once when a threshold is passed", async () => {
    const { ask, banners } = await metered({ "spending.warnPerDayUsd": 0.8, "spending.warnPerConversationUsd": 0.2 });
    for (let times = 0; times < 3; times++) await ask();
    assert.deepEqual(
      banners.map(({ text }) => text),
      [
        "This conversation has cost $0.41, more than your warning threshold of $0.20.",
        "Today's answers have cost $0.82, more than your warning threshold of $0.80.",
      ],
    );
  });
  it("uses its own count when the ledger fails, and logs the failure", async () => {
    const { ask, logged, spending } = await metered({ "spending.limitPerDayUsd": 0.4 }, { ledgerFails: true });
    await ask();
    assert.equal((await spending.spentSoFar()).dayUsd, COST);
    assert.ok((await ask()).end);
    assert.equal(nameOf((await ask()).end), "SPENDING_LIMIT");
    assert.ok(logged.every((text) => text.includes("EIO")) && logged.length > 0);
  });

  it("erases the daily totals, and reports when it cannot", async () => {
    const { ask, spending } = await metered({});
    await ask();
    assert.ok((await spending.spentSoFar()).dayUsd > 0);
    assert.deepEqual(await spending.forget(), { ok: true, value: undefined });
    assert.equal((await spending.spentSoFar()).dayUsd, 0);
    const failed = await (await metered({}, { ledgerFails: true })).spending.forget();
    assert.equal(failed.ok ? "" : failed.error.reason, "ioError");
  });
});

describe("spending texts", () => {
  const spent = { ...NOTHING_SPENT, usd: 0.004, inputTokens: 2_000, outputTokens: 10, cacheReadTokens: 1_200 };
  it("show cost and cache use under an answer", () => {
    assert.deepEqual(answerCost(spent), ["1.2k from the cache", "$0.004"]);
    assert.deepEqual(answerCost({ ...spent, usd: 0, cacheReadTokens: 0 }), []);
    assert.deepEqual(answerCost({ ...spent, usd: 0, unpricedRequests: 1 }), ["1.2k from the cache", "price unknown"]);
    assert.deepEqual(answerCost(undefined), []);
  });
  it("show totals, limits and cache use in the menu", () => {
    const soFar = { dayUsd: 1.5, conversationUsd: 0 };
    assert.deepEqual(spendingLines({ ...spent, unpricedRequests: 2 }, soFar, { limitPerDayUsd: 5 }), [
      "This conversation $0.004 and 2 requests of unknown price",
      "Today $1.50 of $5.00",
      "Read from the provider's cache: 60% of 2k tokens sent",
    ]);
  });
  it("treat a server at a local address as free of charge", () => {
    const check = (baseUrl: string, expected: boolean): void => {
      assert.equal(isFreeOfCharge({ name: "openaiCompatible", baseUrl }), expected, baseUrl);
    };
    for (const own of ["http://localhost:1234/v1", "http://127.0.0.1:8000", "http://192.168.1.7/v1", "http://[::1]:1/"])
      check(own, true);
    for (const foreign of ["https://openrouter.ai/api/v1", "http://10.example.com", "http://172.40.0.1/"])
      check(foreign, false);
    assert.equal(isFreeOfCharge({ name: "openai", baseUrl: "http://localhost" }), false);
    assert.equal(isFreeOfCharge({ name: "ollama", baseUrl: "http://far.example" }), true);
  });
});
