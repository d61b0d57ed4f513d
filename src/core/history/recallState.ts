/** Permission to recall a conversation from others. Stored in its own records, so that it goes where it goes. */

import type { ConversationRecord } from "./records.ts";

/** Name of a conversation's setting; `out` when the user has left it out. */
export const RECALL_SETTING = "recall";

export function isLeftOutOfRecall(setting: string | undefined): boolean {
  return setting === "out";
}

export function recallSetting(isLeftOut: boolean, atMs: number): ConversationRecord {
  return { kind: "setting", name: RECALL_SETTING, value: isLeftOut ? "out" : "in", atMs };
}
