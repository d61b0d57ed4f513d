/** LM Studio chooses a model's context window when it loads the model, and reports it only from then on. */

import assert from "node:assert/strict";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import { startOpenAiServer, type Dialect } from "../../servers/openaiServer.ts";
import { ask, nameOf, NEVER } from "../../support/models/providerRequests.ts";
import { whenTrue } from "../../support/whenTrue.ts";

const ID = modelId("local-7b");

for (const dialect of ["lmStudio", "lmStudioNewer"] as const satisfies readonly Dialect[]) {
  describe(`a model that ${dialect} loads on demand`, () => {
    const served = { id: ID, contextWindow: 100_000, maxOutput: 2_048, loadedTokens: 0 };

    it("is planned with the smallest window at first, then with the allocated one, even after unloading", async () => {
      const server = await startOpenAiServer({ dialect, models: [served] });
      const learned: unknown[] = [];
      const provider = createOpenAiProvider({
        name: "openaiCompatible",
        label: "Local",
        baseUrl: server.url,
        onWindow: (model, contextWindow) => learned.push([model, contextWindow]),
      });
      const windows = async (): Promise<unknown> => {
        const listed = await provider.listModels(NEVER);
        return listed.ok ? listed.value.map(({ limits }) => limits?.contextWindow) : listed.error;
      };
      const first = await windows();
      served.loadedTokens = 16_384;
      const { end } = await ask(provider, ID);
      await whenTrue(() => learned.length > 0);
      await ask(provider, ID);
      const loaded = await windows();
      served.loadedTokens = 0;
      const unloaded = await windows();
      await server.close();
      assert.deepEqual([first, nameOf(end), loaded, unloaded], [[8_192], "endTurn", [16_384], [16_384]]);
      assert.deepEqual(learned, [[ID, 16_384]], "asked for once");
    });
  });
}
