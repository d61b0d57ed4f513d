import assert from "node:assert/strict";
import fc from "fast-check";
import { modelName } from "../../../src/core/models/modelName.ts";

const hash = "a09a35458c702b33eeacc393d103063234e8bc28";

describe("modelName", () => {
  for (const [id, expected] of [
    ["/tmp/cellar/SmolLM2-135M-Instruct.Q4_1.gguf", "SmolLM2-135M-Instruct Q4_1"],
    ["/home/ann/models/qwen2.5-7b-instruct-q4_k_m.gguf", "qwen2.5-7b-instruct-q4_k_m"],
    ["/models/gpt-oss-120b-mxfp4-00001-of-00003.gguf", "gpt-oss-120b-mxfp4"],
    ["C:\\Users\\Ann\\models\\Mistral-7B.IQ3_XXS.gguf", "Mistral-7B IQ3_XXS"],
    ["c:/models/phi-4.BF16.GGUF", "phi-4 BF16"],
    ["\\\\nas\\models\\gemma-3.gguf", "gemma-3"],
    ["~/models/gemma-3-270m.F16.gguf", "gemma-3-270m F16"],
    ["./gemma.gguf", "gemma"],
    ["../models/gemma.safetensors", "gemma"],
    ["file:///srv/models/gemma.bin", "gemma"],
    ["models/gemma.gguf", "gemma"],
    ["gemma.Q8_0.gguf", "gemma Q8_0"],
    ["/models/Llama-3.1-8B-Instruct", "Llama-3.1-8B-Instruct"],
    ["/models/Llama-3.1-8B-Instruct/", "Llama-3.1-8B-Instruct"],
    [`/root/.cache/huggingface/hub/models--Qwen--Qwen2.5-7B-Instruct/snapshots/${hash}`, "Qwen2.5-7B-Instruct"],
    [`/root/snapshots/${hash}`, hash],
    ["/models/模型 一.gguf", "模型 一"],
    // Names that are no paths.
    ["gpt-6.1-sol", "gpt-6.1-sol"],
    ["openai/gpt-oss-20b", "openai/gpt-oss-20b"],
    ["accounts/fireworks/models/deepseek-v3", "accounts/fireworks/models/deepseek-v3"],
    ["@cf/meta/llama-3-8b", "@cf/meta/llama-3-8b"],
    ["hf.co/bartowski/gemma-GGUF:Q4_K_M", "hf.co/bartowski/gemma-GGUF:Q4_K_M"],
    ["qwen3:8b", "qwen3:8b"],
    ["SmolLM2-135M-Instruct.Q4_1", "SmolLM2-135M-Instruct.Q4_1"],
    ["", ""],
    ["/", "/"],
    [".gguf", ".gguf"],
    ["/models/.gguf", "/models/.gguf"],
  ] as const) {
    it(`L6 is ${JSON.stringify(expected)} for ${JSON.stringify(id)}`, () => {
      assert.equal(modelName(id), expected);
    });
  }

  it("L6 is never empty where the id is not, and the name of a name is the name", () => {
    const part = fc.oneof(
      fc.constantFrom("/", "\\", ".", "~", "-", "c:", ".gguf", "-00001-of-00002", "snapshots", "models--a--b", "Q4_1"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const id = parts.join("");
        const name = modelName(id);
        assert.equal(name === "", id === "");
        assert.equal(modelName(name), name);
      }),
    );
  });
});
