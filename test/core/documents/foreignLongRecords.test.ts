import assert from "node:assert/strict";
import fc from "fast-check";
import { chatGpt } from "../../../bench/support/imports/formats/chatGpt.ts";
import { claudeAi } from "../../../bench/support/imports/formats/claudeAi.ts";
import { openHands } from "../../../bench/support/imports/formats/openHands.ts";
import { Talk } from "../../../bench/support/imports/talk.ts";
import { Tally } from "../../../bench/support/imports/tally.ts";
import { ForeignFile } from "../../../src/core/documents/foreign/foreignFile.ts";
import { readForeign } from "../../../src/core/documents/foreign/foreignRecords.ts";
import { MessageHolder } from "../../../src/core/documents/foreign/heldMessages.ts";
import { LongRecords } from "../../../src/core/documents/foreign/longRecords.ts";
import { outlineOf } from "../../../src/core/documents/jsonOutline.ts";
import { MemoryText, MemoryTexts } from "../../support/documents.ts";

const bounds = fc.integer({ min: 0, max: 60 });

describe("records that are too long to be held", () => {
  it("have all members and items of the value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), bounds, fc.boolean(), (value, longBytes, isIndented) => {
        const json = JSON.stringify(value, null, isIndented ? 1 : undefined);
        const text = new MemoryText(json);
        const long = new LongRecords(text, longBytes);
        const read = { value: long.record({ start: 0, end: text.length }), path: "document" };
        const whole = Array.isArray(value)
          ? Array.from(long.items(read), (item) => item.value)
          : Object.fromEntries(Array.from(long.entries(read), ({ name, read: again }) => [name, again().value]));
        const isPlain = typeof value !== "object" || value === null;
        assert.deepEqual(isPlain ? read.value : whole, JSON.parse(json));
      }),
      { numRuns: 500 },
    );
  });

  const conversationsIn = (content: string, longBytes?: number): readonly unknown[] => {
    const text = new MemoryText(content);
    const outline = outlineOf(text);
    const holder = new MessageHolder(new MemoryTexts());
    const file = new ForeignFile(text, outline.ok ? outline.value : undefined, longBytes);
    return Array.from(readForeign(file, holder) ?? [], (each) => {
      if (!each.ok) return each;
      const { messages, damaged, links, ...rest } = each.value;
      const parts = messages.map((message) => ({
        ...message,
        parts: message.parts.map((part) => holder.part(part)),
        resultFiles: message.resultFiles?.map(({ part }) => holder.part(part)),
      }));
      return { ...rest, parts, damaged: damaged?.kept, links: [...(links ?? [])] };
    });
  };
  const written = ({ write }: typeof chatGpt, bytes: number): string => {
    let content = "";
    for (const piece of write(new Talk(7), new Tally(), () => content.length > bytes)) content += piece;
    return content;
  };
  const exports: readonly (readonly [string, string])[] = [
    ["ChatGPT's export", written(chatGpt, 300_000)],
    ["one conversation of it", written(chatGpt, 0).slice(1, -1)],
    ["claude.ai's export", written(claudeAi, 300_000)],
    [
      "records of OpenHands",
      `[{"history":${written(openHands, 50_000)}},{"trajectory":${written(openHands, 50_000)}}]`,
    ],
  ];
  for (const [name, content] of exports) {
    it(`${name} is the same, however long it is`, () => {
      const held = conversationsIn(content, Infinity);
      assert.ok(held.length > 0);
      for (const longBytes of [0, 300, 5_000]) assert.deepEqual(conversationsIn(content, longBytes), held);
    });
  }
});
