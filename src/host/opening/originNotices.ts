/** The notice in the chat that tells where a forked conversation comes from. */

import { originOf } from "../../core/documents/forkedHistory.ts";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import type { MessageId } from "../../core/ids.ts";
import type { NoticeRow } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";
import { noticeRow } from "../transcript/rows.ts";

/** The notice after the last copied message; none after other messages. */
export function originNotices(history: FullHistory, afterId: MessageId): readonly NoticeRow[] {
  const origin = originOf(history);
  if (origin?.message === undefined || origin.message !== afterId) return [];
  const from = origin.title === "" ? localize("another conversation") : localize("“{0}”", origin.title);
  return [
    noticeRow("origin", {
      tone: "info",
      text: localize("Forked from {0}. What is above is a copy.", from),
      actions: [],
    }),
  ];
}
