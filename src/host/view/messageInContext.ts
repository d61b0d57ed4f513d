/** Which message a command of the row's own menu is about. */

import { messageId, type MessageId } from "../../core/ids.ts";
import type { Session } from "../session/session.ts";

/** The message whose row was clicked, as the page named it. One that was erased is none. */
export function messageIn(context: unknown, { opened }: Session): MessageId | undefined {
  const named =
    typeof context === "object" && context !== null && "forgeMessage" in context ? context.forgeMessage : "";
  const number = typeof named === "number" ? named : Number.NaN;
  const { history } = opened.manager;
  if (!Number.isInteger(number) || number < 0 || number >= history.length) return undefined;
  return history.entry(messageId(number)).erasedAtMs === undefined ? messageId(number) : undefined;
}
