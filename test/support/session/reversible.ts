import assert from "node:assert/strict";
import type { FullHistory } from "../../../src/core/history/fullHistory.ts";
import { exclusionRecord } from "../../../src/core/history/exclusion.ts";
import { messageId, modelId, summaryId, type MessageId } from "../../../src/core/ids.ts";
import type { Message } from "../../../src/core/message.ts";
import { ok } from "../../../src/core/result.ts";
import { runSync } from "../../../src/core/cooperativeTask.ts";
import { MemoryStore, memoryDisk, type MemoryDisk } from "../storage/memoryStore.ts";
import type { Act } from "./reversibleActions.ts";
import { forkOf } from "../../../src/core/history/fork.ts";
import { forkedHistory } from "./forkedHistory.ts";
import { documentOf } from "./savedConversations.ts";
import { SpokenConversation } from "./spokenConversation.ts";
import { codingSession } from "./summarySources.ts";
import { testTokenCounter } from "../models/tokenCounter.ts";
import { loadConversation } from "../documents.ts";

/** One conversation: its disk, and all messages ever added. */
interface World {
  readonly disk: MemoryDisk;
  readonly said: Message[];
}

/** A conversation with real summaries and its forks, for random actions. Records all messages ever added. */
export class Reversible {
  /** The first conversation and those derived from it, in order of creation. */
  readonly worlds: World[] = [{ disk: memoryDisk(), said: [] }];
  #at = 0;
  conversation = new SpokenConversation({ store: new MemoryStore(this.#world.disk) });

  /** All messages ever added to the open conversation. */
  get said(): readonly Message[] {
    return this.#world.said;
  }

  /** Disk of the open conversation. */
  get disk(): MemoryDisk {
    return this.#world.disk;
  }

  get #world(): World {
    const world = this.worlds[this.#at];
    assert.ok(world !== undefined);
    return world;
  }

  async act(act: Act): Promise<void> {
    const { manager } = this.conversation;
    const { history } = manager;
    const summary =
      "id" in act && history.summaryCount > 0 ? history.summaries[act.id % history.summaryCount] : undefined;
    switch (act.kind) {
      case "say":
        await this.say(codingSession(act.turns).map((message) => message));
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
        await this.#compact({ trigger: "manual", regenerate: { id: summary.id, sizePercent: act.sizePercent } });
        return;
      case "edit": {
        if (summary === undefined) return;
        const { start, end } = summary.covers;
        const pending = runSync(
          manager.prepareSummarization(Array.from({ length: end - start }, (_, at) => messageId(start + at))),
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
        const record = manager.summaryStateRecord(summary.id, act.kind === "undo" ? "undone" : "active", 1);
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
            ? manager.pinRecord(at, 1)
            : act.kind === "hide"
              ? manager.hideRecord(range, 1)
              : manager.showRecord(range, 1);
        if (record.ok) await this.conversation.keep(record.value);
        return;
      }
      case "attach": {
        const text = `export const part${String(history.length)} = ${"1 + ".repeat(80)}1;`;
        const attachment = { kind: "attachment", label: "part.ts", text } as const;
        await this.say([{ role: "user", parts: [attachment, { kind: "text", text: "What does it come to?" }] }]);
        return;
      }
      case "exclude":
      case "include": {
        const attached = this.#attached();
        const at = attached[act.id % Math.max(1, attached.length)];
        if (at !== undefined) await this.#setLeftOut(at, act.kind === "exclude");
        return;
      }
      case "switch":
        await this.conversation.keep({ kind: "model", provider: "test", model: modelId(act.model), atMs: 1 });
        return;
      case "resend": {
        if (history.length === 0) return;
        const from = manager.hideRecord(
          { start: messageId(act.id % history.length), end: messageId(history.length) },
          1,
        );
        assert.ok(from.ok);
        await this.conversation.keep(from.value);
        await this.say(codingSession(1).slice());
        return;
      }
      case "fork":
        await this.#fork(act.id, act.turns);
        return;
      case "goTo":
        await this.goTo(act.id % this.worlds.length);
        return;
      case "transfer":
        await this.#transfer();
        return;
      case "restart":
        await this.#restart();
    }
  }

  /** Closes the conversation, and opens conversation `number`. */
  async goTo(number: number): Promise<void> {
    this.#at = number;
    this.conversation = await new SpokenConversation({ store: new MemoryStore(this.#world.disk) }).fold();
  }

  async #fork(id: number, turns: number): Promise<void> {
    const { history } = this.conversation.manager;
    if (history.length === 0) return;
    const last = messageId(id % history.length);
    const origin = { conversation: "here", title: "", message: last };
    const expected = runSync(forkedHistory(history, last, origin, 1));
    const isWhole = expected.length === history.length;
    const whole = isWhole ? await this.#sentToOthers() : undefined;
    assert.ok((await this.conversation.store.fork(forkOf(history, last, origin, 1), "fork")).ok);
    const disk = this.#world.disk.forks.get("fork");
    assert.ok(disk !== undefined);
    const fork = await new SpokenConversation({ store: new MemoryStore({ ...disk }) }).fold();
    assert.equal(await this.#documentOf(fork.manager.history), await this.#documentOf(expected));
    const opened = this.worlds.push({ disk, said: this.said.slice(0, expected.length) });
    await this.goTo(opened - 1);
    if (isWhole) assert.deepEqual(await this.#sentToOthers(), whole, "a copy of all sends all the same");
    if (turns > 0) await this.say(codingSession(turns).slice());
  }

  async #transfer(): Promise<void> {
    const { history } = this.conversation.manager;
    if (history.length === 0) return;
    const before = await this.#sentToOthers();
    const disk = await this.#copyOf(history);
    this.worlds[this.#at] = { disk, said: this.#world.said };
    await this.goTo(this.#at);
    assert.deepEqual(await this.#sentToOthers(), before, "what was imported sends the same");
  }

  /** Requests to two models new to the conversation: a large one, and one that needs summaries. */
  async #sentToOthers(): Promise<readonly string[]> {
    const other = await new SpokenConversation({ store: new MemoryStore({ ...this.#world.disk }) }).fold();
    const sent: string[] = [];
    for (const model of ["large-unseen", "small-unseen"]) {
      other.manager.switchModel(modelId(model));
      sent.push(await other.sent());
    }
    return sent;
  }

  /** Disk of the conversation loaded from this history's document. Asserts that it saves as the same document. */
  async #copyOf(history: FullHistory): Promise<MemoryDisk> {
    const json = await this.#documentOf(history);
    const records = loadConversation(json);
    assert.ok(records.ok, JSON.stringify(records));
    const disk = memoryDisk(records.value);
    const copy = await new SpokenConversation({ store: new MemoryStore({ ...disk }) }).fold();
    assert.equal(await this.#documentOf(copy.manager.history), json);
    return disk;
  }

  #documentOf(history: FullHistory): Promise<string> {
    return documentOf(history, async (ids) => {
      const stored = await this.conversation.store.readMessages(ids);
      return stored.ok ? ok(stored.value.map(({ message }) => message)) : stored;
    });
  }

  /** Ids of messages with an attachment. */
  #attached(): readonly MessageId[] {
    return this.said.flatMap(({ parts }, at) => (parts[0]?.kind === "attachment" ? [messageId(at)] : []));
  }

  async #setLeftOut(id: MessageId, isOut: boolean): Promise<void> {
    const message = this.said[id];
    assert.ok(message !== undefined);
    const sent = { ...message, parts: message.parts.slice(1) };
    const sentTokens = testTokenCounter().countMessage(sent);
    const stored = { entry: this.conversation.manager.history.entry(id), message };
    const record = exclusionRecord(stored, { leftOut: isOut ? [0] : [], sentTokens, atMs: 1 });
    assert.ok(record.ok);
    await this.conversation.keep(record.value);
  }

  /** Messages of a request with room for all, with every summary undone and nothing hidden. */
  async originals(): Promise<readonly Message[]> {
    await this.#restart();
    for (const summary of [...this.conversation.manager.history.summaries]) {
      const undone = this.conversation.manager.summaryStateRecord(summaryId(summary.id), "undone", 2);
      assert.ok(undone.ok);
      await this.conversation.keep(undone.value);
    }
    for (const id of this.#attached()) await this.#setLeftOut(id, false);
    const { manager } = this.conversation;
    if (manager.history.length > 0) {
      const shown = manager.showRecord({ start: messageId(0), end: messageId(manager.history.length) }, 2);
      assert.ok(shown.ok);
      await this.conversation.keep(shown.value);
    }
    const all = await new SpokenConversation({ model: "large", store: new MemoryStore(this.#world.disk) }).fold();
    all.manager.switchModel(modelId("large"));
    const prepared = all.manager.prepare();
    assert.ok(prepared.kind === "ready", prepared.kind);
    const read = await prepared.context.apiMessages();
    assert.ok(read.ok);
    return read.value;
  }

  async say(messages: readonly Message[]): Promise<void> {
    await this.conversation.say(...messages);
    this.#world.said.push(...messages);
  }

  async #compact(order: Parameters<SpokenConversation["compact"]>[0]): Promise<void> {
    const { done } = await this.conversation.compact(order, () => ({ text: "## Goal\nFaster orders." }));
    assert.ok(done.ok || done.error.code === "VALIDATION_ERROR", JSON.stringify(done));
  }

  /** Reopens the conversation from its disk. Asserts that the next request is identical. */
  async #restart(): Promise<void> {
    const before = await this.conversation.sent();
    this.conversation = await new SpokenConversation({ store: new MemoryStore(this.#world.disk) }).fold();
    assert.equal(await this.conversation.sent(), before);
  }
}
