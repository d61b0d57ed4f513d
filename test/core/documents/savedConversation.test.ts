import assert from "node:assert/strict";
import fc from "fast-check";
import { branchPlace } from "../../../src/core/history/branches/branches.ts";
import { savedOutline, saveConversation } from "../../../src/core/documents/savedConversation.ts";
import { messageId, modelId, toolCallId } from "../../../src/core/ids.ts";
import { runSync } from "../../../src/core/cooperativeTask.ts";
import { forkOf } from "../../../src/core/history/fork.ts";
import { forkedRecords } from "../../support/storage/memoryStore.ts";
import { counts, TestConversation } from "../../support/session/conversation.ts";
import { operations, perform } from "../../support/storage/randomOperations.ts";
import { contentsOf, loaded, richConversation, saved } from "../../support/session/savedConversations.ts";

describe("a saved conversation", function () {
  this.timeout(60_000);

  it("is byte-identical when loaded and saved again", async () => {
    const json = await saved(richConversation());
    assert.equal(await saved(loaded(json)), json);
    assert.equal(json.split('"createdAtMs"').length - 1, 17 + 2);
    assert.ok(json.includes('"durationMs":1.5') && json.includes('"denied"'));
    assert.ok(!json.includes("grant."), "what the user allowed here is for here alone");
  });

  it("holds its projects without what names a place on the machine; a fork belongs to all of them", async () => {
    const conversation = richConversation();
    const projects = [
      { remotes: ["example.org/a"], folder: "file:///home/ann/a" },
      { remotes: [], rootCommit: "1".repeat(40), folder: "file:///home/ann/b" },
      { remotes: [], folder: "file:///home/ann/c" },
    ];
    for (const project of [...projects, ...projects]) conversation.store({ kind: "project", project, atMs: 0 });
    assert.deepEqual(conversation.manager.history.projects, projects);
    const json = await saved(conversation);
    assert.equal(json.includes("/home/ann"), false);
    assert.equal(await saved(loaded(json)), json);
    assert.deepEqual(loaded(json).manager.history.projects, [
      { remotes: ["example.org/a"] },
      { remotes: [], rootCommit: "1".repeat(40) },
    ]);
    const origin = { conversation: "here", title: "", message: 1 };
    const fork = forkedRecords(conversation.records, forkOf(conversation.manager.history, messageId(1), origin, 0));
    assert.deepEqual(
      fork.flatMap((record) => (record.kind === "project" ? [record.project] : [])),
      projects,
    );
  });

  it("has no segments of a replica, nor has a fork: it is another conversation", async () => {
    const conversation = richConversation();
    const before = await saved(conversation);
    const runs = [{ number: 0, index: 0, count: 1 }];
    const info = { hash: "1", writer: "1", sequence: 0, epoch: 1, after: [], count: 1, machine: "laptop" };
    conversation.store({ kind: "segment", segment: info, runs });
    conversation.store({ kind: "segment", segment: { ...info, hash: "2" }, runs, publishedTo: 1 });
    assert.equal(await saved(conversation), before);
    const origin = { conversation: "here", title: "", message: 16 };
    const fork = forkedRecords(conversation.records, forkOf(conversation.manager.history, messageId(16), origin, 0));
    assert.deepEqual(
      fork.filter(({ kind }) => kind === "segment"),
      [],
    );
  });

  it("L6 names a model by its file; a fork keeps the path that the server knows", async () => {
    const path = "/home/ann/models/Smol.Q4_1.gguf";
    const conversation = new TestConversation();
    const meta = { state: "complete", createdAtMs: 0, tokens: counts(1), model: modelId(path) } as const;
    conversation.store(conversation.manager.record({ role: "user", parts: [{ kind: "text", text: "Hi" }] }, meta));
    conversation.store(conversation.manager.record({ role: "assistant", parts: [{ kind: "text", text: "Hi" }] }, meta));
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, atMs: 0 };
    conversation.store({ kind: "usage", message: messageId(1), model: modelId(path), ...usage });
    conversation.store({ kind: "model", provider: "openaiCompatible", model: modelId(path), atMs: 0 });
    const json = await saved(conversation);
    assert.equal(json.includes("/home/ann"), false);
    assert.equal(json.split('"model":"Smol Q4_1"').length - 1, 4, json);
    assert.equal(await saved(loaded(json)), json);
    const origin = { conversation: "here", title: "", message: 1 };
    const fork = forkedRecords(conversation.records, forkOf(conversation.manager.history, messageId(1), origin, 0));
    assert.equal(JSON.stringify(fork).split(`"model":"${path}"`).length - 1, 4);
  });

  it("survives loading for random conversations, with the same request but what was recalled", async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (all) => {
        const conversation = new TestConversation();
        for (const operation of all) perform(operation, conversation);
        if (conversation.manager.history.length === 0) return;
        const json = await saved(conversation);
        const again = loaded(json);
        assert.equal(await saved(again), json);
        for (const { id } of again.manager.history.entries) {
          const { branches } = again.manager.history;
          assert.deepEqual(branches.siblings(id), conversation.manager.history.branches.siblings(id));
        }
        again.switchTo("large-unseen");
        conversation.switchTo("large-unseen");
        assert.equal(again.sent(), conversation.sent().replaceAll(/ \+\([^)]*\)/g, ""));
      }),
      { numRuns: 1_000, seed: 20_261_121 },
    );
  });

  it("contains the state at the start of saving, whatever changes while it is written", async () => {
    await fc.assert(
      fc.asyncProperty(operations, operations, async (before, meanwhile) => {
        const conversation = new TestConversation();
        for (const operation of before) perform(operation, conversation);
        if (conversation.manager.history.length === 0) return;
        const json = await saved(conversation);
        const pieces: string[] = [];
        const left = [...meanwhile];
        const done = await saveConversation(
          runSync(savedOutline(conversation.manager.history)),
          contentsOf(conversation),
          (piece) => {
            pieces.push(piece);
            for (const operation of left.splice(0, 3)) perform(operation, conversation);
            return Promise.resolve();
          },
        );
        assert.deepEqual([done, pieces.join("")], [{ ok: true, value: undefined }, json]);
      }),
      { numRuns: 150, seed: 20_261_124 },
    );
  });

  it("pauses every thousand messages while branches, hidden messages and summaries are collected", () => {
    const conversation = new TestConversation().play("5000*1/1 S0-8999:9");
    const pauses = [...savedOutline(conversation.manager.history)].length;
    assert.ok(pauses >= 10 + 10 + 9 - 3, `${String(pauses)} pauses`);
  });

  it("restores the versions of a message as siblings, also if an older one is shown", async () => {
    const conversation = new TestConversation().play("2*1/1 hide2-3 1*1/1 hide4-5 1*1/1 hide6-7 show2-3");
    const again = loaded(await saved(conversation)).manager.history;
    assert.deepEqual(branchPlace(again, messageId(2)), { siblings: [2, 4, 6], index: 0 });
    assert.deepEqual(
      again.entries.filter((entry) => again.isVisible(entry)).map(({ id }) => id),
      [0, 1, 2, 3],
    );
  });

  it("sends the same excerpt of a message with many tool results after loading", async () => {
    const conversation = new TestConversation().play("u10");
    const callIds = Array.from({ length: 30 }, (_, index) => toolCallId(`call-${String(index)}`));
    const calls = callIds.map((callId) => ({ kind: "toolCall", callId, name: "read", inputJson: "{}" }) as const);
    const results = callIds.map(
      (callId) => ({ kind: "toolResult", callId, outcome: "ok", text: "word ".repeat(200) }) as const,
    );
    conversation.add({ role: "assistant", parts: calls }, 400);
    conversation.add({ role: "user", parts: results }, 6_300);
    const again = loaded(await saved(conversation));
    const sent = [conversation, again].map((each) => each.ready().segments.at(-1));
    // 30 times the hint on how to get a result plus its framing; not a sixteenth of the budget.
    const excerpt = { kind: "excerpt", id: 2, tokens: 1_084, contentTokens: 1_080 };
    assert.deepEqual(sent, [excerpt, excerpt]);
  });

  it("is read 200 messages at a time and written in pieces", async () => {
    const conversation = new TestConversation().play("500*1/1");
    let largest = 0;
    let pieces = 0;
    await saveConversation(
      runSync(savedOutline(conversation.manager.history)),
      (ids) => {
        largest = Math.max(largest, ids.length);
        return contentsOf(conversation)(ids);
      },
      () => {
        pieces++;
        return Promise.resolve();
      },
    );
    assert.deepEqual([largest, pieces], [200, 7]);
  });

  it("returns the error of a message that cannot be read", async () => {
    const conversation = new TestConversation().play("2*1/1");
    const error = { code: "STORAGE_FAILED", reason: "ioError", detail: "gone" } as const;
    const done = await saveConversation(
      runSync(savedOutline(conversation.manager.history)),
      () => Promise.resolve({ ok: false, error }),
      () => Promise.resolve(),
    );
    assert.deepEqual(done, { ok: false, error });
  });
});
