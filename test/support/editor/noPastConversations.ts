import { err } from "../../../src/core/result.ts";
import type { PastConversations } from "../../../src/host/mentions/pastConversations.ts";

/** A window without other conversations. */
export const NO_PAST_CONVERSATIONS: Pick<PastConversations, "refresh" | "byTitle" | "byContent" | "content"> = {
  refresh: () => undefined,
  byTitle: () => Promise.resolve([]),
  byContent: () => Promise.resolve([]),
  content: () => Promise.resolve(err("there are none")),
};
