import assert from "node:assert/strict";
import { messageId } from "../../../src/core/ids.ts";
import { ContextItems } from "../../../src/host/context/contextItems.ts";
import { contextParts, omittedCount, omittedMessages } from "../../../src/host/context/contextParts.ts";
import { memoryDisk } from "../../support/storage/memoryStore.ts";
import { openSummarized } from "../../support/session/summarizedSession.ts";
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

  it("lists what the strategy does not send, newest first, with what each would take", async () => {
    const opened = await openSummarized({ "context.strategy": "slidingWindow" });
    for (let turn = 0; turn < 13; turn++) await opened.say(8);
    const { session, store } = opened;
    const { manager } = session.opened;
    const facts = { instructionCount: 0, toolCount: 0, draftTokens: 0, summarizesAtPercent: null, preserveRecent: 4 };
    const omitted = contextParts(manager, facts).find(({ kind }) => kind === "omitted")?.segments ?? [];
    assert.equal(omittedCount(omitted), 6);
    const segments = omittedMessages(manager, omitted, 3);
    const countTokens = session.tools.countsOf.bind(session.tools);
    const items = await new ContextItems().itemsOf("omitted", segments, { manager, store, countTokens });
    assert.deepEqual(
      items.map(({ place, label, pinned }) => [place, label.slice(0, 17), pinned]),
      [
        [{ kind: "message", id: 5 }, "Answer: Done as y", false],
        [{ kind: "message", id: 4 }, "You: Question 2: ", false],
        [{ kind: "message", id: 3 }, "Answer: Done as y", false],
      ],
    );
    assert.ok(items.every(({ tokens }) => tokens > 10));
  });

  it("says of a summary what made it", async () => {
    const opened = await openSummarized();
    for (let turn = 0; turn < 8; turn++) await opened.say(30);
    const { session, store } = opened;
    await session.summaries.summarizeNow({ range: { start: messageId(0), end: messageId(4) } });
    const { manager } = session.opened;
    const segments = manager.usage().segments.filter(({ kind }) => kind === "summary");
    const countTokens = session.tools.countsOf.bind(session.tools);
    const [item] = await new ContextItems().itemsOf("summaries", segments, { manager, store, countTokens });
    assert.ok(item !== undefined);
    assert.equal(item.label, "Summary 1: messages 1–4");
    assert.match(
      item.why,
      /^Stands for 4 messages of \d+ tokens · Chosen messages, you asked · Request: [\d.]+k → [\d.]+k tokens · Extract, no model used · /,
    );
  });
});
