/**
 * Turns conversations of other tools into records: each tool call gets exactly one result, directly after it, branches
 * become branches with the live one shown, and what is damaged is kept aside.
 */

import { beginningOf } from "../../cutText.ts";
import { runSync } from "../../cooperativeTask.ts";
import { validationError, type ValidationError } from "../../errors.ts";
import { messageId, modelId, type MessageId } from "../../ids.ts";
import { textOf, type HistoryEntry, type Message, type TokenCounts } from "../../message.ts";
import { err, ok, type Result } from "../../result.ts";
import { contentClassOfMessage } from "../../tokens/contentClass.ts";
import { partCountOf } from "../../history/entryRules.ts";
import { withVisibilityRecords, type Branch } from "../../history/branches/branchReplay.ts";
import type { ConversationRecord, MessageRecord, UsageRecord } from "../../history/records.ts";
import { answersOf, type ForeignAnswer } from "./foreignTree.ts";
import type { ForeignConversation } from "./foreignConversation.ts";
import { readForeignFile } from "./foreignFile.ts";
import { formatOf } from "./formats.ts";
import { importReportSetting } from "./importReport.ts";

/** `undefined` when the format is not known. A format that is known but not read is an error that names it. */
export function readForeign(text: string): Result<ForeignConversation, ValidationError> | undefined {
  const file = readForeignFile(text);
  const format = formatOf(file);
  if (format === undefined) return undefined;
  if (format.read === undefined)
    return err(validationError("document.format", format.name, "a format that Forge reads"));
  const found = format.read(file);
  if (found.messages.some(({ message }) => message.parts.length > 0)) return ok(found);
  const fault = found.damaged?.find((line) => line.fault !== undefined)?.fault;
  return err(fault ?? validationError("document", "none", "at least one message"));
}

/** Records in the order in which they are to be stored. A missing time is that of the message before, or `nowMs`. */
export function foreignRecords(
  conversation: ForeignConversation,
  countTokens: (message: Message) => TokenCounts,
  nowMs: number,
): readonly ConversationRecord[] {
  const { title, titleBy = "automatic", damaged = [] } = conversation;
  const answers = answersOf(conversation);
  const entered: MessageRecord[] = [];
  const usage: UsageRecord[] = [];
  const branches: Branch[] = [];
  const isHidden: boolean[] = [];
  /** The last message of each answer. */
  const lastOf: MessageId[] = [];
  let [turn, atMs] = [messageId(0), 0];
  for (const answer of answers) {
    const first = messageId(entered.length);
    const parent = answer.parent === undefined ? undefined : lastOf[answer.parent];
    if ((parent ?? -1) !== first - 1)
      branches.push(parent === undefined ? { id: first } : { id: first, follows: parent });
    atMs = answer.createdAtMs === 0 ? atMs || nowMs : answer.createdAtMs;
    if (answer.messages[0].role === "user") turn = first;
    for (const message of answer.messages) {
      const id = messageId(entered.length);
      const entry = entryOf(message, { id, first, turn, atMs, answer }, countTokens);
      entered.push({ kind: "message", entry, message });
      isHidden.push(!answer.isLive);
    }
    lastOf.push(messageId(entered.length - 1));
    if (answer.usage !== undefined) {
      const model = modelId(answer.model || "unknown");
      usage.push({ kind: "usage", message: first, model, ...answer.usage, atMs, inOrigin: true });
    }
  }
  const endMs = atMs || nowMs;
  const replay = { branches, isHidden: ({ id }: HistoryEntry) => isHidden[id] === true, atMs: endMs };
  const records: ConversationRecord[] = [...runSync(withVisibilityRecords(entered, replay)), ...usage];
  const name = title.trim() || firstLine(answers);
  if (name !== "") {
    records.push({ kind: "title", title: beginningOf(name, LONGEST_TITLE), by: titleBy, atMs: endMs });
  }
  const lastLive = isHidden.lastIndexOf(false);
  if (damaged.length > 0)
    records.push({ ...importReportSetting(damaged, messageId(Math.max(0, lastLive))), atMs: endMs });
  return records;
}

interface Place {
  readonly id: MessageId;
  /** First message of its answer. */
  readonly first: MessageId;
  readonly turn: MessageId;
  readonly atMs: number;
  readonly answer: ForeignAnswer;
}

function entryOf(
  message: Message,
  { id, first, turn, atMs, answer }: Place,
  countTokens: (message: Message) => TokenCounts,
): HistoryEntry {
  const isResults = id !== first;
  const isBatch = answer.messages.length > 1;
  const textClass = contentClassOfMessage(message);
  const { model, state, durationMs } = answer;
  return {
    id,
    role: message.role,
    turn,
    state: isResults ? "complete" : state,
    createdAtMs: atMs,
    tokens: countTokens(message),
    ...(textClass === "prose" ? {} : { textClass }),
    ...(isBatch ? { batch: first, ...partCountOf(message.parts, { id, batch: first }) } : {}),
    ...(model === "" || isResults ? {} : { model: modelId(model) }),
    ...(durationMs === undefined || isResults ? {} : { durationMs }),
  };
}

const LONGEST_TITLE = 60;

/** First line of the user's own words, in the live branch if there are any. */
function firstLine(answers: readonly ForeignAnswer[]): string {
  const own = answers.filter(({ messages, isAside }) => messages[0].role === "user" && !isAside);
  const texts = [...own.filter(({ isLive }) => isLive), ...own].map(({ messages: [message] }) => textOf(message));
  return (
    texts
      .flatMap((text) => text.split("\n"))
      .map((line) => line.trim())
      .find((line) => line !== "") ?? ""
  );
}
