/** Title, pin and archive state of a conversation, and whether it may be recalled, stored in its own records. */

import type { FullHistory } from "../../../core/history/fullHistory.ts";
import { importLinkOf, type ImportLink } from "../../../core/history/importLink.ts";
import { isLeftOutOfRecall, RECALL_SETTING, recallSetting } from "../../../core/history/recallState.ts";
import type { ConversationRecord } from "../../../core/history/records.ts";

/** Absent members stay as they are. */
export interface ListingChange {
  /** Not empty. */
  readonly title?: string;
  readonly isPinned?: boolean;
  readonly isArchived?: boolean;
  /** Models do not recall it from other conversations. */
  readonly isLeftOut?: boolean;
}

/** Names of conversation settings; their value is `on` or anything else. */
const PINNED = "list.pinned";
const ARCHIVED = "list.archived";

export function listingStateOf(history: Pick<FullHistory, "setting">): {
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  readonly isLeftOut: boolean;
  readonly imported?: ImportLink;
} {
  const link = importLinkOf(history);
  return {
    isPinned: history.setting(PINNED) === "on",
    isArchived: history.setting(ARCHIVED) === "on",
    isLeftOut: isLeftOutOfRecall(history.setting(RECALL_SETTING)),
    ...(link === undefined ? {} : { imported: link }),
  };
}

/** A title set by the user is never replaced by an automatic one. */
export function listingRecords(
  { title, isPinned, isArchived, isLeftOut }: ListingChange,
  atMs: number,
): ConversationRecord[] {
  const setting = (name: string, isOn: boolean | undefined): ConversationRecord[] =>
    isOn === undefined ? [] : [{ kind: "setting", name, value: isOn ? "on" : "off", atMs }];
  return [
    ...(title === undefined ? [] : [{ kind: "title", title, by: "user", atMs } as const]),
    ...setting(PINNED, isPinned),
    ...setting(ARCHIVED, isArchived),
    ...(isLeftOut === undefined ? [] : [recallSetting(isLeftOut, atMs)]),
  ];
}
