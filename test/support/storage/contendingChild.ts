/**
 * One of several processes that contend for a conversation: repeatedly takes the lease, opens, adds messages, and
 * releases it. Prints each acknowledged message, and writes into a shared log while it holds the conversation.
 * Arguments: folder, shared log, name of this process, number of messages to add.
 */

import { appendFileSync, writeSync } from "node:fs";
import { acquireLease } from "../../../src/adapters/node/lease.ts";
import { addMessage } from "./storeBuilders.ts";
import { LocalStores } from "./localStore.ts";

const [, , folder = "", log = "", name = "", operations = "0"] = process.argv;
const stores = await LocalStores.load();
const pause = (limitMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * limitMs));

writeSync(1, "ready\n");
for (let added = 0; added < Number(operations);) {
  const lease = await acquireLease(folder);
  if (!lease.ok) {
    if (lease.error.code !== "CONVERSATION_IN_USE") throw new Error(JSON.stringify(lease.error));
    await pause(4);
    continue;
  }
  appendFileSync(log, `begin ${name}\n`);
  const opened = stores.open(folder, lease.value.file);
  if (!opened.ok) throw new Error(`open: ${JSON.stringify(opened.error)}`);
  let next = opened.value.shape.messageCount;
  const end = Math.min(Number(operations), added + 1 + Math.floor(Math.random() * 30));
  for (; added < end; added++) {
    const stored = opened.value.commit([addMessage(next++, `${name}/${added}`)]);
    if (!stored.ok) throw new Error(`commit: ${JSON.stringify(stored.error)}`);
    writeSync(1, `stored ${name}/${added}\n`);
  }
  opened.value.close();
  appendFileSync(log, `end ${name}\n`);
  await lease.value.release();
  await pause(2);
}
