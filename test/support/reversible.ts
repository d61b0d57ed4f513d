/** A conversation with real summaries to which anything may happen, and which knows all that was ever said in it. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { leftOutRecord } from "../../src/core/history/leftOut.ts";
import { messageId, modelId, summaryId, type MessageId } from "../../src/core/ids.ts";
import type { Message } from "../../src/core/message.ts";
import { TEST_MODELS } from "./conversation.ts";
import { MemoryStore, memoryDisk, type MemoryDisk } from "./memoryStore.ts";
import { SpokenConversation } from "./spokenConversation.ts";
import { codingSession } from "./summarySources.ts";
import { testTokenCounter } from "./tokenCounter.ts";

/** One thing that happens. Numbers are wrapped around to what is there. */
export type Act =
  | { readonly kind: "say"; readonly turns: number }
  | { readonly kind: "compact"; readonly trigger: "manual" | "overflow" }
  | { readonly kind: "range"; readonly from: number; readonly length: number }
  | { readonly kind: "again"; readonly id: number; readonly sizePercent: number }
  | { readonly kind: "edit" | "undo" | "redo"; readonly id: number }
  | { readonly kind: "hide" | "show" | "pin"; readonly id: number }
  | { readonly kind: "attach" }
  | { readonly kind: "leaveOut" | "sendAgain"; readonly id: number }
  | { readonly kind: "switch"; readonly model: string }
  | { readonly kind: "restart" };

const id = fc.nat(60);
/** Mostly talk and summaries, now and then something else, or a restart. */
export const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("say" as const), turns: fc.integer({ min: 1, max: 4 }) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("compact" as const),
        trigger: fc.constantFrom("manual" as const, "overflow" as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("range" as const), from: id, length: fc.integer({ min: 1, max: 12 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("again" as const), id, sizePercent: fc.constantFrom(50, 100, 200) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constantFrom("edit" as const, "undo" as const, "redo" as const), id }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom("hide" as const, "show" as const, "pin" as const), id }),
    },
    { weight: 2, arbitrary: fc.constant<Act>({ kind: "attach" }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom("leaveOut" as const, "sendAgain" as const), id }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("switch" as const),
        model: fc.constantFrom(...Object.keys(TEST_MODELS)),
      }),
    },
    { weight: 3, arbitrary: fc.constant<Act>({ kind: "restart" }) },
  ),
  { minLength: 4, maxLength: 24 },
);

/** A conversation with its disk, and all that was ever said in it. */
export class Reversible {
  readonly #disk: MemoryDisk = memoryDisk();
  conversation = new SpokenConversation({ store: new MemoryStore(this.#disk) });
  readonly said: Message[] = [];

  async act(act: Act): Promise<void> {
    const { manager } = this.conversation;
    const { history } = manager;
    const summary =
      "id" in act && history.summaryCount > 0 ? history.summaries[act.id % history.summaryCount] : undefined;
    switch (act.kind) {
      case "say":
        await this.#say(codingSession(act.turns).map((message) => message));
        return;
      case "compact":
        await this.#compact({ trigger: act.trigger });
        return;
      case "range": {
        const start = Math.min(act.from, Math.max(0, history.length - 1));
        const end = Math.min(history.length, start + act.length);
        await this.#compact({ trigger: "manual", range: { start: messageId(start), end: messageId(end) } });
        return;
      }
      case "again":
        if (summary === undefined) return;
        await this.#compact({ trigger: "manual", again: { id: summary.id, sizePercent: act.sizePercent } });
        return;
      case "edit": {
        if (summary === undefined) return;
        const { start, end } = summary.covers;
        const pending = manager.prepareSummarization(
          Array.from({ length: end - start }, (_, at) => messageId(start + at)),
        );
        if (pending === undefined) return;
        const content = `By hand, version ${String(history.summaryCount)}.`;
        const tokens = testTokenCounter().countMessage({ role: "system", parts: [{ kind: "text", text: content }] });
        const draft = { content, tokens, kind: summary.kind, factsKept: 0, factsTotal: 0, createdAtMs: 1 };
        const record = manager.completeSummarization(pending, draft, "user");
        if (record.ok) await this.conversation.keep(record.value);
        return;
      }
      case "undo":
      case "redo": {
        if (summary === undefined) return;
        const record = manager.setSummaryState(summary.id, act.kind === "undo" ? "undone" : "active", 1);
        if (record.ok) await this.conversation.keep(record.value);
        return;
      }
      case "hide":
      case "show":
      case "pin": {
        if (history.length === 0) return;
        const at = messageId(act.id % history.length);
        const range = { start: at, end: messageId(at + 1) };
        const record =
          act.kind === "pin"
            ? manager.pin(at, 1)
            : act.kind === "hide"
              ? manager.hide(range, 1)
              : manager.show(range, 1);
        if (record.ok) await this.conversation.keep(record.value);
        return;
      }
      case "attach": {
        const text = `export const part${String(history.length)} = ${"1 + ".repeat(80)}1;`;
        const attachment = { kind: "attachment", label: "part.ts", text } as const;
        await this.#say([{ role: "user", parts: [attachment, { kind: "text", text: "What does it come to?" }] }]);
        return;
      }
      case "leaveOut":
      case "sendAgain": {
        const attached = this.#attached();
        const at = attached[act.id % Math.max(1, attached.length)];
        if (at !== undefined) await this.#setLeftOut(at, act.kind === "leaveOut");
        return;
      }
      case "switch":
        await this.conversation.keep({ kind: "model", provider: "test", model: modelId(act.model), atMs: 1 });
        return;
      case "restart":
        await this.#restart();
    }
  }

  /** The messages with an attachment. */
  #attached(): readonly MessageId[] {
    return this.said.flatMap(({ parts }, at) => (parts[0]?.kind === "attachment" ? [messageId(at)] : []));
  }

  async #setLeftOut(id: MessageId, isOut: boolean): Promise<void> {
    const message = this.said[id];
    assert.ok(message !== undefined);
    const sent = { ...message, parts: message.parts.slice(1) };
    const sentTokens = testTokenCounter().countMessage(sent);
    const stored = { entry: this.conversation.manager.history.entry(id), message };
    const record = leftOutRecord(stored, { leftOut: isOut ? [0] : [], sentTokens, atMs: 1 });
    assert.ok(record.ok);
    await this.conversation.keep(record.value);
  }

  /** What is sent when every summary is taken back and nothing is hidden, with room for all. */
  async originals(): Promise<readonly Message[]> {
    await this.#restart();
    for (const summary of [...this.conversation.manager.history.summaries]) {
      const undone = this.conversation.manager.setSummaryState(summaryId(summary.id), "undone", 2);
      assert.ok(undone.ok);
      await this.conversation.keep(undone.value);
    }
    for (const id of this.#attached()) await this.#setLeftOut(id, false);
    const { manager } = this.conversation;
    if (manager.history.length > 0) {
      const shown = manager.show({ start: messageId(0), end: messageId(manager.history.length) }, 2);
      assert.ok(shown.ok);
      await this.conversation.keep(shown.value);
    }
    const all = await new SpokenConversation({ model: "large", store: new MemoryStore(this.#disk) }).fold();
    all.manager.switchModel(modelId("large"));
    const prepared = all.manager.prepare();
    assert.ok(prepared.kind === "ready", prepared.kind);
    const read = await prepared.context.apiMessages();
    assert.ok(read.ok);
    return read.value;
  }

  async #say(messages: readonly Message[]): Promise<void> {
    await this.conversation.say(...messages);
    this.said.push(...messages);
  }

  async #compact(order: Parameters<SpokenConversation["compact"]>[0]): Promise<void> {
    const { done } = await this.conversation.compact(order, () => ({ text: "## Goal\nFaster orders." }));
    assert.ok(done.ok || done.error.code === "VALIDATION_ERROR", JSON.stringify(done));
  }

  /** The process ends, and what is on the disk is opened again: what would be sent is the same, byte for byte. */
  async #restart(): Promise<void> {
    const before = await this.conversation.sent();
    this.conversation = await new SpokenConversation({ store: new MemoryStore(this.#disk) }).fold();
    assert.equal(await this.conversation.sent(), before);
  }
}
