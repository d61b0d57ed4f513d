/** Index of a conversation of 100,000 messages, nearly all summarized in pairs: the most summaries possible. */

import type { IndexRecord } from "../../src/core/history/records.ts";
import { sourceHash } from "../../src/core/history/summaries/sourceHash.ts";
import { messageId, summaryId } from "../../src/core/ids.ts";
import { counts, range } from "../../test/support/session/conversation.ts";

const MESSAGES = 100_000;
const SUMMARIES = 49_000;

/** The index records, in store order. */
export function manySummaries(): readonly IndexRecord[] {
  const entries = Array.from({ length: MESSAGES }, (_, index): IndexRecord => {
    const id = messageId(index);
    const entry = { id, role: "user", turn: id, state: "complete", createdAtMs: index, tokens: counts(30) } as const;
    return { kind: "entry", entry };
  });
  return [...entries, ...Array.from({ length: SUMMARIES }, (_, index) => pairSummary(index))];
}

function pairSummary(index: number): IndexRecord {
  const covers = range(2 * index, 2 * index + 2);
  const hashed = [covers.start, messageId(covers.start + 1)].map((id) => ({ id, state: "complete" }) as const);
  return {
    kind: "summary",
    summary: {
      id: summaryId(index),
      covers,
      level: 1,
      kind: "conversation",
      content: "what was said",
      tokenCount: counts(5),
      originalTokens: counts(60),
      createdAtMs: index,
      generatedBy: "a-model",
      sourceHash: sourceHash(hashed, () => true),
      factsKept: 0,
      factsTotal: 0,
      state: "active",
    },
  };
}
