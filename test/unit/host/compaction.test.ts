import assert from "node:assert/strict";
import { textOf, type Message } from "../../../src/core/message.ts";
import type { Script } from "../../support/scriptedModel.ts";
import { SpokenConversation } from "../../support/spokenConversation.ts";
import { assistant, codingSession, user } from "../../support/summarySources.ts";
import { toolCallId } from "../../../src/core/ids.ts";

const NOTES = "## Goal\nFaster orders.\n## Open items\n- none";
const GOOD: Script = () => ({ text: NOTES });
const OVERLOADED: Script = () => ({
  error: { code: "SERVICE_UNAVAILABLE", provider: "scripted", reason: "overloaded", detail: "529" },
});

function batch(id: string, result: string): readonly Message[] {
  const callId = toolCallId(id);
  return [
    { role: "assistant", parts: [{ kind: "toolCall", callId, name: "read", inputJson: `{"path":"${id}.ts"}` }] },
    { role: "user", parts: [{ kind: "toolResult", callId, outcome: "ok", text: result }] },
  ];
}

/** Everything that is sent, as text. */
async function sent(conversation: SpokenConversation): Promise<string> {
  const prepared = conversation.manager.prepare();
  if (prepared.kind !== "ready") return prepared.kind;
  const read = await prepared.context.apiMessages();
  assert.ok(read.ok);
  return read.value.map(textOf).join("\n");
}

describe("runCompaction", () => {
  it("§6 toolCalls: asks one model call for all old batches, and keeps one record for each run", async () => {
    const conversation = new SpokenConversation({ settings: { strategy: "toolCalls" } });
    for (let turn = 0; turn < 13; turn++) {
      const tools = turn < 2 ? batch(`tool-${turn}`, `row ${turn}: ${"some words of a file. ".repeat(60)}`) : [];
      await conversation.say(user(`Question ${turn}?`), ...tools, assistant("All of it is told here. ".repeat(28)));
    }
    assert.ok(conversation.manager.usage().percentage() >= 70, conversation.manager.usage().formatCompact());
    const { done, asked } = await conversation.compact("threshold", () => ({
      text: "# Stretch 1\n## Operations\n- read tool-0.ts\n# Stretch 2\n## Operations\n- read tool-1.ts",
    }));
    assert.ok(done.ok);
    const { calls, summaries, model } = done.value ?? assert.fail("something was compacted");
    assert.deepEqual([asked.length, calls, summaries, model], [1, 1, [0, 1], "small"]);
    const made = conversation.manager.history.summaries;
    assert.deepEqual(
      made.map(({ covers, kind, content }) => [covers, kind, /tool-\d/.exec(content)?.[0]]),
      [
        [{ start: 1, end: 3 }, "toolCalls", "tool-0"],
        [{ start: 5, end: 7 }, "toolCalls", "tool-1"],
      ],
    );
  });

  it("CX-NT3 when the model fails: SERVICE_UNAVAILABLE, and the cached summary is sent as before", async () => {
    const conversation = new SpokenConversation();
    await conversation.say(...codingSession(6));
    assert.ok((await conversation.compact("manual", GOOD)).done.ok);
    await conversation.say(...codingSession(5));
    const { history } = conversation.manager;
    const before = [await sent(conversation), history.summaryCount, history.receipts.length, history.revision];
    const { done } = await conversation.compact("manual", OVERLOADED);
    assert.equal(done.ok ? "" : done.error.code, "SERVICE_UNAVAILABLE");
    assert.deepEqual(
      [await sent(conversation), history.summaryCount, history.receipts.length, history.revision],
      before,
    );
    assert.ok((await conversation.compact("manual", GOOD)).done.ok, "and the next try works");
  });

  it("keeps what was made before a failure, with its receipt", async () => {
    const conversation = new SpokenConversation({ model: "large", settings: { strategy: "threshold" } });
    await conversation.say(...codingSession(90));
    const { done } = await conversation.compact("manual", (asked, index) =>
      index === 0 ? { text: NOTES } : OVERLOADED(asked, index),
    );
    assert.equal(done.ok ? "" : done.error.code, "SERVICE_UNAVAILABLE");
    const { history } = conversation.manager;
    assert.deepEqual([history.summaryCount, history.receipts.map(({ calls }) => calls)], [1, [1]]);
  });

  it("§5 keeps the user's standing orders, however many there are, within what fits", async () => {
    const conversation = new SpokenConversation({ model: "tiny" });
    const orders = (turn: number): string =>
      Array.from({ length: 30 }, (_, at) => `You must never touch file ${turn}-${at} of billing.`).join(" ");
    for (let turn = 0; turn < 3; turn++) await conversation.say(user(orders(turn)), assistant("Understood."));
    await conversation.say(user("Go on."), assistant("I do."), user("And now?"), assistant("Done."));
    assert.equal(conversation.manager.prepare().kind, "summarizationNeeded");
    assert.ok((await conversation.compact("overflow", () => ({ text: "" }))).done.ok);
    assert.match(await sent(conversation), /## User directives \(word for word\)\n- You must never touch file/);
  });
});
