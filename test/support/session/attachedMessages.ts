/** Messages with attachments in a test conversation, excluded and included. */

import assert from "node:assert/strict";
import { exclusionRecord } from "../../../src/core/history/exclusion.ts";
import { messageId, type MessageId } from "../../../src/core/ids.ts";
import { counts, type TestConversation } from "./conversation.ts";

/** Adds a user message with an attachment before its text. Returns its id. */
export function attach(conversation: TestConversation, tokens: number): MessageId {
  const id = String(conversation.manager.history.length);
  const attachment = { kind: "attachment", label: `file${id}.ts`, text: `the file of message ${id}` } as const;
  return conversation.add({ role: "user", parts: [attachment, { kind: "text", text: `user ${id}` }] }, tokens);
}

/** Excludes a message's attachments, which leaves 20 tokens. Returns false if it has none. */
export function leaveOut(conversation: TestConversation, id: number): boolean {
  return setLeftOut(conversation, messageId(id), true);
}

/** Includes a message's attachments again. Returns false if it has none. */
export function sendAgain(conversation: TestConversation, id: number): boolean {
  return setLeftOut(conversation, messageId(id), false);
}

function setLeftOut(conversation: TestConversation, id: MessageId, isOut: boolean): boolean {
  const message = conversation.message(id);
  const added = message.parts.flatMap((part, index) => (part.kind === "attachment" ? [index] : []));
  if (added.length === 0) return false;
  const stored = { entry: conversation.manager.history.entry(id), message };
  const made = exclusionRecord(stored, { leftOut: isOut ? added : [], sentTokens: counts(20), atMs: 1 });
  assert.ok(made.ok);
  conversation.store(made.value);
  return true;
}
