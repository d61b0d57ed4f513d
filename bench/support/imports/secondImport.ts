/**
 * Comparison of two imports of the same file: what is already here can be recognized only if both are the same. Times
 * that a file does not contain are those of the import. Doubles are to be counted here once an import recognizes them.
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
    for (const { id, covers, level, content } of history.summaries)
      hash.update(JSON.stringify([covers, level, content, history.isUsable(id)]));
    return hash.digest("hex");
  });
}
