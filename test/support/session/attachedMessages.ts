/** Messages with attachments in a test conversation, left out and sent again. */

import assert from "node:assert/strict";
import { exclusionRecord } from "../../../src/core/history/exclusion.ts";
import { messageId, type MessageId } from "../../../src/core/ids.ts";
import { counts, type TestConversation } from "./conversation.ts";

/** Adds a message of the user with an attachment before its words; answers its id. */
export function attach(conversation: TestConversation, tokens: number): MessageId {
  const id = String(conversation.manager.history.length);
  const attachment = { kind: "attachment", label: `file${id}.ts`, text: `the file of message ${id}` } as const;
  return conversation.add({ role: "user", parts: [attachment, { kind: "text", text: `user ${id}` }] }, tokens);
}

/** Leaves the attachments of a message out of what is sent, which is 20 tokens then; `false`: it has none. */
export function leaveOut(conversation: TestConversation, id: number): boolean {
  return setLeftOut(conversation, messageId(id), true);
}

/** Sends the attachments of a message again; `false`: it has none. */
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
