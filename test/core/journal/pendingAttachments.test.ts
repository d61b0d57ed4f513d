import assert from "node:assert/strict";
import { recoverAnswers } from "../../../src/core/journal/recoverAnswers.ts";
import { PendingAttachments } from "../../../src/core/journal/pendingAttachments.ts";
import type { JournalRow } from "../../../src/core/store/journalRow.ts";
import { runAndKill } from "../../support/storage/killedChild.ts";
import { LocalStores } from "../../support/storage/localStore.ts";
import { MemoryStore } from "../../support/storage/memoryStore.ts";
import { step, temporaryFolder } from "../../support/storage/storeBuilders.ts";

/** State printed by the child: labels of the pending attachments, and number of messages sent. */
interface Seen {
  readonly labels: readonly string[];
  readonly sent: number;
}

const KILLS = 8;
const clock = { nowMs: () => 0, after: () => () => undefined };

function labelsIn(journal: readonly JournalRow[]): readonly string[] {
  const { items } = new PendingAttachments(new MemoryStore(), clock, journal);
  return items.map(({ part }) => (part.kind === "attachment" ? part.label : part.mediaType));
}

/** Whether `found` equals `last` or is one step further: one added, the first removed, or all sent. */
function isOneStepOn(found: Seen, last: Seen): boolean {
  const { labels } = found;
  if (found.sent !== last.sent) return found.sent === last.sent + 1 && labels.length === 0;
  const isBegun = (whole: readonly string[], part: readonly string[]): boolean =>
    part.length <= whole.length && part.every((label, place) => whole[place] === label);
  return (
    (isBegun(labels, last.labels) && labels.length <= last.labels.length + 1) || isEqual(labels, last.labels.slice(1))
  );
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((label, place) => label === other[place]);
}

describe("PendingAttachments", function () {
  this.timeout(60_000);

  it(`are as last printed, or one step further, after each of ${KILLS} kills`, async () => {
    const folder = temporaryFolder();
    const stores = await LocalStores.load();
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        const child = { script: "./addingChild.ts", args: [folder.path], killAfterMs: 20 + kill * 25 };
        const { lines, signal } = await runAndKill(child);
        assert.equal(signal, "SIGKILL");
        const last = JSON.parse(lines.at(-1) ?? "null") as Seen;
        const opened = stores.open(folder.path);
        assert.ok(opened.ok);
        const { messageCount, journal } = opened.value.shape;
        const found = { labels: labelsIn(journal), sent: messageCount };
        assert.ok(isOneStepOn(found, last), JSON.stringify({ found, last }));
        opened.value.close();
      }
    } finally {
      folder.remove();
    }
  });

  it("are not recovered as an interrupted answer, and unreadable rows are skipped", () => {
    const row = { stepId: step(1), seq: 0, eventType: "added", content: "{", createdAtMs: 1 } as const;
    assert.deepEqual(recoverAnswers([row]), []);
    assert.deepEqual(labelsIn([row]), []);
  });
});
