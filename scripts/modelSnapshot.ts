/** `npm run models [-- 2026-11-21]`: updates the snapshots of windows and prices to today or that day. */

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { projectDirectory } from "./command.ts";
import { snapshotFiles } from "./models/snapshotFiles.ts";

const [date = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);
if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new Error("usage: npm run models [-- YEAR-MONTH-DAY]");
for (const [name, text] of await snapshotFiles(date)) {
  await writeFile(path.join(projectDirectory, "src/core/models/snapshot", name), text);
}
