/** Files as a newer Forge leaves them. */

import { readFileSync, writeFileSync } from "node:fs";

/** Where the header of a database holds the version of its tables, as four bytes. */
const VERSION_AT = 60;

/** Has the closed database at `file` say that a Forge of years from now wrote it. */
export function markAsNewer(file: string): void {
  const bytes = readFileSync(file);
  bytes.writeUInt32BE(99, VERSION_AT);
  writeFileSync(file, bytes);
}
