/** Where in the list a conversation stands: in front, in its place by time, or in the archive. Kept in its own records. */

import type { FullHistory } from "../../../core/history/fullHistory.ts";
import type { ConversationRecord } from "../../../core/history/records.ts";

/** What the user may change of how a conversation is listed; what is absent stays. */
export interface ListedChange {
  /** Not empty. */
  readonly title?: string;
  readonly isPinned?: boolean;
  readonly isArchived?: boolean;
}

/** The settings of a conversation that say where it stands: `on`, or anything else. */
const PINNED = "list.pinned";
const ARCHIVED = "list.archived";

/** Where a conversation stands, as its records say. */
export function listPlaceOf(history: Pick<FullHistory, "setting">): {
  readonly isPinned: boolean;
  readonly isArchived: boolean;
} {
  return { isPinned: history.setting(PINNED) === "on", isArchived: history.setting(ARCHIVED) === "on" };
}

/** The records of a change. A title that the user gave is never replaced by an automatic one. */
export function recordsOfChange({ title, isPinned, isArchived }: ListedChange, atMs: number): ConversationRecord[] {
  const setting = (name: string, isOn: boolean | undefined): ConversationRecord[] =>
    isOn === undefined ? [] : [{ kind: "setting", name, value: isOn ? "on" : "off", atMs }];
  return [
    ...(title === undefined ? [] : [{ kind: "title", title, by: "user", atMs } as const]),
    ...setting(PINNED, isPinned),
    ...setting(ARCHIVED, isArchived),
  ];
}
