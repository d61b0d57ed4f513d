/**
 * Opens the conversation in a folder, says what it found, and streams until it is killed. It prints a number only when
 * the piece of text that holds it is acknowledged, as the real chat shows text only then.
 * Arguments: folder.
 */

import { writeSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { systemClock } from "../../src/adapters/node/clock.ts";
import { acquireLease } from "../../src/adapters/node/lease.ts";
import { messageId, modelId, stepId } from "../../src/core/ids.ts";
import { recoverJournal } from "../../src/core/journal/recover.ts";
import { StreamJournal } from "../../src/core/journal/streamJournal.ts";
import { textOf } from "../../src/core/message.ts";
import type { ConversationStore } from "../../src/core/ports.ts";
import { openStore } from "./sqliteStore.ts";
import { addMessage } from "./storeBuilders.ts";

const say = (line: string): void => {
  writeSync(1, `${line}\n`); // at once, so that the kill can not swallow it
};

const folder = process.argv[2] ?? "";
const lease = await acquireLease(folder);
if (!lease.ok) throw new Error(`the lease of a killed owner is not free: ${JSON.stringify(lease.error)}`);
const store = await openStore(folder);
const texts = await settleLeftovers(store);
const numbers = texts
  .join("")
  .split(" ")
  .filter((word) => word !== "")
  .map(Number);
const gapless = numbers.every((number, index) => number === index);
say(`found ${numbers.length} ${gapless ? "gapless" : "GAP"}`);

let next = numbers.length;
let count = texts.length;
for (;;) {
  const id = stepId(randomUUID());
  const begun = await new StreamJournal(store, systemClock).beginSession({
    stepId: id,
    model: modelId("test"),
    asked: messageId(0),
    startedAtMs: Date.now(),
  });
  if (!begun.ok) throw new Error(JSON.stringify(begun.error));
  const pieces: Promise<void>[] = [];
  for (let piece = 0; piece < 40; piece++) {
    const number = next++;
    pieces.push(
      begun.value.appendText(`${number} `).then((result) => {
        if (result.ok) say(`shown ${number}`);
      }),
    );
    if (Math.random() < 0.3) await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
  }
  await Promise.all(pieces);
  const text = textOf(begun.value.seal());
  const added = await store.commit([addMessage(count++, text, id), { kind: "journalDrop", stepId: id }]);
  if (!added.ok) throw new Error(JSON.stringify(added.error));
}

/** Adds what a kill left in the journal to the history; answers the texts of all messages. */
async function settleLeftovers(from: ConversationStore): Promise<string[]> {
  const ids = Array.from({ length: from.shape.messageCount }, (_, id) => messageId(id));
  const stored = await from.readMessages(ids);
  if (!stored.ok) throw new Error(JSON.stringify(stored.error));
  const found = stored.value.map(({ message }) => textOf(message));
  for (const leftover of recoverJournal(from.shape.journal)) {
    const text = textOf(leftover.message);
    const added = await from.commit([
      addMessage(found.length, text, leftover.stepId),
      { kind: "journalDrop", stepId: leftover.stepId },
    ]);
    if (!added.ok) throw new Error(JSON.stringify(added.error));
    found.push(text);
  }
  return found;
}
