import assert from "node:assert/strict";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import { startOpenAiServer } from "../../servers/openaiServer.ts";
import { realClock } from "../../support/clocks.ts";
import { ask, nameOf, type Received } from "../../support/models/providerRequests.ts";

const CALL = { id: "call_1", name: "get_weather", inputJson: '{"city":"Ōsaka"}' };

async function answered(body: string): Promise<Received> {
  const server = await startOpenAiServer();
  server.script({ fault: { kind: "raw", status: 200, contentType: "text/event-stream", body } });
  const provider = createOpenAiProvider({ name: "openaiCompatible", label: "Hosted", baseUrl: server.url });
  const received = await ask(guardedProvider(provider, realClock), modelId("gpt-6-luna"));
  const asked = server.requests.length;
  await server.close();
  assert.equal(asked, 1);
  return received;
}

describe("a stream without a finish reason", () => {
  const streamed = (...chunks: readonly (object | string)[]): Promise<Received> => {
    const lines = chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`);
    return answered(lines.join(""));
  };
  const say = (delta: object): object => ({ choices: [{ index: 0, delta, finish_reason: null }] });
  const call = (json: string): object =>
    say({ tool_calls: [{ index: 0, id: CALL.id, function: { name: CALL.name, arguments: json } }] });
  const check = async (chunks: readonly (object | string)[], expected: string): Promise<void> => {
    const { end } = await streamed(...chunks);
    assert.equal(nameOf(end), expected, JSON.stringify(chunks));
  };

  it("is complete when it ends as the protocol says", async () => {
    await check([say({ content: "Yes." }), "[DONE]"], "endTurn");
    await check([say({ content: "Yes." }), say({}), "[DONE] "], "endTurn");
    await check([say({ refusal: "No." }), "[DONE]"], "refusal");
    await check([call(CALL.inputJson), "[DONE]"], "toolUse");
    await check([say({ content: "I look." }), call('{"city":'), call('"Ōsaka"}'), "[DONE]"], "toolUse");
  });

  it("is cut off when it just ends, or is empty", async () => {
    await check([say({ content: "Yes." })], "cutOff");
    await check(["[DONE]"], "cutOff");
    await check([say({ reasoning_content: "Hm." }), "[DONE]"], "cutOff");
  });

  it("is cut off when a call is incomplete", async () => {
    for (const json of ["", '{"city":', '"']) {
      await check([call(json), "[DONE]"], "cutOff");
      await check([say({ content: "I look." }), call(json), "[DONE]"], "cutOff");
    }
  });

  it("is invalid when it cannot be read, whatever its end says", () =>
    check([say({ content: "Yes." }), "{oops", "[DONE]"], "badAnswer"));

  it("is an error when the server sends one outside the data field, as llama.cpp did", async () => {
    const error = { code: 400, message: "the request exceeds the available context size (4096 tokens)" };
    const ended = `error: ${JSON.stringify(error)}\n\ndata: [DONE]\n\n`;
    const detail = error.message;
    const reason = "contextOverflow";
    const windowTokens = 4_096;
    const expected = { code: "SERVICE_UNAVAILABLE", provider: "openaiCompatible", reason, detail, windowTokens };
    for (const before of ["", `data: ${JSON.stringify(say({ content: "Yes." }))}\n\n`]) {
      const { text, end } = await answered(before + ended);
      assert.deepEqual([text, end], [before === "" ? "" : "Yes.", { error: expected }]);
    }
    const commented = `: error: none\n\ndata: ${JSON.stringify(say({ content: "error: none" }))}\n\ndata: [DONE]\n\n`;
    assert.equal(nameOf((await answered(commented)).end), "endTurn");
  });

  it("is read although an empty line separates an event's name from its data", async () => {
    const parted = `event: chunk\n\ndata: ${JSON.stringify(say({ content: "Yes." }))}\n\ndata: [DONE]\n\n`;
    const { text, end } = await answered(parted);
    assert.deepEqual([text, nameOf(end)], ["Yes.", "endTurn"]);
  });
});
