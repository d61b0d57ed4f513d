/** What a compatible server wants otherwise than the others: it is told so once, and then holds for its model. */

import assert from "node:assert/strict";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import type { PreparedContext } from "../../../src/core/context/preparedContext.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import { startOpenAiServer } from "../../servers/openaiServer.ts";
import type { ServedModel } from "../../servers/protocol.ts";
import { member } from "../../servers/wireJson.ts";
import { realClock } from "../../support/clocks.ts";
import { ask, nameOf } from "../../support/providerRequests.ts";

const MODEL = { id: "hosted", contextWindow: 8_192, maxOutput: 2_048 };

/** Asks twice; the ends, and the bodies of all requests that it took. */
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

describe("compatible servers with demands of their own", () => {
  it("answer where the limit of an answer must go by its newer name", async () => {
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

  it("are not asked again by another name where the limit is only too large", async () => {
    const { ends, bodies } = await askTwice({ ...MODEL, maxOutput: 100 });
    assert.deepEqual([ends, bodies.length], [["badRequest", "badRequest"], 2]);
  });
});
