/** `docs/conversation.schema.json` against exports, and against what an import refuses. */

import assert from "node:assert/strict";
import fc from "fast-check";
import schema from "../../../docs/conversation.schema.json" with { type: "json" };
import { loadConversation } from "../../support/documents.ts";
import { SchemaCheck } from "../../support/jsonSchema.ts";
import { TestConversation } from "../../support/session/conversation.ts";
import { richConversation, saved } from "../../support/session/savedConversations.ts";
import { operations, perform } from "../../support/storage/randomOperations.ts";

const TOKENS = { cl100k: 3, o200k: 3 };

/** A document with every field that an export can have. */
const EVERYTHING = {
  version: 1,
  messages: [
    {
      id: 0,
      role: "user",
      turn: 0,
      state: "complete",
      createdAtMs: 1,
      tokens: TOKENS,
      sentTokens: { cl100k: 1, o200k: 1 },
      leftOut: [1],
      textClass: "code",
      summary: 0,
      parts: [
        { kind: "text", text: "Why?" },
        { kind: "attachment", label: "a.ts", uri: "file:///a.ts", text: "a" },
        { kind: "image", mediaType: "image/png", dataBase64: "AA==", widthPx: 1, heightPx: 2 },
      ],
    },
    {
      id: 1,
      role: "assistant",
      turn: 0,
      state: "interrupted",
      createdAtMs: 2,
      tokens: TOKENS,
      model: "small",
      step: "step_01234567-0123-0123-0123-0123456789ab",
      durationMs: 1.5,
      stop: { reason: "maxTokens", tokens: 100 },
      summary: 0,
      parts: [{ kind: "thinking", text: "hm", signature: "s", durationMs: 2 }],
    },
    {
      id: 2,
      role: "assistant",
      turn: 0,
      state: "complete",
      createdAtMs: 3,
      tokens: TOKENS,
      batch: 2,
      continues: 1,
      parts: [{ kind: "toolCall", callId: "c", name: "edit", inputJson: "{}" }],
    },
    {
      id: 3,
      role: "user",
      turn: 0,
      state: "complete",
      createdAtMs: 4,
      tokens: TOKENS,
      batch: 2,
      erasedAtMs: 9,
      parts: [
        {
          kind: "toolResult",
          callId: "c",
          outcome: "ok",
          text: "done",
          title: "Edit a.ts",
          durationMs: 3,
          sources: [{ conversation: "other", title: "Other", lastUsedAtMs: 1, messages: [0, 2] }],
          problems: {
            listed: [{ severity: "error", path: "a.ipynb", cell: 1, line: 1, column: 2, message: "No “b”." }],
            more: 2,
          },
        },
      ],
    },
    {
      id: 4,
      role: "user",
      turn: 4,
      state: "complete",
      createdAtMs: 5,
      tokens: TOKENS,
      parts: [{ kind: "text", text: "Why not?" }],
    },
  ],
  summaries: [
    {
      id: 0,
      covers: { start: 0, end: 2 },
      level: 1,
      kind: "extract",
      content: "Asked.",
      tokenCount: TOKENS,
      originalTokens: { cl100k: 9, o200k: 9 },
      createdAtMs: 5,
      generatedBy: "extract",
      sourceHash: "1",
      factsKept: 1,
      factsTotal: 2,
      state: "undone",
    },
  ],
  receipts: [
    {
      summaries: [0],
      span: { start: 0, end: 2 },
      strategy: "threshold",
      strategies: ["threshold"],
      trigger: "manual",
      tokensBefore: 9,
      tokensAfter: 3,
      budgetTokens: 100,
      requestModel: "small",
      billedInputTokens: 9,
      billedOutputTokens: 3,
      model: "small",
      calls: 1,
      costUsd: 0.01,
      breakEvenRequests: 2,
      durationMs: 5,
      factsKept: 1,
      factsTotal: 2,
      atMs: 6,
      notes: [{ model: "small", answers: 1, refused: 1, why: "tooLong", lengthPercent: 120 }],
      notesLater: [0],
      inOrigin: true,
    },
  ],
  pins: [0],
  hidden: [{ start: 2, end: 4 }],
  branches: [{ id: 4, follows: 1 }],
  settings: [{ name: "strategy", value: "tree" }],
  projects: [{ remotes: ["example.org/a/b"], rootCommit: "1".repeat(40) }],
  title: { title: "Why", by: "user", atMs: 7 },
  model: { provider: "test", model: "small", atMs: 7 },
  usage: [
    {
      message: 1,
      model: "small",
      inputTokens: 9,
      outputTokens: 3,
      cacheReadTokens: 1,
      cacheWriteTokens: 1,
      costUsd: 0.001,
      atMs: 8,
      inOrigin: true,
    },
  ],
};

describe("the schema of an export", function () {
  this.timeout(60_000);

  const faultsOf = (json: string): readonly string[] => {
    const check = new SchemaCheck(schema);
    check.check(JSON.parse(json));
    return check.faults;
  };

  it("fits an export with every kind of record", async () => {
    assert.deepEqual(faultsOf(await saved(richConversation())), []);
  });

  it("fits exports of random conversations", async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (all) => {
        const conversation = new TestConversation();
        for (const operation of all) perform(operation, conversation);
        if (conversation.manager.history.length > 0) assert.deepEqual(faultsOf(await saved(conversation)), []);
      }),
      { numRuns: 200, seed: 20_261_129 },
    );
  });

  it("describes no field that an import does not take", () => {
    const loaded = loadConversation(JSON.stringify(EVERYTHING));
    assert.ok(loaded.ok, JSON.stringify(loaded));
    const check = new SchemaCheck(schema);
    check.check(EVERYTHING);
    assert.deepEqual(check.faults, []);
    assert.deepEqual(
      check.places().filter((place) => !check.fitted.has(place)),
      [],
    );
  });

  const refuses = (title: string, from: string, to: string, fault: RegExp): void => {
    it(`refuses, as an import does, ${title}`, () => {
      const json = JSON.stringify(EVERYTHING);
      assert.ok(json.includes(from), from);
      const changed = json.replace(from, to);
      assert.equal(loadConversation(changed).ok, false);
      assert.match(faultsOf(changed).join("\n"), fault);
    });
  };
  refuses("a newer version", '"version":1', '"version":2', /document\.version is not 1/);
  refuses("an unknown field", '"pins"', '"pens":[],"pins"', /document\.pens is unknown/);
  refuses("a missing field", ',"settings":[{"name":"strategy","value":"tree"}]', "", /document\.settings is missing/);
  refuses("a role that nobody has", '"role":"user"', '"role":"root"', /messages\[0\]\.role is none of/);
  refuses("a fraction of a token", '"cl100k":3', '"cl100k":3.5', /cl100k is no integer/);
  refuses("a message without parts", '"parts":[{"kind":"text","text":"Why not?"}]', '"parts":[]', /too few items/);
  refuses("an unknown kind of part", '"kind":"image"', '"kind":"video"', /parts\[2\] fits 0 of 6/);
  refuses("a request of another form", '"step":"step_', '"step":"Step_', /step is not like/);
  refuses("an approval of tools", '"name":"strategy"', '"name":"grant.tool.run"', /name is what it must not be/);
  refuses("a negative price", '"costUsd":0.001', '"costUsd":-1', /costUsd is below 0/);
  refuses("a time that no calendar has", '"atMs":8', '"atMs":9e15', /atMs is above/);
});
