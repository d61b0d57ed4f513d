/** What gateways that speak Anthropic's protocol send otherwise than its own service does. */

import assert from "node:assert/strict";
import { createAnthropicProvider } from "../../../src/adapters/anthropic/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import { startAnthropicServer } from "../../servers/anthropicServer.ts";
import type { ModelServer } from "../../servers/protocol.ts";
import type { Answer, Script } from "../../servers/script.ts";
import { realClock } from "../../support/clocks.ts";
import { ask, nameOf, type Received } from "../../support/providerRequests.ts";

const CALL = { id: "toolu_1", name: "get_weather", inputJson: '{"city":"Ōsaka"}' };
const ANSWER: Answer = { thinking: "Hm.", text: "I look it up.", toolCalls: [CALL] };

describe("gateways before Anthropic", () => {
  let server: ModelServer;
  before(async () => {
    server = await startAnthropicServer();
  });
  after(() => server.close());

  const asked = (script: Script): Promise<Received> => {
    server.reset();
    server.script(script);
    const provider = createAnthropicProvider({ apiKey: "sk-x", baseUrl: server.url });
    return ask(guardedProvider(provider, realClock), modelId("claude-haiku-5-5"));
  };
  const checkWhole = ({ thinking, text, toolCalls, end }: Received): void => {
    assert.deepEqual(
      [thinking, text, toolCalls, nameOf(end)],
      [ANSWER.thinking, ANSWER.text, ANSWER.toolCalls, "toolUse"],
    );
  };

  it("answer although they do not name their events", async () => {
    checkWhole(await asked({ answer: ANSWER, framing: { names: "missing" } }));
    checkWhole(await asked({ answer: ANSWER, framing: { names: "missing", newline: "\r\n", pieceBytes: 7 } }));
  });

  it("answer although an empty line parts events from their names", async () => {
    checkWhole(await asked({ answer: ANSWER, framing: { names: "parted" } }));
  });

  it("say what broke an answer off, also where they do not name it", async () => {
    const { text, end } = await asked({
      answer: { text: "0123456789", chunkChars: 5 },
      fault: { kind: "errorEvent", afterPieces: 1, type: "overloaded_error", message: "busy" },
      framing: { names: "missing" },
    });
    assert.deepEqual([text, nameOf(end)], ["01234", "overloaded"]);
  });

  it("do not pass off as whole what ends before its end", async () => {
    const { text, end } = await asked({
      answer: { text: "0123456789", chunkChars: 5 },
      fault: { kind: "cleanEnd", afterPieces: 1 },
      framing: { names: "missing" },
    });
    assert.deepEqual([text, nameOf(end)], ["01234", "cutOff"]);
  });
});
