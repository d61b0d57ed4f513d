/** The message that a command of the context menu of a row refers to. */

import { messageId, type MessageId } from "../../core/ids.ts";
import type { Session } from "../session/session.ts";

/** `context` comes from the row that was clicked; `undefined` for an erased message. */
export function contextMenuMessage(context: unknown, { opened }: Session): MessageId | undefined {
  const named =
    typeof context === "object" && context !== null && "forgeMessage" in context ? context.forgeMessage : "";
  const number = typeof named === "number" ? named : Number.NaN;
  const { history } = opened.manager;
  if (!Number.isInteger(number) || number < 0 || number >= history.length) return undefined;
  return history.entry(messageId(number)).erasedAtMs === undefined ? messageId(number) : undefined;
}
