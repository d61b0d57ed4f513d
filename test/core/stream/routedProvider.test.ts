import assert from "node:assert/strict";
import { modelId, type ModelId } from "../../../src/core/ids.ts";
import { promptContext } from "../../../src/core/context/request/promptContext.ts";
import { routedProvider } from "../../../src/core/stream/routedProvider.ts";
import { textMessage } from "../../../src/core/message.ts";
import { counts } from "../../support/session/conversation.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";

describe("routedProvider", () => {
  const [small, large] = [modelId("small"), modelId("large")];
  const askedOf = async (model: ModelId): Promise<string> => {
    const provider = routedProvider(scriptedProvider(saying("main")), small, scriptedProvider(saying("other")));
    const prepared = promptContext({
      ...{ model, limits: { contextWindow: 8_000, maxOutput: 1_000 }, systemPrompt: "", systemTokens: counts(0) },
      ...{ messages: [textMessage("user", "Hi")], tokens: [counts(2)] },
    });
    assert.ok(prepared.ok);
    let text = "";
    const { signal } = new AbortController();
    for await (const event of provider.stream(prepared.value, { model, maxOutputTokens: 100 }, signal)) {
      if (event.kind === "text") text += event.text;
    }
    return text;
  };

  it("sends the requests for one model elsewhere", async () => {
    assert.deepEqual([await askedOf(small), await askedOf(large)], ["other", "main"]);
  });

  it("is the provider itself where both are the same", () => {
    const provider = scriptedProvider();
    assert.equal(routedProvider(provider, small, provider), provider);
  });
});
