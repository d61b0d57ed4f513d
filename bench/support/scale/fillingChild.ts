/** Ends when the index has all conversations. Arguments: storage folder, and their number. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SegmentFolder } from "../../../src/adapters/node/segments/segmentFolder.ts";
import { dueForMerge } from "../../../src/core/search/segments/mergePolicy.ts";
import { SegmentIndex } from "../../../src/core/search/segments/segmentIndex.ts";

const PAUSE_MS = 200;
const [, , storage = "", size = ""] = process.argv;

const folder = join(storage, "search");
while (!existsSync(folder)) await wait(PAUSE_MS);
const index = new SegmentIndex(new SegmentFolder(folder));
const isDue = (): boolean => dueForMerge(index.segments.map(({ messageCount }) => messageCount)).length > 0;
while (index.conversations.size < Number(size) || isDue()) {
  await wait(PAUSE_MS);
  index.refresh();
}
