import assert from "node:assert/strict";
import { baseAddress, allowedHeaders } from "../../../src/adapters/http/allowedHeaders.ts";

describe("baseAddress", () => {
  const check = (typed: string, expected: string): void => {
    assert.equal(baseAddress(typed, ["/chat/completions", "/models"], "/v1"), expected);
  };
  it("normalizes the addresses that people paste", () => {
    check("http://localhost:1234", "http://localhost:1234/v1");
    check(" http://localhost:1234/ ", "http://localhost:1234/v1");
    check("https://api.openai.com/v1/", "https://api.openai.com/v1");
    check("https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1");
    check("https://host.example/openai/v1/models", "https://host.example/openai/v1");
    check("https://host.example/v1beta/openai", "https://host.example/v1beta/openai");
  });
});

describe("allowedHeaders", () => {
  it("puts the key into one header, and into none without a key", () => {
    const keyed = (style: "bearer" | "xApiKey", apiKey: string | undefined): string[] =>
      Object.entries(allowedHeaders({ style, apiKey }))
        .filter(([, value]) => value.includes("KEY"))
        .map(([name]) => name);
    assert.deepEqual(keyed("bearer", "KEY"), ["authorization"]);
    assert.deepEqual(keyed("xApiKey", "KEY"), ["x-api-key"]);
    assert.deepEqual(
      allowedHeaders({ style: "bearer", apiKey: undefined }),
      allowedHeaders({ style: "xApiKey", apiKey: "" }),
    );
  });
});
