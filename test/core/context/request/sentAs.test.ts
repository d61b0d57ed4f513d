/** The form of each message as told by `sentAs`, beside the exact request that is sent. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { CONTEXT_POLICIES, type ContextSettings } from "../../../../src/core/context/contextSettings.ts";
import { RECALLED_LABEL } from "../../../../src/core/context/recalled/recalledText.ts";
import { SUMMARY_HEADER } from "../../../../src/core/context/tokenCosts.ts";
import { sentForm } from "../../../../src/core/context/request/sentMessage.ts";
import type { SentAs } from "../../../../src/core/history/sentAs.ts";
import { messageId, summaryId, type MessageId } from "../../../../src/core/ids.ts";
import { textOf, type Message, type Part, type RecalledPassage } from "../../../../src/core/message.ts";
import { counts, TEST_MODELS, TestConversation } from "../../../support/session/conversation.ts";
import { operations, perform } from "../../../support/storage/randomOperations.ts";

const LETTERS: Readonly<Record<SentAs["kind"], string>> = {
  ...{ original: "o", excerpt: "x", summary: "s", excluded: "h", notSent: "." },
};

/** Counts what is sent of a long result beside the whole, as the application does. */
class SentConversation extends TestConversation {
  override add(message: Message, tokens: number, recalled: readonly RecalledPassage[] = []): MessageId {
    const { manager } = this;
    const isWhole = sentForm(message, messageId(manager.history.length)) === message;
    const sent = isWhole ? {} : { sentTokens: counts(Math.ceil(tokens / 2)) };
    const record = manager.record(message, {
      ...{ state: "complete", createdAtMs: 1, tokens: counts(tokens), recalled, ...sent },
    });
    this.store(record);
    return record.entry.id;
  }
}

/** A message of the history or a summary, by a text that it alone has. */
function nameOf({ parts }: Pick<Message, "parts">): string {
  const calls = parts.flatMap((part) => ("callId" in part ? [`${part.kind} ${part.callId}`] : []));
  if (calls.length > 0) return calls.join(" ");
  const texts = parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  return /(?:user|assistant|summary) \d+/.exec(texts.join(" "))?.[0] ?? "";
}

function isRecalled(part: Part): boolean {
  return part.kind === "attachment" && part.label === RECALLED_LABEL;
}

/** The messages and summaries of the exact request, in order; a recalled passage is a part of neither. */
async function requestOf(conversation: TestConversation): Promise<ReadonlyMap<string, Message> | undefined> {
  const prepared = conversation.manager.prepare();
  if (prepared.kind !== "ready") return undefined;
  const sent = await prepared.context.apiMessages();
  assert.ok(sent.ok);
  const named = sent.value.map((message) => {
    const own = { ...message, parts: message.parts.filter((part) => !isRecalled(part)) };
    return [nameOf(own), own] as const;
  });
  const request = new Map(named);
  assert.equal(request.size, named.length, "each is sent once");
  return request;
}

/** Compares what `sentAs` says of every message and summary with the request. Returns the kinds that occurred. */
async function compare(conversation: TestConversation): Promise<readonly string[]> {
  const request = await requestOf(conversation);
  if (request === undefined) return [];
  const { manager } = conversation;
  const { history } = manager;
  const unexplained = new Set(request.keys());
  const seen: string[] = [];
  for (const { id } of history.entries) {
    const stored = conversation.message(id);
    const sent = manager.sentAs(id);
    const inRequest = request.get(nameOf(stored));
    const where = `message ${String(id)}: ${JSON.stringify(sent)}`;
    seen.push(sent.kind);
    unexplained.delete(nameOf(stored));
    switch (sent.kind) {
      case "original":
        if (sent.isWhole) assert.deepEqual(inRequest, stored, where);
        else assert.ok(inRequest !== undefined && JSON.stringify(inRequest) !== JSON.stringify(stored), where);
        break;
      case "excerpt":
        assert.ok(inRequest !== undefined, where);
        break;
      case "summary": {
        const { covers, content } = history.summary(sent.id);
        assert.ok(inRequest === undefined && covers.start <= id && id < covers.end, where);
        assert.ok(manager.isSummarySent(sent.id), where);
        const summary = request.get(/summary \d+/.exec(content)?.[0] ?? "");
        assert.equal(summary === undefined ? "" : textOf(summary), `${SUMMARY_HEADER}\n\n${content}`, where);
        break;
      }
      case "excluded":
      case "notSent":
        assert.equal(inRequest, undefined, where);
        assert.equal(history.isVisible(history.entry(id)), sent.kind === "notSent", where);
        assert.ok(sent.kind === "excluded" || manager.policy === "slidingWindow", where);
    }
  }
  for (const { id } of history.summaries) {
    assert.equal(manager.isSummarySent(id), request.has(`summary ${String(id)}`), `summary ${String(id)}`);
    unexplained.delete(`summary ${String(id)}`);
  }
  assert.deepEqual([...unexplained], [], "nothing else is sent");
  return seen;
}

const settings: fc.Arbitrary<Partial<ContextSettings>> = fc.record({
  strategy: fc.constantFrom(...CONTEXT_POLICIES),
  summarizeAtPercent: fc.integer({ min: 40, max: 100 }),
  preserveRecent: fc.integer({ min: 1, max: 8 }),
});
const models = fc.constantFrom(...Object.keys(TEST_MODELS));

describe("how each message is sent", () => {
  it("is what the exact request has, for any history, strategy, budget and switch of model", async () => {
    const seen = new Set<string>();
    let requests = 0;
    await fc.assert(
      fc.asyncProperty(operations, settings, models, async (all, chosen, model) => {
        const conversation = new SentConversation({ model, settings: chosen });
        for (const operation of all) {
          perform(operation, conversation);
          const kinds = await compare(conversation);
          requests += Number(kinds.length > 0);
          for (const kind of kinds) seen.add(kind);
        }
        await compare(conversation.reopened());
      }),
      { numRuns: 120, seed: 7 },
    );
    assert.deepEqual([...seen].sort(), ["excerpt", "excluded", "notSent", "original", "summary"]);
    assert.ok(requests > 1_000, `only ${String(requests)} requests`);
  });

  const check = (title: string, script: string, expected: string, options: Partial<ContextSettings> = {}): void => {
    it(title, async () => {
      const conversation = new SentConversation({ settings: options }).play(script);
      await compare(conversation);
      const { history } = conversation.manager;
      const told = history.entries.map(({ id }) => LETTERS[conversation.manager.sentAs(id).kind]).join("");
      const sent = history.summaries.map(({ id }) => (conversation.manager.isSummarySent(id) ? "S" : "-")).join("");
      assert.equal(`${told} ${sent}`, expected);
    });
  };
  check("is a summary, with a pinned message in it as the original", "6*90/90 S0-7:60 pin2", "ssosssssoooo S");
  check("is the original again in a larger window", "6*90/90 S0-7:60 model:large", "oooooooooooo -");
  check(
    "leaves out what slidingWindow does not send, and its summary",
    `16*60/60 S0-7:60`,
    `${".".repeat(12)}${"o".repeat(20)} -`,
    {
      strategy: "slidingWindow",
    },
  );
  check("is an excerpt where the newest messages are too large", "u40 t20:9000", "oox ");
  check("is nothing for a hidden message", "3*90/90 hide0-1", "hhoooo ");
});

describe("fullHistory", () => {
  const chosen = (strategy: string) => ({ kind: "setting", name: "strategy", value: strategy, atMs: 1 }) as const;
  const receipt = (conversation: TestConversation, trigger: "manual" | "threshold"): void => {
    conversation.store({
      kind: "receipt",
      receipt: {
        ...{ summaries: [summaryId(0)], span: { start: messageId(0), end: messageId(8) }, strategy: "threshold" },
        ...{ trigger, tokensBefore: 1_000, tokensAfter: 400, model: "m", calls: 1, durationMs: 1 },
        ...{ factsKept: 0, factsTotal: 0, atMs: 1 },
      },
    });
  };

  it("sends no summary from before it was chosen while the originals fit, and the summary once they do not", () => {
    const conversation = new SentConversation().play("6*90/90 S0-7:60");
    assert.ok(conversation.manager.isSummarySent(summaryId(0)));
    conversation.store(chosen("fullHistory"));
    assert.ok(!conversation.manager.isSummarySent(summaryId(0)));
    conversation.play("18*90/90");
    assert.ok(conversation.manager.isSummarySent(summaryId(0)) && conversation.ready().usage().percentage() <= 100);
  });

  it("sends a summary that the user orders", () => {
    const conversation = new SentConversation().play("6*90/90");
    conversation.store(chosen("fullHistory"));
    conversation.play("S0-7:60");
    receipt(conversation, "manual");
    assert.ok(conversation.manager.isSummarySent(summaryId(0)));
  });

  for (const [trigger, isSent] of [
    ["threshold", false],
    ["manual", true],
  ] as const) {
    it(`of the settings ${isSent ? "sends" : "does not send"} a summary of before with the trigger ${trigger}`, () => {
      const conversation = new SentConversation({ settings: { strategy: "fullHistory" } }).play("6*90/90 S0-7:60");
      receipt(conversation, trigger);
      assert.equal(conversation.reopened().manager.isSummarySent(summaryId(0)), isSent);
    });
  }
});
