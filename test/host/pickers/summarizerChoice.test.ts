import assert from "node:assert/strict";
import { modelId } from "../../../src/core/ids.ts";
import { ModelRegistry } from "../../../src/core/models/modelRegistry.ts";
import type { ProviderName } from "../../../src/host/connections/providerCatalog.ts";
import { chosenSummarizerText, summarizerDetail, usualSummary } from "../../../src/host/pickers/summarizerChoice.ts";
import { connectionsOf } from "../../support/models/connectionsOf.ts";
import { TestConversation } from "../../support/session/conversation.ts";

const registry = new ModelRegistry();
assert.ok(
  registry.setOverrides({ priced: { price: { inputPerMillionUsd: 1, outputPerMillionUsd: 5 } } }).ok,
  "the price is accepted",
);
const { providers } = connectionsOf({
  settings: { "openaiCompatible.baseUrl": "https://gateway.example/v1", "ollama.baseUrl": "http://127.0.0.1:11434" },
});
const services = { registry, providers };

/** The budget is 129,200 tokens. */
const { manager } = new TestConversation({ model: "large" });

describe("the picker of the model for summaries", () => {
  const check = (
    what: string,
    [provider, model]: readonly [ProviderName, string],
    answering: ProviderName,
    expected: string,
  ): void => {
    it(what, () => {
      assert.equal(summarizerDetail({ provider, model: modelId(model) }, answering, manager, services), expected);
    });
  };
  check("says what a summary costs", ["anthropic", "priced"], "anthropic", "about $0.068 for 39k tokens");
  check("says that a price is unknown", ["anthropic", "other"], "anthropic", "price unknown");
  check(
    "says to which other company the text would go",
    ["openai", "priced"],
    "anthropic",
    "To another company: api.openai.com · about $0.068 for 39k tokens",
  );
  check(
    "says to which server of the user's settings it would go",
    ["openaiCompatible", "other"],
    "openai",
    "To another company: gateway.example · price unknown",
  );
  check(
    "says that it would stay in the user's network",
    ["ollama", "qwen3:4b"],
    "anthropic",
    "To 127.0.0.1:11434, in your own network · free by the token",
  );
  check(
    "says that the editor passes it on",
    ["editor", "copilot/gpt-5"],
    "ollama",
    "To the service of the editor's model · free by the token",
  );
  check("says nothing of the place where it goes anyway", ["ollama", "other"], "ollama", "free by the token");

  it("counts a usual summary by the strategy of the conversation", () => {
    const of = (strategy: "pipeline" | "archive"): unknown =>
      usualSummary(new TestConversation({ model: "large", settings: { strategy } }).manager);
    assert.deepEqual(of("pipeline"), { inputTokens: 38_760, outputTokens: 5_814 });
    assert.deepEqual(of("archive"), { inputTokens: 45_220, outputTokens: 6_783 });
  });

  it("tells what was chosen", () => {
    const told = (provider: ProviderName | undefined): string =>
      chosenSummarizerText(
        provider === undefined ? undefined : { provider, model: modelId("priced") },
        "priced",
        "anthropic",
        services,
      );
    assert.deepEqual(
      [told(undefined), told("anthropic"), told("openai")],
      [
        "Forge chooses the model for summaries again: priced in this conversation.",
        "From now on priced writes the summaries of all conversations.",
        "From now on priced writes the summaries of all conversations. What is summarized also goes to another company: api.openai.com.",
      ],
    );
  });
});
