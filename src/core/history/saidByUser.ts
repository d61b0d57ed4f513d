import type { HistoryEntry } from "../message.ts";

/** Not a result of a tool, which has the same role. */
export function isSaidByUser({ role, batch }: Pick<HistoryEntry, "role" | "batch">): boolean {
  return role === "user" && batch === undefined;
}
