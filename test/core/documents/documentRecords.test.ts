import assert from "node:assert/strict";
import fc from "fast-check";
import { documentConversations } from "../../../src/core/documents/documentRecords.ts";
import { ChangedWhileRead } from "../../../src/core/documents/foreign/longRecords.ts";
import type { RecordStream } from "../../../src/core/documents/loadConversation.ts";
import { textOf } from "../../../src/core/message.ts";
import { ok } from "../../../src/core/result.ts";
import { tryParseJson } from "../../../src/core/json.ts";
import { longDocument } from "../../../bench/support/long/longDocument.ts";
import { collected, loadConversation, MemoryText, MemoryTexts } from "../../support/documents.ts";
import { TestConversation } from "../../support/session/conversation.ts";
import { richConversation, saved } from "../../support/session/savedConversations.ts";

function* recordsOf(text: MemoryText, texts = new MemoryTexts()): RecordStream {
  const recount = <Kind>(record: Kind): Kind => record;
  const options = { texts, nowMs: 1, fileBytes: text.length, recountOwn: recount, recountForeign: recount };
  for (const records of documentConversations(text, options)) {
    const read = yield* records;
    if (!read.ok) return read;
  }
  return ok(undefined);
}

/** A conversation with several versions of a message. */
async function branched(): Promise<string> {
  const document: unknown = JSON.parse(await saved(new TestConversation().play("8*90/90")));
  return JSON.stringify(Object.assign(document ?? {}, { branches: [{ id: 3, follows: 0 }, { id: 5 }], hidden: [] }));
}

/** The same value with the fields of its objects in another order. */
function reordered(value: unknown, isBefore: (one: string, other: string) => number): unknown {
  if (Array.isArray(value)) return value.map((item) => reordered(item, isBefore));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).sort(([one], [other]) => isBefore(one, other));
  return Object.fromEntries(fields.map(([name, field]) => [name, reordered(field, isBefore)]));
}

describe("the records of a document that is read piece by piece", function () {
  this.timeout(60_000);

  it("are the same in whatever order its fields are, and however it is spaced", async () => {
    for (const json of [await saved(richConversation()), await branched()]) {
      const expected = loadConversation(json);
      assert.ok(expected.ok, JSON.stringify(expected));
      const order = fc.func(fc.integer({ min: -1, max: 1 }));
      const how = fc.record({ window: fc.integer({ min: 1, max: 300 }), indent: fc.constantFrom(0, 2) });
      fc.assert(
        fc.property(order, how, (isBefore, { window, indent }) => {
          const other = JSON.stringify(reordered(JSON.parse(json), isBefore), null, indent);
          assert.deepEqual(collected(recordsOf(new MemoryText(other, window))), expected);
        }),
        { numRuns: 60 },
      );
    }
  });

  it("are those of its value if that is JSON, and else none, wherever it is cut or changed", async () => {
    const documents = [await saved(richConversation()), await branched(), [...longDocument(200)].join("")];
    const change = fc.record({
      document: fc.constantFrom(...documents),
      from: fc.nat(),
      removed: fc.constantFrom(0, 1, 20, 1e9),
      added: fc.constantFrom("", ",", "]", "}", "[", '"', "\\", "1", '"messages":[],', '"branches":[{"id":2}],', "é"),
    });
    let [valid, invalid] = [0, 0];
    fc.assert(
      fc.property(change, ({ document, from, removed, added }) => {
        const at = from % (document.length + 1);
        const changed = document.slice(0, at) + added + document.slice(at + removed);
        const value = tryParseJson(changed);
        const read = loadConversation(changed);
        if (value !== undefined) {
          valid++;
          assert.deepEqual(read, loadConversation(JSON.stringify(value)));
          return;
        }
        invalid++;
        assert.deepEqual(read.ok ? "records" : [read.error.field, read.error.expected], [
          "document",
          "a JSON document",
        ]);
      }),
      { numRuns: 1_500 },
    );
    assert.ok(valid > 20 && invalid > 100, `${valid} and ${invalid}`);
  });

  it("are made of as much of it as has been read", () => {
    const count = 4_000;
    const own = [...longDocument(count)].join("");
    const turns = Array.from({ length: count }, (_, index) => ({ role: "user", content: `${index} word`.repeat(100) }));
    for (const document of [own, JSON.stringify(turns)]) {
      const text = new MemoryText(document, 1 << 16);
      const texts = new MemoryTexts();
      let [messages, mostAhead] = [0, 0];
      for (const { kind } of recordsOf(text, texts)) {
        if (kind !== "message") continue;
        messages++;
        const read = document === own ? text.readCharacters : texts.readCharacters;
        mostAhead = Math.max(mostAhead, read - (messages / count) * document.length);
      }
      assert.equal(messages, count);
      assert.ok(mostAhead < document.length / 10, `${mostAhead} of ${document.length} were read before their turn`);
    }
  });

  it("put aside only what becomes a message, however much stands between", () => {
    const said = (role: string, uuid: string) =>
      JSON.stringify({ type: role, uuid, message: { role, content: `${role} é` } });
    const progress = (_: unknown, index: number): string =>
      JSON.stringify({ type: "progress", uuid: `p${index}`, parentUuid: "a", data: { message: "x".repeat(3_000) } });
    const between = Array.from({ length: 500 }, progress);
    const session = [said("user", "a"), ...between, said("assistant", "b")].join("\n");
    const texts = new MemoryTexts();
    const records = collected(recordsOf(new MemoryText(session), texts));
    assert.ok(records.ok);
    const messages = records.value.flatMap((record) => (record.kind === "message" ? [textOf(record.message)] : []));
    assert.deepEqual(messages, ["user é", "assistant é"]);
    assert.ok(texts.readCharacters < 200, `${texts.readCharacters}`);
  });

  it("are sought in an unknown file a few times, not once for each format", () => {
    for (const content of ["{damaged}\n".repeat(20_000), `[${"{".repeat(200_000)}`, `[${"1,".repeat(100_000)}1]`]) {
      const text = new MemoryText(content, 1 << 16);
      assert.equal(collected(recordsOf(text)).ok, false);
      assert.ok(text.readBytes < 20 * text.length, `${text.readBytes / text.length} times`);
    }
  });

  it("are none if the file changes under way", async () => {
    class ChangingText extends MemoryText {
      #callsLeft: number;

      constructor(content: string, calls: number) {
        super(content);
        this.#callsLeft = calls;
      }

      override text(start: number, end: number): string {
        return this.#callsLeft-- > 0 ? super.text(start, end) : "x".repeat(end - start);
      }
    }
    const outcome = (text: MemoryText): string => {
      try {
        const read = collected(recordsOf(text));
        return read.ok ? "records" : read.error.field;
      } catch (error) {
        return error instanceof ChangedWhileRead ? "changed" : String(error);
      }
    };
    const list = JSON.stringify([{ role: "user", content: "Why?" }]);
    for (const content of [await saved(richConversation()), list]) {
      const outcomes = new Set(Array.from({ length: 60 }, (_, calls) => outcome(new ChangingText(content, calls))));
      assert.ok(outcomes.delete("records"), "without a change, all is read");
      assert.deepEqual(
        [...outcomes].filter((each) => each !== "document" && each !== "changed"),
        [],
      );
      assert.ok(outcomes.size > 0, "a change is noticed");
    }
  });
});
