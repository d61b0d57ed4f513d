import assert from "node:assert/strict";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import type { PreparedContext } from "../../../src/core/context/request/preparedContext.ts";
import { modelId } from "../../../src/core/ids.ts";
import type { StreamOptions } from "../../../src/core/stream/provider.ts";
import { startOpenAiServer } from "../../servers/openaiServer.ts";
import { startResponsesServer } from "../../servers/responsesServer.ts";
import { list } from "../../servers/wireJson.ts";
import { fold, nameOf, NEVER, prepared } from "../../support/models/providerRequests.ts";

const TOOLS = [{ name: "now", description: "The time.", inputSchemaJson: '{"type":"object"}' }];
const OPTIONS: StreamOptions = { model: modelId("gpt-6-luna"), maxOutputTokens: 500 };

function withTools(question: PreparedContext): PreparedContext {
  return new Proxy(question, {
    get(target, name): unknown {
      if (name === "tools") return TOOLS;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

describe("a model without tool calls", () => {
  /** Asks twice, the first request being refused with `message`. Returns both ends, then each request's tool count. */
  const asked = async (wire: "chat" | "responses", message: string): Promise<readonly unknown[]> => {
    const server = await (wire === "chat" ? startOpenAiServer({ dialect: "vllm" }) : startResponsesServer());
    server.script({ times: 1, fault: { kind: "status", status: 400, message } });
    const provider = createOpenAiProvider({ name: "openaiCompatible", label: "Any", baseUrl: server.url, wire });
    const ends = [];
    for (let question = 0; question < 2; question++) {
      const events = [];
      for await (const event of provider.stream(withTools(prepared("Hello")), OPTIONS, NEVER)) events.push(event);
      ends.push(nameOf(fold(events).end));
    }
    const tools = server.requests.map(({ body }) => list(body, "tools").length);
    await server.close();
    return [...ends, ...tools];
  };

  it("is asked again without tools, for the error messages of many services", async () => {
    for (const message of [
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      "hosted does not support tools",
      "`tool calling` is not supported with this model",
      "Function calling is not enabled for models/gemma-3-27b-it",
      "Unsupported parameter: 'tools' is not supported with this model.",
      "tools is not supported in this model.",
      "model features function calling not support",
    ])
      for (const wire of ["chat", "responses"] as const)
        assert.deepEqual(await asked(wire, message), ["endTurn", "endTurn", 1, 0, 0], `${wire}: ${message}`);
  });

  it("is not assumed when something else about tools is refused", async () => {
    for (const message of ["Parallel tool calls are not supported", "tools.0.function.strict is not supported"])
      for (const wire of ["chat", "responses"] as const)
        assert.deepEqual(await asked(wire, message), ["badRequest", "endTurn", 1, 1], `${wire}: ${message}`);
  });
});
