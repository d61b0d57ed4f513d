import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createAnthropicProvider } from "../../../src/adapters/anthropic/client.ts";
import { nextRequestJson } from "../../../src/host/context/nextRequest.ts";
import { openSession } from "../../support/session/openSession.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";

const KEY = `sk-ant-${randomUUID()}`;
const provider = createAnthropicProvider({ apiKey: KEY, baseUrl: "http://127.0.0.1:9" });

describe("nextRequestJson", () => {
  it("contains the conversation and then the draft, but no key, and leaves the conversation unchanged", async () => {
    const { session } = await openSession(scriptedProvider(saying("Because.")));
    await session.send("1", "Why?");
    const { manager, store } = session.opened;
    const before = [manager.revision, manager.usage().formatCompact()];
    const shown = await nextRequestJson({
      manager,
      store,
      connection: { provider, model: manager.model },
      draft: "And then?",
      countTokens: (message) => session.tools.countsOf(message),
      nowMs: 1,
    });
    assert.ok(shown.ok);
    const body: unknown = JSON.parse(shown.value);
    assert.ok(typeof body === "object" && body !== null && "messages" in body && Array.isArray(body.messages));
    assert.deepEqual(
      body.messages.map((message: { readonly role: string }) => message.role),
      ["user", "assistant", "user"],
    );
    assert.match(shown.value, /"And then\?"/);
    assert.ok(!shown.value.includes(KEY));
    assert.deepEqual([manager.revision, manager.usage().formatCompact()], before);
  });
});
