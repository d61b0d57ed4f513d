import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { modelId } from "../../../src/core/ids.ts";
import type { GenerationOptions } from "../../../src/core/models/generationOptions.ts";
import type { Provider, StreamOptions } from "../../../src/core/stream/provider.ts";
import { SYSTEM_PROMPT, systemPrompt } from "../../../src/host/connections/systemPrompt.ts";
import { generationOptionsOf, withGenerationOptions } from "../../../src/host/connections/generationOptions.ts";
import { ask, NEVER, prepared } from "../../support/models/providerRequests.ts";

describe("wishes", () => {
  const check = (own: Readonly<Record<string, string>>, set: GenerationOptions, expected: GenerationOptions): void => {
    assert.deepEqual(generationOptionsOf({ setting: (name) => own[name] }, { generationOptions: set }), expected);
  };
  it("are those of the settings where the conversation has none", () => {
    check({}, { reasoningEffort: "high" }, { reasoningEffort: "high" });
    check({ reasoningEffort: "" }, { reasoningEffort: "high" }, { reasoningEffort: "high" });
  });
  it("are the conversation's own where it has some", () =>
    check(
      { reasoningEffort: "low", answerLength: "short" },
      { reasoningEffort: "high" },
      { reasoningEffort: "low", answerLength: "short" },
    ));
  it("are none where the conversation leaves it to the model, or says what nobody knows", () => {
    check({ reasoningEffort: "auto" }, { reasoningEffort: "high" }, {});
    check({ answerLength: "endless" }, { answerLength: "long" }, {});
  });
  it("go with answers, and not with summaries", async () => {
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

describe("what every request begins with", () => {
  const claude = { providerName: "anthropic", model: modelId("claude-opus-5-5") } as const;
  const gpt = { providerName: "openai", model: modelId("gpt-6-luna") } as const;
  it("is Forge's own where the user has said nothing", () => {
    assert.equal(
      systemPrompt({ instructions: "", answerLength: undefined, ruleFiles: [], connection: claude }),
      SYSTEM_PROMPT,
    );
  });
  it("holds the user's instructions", () => {
    const prompt = systemPrompt({
      instructions: "Answer in German.",
      answerLength: undefined,
      ruleFiles: [],
      connection: claude,
    });
    assert.ok(prompt.startsWith(SYSTEM_PROMPT) && prompt.endsWith(":\nAnswer in German."));
  });
  it("says how long to answer where no parameter does", () => {
    const of = (connection: typeof claude | typeof gpt): boolean =>
      systemPrompt({ instructions: "", answerLength: "short", ruleFiles: [], connection }).includes("short answers");
    assert.deepEqual([of(claude), of(gpt)], [true, false]);
  });
});
