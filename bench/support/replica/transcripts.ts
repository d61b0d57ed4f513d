/** Conversations of a folder of transcripts, by the product's import. */

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import { importFromFile } from "../../../src/host/conversations/transfer/importFromFile.ts";
import { buildRanks } from "../../../scripts/buildRanks.mjs";
import { DiskMachine } from "../../../test/support/replica/diskMachine.ts";
import { MemoryPlace, MemoryReplica } from "../../../test/support/replica/memoryReplica.ts";
import { SQL_JS_FILE, WORKER_FILE } from "../../../test/support/storage/sqliteStore.ts";
import { temporaryFolder } from "../../../test/support/storage/storeBuilders.ts";
import { numbered, rootIn } from "./disks.ts";

/** Without the files that are of no format that Forge reads. */
export async function transcriptsIn(data: string): Promise<readonly (readonly ConversationRecord[])[]> {
  const place = new MemoryReplica(new MemoryPlace());
  const machine = await DiskMachine.create({ name: "desktop", root: await rootIn(place), place });
  const ranks = temporaryFolder();
  const conversations: (readonly ConversationRecord[])[] = [];
  try {
    mkdirSync(ranks.path, { recursive: true });
    await buildRanks(ranks.path);
    for (const [at, name] of readdirSync(data).toSorted().entries()) {
      const id = numbered(at + 1);
      const imported = await importFromFile({
        file: join(data, name),
        id,
        root: join(machine.storage, "conversations"),
        ...{ workerFile: WORKER_FILE, sqlJsFile: SQL_JS_FILE, ranksFolder: ranks.path },
        cancel: new AbortController().signal,
      });
      if (imported.ok) conversations.push(await machine.records(id));
    }
  } finally {
    machine.remove();
    ranks.remove();
  }
  if (conversations.length === 0) throw new Error(`${data} has no transcript that Forge reads`);
  return conversations;
}
