/**
 * Whether the same file gives the same conversations again: what is already here is recognized by that. Times that a
 * file does not contain are those of the import.
 */

import { createHash } from "node:crypto";
import { storedConversations } from "./storedConversations.ts";

/** Number of conversations that the second import made otherwise than the first. */
export function differencesOnSecondImport(first: string, second: string): number {
  const [before, after] = [digestsIn(first), digestsIn(second)];
  const known = new Set(before);
  return after.filter((digest) => !known.has(digest)).length + Math.abs(before.length - after.length);
}

function digestsIn(root: string): readonly string[] {
  return Array.from(storedConversations(root), ({ history, messages }) => {
    const hash = createHash("sha256");
    for (const { entry, message } of messages()) {
      const { id, role, turn, batch, state, model } = entry;
      const place = [id, role, turn, batch, state, model, history.branches.parentOf(id), history.isVisible(entry)];
      hash.update(JSON.stringify([place, message]));
    }
    return hash.digest("hex");
  });
}
