import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { modelId } from "../../../src/core/ids.ts";
import type { GenerationOptions } from "../../../src/core/models/generationOptions.ts";
import type { Provider, StreamOptions } from "../../../src/core/stream/provider.ts";
import { SYSTEM_PROMPT, systemPrompt } from "../../../src/host/connections/systemPrompt.ts";
import { generationOptionsOf, withGenerationOptions } from "../../../src/host/connections/generationOptions.ts";
import { ask, NEVER, prepared } from "../../support/models/providerRequests.ts";

describe("generation options", () => {
  const check = (own: Readonly<Record<string, string>>, set: GenerationOptions, expected: GenerationOptions): void => {
    assert.deepEqual(generationOptionsOf({ setting: (name) => own[name] }, { generationOptions: set }), expected);
  };
  it("come from the settings when the conversation has none", () => {
    check({}, { reasoningEffort: "high" }, { reasoningEffort: "high" });
    check({ reasoningEffort: "" }, { reasoningEffort: "high" }, { reasoningEffort: "high" });
  });
  it("come from the conversation when it has its own", () =>
    check(
      { reasoningEffort: "low", answerLength: "short" },
      { reasoningEffort: "high" },
      { reasoningEffort: "low", answerLength: "short" },
    ));
  it("are empty when the conversation leaves them to the model or has an unknown value", () => {
    check({ reasoningEffort: "auto" }, { reasoningEffort: "high" }, {});
    check({ answerLength: "endless" }, { answerLength: "long" }, {});
  });
  it("are sent with answers, but not with summaries", async () => {
    const sent: StreamOptions[] = [];
    const inner: Provider = {
      name: "p",
      label: "P",
      async *stream(_prepared, options) {
        sent.push(options);
        yield await Promise.resolve({ kind: "done", stopReason: "endTurn" } as const);
      },
      listModels: () => Promise.reject(new Error("not asked for here")),
    };
    const provider = withGenerationOptions(inner, () => ({ reasoningEffort: "low" }));
    await ask(provider, modelId("m"));
    assert.equal(sent[0]?.reasoningEffort, "low");
    const options = { model: modelId("m"), maxOutputTokens: 5, purpose: "summary" as const };
    for await (const event of provider.stream(prepared("a"), options, NEVER)) assert.equal(event.kind, "done");
    assert.equal(sent[1]?.reasoningEffort, undefined);
  });
});

describe("systemPrompt", () => {
  const claude = { providerName: "anthropic", model: modelId("claude-opus-5-5") } as const;
  const gpt = { providerName: "openai", model: modelId("gpt-6-luna") } as const;
  it("is Forge's own without the user's instructions", () => {
    assert.equal(
      systemPrompt({ instructions: "", answerLength: undefined, ruleFiles: [], connection: claude }),
      SYSTEM_PROMPT,
    );
  });
  it("contains the user's instructions", () => {
    const prompt = systemPrompt({
      instructions: "Answer in German.",
      answerLength: undefined,
      ruleFiles: [],
      connection: claude,
    });
    assert.ok(prompt.startsWith(SYSTEM_PROMPT) && prompt.endsWith(":\nAnswer in German."));
  });
  it("states the answer length only for models without a parameter for it", () => {
    const of = (connection: typeof claude | typeof gpt): boolean =>
      systemPrompt({ instructions: "", answerLength: "short", ruleFiles: [], connection }).includes("short answers");
    assert.deepEqual([of(claude), of(gpt)], [true, false]);
  });
});
