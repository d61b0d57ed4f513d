import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { ForgeError, ServiceUnavailable } from "../../../src/core/errors.ts";
import { modelId } from "../../../src/core/ids.ts";
import { explain, failureReason } from "../../../src/host/words/explain.ts";

const unavailable = (reason: ServiceUnavailable["reason"], detail: string, retryAfterMs?: number): ForgeError => ({
  code: "SERVICE_UNAVAILABLE",
  provider: "anthropic",
  reason,
  detail,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

const NOW_MS = new Date(2026, 10, 27, 13, 5, 0).getTime();

describe("explain", () => {
  const cases: readonly (readonly [error: ForgeError, text: string, buttons: readonly string[]])[] = [
    [
      unavailable("stalled", "Nothing arrived for 300 seconds."),
      "Anthropic stopped responding. Nothing is lost. Nothing arrived for 300 seconds.",
      ["Retry"],
    ],
    [
      unavailable("unreachable", "There is no host of this name, or no network. (ENOTFOUND)"),
      "Anthropic cannot be reached. Nothing is lost. There is no host of this name, or no network. (ENOTFOUND)",
      ["Retry", "Switch model", "Open settings"],
    ],
    [
      unavailable("overloaded", "Overloaded", 4_200),
      "Anthropic is overloaded; it can be tried again at 13:05:05. Nothing is lost.",
      ["Retry", "Switch model"],
    ],
    [
      unavailable("badRequest", "max_tokens: too large"),
      "Anthropic refused the request. Nothing is lost. It said: max_tokens: too large",
      ["Retry", "Switch model"],
    ],
    [
      { code: "AUTH_FAILED", provider: "anthropic", detail: "" },
      "Anthropic refused the key. Nothing is lost.",
      ["Replace key", "Retry"],
    ],
    [
      { code: "MODEL_UNKNOWN", provider: "anthropic", model: modelId("claude-x") },
      "Anthropic does not offer the model claude-x. Nothing is lost.",
      ["Switch model", "Retry"],
    ],
    [
      {
        code: "RECENT_TOO_LARGE",
        requiredTokens: 9_000,
        budgetTokens: 4_000,
        messageCount: 1,
        parts: [{ kind: "message", label: "message 1", tokens: 8_000 }],
      },
      "This does not fit: it needs 9k tokens, and 4k can be sent to this model (message 1 8k). Your messages are kept in the conversation. Use a model with a larger window, or edit a long message.",
      ["Switch model"],
    ],
    [
      {
        code: "RECENT_TOO_LARGE",
        requiredTokens: 9_000,
        budgetTokens: 4_000,
        messageCount: 1,
        parts: [
          { kind: "message", label: "this message", tokens: 8_000 },
          { kind: "tools", label: "12 tools", tokens: 1_000 },
        ],
      },
      "This does not fit: it needs 9k tokens, and 4k can be sent to this model (this message 8k, 12 tools 1k). Your text is kept in the box. Shorten it, or use a model with a larger window.",
      ["Switch model"],
    ],
    [
      { code: "SUMMARIZATION_NEEDED", excessTokens: 2_100 },
      "The next request is 2.1k tokens too large for this model. Your message is kept.",
      ["Summarize", "Switch model"],
    ],
  ];
  for (const [error, text, buttons] of cases) {
    it(text, () => {
      const banner = explain(error, "Anthropic", NOW_MS);
      assert.deepEqual([banner.text, banner.actions.map(({ label }) => label)], [text, buttons]);
    });
  }
});

describe("E:402 what to do about credit, country and speed", () => {
  it("E:402 no credit is not told as a request to slow down", () => {
    const { text, actions, retryAtMs } = explain(
      { code: "NO_CREDIT", provider: "openaiCompatible", detail: "Insufficient credits" },
      "OpenRouter",
      NOW_MS,
    );
    assert.deepEqual(
      [text, actions.map(({ label }) => label), retryAtMs],
      [
        "OpenRouter reports no credit left for this key. Add credit in your account there, or use another model. Nothing is lost. It said: Insufficient credits",
        ["Retry", "Switch model", "Replace key"],
        undefined,
      ],
    );
  });

  it("E:403 a wrong country is not told as a refused key", () => {
    const { text, actions } = explain(
      { code: "COUNTRY_REFUSED", provider: "openai", detail: "Country, region, or territory not supported" },
      "OpenAI",
      NOW_MS,
    );
    assert.deepEqual(
      [text, actions.map(({ label }) => label)],
      [
        "OpenAI does not serve the country or region that this machine's requests come from. The key is not the reason. Use another model, or the network that you are meant to use. Nothing is lost. It said: Country, region, or territory not supported",
        ["Switch model", "Retry"],
      ],
    );
  });

  it("E:402 a wait is told as a time of day, and counted down to", () => {
    const limited = { code: "RATE_LIMITED", provider: "anthropic", detail: "", retryAfterMs: 3_600_000 } as const;
    const { text, retryAtMs } = explain(limited, "Anthropic", NOW_MS);
    assert.deepEqual(
      [text, retryAtMs],
      ["Anthropic asks to slow down; it can be tried again at 14:05. Nothing is lost.", NOW_MS + 3_600_000],
    );
  });
});

describe("failureReason", () => {
  const cases: readonly (readonly [error: ForgeError, text: string])[] = [
    [{ code: "AUTH_FAILED", provider: "anthropic", detail: "no" }, "Anthropic refused the key. It said: no"],
    [unavailable("overloaded", ""), "Anthropic is overloaded."],
    [{ code: "CANCELLED" }, "Anthropic did not answer in time."],
  ];
  for (const [error, text] of cases) {
    it(text, () => {
      assert.equal(failureReason(error, "Anthropic"), text);
    });
  }
});
