import { readFileSync, writeFileSync } from "node:fs";

/** Offset of the four-byte schema version in a database header. */
const VERSION_AT = 60;

/** Marks the closed database at `file` as written by a much newer Forge. */
export function markAsNewer(file: string): void {
  const bytes = readFileSync(file);
  bytes.writeUInt32BE(99, VERSION_AT);
  writeFileSync(file, bytes);
}
