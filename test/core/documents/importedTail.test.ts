import assert from "node:assert/strict";
import { recountedRecord } from "../../../src/core/context/recountedRecords.ts";
import type { Recount } from "../../../src/core/documents/loadConversation.ts";
import { foreignRecords, readForeign } from "../../../src/core/documents/foreign/foreignRecords.ts";
import { ForeignFile } from "../../../src/core/documents/foreign/foreignFile.ts";
import { MessageHolder } from "../../../src/core/documents/foreign/heldMessages.ts";
import { ImportedTail } from "../../../src/core/documents/foreign/importedTail.ts";
import { outlineOf } from "../../../src/core/documents/jsonOutline.ts";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import { importLinkOf } from "../../../src/core/history/importLink.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import { messageId, summaryId, type MessageId } from "../../../src/core/ids.ts";
import { textMessage, type Message, type TokenCounts } from "../../../src/core/message.ts";
import { MemoryText, MemoryTexts } from "../../support/documents.ts";
import { lines, NOW } from "../../support/foreignConversations.ts";

/** A conversation with its contents. */
class Copy {
  readonly history = new FullHistory();
  readonly contents = new Map<MessageId, Message>();

  add(records: Iterable<ConversationRecord>): this {
    for (const record of records) {
      this.history.apply(record);
      if (record.kind === "message") this.contents.set(record.entry.id, record.message);
    }
    return this;
  }

  say(...texts: readonly string[]): this {
    for (const [index, text] of texts.entries()) {
      const id = messageId(this.history.length);
      const role = index % 2 === 0 ? "user" : "assistant";
      const turn = role === "user" ? id : messageId(id - 1);
      const tokens = { cl100k: 1, o200k: 1 };
      const entry = { id, role, turn, state: "complete", createdAtMs: NOW, tokens } as const;
      this.add([{ kind: "message", entry, message: textMessage(role, text) }]);
    }
    return this;
  }

  get shown(): string {
    const { history } = this;
    return this.#words(history.entries.filter((entry) => history.isVisible(entry)).map(({ id }) => id));
  }

  /** The way to each message that nothing follows. */
  get paths(): readonly string[] {
    const { history } = this;
    const parents = new Set(history.entries.map(({ id }) => history.branches.parentOf(id)));
    const ends = history.entries.filter(({ id }) => !parents.has(id));
    return ends.map(({ id }) => {
      const path = [id];
      for (let at = history.branches.parentOf(id); at !== undefined; at = history.branches.parentOf(at))
        path.unshift(at);
      return this.#words(path);
    });
  }

  /** The messages that each summary stands for, and its text. */
  get summaries(): readonly string[] {
    const { history } = this;
    return history.summaries.map(({ id, covers, content }) => {
      const way: MessageId[] = [];
      let at: MessageId | undefined = messageId(covers.end - 1);
      for (; at !== undefined && at >= covers.start; at = history.branches.parentOf(at)) way.unshift(at);
      return `${this.#words(way)}: ${content}${history.isUsable(id) ? "" : ", not in use"}`;
    });
  }

  #words(ids: readonly MessageId[]): string {
    return ids.map((id) => (this.contents.get(id)?.parts ?? []).map(wordsOf).join("+")).join(" ");
  }
}

function wordsOf(part: Message["parts"][number]): string {
  return part.kind === "toolCall" ? `call ${part.callId}` : "text" in part ? part.text || "nothing" : part.kind;
}

const countTokens = (): TokenCounts => ({ cl100k: 1, o200k: 1 });
/** Of another version, for which summaries were longer than what they stand for. */
const countAsBefore = ({ role }: Message): TokenCounts =>
  role === "system" ? { cl100k: 99, o200k: 99 } : countTokens();

function imported(text: string, count: (message: Message) => TokenCounts = countTokens): Copy {
  const document = new MemoryText(text);
  const outline = outlineOf(document);
  const holder = new MessageHolder(new MemoryTexts());
  const [read] = readForeign(new ForeignFile(document, outline.ok ? outline.value : undefined), holder) ?? [];
  assert.ok(read?.ok);
  const link = { tool: read.value.tool, bytes: text.length };
  const recount: Recount = (record, before) => recountedRecord(record, before, { countTokens: count });
  return new Copy().add(foreignRecords(read.value, { holder, recount, nowMs: NOW, link }));
}

/** As a later import of `text` leaves the copy; resolves to the number of new questions and answers. */
function bringUpToDate(copy: Copy, text: string): number {
  const there = imported(text);
  const tail = new ImportedTail(copy.history, there.history);
  const contents = new Map(tail.missing.map((id) => [id, there.contents.get(id) ?? textMessage("user", "lost")]));
  copy.add(tail.records(contents, NOW));
  return tail.answers;
}

describe("an import of a file that was imported before", () => {
  const line = (key: string, parent: string | null, content: unknown = key): object => {
    const role = /^[a-m]/.test(key) ? "user" : "assistant";
    const message = { role, content, ...(role === "assistant" ? { id: key } : {}) };
    return { type: role, uuid: key, parentUuid: parent, sessionId: "s", message };
  };
  const BEGUN = [line("a", null), line("n", "a"), line("b", "n")];
  const ANSWERED = [...BEGUN, line("o", "b"), line("c", "o")];

  it("adds nothing when nothing is new", () => {
    const copy = imported(lines(...BEGUN));
    const before = copy.history.length;
    assert.deepEqual([bringUpToDate(copy, lines(...BEGUN)), copy.history.length], [0, before]);
  });

  it("adds what is new at the end, and says so in the link", () => {
    const copy = imported(lines(...BEGUN));
    const text = lines(...ANSWERED);
    assert.deepEqual([bringUpToDate(copy, text), copy.shown, copy.paths], [2, "a n b o c", ["a n b o c"]]);
    assert.deepEqual(importLinkOf(copy.history), { tool: "Claude Code", bytes: text.length, id: "s", answers: 5 });
    assert.equal(bringUpToDate(copy, text), 0);
  });

  it("is the same as an import of the whole, at any place", () => {
    const whole = [...ANSWERED, line("p", "c"), line("d", "n"), line("q", "d")];
    for (let count = 1; count < whole.length; count++) {
      const copy = imported(lines(...whole.slice(0, count)));
      bringUpToDate(copy, lines(...whole));
      const expected = imported(lines(...whole));
      assert.deepEqual([copy.shown, copy.paths.toSorted()], [expected.shown, expected.paths.toSorted()], `${count}`);
    }
  });

  it("puts what is new beside what the user said here, which stays in sight", () => {
    const copy = imported(lines(...BEGUN)).say("mine", "reply");
    assert.equal(bringUpToDate(copy, lines(...ANSWERED)), 2);
    assert.deepEqual([copy.shown, copy.paths], ["a n b mine reply", ["a n b mine reply", "a n b o c"]]);
    copy.say("more");
    assert.equal(copy.shown, "a n b mine reply more");
    assert.equal(bringUpToDate(copy, lines(...ANSWERED, line("p", "c"))), 1);
    assert.deepEqual(copy.paths.toSorted(), ["a n b mine reply more", "a n b o c p"]);
  });

  it("shows the version that the other tool went on with", () => {
    const copy = imported(lines(...ANSWERED));
    bringUpToDate(copy, lines(...ANSWERED, line("d", "n"), line("q", "d")));
    assert.deepEqual([copy.shown, copy.paths], ["a n d q", ["a n b o c", "a n d q"]]);
  });

  it("leaves hidden what the user hid", () => {
    const copy = imported(lines(...BEGUN));
    const range = { start: messageId(2), end: messageId(3) };
    copy.add([{ kind: "visibility", range, hidden: true, atMs: NOW }]);
    bringUpToDate(copy, lines(...ANSWERED));
    assert.deepEqual([copy.shown, copy.paths], ["a n o c", ["a n b o c"]]);
  });

  it("adds an answer anew whose call has a result now", () => {
    const call = line("n", "a", [{ type: "tool_use", id: "t", name: "read", input: {} }]);
    const result = line("b", "n", [{ type: "tool_result", tool_use_id: "t", content: "wet" }]);
    const copy = imported(lines(line("a", null), call));
    assert.equal(copy.shown, "a call t nothing");
    assert.equal(bringUpToDate(copy, lines(line("a", null), call, result, line("o", "b"))), 2);
    assert.deepEqual([copy.shown, copy.paths], ["a call t wet o", ["a call t nothing", "a call t wet o"]]);
  });

  it("never brings back what was erased", () => {
    const copy = imported(lines(...BEGUN));
    const { history } = copy;
    const entries = [{ ...history.entry(messageId(1)), erasedAtMs: NOW }];
    copy.add([{ kind: "erasure", entries, atMs: NOW }]);
    copy.contents.set(messageId(1), textMessage("assistant", "erased"));
    assert.equal(bringUpToDate(copy, lines(...ANSWERED)), 2);
    assert.deepEqual(copy.paths, ["a erased b o c"]);
  });

  it("puts beside it what was rewritten from the beginning", () => {
    const copy = imported(lines(...BEGUN));
    assert.equal(bringUpToDate(copy, lines(line("e", null), line("r", "e"))), 2);
    assert.deepEqual([copy.shown, copy.paths], ["e r", ["a n b", "e r"]]);
    const used = imported(lines(...BEGUN)).say("mine");
    bringUpToDate(used, lines(line("e", null), line("r", "e")));
    assert.deepEqual([used.shown, used.paths], ["a n b mine", ["a n b mine", "e r"]]);
  });

  describe("with compactions", () => {
    const compaction = (key: string, parent: string): object => ({
      ...line(key, parent, `sum ${key}`),
      isCompactSummary: true,
    });
    const WHOLE = [...ANSWERED, compaction("d", "c"), line("p", "d"), compaction("e", "p"), line("q", "e")];

    it("adds one that is new, once", () => {
      const copy = imported(lines(...ANSWERED));
      const text = lines(...WHOLE.slice(0, 6));
      assert.deepEqual([bringUpToDate(copy, text), copy.shown, copy.summaries], [1, "a n b o c", ["a n b o c: sum d"]]);
      assert.deepEqual([bringUpToDate(copy, text), copy.history.summaryCount], [0, 1]);
      assert.equal(importLinkOf(copy.history)?.answers, 6);
    });

    it("is the same as an import of the whole, at any place", () => {
      const whole = [...WHOLE, line("f", "n"), line("r", "f"), compaction("g", "r"), line("s", "g")];
      const expected = imported(lines(...whole));
      assert.deepEqual(expected.summaries, [
        "a n b o c: sum d, not in use",
        "a n b o c p: sum e, not in use",
        "a n f r: sum g",
      ]);
      for (let count = 1; count < whole.length; count++) {
        const copy = imported(lines(...whole.slice(0, count)));
        bringUpToDate(copy, lines(...whole));
        assert.deepEqual(
          [copy.shown, copy.paths.toSorted(), copy.summaries.toSorted()],
          [expected.shown, expected.paths.toSorted(), expected.summaries.toSorted()],
          `${count}`,
        );
        assert.equal(bringUpToDate(copy, lines(...whole)), 0);
      }
    });

    it("stands beside what the user said here", () => {
      const copy = imported(lines(...BEGUN)).say("mine");
      bringUpToDate(copy, lines(...BEGUN, compaction("d", "b"), line("o", "d"), line("c", "o"), compaction("e", "c")));
      assert.deepEqual([copy.shown, copy.summaries], ["a n b mine", ["a n b: sum d", "a n b o c: sum e, not in use"]]);
    });

    it("does not bring back what the user edited", () => {
      const copy = imported(lines(...WHOLE));
      const [first] = copy.history.summaries;
      assert.ok(first !== undefined);
      const edited = { ...first, id: summaryId(2), content: "Mine", generatedBy: "user" };
      copy.add([{ kind: "summary", summary: edited }]);
      assert.deepEqual([bringUpToDate(copy, lines(...WHOLE)), copy.history.summaryCount], [0, 3]);
    });

    it("does not tell what was erased", () => {
      const copy = imported(lines(...ANSWERED));
      copy.add([{ kind: "erasure", entries: [{ ...copy.history.entry(messageId(1)), erasedAtMs: NOW }], atMs: NOW }]);
      bringUpToDate(copy, lines(...WHOLE));
      assert.deepEqual(copy.summaries, []);
      const told = imported(lines(...WHOLE));
      told.add([{ kind: "erasure", entries: [{ ...told.history.entry(messageId(1)), erasedAtMs: NOW }], atMs: NOW }]);
      assert.deepEqual([bringUpToDate(told, lines(...WHOLE)), told.history.summaryCount], [0, 2]);
    });

    it("leaves in use what Forge has summarized", () => {
      const copy = imported(lines(...ANSWERED));
      const covers = { start: messageId(3), end: messageId(6) };
      copy.say("mine");
      const [made] = imported(lines(...WHOLE)).history.summaries;
      assert.ok(made !== undefined);
      const own = { ...made, covers, content: "own", generatedBy: "extract" };
      copy.add([{ kind: "summary", summary: { ...own, sourceHash: copy.history.sourceHash(covers) } }]);
      bringUpToDate(copy, lines(...WHOLE.slice(0, 6)));
      assert.deepEqual(copy.summaries, ["o c mine: own", "a n b o c: sum d, not in use"]);
    });

    it("is there once where it was a message before", () => {
      const copy = imported(lines(...WHOLE.slice(0, 6)), countAsBefore);
      assert.equal(copy.shown, "a n b o c sum d");
      assert.equal(bringUpToDate(copy, lines(...WHOLE.slice(0, 6))), 0);
      assert.deepEqual([bringUpToDate(copy, lines(...WHOLE.slice(0, 7))), copy.summaries], [1, []]);
    });

    it("of a file that was rewritten from the beginning", () => {
      const copy = imported(lines(...WHOLE));
      bringUpToDate(copy, lines(line("i", null), line("t", "i"), compaction("k", "t"), line("u", "k")));
      assert.deepEqual(copy.shown, "i t u");
      assert.deepEqual(copy.summaries.slice(2), ["i t: sum k"]);
    });
  });
});
