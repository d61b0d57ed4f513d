import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { diagnosticsText, type DiagnosticsFacts } from "../../../src/host/commands/diagnosticsText.ts";
import { readSettings } from "../../../src/host/editor/settings.ts";

const SECRET = "sk-ant-api03-0123456789abcdefghijABCDEFGHIJ";

describe("diagnostics", () => {
  const facts: DiagnosticsFacts = {
    versions: { Forge: "0.1.0", editor: `Code ${SECRET}` },
    providers: [
      {
        name: "anthropic",
        address: "https://api.anthropic.com",
        defaultAddress: "https://api.anthropic.com",
        hasKey: true,
      },
      {
        name: "openaiCompatible",
        address: "https://models.secret-house.example/v1",
        defaultAddress: "",
        hasKey: false,
      },
      { name: "ollama", address: "http://127.0.0.1:11435", defaultAddress: "http://127.0.0.1:11434", hasKey: false },
      { name: "openai", address: "", defaultAddress: "", hasKey: false },
    ],
    found: ["LM Studio with 3 models"],
    settings: readSettings(
      (name) =>
        ({ instructions: "Call me Ishmael.", "spending.limitPerDayUsd": 5, reasoningEffort: "high" })[name] ??
        undefined,
      {},
    ),
    network: { "http.proxy": "set" },
  };
  const text = diagnosticsText(facts);

  it("list versions, providers, found servers, settings and the proxy", () => {
    for (const line of [
      "- Forge: 0.1.0",
      "- anthropic: the usual address, a key is kept",
      "- openaiCompatible: an own address (https://, another host), no key",
      "- ollama: an own address (http://, this machine), no key",
      "- openai: no address, no key",
      "- found: LM Studio with 3 models",
      "- instructions: 16 characters",
      "- wish.reasoningEffort: high",
      "- spending.limitPerDayUsd: 5",
      "- context.strategy: pipeline",
      "- http.proxy: set",
      "- open: none",
    ]) {
      assert.ok(text.split("\n").includes(line), line);
    }
  });
  it("contain no key, host name or instruction of the user", () => {
    for (const own of [SECRET, "secret-house", "Ishmael"]) assert.ok(!text.includes(own), own);
  });
});
