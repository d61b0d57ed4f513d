/** "Fork here": a new conversation with a copy of this one up to a message, and a reference to its origin. */

import { randomUUID } from "node:crypto";
import path from "node:path";
import type { ForgeError } from "../../../core/errors.ts";
import { forkOf } from "../../../core/history/fork.ts";
import { messageId, parseConversationId, type ConversationId } from "../../../core/ids.ts";
import { invariant, ok, type Result } from "../../../core/result.ts";
import type { Session } from "../../session/session.ts";
import { newConversation } from "./newConversation.ts";

/** Creates the fork under `storage` without opening it; resolves to its id. On failure none exists. */
export async function forkConversation(
  session: Session,
  last: number,
  { storage }: { readonly storage: string },
): Promise<Result<ConversationId, ForgeError>> {
  const { conversation, id: origin } = session.opened;
  const id = parseConversationId(randomUUID());
  invariant(id !== undefined, "a new UUID is a conversation id");
  const forked = await newConversation(path.join(storage, "conversations"), id, (folder) =>
    conversation.fork(folder, () =>
      forkOf(
        conversation.history,
        messageId(last),
        { conversation: origin, title: session.title, message: last },
        Date.now(),
      ),
    ),
  );
  return forked.ok ? ok(id) : forked;
}
