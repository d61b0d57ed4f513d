/**
 * Imports a file twice, as the command does, and prints how many conversations the second import made or changed.
 * Arguments: the file, an empty folder for the storage, and the folder of the shipped files.
 */

import { NEVER_CANCELLED } from "../../../src/host/background/readInSlices.ts";
import { Importing } from "../../../src/host/conversations/import/importing.ts";
import { openWindow } from "../../../test/support/session/openConversations.ts";

const [, , file = "", storage = "", dist = ""] = process.argv;
const folders = { storage, dist };
const { conversations } = openWindow(folders);
const importing = new Importing(conversations, folders);
const counts: number[] = [];
for (let time = 0; time < 2; time++) {
  const imported = await importing.importAll([file], NEVER_CANCELLED);
  if (!imported.ok) throw new Error(JSON.stringify(imported.error));
  const { created, updated, failed } = imported.value;
  if (failed.length > 0) throw new Error(JSON.stringify(failed));
  counts.push(created.length + updated.length);
}
await conversations.close();
const [first = 0, second = 0] = counts;
if (first === 0) throw new Error("the first import made nothing");
console.log(String(second));
process.exit();
