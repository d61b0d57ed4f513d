/** Drafts of edited messages and summaries: the disk has the latest revision of each, and none that has ended. */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { StorageFailed } from "../../../src/core/errors.ts";
import { messageId, summaryId } from "../../../src/core/ids.ts";
import {
  type EditTarget,
  type MessageEdit,
  MessageEdits,
  type SummaryEdit,
} from "../../../src/core/journal/messageEdits.ts";
import { recoverAnswers } from "../../../src/core/journal/recoverAnswers.ts";
import { err, ok } from "../../../src/core/result.ts";
import { memoryDisk, MemoryStore, type MemoryDisk } from "../../support/storage/memoryStore.ts";
import { step } from "../../support/storage/storeBuilders.ts";

const diskFull: StorageFailed = { code: "STORAGE_FAILED", reason: "diskFull", detail: "" };

function edits(disk: MemoryDisk): { readonly held: MessageEdits; readonly store: MemoryStore } {
  const store = new MemoryStore(disk);
  let uuids = disk.journal.length;
  const newUuid = (): string => `00000000-0000-4000-8000-${String(uuids++).padStart(12, "0")}`;
  return { store, held: new MessageEdits(store, { clock: { nowMs: () => 7, after: () => () => undefined }, newUuid }) };
}

type Edit = MessageEdit | SummaryEdit;

/** Target `2` is a summary with the same id as message 0; the others are messages. */
const place = (id: number): EditTarget => (id === 2 ? { summaryId: summaryId(0) } : { messageId: messageId(id) });
const wording = (id: number, text: string, revision: number): Edit => ({ ...place(id), text, revision });
const inOrder = (list: Iterable<Edit>): readonly Edit[] =>
  [...list].sort((one, other) => one.revision - other.revision);

/** The edits found when the conversation is reopened. */
const stored = (disk: MemoryDisk): readonly Edit[] => inOrder(edits(disk).held.items);

const isOf = (id: number) => (each: EditTarget) => {
  const wanted = place(id);
  return "messageId" in wanted ? "messageId" in each && each.messageId === wanted.messageId : "summaryId" in each;
};

/** One act on an edit; its index in the list is the revision. */
type Act =
  | { readonly kind: "set" | "end"; readonly id: number }
  | { readonly kind: "leave" | "erase"; readonly id: number; readonly fails: boolean }
  | { readonly kind: "wait" };

const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom("set", "set", "end"), id: fc.nat(2) }),
    fc.record({ kind: fc.constantFrom("leave", "erase"), id: fc.nat(2), fails: fc.boolean() }),
    fc.constant({ kind: "wait" } as const),
  ),
  { maxLength: 20 },
);

describe("MessageEdits", () => {
  it("has the latest revision of each edit on the disk after any sequence of acts and failures", async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (list) => {
        const disk = memoryDisk();
        const { held, store } = edits(disk);
        const expected = new Map<number, Edit>();
        let going: Promise<unknown>[] = [];
        for (const [revision, act] of list.entries()) {
          if (act.kind === "set") {
            expected.set(act.id, wording(act.id, `wording ${String(revision)}`, revision));
            going.push(held.set(wording(act.id, `wording ${String(revision)}`, revision)));
          } else if (act.kind === "end") {
            expected.delete(act.id);
            going.push(held.end(place(act.id), revision));
          } else {
            await Promise.all(going);
            going = [];
            if (!("fails" in act)) continue;
            // Success removes the edit; the page sends no further revision before it knows the outcome.
            if (!act.fails) expected.delete(act.id);
            if (act.kind === "leave")
              await held.take(place(act.id), (drops) =>
                act.fails ? Promise.resolve(err(diskFull)) : store.commit(drops),
              );
            else
              await held.erase(isOf(act.id), async (steps) => {
                if (act.fails) return err(diskFull);
                disk.journal = disk.journal.filter(({ stepId }) => !steps.includes(stepId));
                return Promise.resolve(ok(undefined));
              });
          }
        }
        await Promise.all(going);
        const left = inOrder(expected.values());
        assert.deepEqual(stored(disk), left);
        assert.equal(disk.journal.length, left.length, "one row each, and none behind");
      }),
      { seed: 20261123, numRuns: 300 },
    );
  });

  it("replaces an edit by a later revision only", async () => {
    const disk = memoryDisk();
    const { held } = edits(disk);
    await held.set(wording(0, "later", 5));
    await held.set(wording(0, "earlier", 4));
    await held.set(wording(0, "the same", 5));
    await held.end(place(0), 4);
    assert.deepEqual(stored(disk), [wording(0, "later", 5)]);
    await held.end(place(0), 6);
    assert.deepEqual(stored(disk), []);
  });

  it("stores only the last of the revisions set during a commit", async () => {
    const disk = memoryDisk();
    const { held, store } = edits(disk);
    await Promise.all(Array.from({ length: 50 }, (_, at) => held.set(wording(0, "x".repeat(at), at + 1))));
    assert.ok(store.commits <= 2, `${String(store.commits)} commits`);
    assert.deepEqual(stored(disk), [wording(0, "x".repeat(49), 50)]);
  });

  it("returns the error of a failed commit and stores the next revision", async () => {
    const disk = memoryDisk();
    const { held, store } = edits(disk);
    store.failNext = diskFull;
    assert.deepEqual(await held.set(wording(3, "lost", 1)), err(diskFull));
    assert.deepEqual(held.items, [wording(3, "lost", 1)]);
    assert.deepEqual(await held.set(wording(3, "kept", 2)), ok(undefined));
    assert.deepEqual(stored(disk), [wording(3, "kept", 2)]);
  });

  it("is not recovered as interrupted answers, and skips unreadable rows", () => {
    const row = (content: string, at: number) =>
      ({ stepId: step(at), seq: 0, eventType: "edited", content, createdAtMs: 1 }) as const;
    const contents = [
      "{",
      "null",
      '{"messageId":-1,"text":"","revision":1}',
      '{"messageId":1,"text":"a","revision":"1"}',
      '{"summaryId":"1","text":"a","revision":1}',
    ];
    const disk: MemoryDisk = { ...memoryDisk(), journal: contents.map(row) };
    assert.deepEqual(recoverAnswers(disk.journal), []);
    assert.deepEqual(stored(disk), []);
  });
});
