import assert from "node:assert/strict";
import { WrittenElsewhere } from "../../../src/core/history/writtenElsewhere.ts";
import type { ConversationRecord, SegmentRecord } from "../../../src/core/history/records.ts";
import { messageId } from "../../../src/core/ids.ts";
import { textMessage } from "../../../src/core/message.ts";

const message = (number: number): ConversationRecord => {
  const id = messageId(number);
  const facts = { role: "user", state: "complete", createdAtMs: 1, tokens: { cl100k: 1, o200k: 1 } } as const;
  return { kind: "message", entry: { id, turn: id, ...facts }, message: textMessage("user", "") };
};
const pin: ConversationRecord = { kind: "pin", id: messageId(0), pinned: true, atMs: 1 };
const segment = (machine: string, runs: SegmentRecord["runs"], publishedTo?: number): SegmentRecord => {
  const info = { hash: machine.padEnd(32, "0"), writer: "1", sequence: 0, epoch: 1, after: [], count: 9, machine };
  return { kind: "segment", segment: info, runs, ...(publishedTo === undefined ? {} : { publishedTo }) };
};

describe("WrittenElsewhere", () => {
  for (const [name, records, machines] of [
    ["is empty without segments", [message(0), pin, message(1)], ["", ""]],
    [
      "knows the messages that follow a segment, by the numbers of their records",
      [
        message(0),
        segment("b", [
          { number: 2, index: 0, count: 1 },
          { number: 4, index: 1, count: 1 },
        ]),
        message(1),
        pin,
        message(2),
        message(3),
      ],
      ["", "b", "b", ""],
    ],
    [
      "tells machines apart",
      [
        segment("b", [{ number: 1, index: 0, count: 2 }]),
        message(0),
        message(1),
        segment("c", [{ number: 4, index: 0, count: 1 }]),
        message(2),
      ],
      ["b", "b", "c"],
    ],
    [
      "does not know those that were published here",
      [message(0), segment("a", [{ number: 0, index: 0, count: 1 }], 1), message(1)],
      ["", ""],
    ],
    [
      "passes over runs of earlier records",
      [message(0), segment("b", [{ number: 0, index: 0, count: 1 }]), message(1)],
      ["", ""],
    ],
  ] as const) {
    it(name, () => {
      const elsewhere = new WrittenElsewhere();
      for (const record of records) elsewhere.apply(record);
      for (const each of [elsewhere, elsewhere.copy()]) {
        assert.deepEqual(
          machines.map((_, id) => each.machineOf(messageId(id)) ?? ""),
          machines,
        );
        assert.equal(
          each.isEmpty,
          machines.every((machine) => machine === ""),
        );
      }
    });
  }
});
