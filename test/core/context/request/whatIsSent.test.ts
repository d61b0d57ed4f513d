/** A request represents, as originals or in summaries, the whole conversation except for what the user excluded. */

import assert from "node:assert/strict";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import fc from "fast-check";
import type { PendingSummarization } from "../../../../src/core/context/summarization/pendingSummarization.ts";
import type { HistoryEntry } from "../../../../src/core/message.ts";
import { messageId } from "../../../../src/core/ids.ts";
import type { SummaryKind } from "../../../../src/core/history/summaries/summary.ts";
import { attach, leaveOut, sendAgain } from "../../../support/session/attachedMessages.ts";
import { TEST_MODELS, TestConversation } from "../../../support/session/conversation.ts";
import { operations, perform } from "../../../support/storage/randomOperations.ts";

/** Records the sources read for each summary, which is taken to represent them. */
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

  /** Names of the visible messages and included attachments. */
  get present(): readonly string[] {
    const { history } = this.manager;
    return history.entries.flatMap((entry) => (history.isVisible(entry) ? this.#wordsOf(entry) : [])).toSorted();
  }

  /** Names of those represented by the request; `undefined` without a request, or when it omits messages. */
  get said(): readonly string[] | undefined {
    const prepared = this.manager.prepare();
    if (prepared.kind !== "ready") return undefined;
    const said = new Set<string>();
    for (const segment of prepared.context.segments) {
      if (segment.kind === "omitted") return undefined;
      if (segment.kind === "recalled") continue;
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

/** A question with an attachment, followed by nine turns; the first six messages are in a summary. */
function summarized(before: (conversation: ReadConversation) => void): ReadConversation {
  const conversation = new ReadConversation();
  attach(conversation, 300);
  before(conversation);
  return conversation.play("a100 9*60/60 S0-5:80");
}

describe("a request", () => {
  it("includes an attachment that is sent again, though it was excluded when summarized", () => {
    const conversation = summarized((asked) => leaveOut(asked, 0));
    assert.equal(conversation.said?.includes("the file of message 0"), false);
    sendAgain(conversation, 0);
    assert.deepEqual(conversation.said, conversation.present);
  });

  it("excludes a summarized attachment, and has the same summary when it is included again", () => {
    const conversation = summarized(() => undefined);
    const before = conversation.sent();
    assert.equal(conversation.said?.includes("the file of message 0"), true);
    leaveOut(conversation, 0);
    assert.deepEqual(conversation.said, conversation.present);
    sendAgain(conversation, 0);
    conversation.play("undo0 redo0");
    assert.equal(conversation.sent(), before);
  });

  it("rejects a summary whose attachment was excluded while it was written", () => {
    const conversation = summarized(() => undefined).play("undo0");
    const pending = runSync(conversation.manager.prepareSummarization([0, 1, 2, 3].map(messageId)));
    assert.ok(pending !== undefined);
    leaveOut(conversation, 0);
    assert.equal(conversation.complete(pending, 60), false);
  });

  it("represents exactly the conversation after any operations", function () {
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
