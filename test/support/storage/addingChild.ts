/**
 * Adds, removes and sends attachments in the conversation of a folder, and prints after each step what a user sees,
 * until killed. Argument: folder.
 */

import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { acquireLease } from "../../../src/adapters/node/lease.ts";
import { stepId } from "../../../src/core/ids.ts";
import { PendingAttachments } from "../../../src/core/journal/pendingAttachments.ts";
import { ok } from "../../../src/core/result.ts";
import { LocalStores, asynchronous } from "./localStore.ts";
import { addMessage } from "./storeBuilders.ts";

const [, , folder = ""] = process.argv;
const lease = await acquireLease(folder);
if (!lease.ok) throw new Error(JSON.stringify(lease.error));
const opened = (await LocalStores.load()).open(folder);
if (!opened.ok) throw new Error(JSON.stringify(opened.error));
const store = asynchronous(opened.value);
const waiting = new PendingAttachments(store, { nowMs: Date.now, after: () => () => undefined }, store.shape.journal);
let sent = store.shape.messageCount;
let added = 0;

/** Synchronous, so that a kill cannot lose it. */
const show = (): void => {
  const labels = waiting.items.map(({ part }) => (part.kind === "attachment" ? part.label : part.mediaType));
  writeSync(1, `${JSON.stringify({ labels, sent })}\n`);
};

show();
for (;;) {
  const part = { kind: "attachment", label: randomUUID(), text: "let a;\n".repeat(2_000) } as const;
  const item = { addedId: stepId(randomUUID()), part, tokens: 1 };
  added++;
  await waiting.add(() => ok({ item, replaced: [] }));
  show();
  if (added % 3 === 0) {
    const [first] = waiting.items;
    if (first !== undefined) await waiting.remove(first.addedId);
    show();
  }
  if (added % 7 === 0) {
    const text = waiting.items.map((each) => (each.part.kind === "attachment" ? each.part.label : "")).join(" ");
    await waiting.take((_items, drops) => store.commit([addMessage(sent, text), ...drops]));
    sent++;
    show();
  }
}
