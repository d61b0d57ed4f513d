/** Time of a durable delta while the index fills, compared with one without: medians, in turn. */

import { setTimeout as wait } from "node:timers/promises";
import { median } from "../../../scripts/benchmark.ts";
import type { ConversationListing } from "../../../src/adapters/node/conversationFolders.ts";
import { invariant } from "../../../src/core/result.ts";
import type { SearchIndex } from "../../../src/host/search/searchIndex.ts";
import { openStore } from "../../../test/support/storage/sqliteStore.ts";
import { addRow, step, temporaryFolder } from "../../../test/support/storage/storeBuilders.ts";

const DELTA = "delta text, about sixty bytes long, as a model streams words.";
const TURNS = 8;
const PER_TURN = 60;
/** The thread has started by then, and fills. */
const FILLING_MS = 1_500;

/** The index is empty afterwards. It takes longer to fill than a turn. */
export async function fillCommitRatio(index: SearchIndex, listings: readonly ConversationListing[]): Promise<number> {
  const folder = temporaryFolder();
  const store = await openStore(folder.path);
  await store.commit([addRow(step(1), 0, "{}", "begin")]);
  const times = { alone: [] as number[], beside: [] as number[] };
  let seq = 0;
  const commits = async (into: number[]): Promise<void> => {
    for (let count = 0; count < PER_TURN; count++) {
      const began = performance.now();
      invariant((await store.commit([addRow(step(1), ++seq, DELTA)])).ok, "a delta is stored");
      into.push(performance.now() - began);
    }
  };
  for (let turn = 0; turn < TURNS; turn++) {
    await commits(times.alone);
    index.setConversations(listings);
    await wait(FILLING_MS);
    await commits(times.beside);
    invariant((await index.erase()).ok, "the index can be deleted");
  }
  await store.close();
  folder.remove();
  return median(times.beside) / median(times.alone);
}
