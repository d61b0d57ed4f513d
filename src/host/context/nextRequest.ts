/** The next request exactly as it would be sent, but without the key. Nothing is sent. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import type { ForgeError } from "../../core/errors.ts";
import { messageId } from "../../core/ids.ts";
import { textMessage, type Message, type TokenCounts } from "../../core/message.ts";
import type { ConversationStore } from "../../core/store/conversationStore.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { Connection } from "../connections/connections.ts";

export interface NextRequestInput {
  /** Only copied: a running request keeps its own figures. */
  readonly manager: ContextManager;
  readonly store: Pick<ConversationStore, "readMessages">;
  readonly connection: Pick<Connection, "provider" | "model">;
  /** Text in the composer; may be empty. */
  readonly draft: string;
  readonly countTokens: (message: Message) => Promise<TokenCounts>;
  readonly nowMs: number;
}

/** The request body as indented JSON, with the draft as last message. The error says why it cannot be sent. */
export async function nextRequestJson(request: NextRequestInput): Promise<Result<string, ForgeError>> {
  const { manager, store, connection, draft, nowMs } = request;
  const drafted = draft.trim() === "" ? undefined : textMessage("user", draft);
  const draftId = messageId(manager.history.length);
  const copy = manager.copy({
    readMessages: async (ids) => {
      const read = await store.readMessages(ids.filter((id) => id < draftId));
      if (!read.ok) return read;
      const messages = read.value.map(({ message }) => message);
      return ok(drafted !== undefined && ids.includes(draftId) ? [...messages, drafted] : messages);
    },
  });
  if (drafted !== undefined) {
    const tokens = await request.countTokens(drafted);
    const record = copy.admit(drafted, { state: "complete", createdAtMs: nowMs, tokens });
    if (!record.ok) return record;
    copy.apply(record.value);
  }
  const prepared = copy.prepare();
  if (prepared.kind === "tooLarge") return err(prepared.error);
  if (prepared.kind === "summarizationNeeded") {
    return err({ code: "SUMMARIZATION_NEEDED", excessTokens: prepared.needed.excessTokens });
  }
  const { context } = prepared;
  const messages = await context.apiMessages();
  if (!messages.ok) return messages;
  const { systemPrompt, tools, limits } = context;
  const wire = { systemPrompt, tools, messages: messages.value };
  const options = { model: connection.model, maxOutputTokens: limits.maxOutput };
  const body = (await connection.provider.requestBody?.(wire, options, limits)) ?? wire;
  return ok(`${JSON.stringify(body, undefined, 2)}\n`);
}
