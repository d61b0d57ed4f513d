/** Spec §5, rule by rule: beginning a summary, and the conditions to record it. */

import assert from "node:assert/strict";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import { messageId } from "../../../../src/core/ids.ts";
import type { SummarizerOutput } from "../../../../src/core/context/summarization/completedSummary.ts";
import type { PendingSummarization } from "../../../../src/core/context/summarization/pendingSummarization.ts";
import { counts, TestConversation, type ConversationOptions } from "../../../support/session/conversation.ts";

function begin(conversation: TestConversation, ids: readonly number[]): PendingSummarization | undefined {
  return runSync(conversation.manager.prepareSummarization(ids.map(messageId)));
}

/** `0-5^2 from 0 1 S0 (300)`: range, level above the first, sources, target. */
function shortly(pending: PendingSummarization | undefined): string {
  if (pending === undefined) return "nothing";
  const { covers, level, sources, targetTokens } = pending;
  const from = sources.map(({ kind, id }) => (kind === "summary" ? `S${String(id)}` : String(id))).join(" ");
  const above = level > 1 ? `^${String(level)}` : "";
  return `${String(covers.start)}-${String(covers.end - 1)}${above} from ${from} (${String(targetTokens)})`;
}

describe("§5 prepareSummarization", () => {
  const check = (
    title: string,
    script: string,
    ids: readonly number[],
    expected: string,
    options?: ConversationOptions,
  ): void => {
    it(title, () => {
      const conversation = new TestConversation(options).play(script);
      const before = conversation.manager.revision;
      assert.equal(shortly(begin(conversation, ids)), expected);
      assert.equal(conversation.manager.revision, before, "nothing is changed by beginning");
    });
  };
  check("sorts ids and drops duplicates", "5*100/100", [2, 0, 1, 2], "0-2 from 0 1 2 (64)");
  check("takes the first contiguous run", "5*200/200", [0, 1, 3, 4], "0-1 from 0 1 (64)");
  check("continues across hidden messages", "5*100/100 hide2-3", [1, 4], "1-4 from 1 4 (64)");
  check("targets the ratio", "8*500/500", [0, 1, 2, 3], "0-3 from 0 1 2 3 (302)");
  check("targets the user's ratio", "8*500/500", [0, 1, 2, 3], "0-3 from 0 1 2 3 (1008)", {
    settings: { summaryRatio: 0.5 },
  });
  check("targets at least 64 tokens", "u196 a9 u9 a9 u9", [0], "0-0 from 0 (64)");
  check("returns nothing for a span of 199 tokens", "u195 a9 u9 a9 u9", [0], "nothing");
  check("widens to whole tool batches", "u300 t100:100,100 4*50/50", [1], "1-3 from 1 2 3 (64)");
  check("widens to whole summaries", "8*100/100 S2-5:100", [0, 1, 2], "0-5^2 from 0 1 S0 (93)");
  check("is split by a pinned message", "8*200/200 pin2", [0, 1, 2, 3], "0-1 from 0 1 (64)");
  check(
    "is split by a pinned tool batch as a whole",
    "u200 a200 t20:90,90 4*90/90 pin3",
    [0, 1, 2, 3, 4, 5],
    "0-1 from 0 1 (64)",
  );
  check("begins after a pinned message", "8*200/200 pin0", [0, 1, 2], "1-2 from 1 2 (64)");
  check("excludes the newest messages", "4*200/200", [2, 3, 4, 5], "2-3 from 2 3 (64)");
  const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  check("is made of summaries", "9*500/500 S0-3:300 S4-7:300 S0-7:200", all, "0-9^3 from S2 8 9 (756)");
  check(
    "is made of those that a squeezed one was made of",
    "9*500/500 S0-3:300 S4-7:300 S0-7:90",
    all,
    "0-9^3 from S0 S1 8 9 (731)",
  );
  check(
    "is made of those of a twice squeezed one",
    "9*500/500 S0-3:500 S4-5:200 S0-5:90 S0-7:80",
    all,
    "0-9^4 from S0 S1 6 7 8 9 (725)",
  );
  check(
    "is made of the user's words, however short",
    "9*500/500 S0-3:300 S4-7:300 S0-7:90 edit0-7:80",
    all,
    "0-9^3 from S3 8 9 (725)",
  );
  it("reserves the next id", () => {
    const conversation = new TestConversation().play("8*200/200 S0-3:100");
    assert.equal(begin(conversation, [4, 5])?.id, 1);
  });
  it("converts the model's tokens to the tokenizer's for the writer's limits", () => {
    const conversation = new TestConversation({ model: "claude-odd" }).play("8*300/300");
    const pending = begin(conversation, [0, 1, 2, 3]);
    // 4 × (300 × 1.4 + 1) = 1,684 model tokens: 15 % are 252, or 180 tokenizer tokens; at most 904, or 646, and as
    // much as the user's two messages take more, 429 or 307.
    assert.deepEqual([pending?.targetTokens, pending?.maxTokens], [252, 1_333]);
    assert.deepEqual(pending?.writerLimits, {
      targetTokens: 180,
      userTokens: { cl100k: 307, o200k: Infinity },
      mostTokens: { cl100k: 952, o200k: Infinity },
    });
  });
  check("makes another version of the same range", "8*200/200 S0-3:100", [0, 1, 2, 3], "0-3 from 0 1 2 3 (122)");
  check(
    "makes another version of a higher level from the inner summaries",
    "8*200/200 S0-1:80 S2-3:80 S0-3:90",
    [0, 1, 2, 3],
    "0-3^2 from S0 S1 (122)",
  );
  check("stays inside a larger summary", "8*200/200 S0-7:200", [2, 3], "2-3 from 2 3 (64)");
  check("returns nothing for messages that are too small", "8*40/40", [0, 1], "nothing");
  check("returns nothing for the reserve", "2*200/200", [0, 1, 2, 3], "nothing");
  check("returns nothing for ids that do not exist", "2*200/200", [7], "nothing");
  check("takes the run before an id that does not exist", "5*200/200", [1, 0, 99], "0-1 from 0 1 (64)");
  check("CX-NT2 returns nothing for no ids", "8*200/200", [], "nothing");
});

describe("§5 completeSummarization", () => {
  const draft: SummarizerOutput = {
    content: "what happened",
    tokens: counts(100),
    kind: "conversation",
    factsKept: 3,
    factsTotal: 4,
    createdAtMs: 5,
  };
  const pendingIn = (conversation: TestConversation): PendingSummarization => {
    const pending = begin(conversation, [0, 1, 2, 3]);
    assert.ok(pending !== undefined);
    return pending;
  };

  it("returns the record of the summary", () => {
    const conversation = new TestConversation().play("8*200/200");
    const pending = pendingIn(conversation);
    assert.deepEqual(conversation.manager.completeSummarization(pending, draft, "a-model"), {
      ok: true,
      value: {
        kind: "summary",
        summary: {
          id: 0,
          covers: { start: 0, end: 4 },
          level: 1,
          kind: "conversation",
          content: "what happened",
          tokenCount: counts(100),
          originalTokens: counts(800),
          createdAtMs: 5,
          generatedBy: "a-model",
          sourceHash: pending.sourceHash,
          factsKept: 3,
          factsTotal: 4,
          state: "active",
        },
      },
    });
    assert.equal(conversation.manager.history.summaryCount, 0, "nothing changes before it is applied");
  });

  const refuses = (title: string, meanwhile: string, changed: Partial<SummarizerOutput>, field: string): void => {
    it(`rejects ${title}`, () => {
      const conversation = new TestConversation().play("8*200/200");
      const pending = pendingIn(conversation);
      conversation.play(meanwhile);
      const before = conversation.sent();
      const refused = conversation.manager.completeSummarization(pending, { ...draft, ...changed }, "a-model");
      assert.deepEqual(refused.ok ? [] : [refused.error.code, "field" in refused.error && refused.error.field], [
        "VALIDATION_ERROR",
        field,
      ]);
      assert.equal(conversation.sent(), before);
    });
  };
  refuses("an empty summary", "", { content: " \n" }, "summary.content");
  // The four messages take 816; a summary of 788 takes the same with 24 + 4 of framing.
  refuses("a summary that is not smaller than its source", "", { tokens: counts(788) }, "summary.tokens");
  it("accepts a summary of the planned maximum, and rejects one above it", () => {
    const conversation = new TestConversation().play("8*20/600");
    const pending = pendingIn(conversation);
    // 15 % of 1,256 are 188; twice that, 400 for the user's directives, and 2 × 32 for the user's messages are 840.
    const isAccepted = (tokens: number): boolean =>
      conversation.manager.completeSummarization(pending, { ...draft, tokens: counts(tokens) }, "m").ok;
    assert.deepEqual([pending.maxTokens, isAccepted(840), isAccepted(841)], [840, true, false]);
  });
  refuses("a summary whose source was hidden meanwhile", "hide3-3", {}, "summary.sourceHash");
  refuses("a summary that partly overlaps another made meanwhile", "S2-5:100", {}, "summary.covers");

  for (const [title, meanwhile] of [
    ["was renewed", "S0-1:90"],
    ["was undone", "undo0"],
  ] as const) {
    it(`rejects a summary of another that ${title} meanwhile`, () => {
      const conversation = new TestConversation().play("8*200/200 S0-1:80");
      const pending = pendingIn(conversation);
      assert.deepEqual(shortly(pending), "0-3^2 from S0 2 3 (122)");
      conversation.play(meanwhile);
      const refused = conversation.manager.completeSummarization(pending, draft, "a-model");
      assert.equal(!refused.ok && "field" in refused.error && refused.error.field, "summary.sources");
    });
  }

  it("accepts a summary when the conversation only continued meanwhile", () => {
    const conversation = new TestConversation().play("8*200/200");
    const pending = pendingIn(conversation);
    conversation.play("2*50/50 S4-7:100");
    const completed = conversation.manager.completeSummarization(pending, draft, "a-model");
    assert.equal(completed.ok ? completed.value.summary.id : -1, 1);
  });

  it("retains the existing summary when a renewed one is rejected", () => {
    const conversation = new TestConversation().play("8*200/200 S0-3:100");
    const before = conversation.sent();
    const refused = conversation.manager.completeSummarization(
      pendingIn(conversation),
      { ...draft, content: "" },
      "a-model",
    );
    assert.deepEqual([refused.ok, conversation.sent()], [false, before]);
  });
});

describe("§5 records of changes", () => {
  it("are rejected for messages, ranges and summaries that they cannot apply to", () => {
    const { manager } = new TestConversation().play("8*200/200 S0-3:100 S0-5:120 undo1 S4-7:100");
    const id = messageId(16);
    const fields = [
      manager.pinRecord(id, 0),
      manager.unpinRecord(id, 0),
      manager.hideRecord({ start: id, end: messageId(17) }, 0),
      manager.showRecord({ start: messageId(2), end: messageId(2) }, 0),
      manager.summaryStateRecord(manager.history.summaries[1]?.id ?? assert.fail(), "active", 0),
    ].map((made) => (made.ok ? "" : made.error.field));
    assert.deepEqual(fields, ["message", "message", "range", "range", "summary"]);
  });
});
