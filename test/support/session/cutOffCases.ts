/** Kinds of compactions with conversations for them, for tests that interrupt them at any point. */

import assert from "node:assert/strict";
import type { ForgeError } from "../../../src/core/errors.ts";
import { messageId, modelId, summaryId } from "../../../src/core/ids.ts";
import type { Result } from "../../../src/core/result.ts";
import type { CompactionOrder } from "../../../src/host/session/summaries/compactionOrder.ts";
import type { Script } from "../models/scriptedModel.ts";
import type { SpokenConversation, SpokenOptions } from "./spokenConversation.ts";
import { notesOnPart } from "./summaryRun.ts";
import { codingSession } from "./summarySources.ts";

export const GOOD_NOTES: Script = notesOnPart;

/** A conversation and a compaction of it. */
export interface CutOffCase {
  readonly title: string;
  readonly options: SpokenOptions;
  readonly prepare: (conversation: SpokenConversation) => Promise<void>;
  readonly order: CompactionOrder;
  /** Asserts that the compaction was of the intended kind. */
  readonly check: (conversation: SpokenConversation, calls: number) => void;
}

export async function carriedOut(
  { order }: CutOffCase,
  conversation: SpokenConversation,
  script: Script = GOOD_NOTES,
  cancel?: AbortSignal,
): Promise<Result<unknown, ForgeError>> {
  const { done } = await conversation.compact(order, script, cancel);
  assert.ok(!done.ok || done.value !== undefined, "there is something to summarize");
  return done;
}

const SMALL = { model: "small", settings: { strategy: "threshold", targetPercent: 20 } } as const;

async function compacted(conversation: SpokenConversation, order: CompactionOrder): Promise<void> {
  const { done } = await conversation.compact(order, GOOD_NOTES);
  assert.ok(done.ok && done.value !== undefined);
}

function allCases(): readonly CutOffCase[] {
  return [
    {
      title: "of all that is not summarized",
      options: SMALL,
      prepare: (conversation) => conversation.say(...codingSession(6)),
      order: { trigger: "manual" },
      check: ({ manager: { history } }) => {
        assert.equal(history.summaries.at(-1)?.level, 1);
      },
    },
    {
      title: "made anew",
      options: SMALL,
      prepare: async (conversation) => {
        await conversation.say(...codingSession(6));
        await compacted(conversation, { trigger: "manual" });
      },
      order: { trigger: "manual", regenerate: { id: summaryId(0), sizePercent: 50 }, focus: "the orders" },
      check: ({ manager: { history } }) => {
        assert.deepEqual(history.summaries.at(-1)?.covers, history.summary(summaryId(0)).covers);
      },
    },
    {
      title: "of a range with a pinned message in it",
      options: SMALL,
      prepare: async (conversation) => {
        await conversation.say(...codingSession(6));
        const pin = conversation.manager.pinRecord(messageId(6), 1);
        assert.ok(pin.ok);
        await conversation.keep(pin.value);
      },
      order: { trigger: "manual", range: { start: messageId(0), end: messageId(12) } },
      check: ({ manager: { history } }, calls) => {
        assert.deepEqual([history.summaryCount, calls], [2, 2]);
      },
    },
    {
      title: "of summaries",
      options: { model: "small", settings: { strategy: "threshold", targetPercent: 5 } },
      prepare: async (conversation) => {
        await conversation.say(...codingSession(6));
        await compacted(conversation, { trigger: "manual" });
        await conversation.say(...codingSession(6));
      },
      order: { trigger: "manual" },
      check: ({ manager: { history } }) => {
        assert.equal(history.summaries.at(-1)?.level, 2);
      },
    },
    {
      title: "after a switch to a smaller model, in several calls",
      options: { model: "large", settings: { strategy: "threshold" } },
      prepare: async (conversation) => {
        await conversation.say(...codingSession(14));
        await conversation.keep({ kind: "model", provider: "test", model: modelId("small"), atMs: 1 });
      },
      order: { trigger: "modelSwitch" },
      check: (_, calls) => {
        assert.ok(calls > 2, String(calls));
      },
    },
  ];
}

export const CUT_OFF_CASES: readonly CutOffCase[] = allCases();
