/** Requirements of single compatible servers: learned from one refused request, then remembered for the model. */

import assert from "node:assert/strict";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import { modelId, toolCallId } from "../../../src/core/ids.ts";
import type { PreparedContext } from "../../../src/core/context/request/preparedContext.ts";
import { textMessage, type Message } from "../../../src/core/message.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import { startOpenAiServer } from "../../servers/openaiServer.ts";
import type { ServedModel } from "../../servers/protocol.ts";
import { list, member } from "../../servers/wireJson.ts";
import { realClock } from "../../support/clocks.ts";
import { ask, nameOf, prepared } from "../../support/models/providerRequests.ts";

const MODEL = { id: "hosted", contextWindow: 8_192, maxOutput: 2_048 };

const CALL_ID = "call_00_x";
const callOf = (callId: string, thinking: string): readonly Message[] => [
  {
    role: "assistant",
    parts: [
      ...(thinking === "" ? [] : [{ kind: "thinking" as const, text: thinking }]),
      { kind: "toolCall", callId: toolCallId(callId), name: "read_file", inputJson: "{}" },
    ],
  },
  { role: "user", parts: [{ kind: "toolResult", callId: toolCallId(callId), outcome: "ok", text: "const a = 1;" }] },
];

/** Asks twice. Returns both ends and the bodies of all requests sent, retries included. */
async function askTwice(
  model: ServedModel,
  question?: PreparedContext,
): Promise<{ readonly ends: readonly string[]; readonly bodies: readonly unknown[] }> {
  const server = await startOpenAiServer({ dialect: "vllm", models: [model] });
  const provider = guardedProvider(
    createOpenAiProvider({ name: "openaiCompatible", label: "Hosted", baseUrl: server.url }),
    realClock,
  );
  const first = await ask(provider, modelId(model.id), question);
  const second = await ask(provider, modelId(model.id), question);
  const bodies = server.requests.map(({ body }) => body);
  await server.close();
  return { ends: [nameOf(first.end), nameOf(second.end)], bodies };
}

describe("compatible servers with special requirements", () => {
  it("are sent the answer limit under its newer name when they require it", async () => {
    const check = async (
      refuses: readonly string[],
      expected: readonly (readonly (number | undefined)[])[],
    ): Promise<void> => {
      const { ends, bodies } = await askTwice({ ...MODEL, refuses });
      assert.deepEqual(ends, ["endTurn", "endTurn"]);
      assert.deepEqual(
        bodies.map((body) => [member(body, "max_tokens"), member(body, "max_completion_tokens")]),
        expected,
      );
    };
    const older = [500, undefined];
    const newer = [undefined, 500];
    await check(["max_tokens"], [older, newer, newer]);
    await check([], [older, older]);
  });

  it("are not asked again under another name when the limit is merely too large", async () => {
    const { ends, bodies } = await askTwice({ ...MODEL, maxOutput: 100 });
    assert.deepEqual([ends, bodies.length], [["badRequest", "badRequest"], 2]);
  });

  it("are sent the thinking before calls back when they require it", async () => {
    const question = prepared([
      textMessage("user", "Read it."),
      ...callOf(CALL_ID, "I need the file."),
      ...callOf("call_01_x", ""),
    ]);
    const check = async (
      wantsThinking: boolean,
      expected: readonly (readonly (string | undefined)[])[],
    ): Promise<void> => {
      const { ends, bodies } = await askTwice({ ...MODEL, wantsThinking }, question);
      assert.deepEqual(ends, ["endTurn", "endTurn"]);
      const calling = bodies.map((body) =>
        list(body, "messages").filter((message) => member(message, "tool_calls") !== undefined),
      );
      assert.deepEqual(
        calling.map((messages) => messages.map((message) => member(message, "reasoning_content"))),
        expected,
      );
    };
    const without = [undefined, undefined];
    const within = ["I need the file.", ""];
    await check(true, [without, within, within]);
    await check(false, [without, without]);
  });

  it("are sent call ids and a message order that Mistral accepts", async () => {
    const question = prepared([
      textMessage("user", "Read it."),
      ...callOf("toolu_01A", ""),
      textMessage("user", "Go on."),
      ...callOf("D681PevKs", ""),
      ...callOf("toolu_01A", ""),
    ]);
    const { ends, bodies } = await askTwice({ ...MODEL, isMistral: true }, question);
    assert.deepEqual(ends, ["endTurn", "endTurn"]);
    const idsIn = (body: unknown): readonly unknown[] =>
      list(body, "messages").flatMap((message) => [
        ...list(message, "tool_calls").map((call) => member(call, "id")),
        ...[member(message, "tool_call_id")].filter((id) => id !== undefined),
      ]);
    const [first, , third, fourth] = bodies;
    assert.deepEqual(bodies.length, 4, "asked for ids, then for the order, then for nothing any more");
    assert.deepEqual(idsIn(first), ["toolu_01A", "toolu_01A", "D681PevKs", "D681PevKs", "toolu_01A_2", "toolu_01A_2"]);
    const sent = idsIn(third);
    assert.deepEqual([sent[0], sent[2], sent[4]], [sent[1], "D681PevKs", sent[5]]);
    assert.equal(new Set(sent).size, 3);
    assert.deepEqual(third, fourth);
    const roles = list(third, "messages").map((message) => member(message, "role"));
    const round = ["assistant", "tool"];
    assert.deepEqual(roles, ["user", ...round, "assistant", "user", ...round, ...round]);
  });

  it("are recognized as Mistral by their address", async () => {
    const idAt = async (baseUrl: string): Promise<unknown> => {
      const bodies: unknown[] = [];
      const fetch = (_input: unknown, init?: RequestInit): Promise<Response> => {
        if (typeof init?.body === "string") bodies.push(JSON.parse(init.body));
        return Promise.resolve(new Response("", { status: 401 }));
      };
      const provider = createOpenAiProvider({ name: "openaiCompatible", label: "Mistral", baseUrl, fetch });
      await ask(provider, modelId("large"), prepared([textMessage("user", "Read it."), ...callOf("toolu_01A", "")]));
      return member(list(list(bodies[0], "messages")[1], "tool_calls")[0], "id");
    };
    assert.match(String(await idAt("https://api.mistral.ai/v1")), /^[a-z\d]{9}$/);
    assert.equal(await idAt("https://mistral.ai.example/v1"), "toolu_01A");
  });

  it("are asked again when a model's template rejects a request as a server error", async () => {
    const server = await startOpenAiServer({ dialect: "llamaCpp", models: [MODEL] });
    const message = "Tool call IDs should be alphanumeric strings with length 9! at row 59, column 129";
    server.script({ times: 1, fault: { kind: "status", status: 500, message } });
    const provider = createOpenAiProvider({ name: "openaiCompatible", label: "Local", baseUrl: server.url });
    const question = prepared([textMessage("user", "Read it."), ...callOf("toolu_01A", "")]);
    const { end } = await ask(provider, modelId(MODEL.id), question);
    const asked = server.requests.length;
    await server.close();
    assert.deepEqual([nameOf(end), asked], ["endTurn", 2]);
  });
});
