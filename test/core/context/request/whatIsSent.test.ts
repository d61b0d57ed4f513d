/**
 * What a request says, by whatever stands in it: each summary is known by what was read for it. All that the user has in the
 * conversation now is said, by itself or in a summary; nothing that he has taken out of it is.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { PendingSummarization } from "../../../../src/core/context/summarization/pendingSummarization.ts";
import type { HistoryEntry } from "../../../../src/core/message.ts";
import { messageId } from "../../../../src/core/ids.ts";
import type { SummaryKind } from "../../../../src/core/history/summaries/summary.ts";
import { attach, leaveOut, sendAgain } from "../../../support/session/attachedMessages.ts";
import { TEST_MODELS, TestConversation } from "../../../support/session/conversation.ts";
import { operations, perform } from "../../../support/storage/randomOperations.ts";

/** Remembers of each summary what was read for it. */
class ReadConversation extends TestConversation {
  readonly #read: ReadonlySet<string>[] = [];

  override complete(pending: PendingSummarization, tokens: number, kind?: SummaryKind): boolean {
    const { history } = this.manager;
    const read = pending.sources.flatMap((source) =>
      source.kind === "message" ? this.#wordsOf(history.entry(source.id)) : [...(this.#read[source.id] ?? [])],
    );
    const isAccepted = super.complete(pending, tokens, kind);
    if (isAccepted) this.#read.push(new Set(read));
    return isAccepted;
  }

  /** What is in the conversation now. */
  get present(): readonly string[] {
    const { history } = this.manager;
    return history.entries.flatMap((entry) => (history.isVisible(entry) ? this.#wordsOf(entry) : [])).toSorted();
  }

  /** What the request says; `undefined` where there is none, or where it does not stand for the whole story. */
  get said(): readonly string[] | undefined {
    const prepared = this.manager.prepare();
    if (prepared.kind !== "ready") return undefined;
    const said = new Set<string>();
    for (const segment of prepared.context.segments) {
      if (segment.kind === "omitted") return undefined;
      const words =
        segment.kind === "summary"
          ? (this.#read[segment.id] ?? [])
          : this.#wordsOf(this.manager.history.entry(segment.id));
      for (const word of words) said.add(word);
    }
    return [...said].toSorted();
  }

  #wordsOf({ id, leftOut }: HistoryEntry): readonly string[] {
    const isAttached = this.message(id).parts.some(({ kind }) => kind === "attachment");
    const name = `message ${String(id)}`;
    return isAttached && leftOut === undefined ? [name, `the file of ${name}`] : [name];
  }
}

/** A question with an attachment and nine turns after it, the first five messages in a summary. */
function summarized(before: (conversation: ReadConversation) => void): ReadConversation {
  const conversation = new ReadConversation();
  attach(conversation, 300);
  before(conversation);
  return conversation.play("a100 9*60/60 S0-5:80");
}

describe("what a request says", () => {
  it("is what was sent before it was summarized, and an attachment that is sent again is in it", () => {
    const conversation = summarized((asked) => leaveOut(asked, 0));
    assert.equal(conversation.said?.includes("the file of message 0"), false);
    sendAgain(conversation, 0);
    assert.deepEqual(conversation.said, conversation.present);
  });

  it("has nothing of an attachment that is left out after it was summarized; sent again, the summary stands as it was", () => {
    const conversation = summarized(() => undefined);
    const before = conversation.sent();
    assert.equal(conversation.said?.includes("the file of message 0"), true);
    leaveOut(conversation, 0);
    assert.deepEqual(conversation.said, conversation.present);
    sendAgain(conversation, 0);
    conversation.play("undo0 redo0");
    assert.equal(conversation.sent(), before);
  });

  it("is refused from a summary whose attachment was left out while it was written", () => {
    const conversation = summarized(() => undefined).play("undo0");
    const pending = conversation.manager.prepareSummarization([0, 1, 2, 3].map(messageId));
    assert.ok(pending !== undefined);
    leaveOut(conversation, 0);
    assert.equal(conversation.complete(pending, 60), false);
  });

  it("is all that is in the conversation now and nothing else, whatever happened before", function () {
    this.timeout(120_000);
    fc.assert(
      fc.property(operations, fc.constantFrom(...Object.keys(TEST_MODELS)), (all, model) => {
        const conversation = new ReadConversation();
        for (const operation of all) {
          perform(operation, conversation);
          const { said } = conversation;
          if (said !== undefined) assert.deepEqual(said, conversation.present);
        }
        conversation.switchTo(model);
        conversation.compact("overflow");
        const { said } = conversation;
        if (said !== undefined) assert.deepEqual(said, conversation.present);
      }),
      { numRuns: 1_000, seed: 20_261_122 },
    );
  });
});
