/** Models in the settings, with and without their provider; names of models have colons, too. */

import assert from "node:assert/strict";
import { modelId } from "../../../src/core/ids.ts";
import { modelSetting, parseModelSetting } from "../../../src/host/connections/providerCatalog.ts";

describe("a model in a setting", () => {
  for (const [text, provider, model] of [
    ["llama3:8b", undefined, "llama3:8b"],
    ["gpt-5-mini", undefined, "gpt-5-mini"],
    ["hf.co/bartowski/gemma-GGUF:Q4_K_M", undefined, "hf.co/bartowski/gemma-GGUF:Q4_K_M"],
    ["ollama:llama3:8b", "ollama", "llama3:8b"],
    ["ollama: llama3:8b", "ollama", "llama3:8b"],
    ["openai:gpt-4o", "openai", "gpt-4o"],
    ["openaiCompatible:openai:gpt-4o", "openaiCompatible", "openai:gpt-4o"],
    ["editor:copilot/gpt-5", "editor", "copilot/gpt-5"],
    // No provider that could be asked, or no model.
    ["offline:offline", undefined, "offline:offline"],
    ["toString:8b", undefined, "toString:8b"],
    ["openai:", undefined, "openai:"],
    [":8b", undefined, ":8b"],
  ] as const) {
    it(`is ${model} of ${provider ?? "the conversation's provider"} for ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parseModelSetting(text), { provider, model });
    });
  }

  it("is none for an empty text", () => {
    assert.equal(parseModelSetting(""), undefined);
  });

  it("is read as it was written, whatever its name", () => {
    for (const provider of ["anthropic", "openai", "openaiCompatible", "ollama", "editor"] as const) {
      for (const name of ["llama3:8b", "openai:gpt-4o", "ollama:a:b", "gpt-5", "editor:x", ":x"]) {
        const model = modelId(name);
        assert.deepEqual(parseModelSetting(modelSetting({ provider, model })), { provider, model });
      }
    }
  });
});
