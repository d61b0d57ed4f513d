import assert from "node:assert/strict";
import { ContextItems } from "../../../src/host/context/contextItems.ts";
import { memoryDisk } from "../../support/storage/memoryStore.ts";
import { openSession } from "../../support/session/openSession.ts";
import { calling, saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";

describe("ContextItems", () => {
  it("labels messages without Markdown syntax, and tool calls by the tool's own title", async () => {
    const read = { id: "a", name: "read_file", input: { path: "src/a.ts" } };
    const provider = scriptedProvider(
      calling("", read),
      calling("I **look** at it:", { ...read, id: "b" }),
      saying("| Name | *Value* |\n|---|---|\n| `a` | 1 |"),
    );
    const { session, store } = await openSession(provider, memoryDisk());
    await session.send("1", "Why does this fail?\n\n```ts\nconst a = 1;\n```");
    const { manager } = session.opened;
    const countTokens = session.tools.countsOf.bind(session.tools);
    const items = await new ContextItems().itemsOf("recent", manager.usage().segments, { manager, store, countTokens });
    assert.deepEqual(
      items.map(({ label }) => label),
      [
        "You: Why does this fail? const a = 1;",
        "Answer: Read src/a.ts",
        "Result: Read src/a.ts",
        "Answer: I look at it: Read src/a.ts",
        "Result: Read src/a.ts",
        "Answer: Name, Value a, 1",
      ],
    );
  });

  it("marks the question that is always sent, even if an earlier one is answered again", async () => {
    const provider = scriptedProvider(saying("Blue."), saying("Green."), saying("Red."));
    const { session, store } = await openSession(provider, memoryDisk());
    await session.send("1", "Which colour?");
    await session.send("2", "Why?");
    await session.actions.retry(1);
    const { manager } = session.opened;
    const countTokens = session.tools.countsOf.bind(session.tools);
    const items = await new ContextItems().itemsOf("recent", manager.usage().segments, { manager, store, countTokens });
    assert.deepEqual(
      items.map(({ label, why }) => [label, why]),
      [
        ["You: Which colour?", "The last question: always sent as it is"],
        ["Answer: Red.", ""],
      ],
    );
  });
});
