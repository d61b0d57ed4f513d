/** Compactions as in the product: real text, the real summarizer, scripted models. */

import assert from "node:assert/strict";
import type { Preparation } from "../../../../src/core/context/request/preparation.ts";
import type { PreparedContext } from "../../../../src/core/context/request/preparedContext.ts";
import { textOf, type Message } from "../../../../src/core/message.ts";
import type { Script } from "../../../support/models/scriptedModel.ts";
import { SpokenConversation } from "../../../support/session/spokenConversation.ts";
import { assistant, codingSession, user } from "../../../support/session/summarySources.ts";
import { messageId, toolCallId } from "../../../../src/core/ids.ts";

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

async function sent(conversation: SpokenConversation): Promise<string> {
  const prepared = conversation.manager.prepare();
  if (prepared.kind !== "ready") return prepared.kind;
  const read = await prepared.context.apiMessages();
  assert.ok(read.ok);
  return read.value.map(textOf).join("\n");
}

describe("runCompaction", () => {
  it("toolCalls: makes one model call for all old batches and one record for each run of batches", async () => {
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

  it("CX-NT3 returns SERVICE_UNAVAILABLE and sends the cached summary as before when the model fails", async () => {
    const conversation = new SpokenConversation();
    await conversation.say(...codingSession(6));
    assert.ok((await conversation.compact("manual", GOOD)).done.ok);
    await conversation.say(...codingSession(5));
    const { history } = conversation.manager;
    const before = [await sent(conversation), history.summaryCount, history.spending.receipts.length, history.revision];
    const { done } = await conversation.compact("manual", OVERLOADED);
    assert.equal(done.ok ? "" : done.error.code, "SERVICE_UNAVAILABLE");
    assert.deepEqual(
      [await sent(conversation), history.summaryCount, history.spending.receipts.length, history.revision],
      before,
    );
    assert.ok((await conversation.compact("manual", GOOD)).done.ok, "and the next try works");
  });

  it("changes nothing when a later one of several calls fails, and succeeds on the next attempt", async () => {
    const conversation = new SpokenConversation({ model: "large", settings: { strategy: "threshold" } });
    await conversation.say(...codingSession(90));
    const before = await sent(conversation);
    const { done, asked } = await conversation.compact("manual", (question, index) =>
      index === 0 ? { text: NOTES } : OVERLOADED(question, index),
    );
    assert.deepEqual([done.ok ? "" : done.error.code, asked.length], ["SERVICE_UNAVAILABLE", 2]);
    const { history } = conversation.manager;
    assert.deepEqual(
      [history.summaryCount, history.spending.receipts.length, await sent(conversation)],
      [0, 0, before],
    );
    assert.ok((await conversation.compact("manual", GOOD)).done.ok);
    assert.equal(history.spending.receipts.length, 1);
  });

  it("preserves as many of the user's directives as fit", async () => {
    const conversation = new SpokenConversation({ model: "tiny" });
    const orders = (turn: number): string =>
      Array.from({ length: 30 }, (_, at) => `You must never touch file ${turn}-${at} of billing.`).join(" ");
    for (let turn = 0; turn < 3; turn++) await conversation.say(user(orders(turn)), assistant("Understood."));
    await conversation.say(user("Go on."), assistant("I do."), user("And now?"), assistant("Done."));
    assert.equal(conversation.manager.prepare().kind, "summarizationNeeded");
    assert.ok((await conversation.compact("overflow", () => ({ text: "" }))).done.ok);
    assert.match(await sent(conversation), /## User directives \(word for word\)\n- You must never touch file/);
  });

  describe("with a file of more than 5,000 lines", () => {
    const lines = Array.from({ length: 6_000 }, (_, at) => `  const row${at} = load("table_${at % 50}", ${at});`);
    const file = ["export function loadAll() {", ...lines, "} // end of src/big/loader.ts, the last line"].join("\n");

    const read = async (): Promise<SpokenConversation> => {
      const conversation = new SpokenConversation({ model: "middle", settings: { strategy: "threshold" } });
      await conversation.say(user("Read src/big/loader.ts. Never rename loadAll."), ...batch("big", file));
      return conversation;
    };

    it("sends head and tail of the recent file with the number of omitted tokens", async () => {
      const conversation = await read();
      const { context } = preparedIn(conversation);
      const message = await lastOf(context);
      const [part] = message?.parts ?? [];
      assert.ok(part?.kind === "toolResult");
      assert.match(part.text, /^export function loadAll\(\) \{\n {2}const row0 = /);
      assert.match(part.text, /\n… \d+,\d{3} tokens kept in the history, ask `recall_history` …\n/);
      assert.match(part.text, /} \/\/ end of src\/big\/loader.ts, the last line$/);
      assert.ok(context.usage().usedTokens <= context.usage().budgetTokens);
    });

    it("summarizes the older file, with its facts in the summary and the original unchanged", async () => {
      const conversation = await read();
      await conversation.say(assistant("`loadAll` reads 50 tables; src/big/loader.ts line 6002 ends it."));
      for (let turn = 0; turn < 5; turn++)
        await conversation.say(user(`And step ${turn}?`), assistant("Done as you said."));
      const { done } = await conversation.compact("manual", () => ({ text: "" }));
      assert.ok(done.ok && done.value !== undefined);
      const words = await sent(conversation);
      assert.match(words, /^\[Earlier conversation summary\]$/m);
      assert.match(words, /Names: loadAll · row0/);
      assert.match(words, /Never rename loadAll\./);
      assert.match(words, /src\/big\/loader\.ts/);
      const original = await conversation.store.readMessages([messageId(2)]);
      const [part] = original.ok ? (original.value[0]?.message.parts ?? []) : [];
      assert.equal(part?.kind === "toolResult" ? part.text : "", file);
    });

    it("yields to the event loop during the compaction", async () => {
      const conversation = await read();
      for (let turn = 0; turn < 8; turn++)
        await conversation.say(user(`And step ${turn}?`), assistant(file.slice(0, 9_000)));
      let turnsOfTheLoop = 0;
      let isRunning = true;
      const count = (): void => {
        turnsOfTheLoop++;
        if (isRunning) setImmediate(count);
      };
      count();
      await conversation.compact("manual", () => ({ text: "" }));
      isRunning = false;
      // Reading, counting and extracting yield with every source, and after every 4,096 characters.
      assert.ok(turnsOfTheLoop > 60, `${turnsOfTheLoop}`);
    });
  });
});

function preparedIn({ manager }: SpokenConversation): Extract<Preparation, { kind: "ready" }> {
  const prepared = manager.prepare();
  assert.ok(prepared.kind === "ready", prepared.kind);
  return prepared;
}

async function lastOf(context: PreparedContext): Promise<Message | undefined> {
  const read = await context.apiMessages();
  return read.ok ? read.value.at(-1) : undefined;
}
