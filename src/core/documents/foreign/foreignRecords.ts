/**
 * Turns conversations of other tools into records: each tool call gets exactly one result, directly after it, branches
 * become branches with the live one shown, and what is damaged is kept aside.
 */

import { beginningOf } from "../../cutText.ts";
import { validationError, type ValidationError } from "../../errors.ts";
import { messageId, modelId, type MessageId } from "../../ids.ts";
import { textOf, type HistoryEntry, type Message, type Part, type TokenCounts } from "../../message.ts";
import { err, ok, type Result } from "../../result.ts";
import { contentClassOfMessage } from "../../tokens/contentClass.ts";
import { partCountOf } from "../../history/entryRules.ts";
import { folderAddress } from "../../history/folderAddress.ts";
import { importLinkSetting, type ImportLink } from "../../history/importLink.ts";
import { VisibilityReplay } from "../../history/branches/branchReplay.ts";
import type { ConversationRecord, UsageRecord } from "../../history/records.ts";
import type { Recount } from "../loadConversation.ts";
import { answerKey, sourceIdOf } from "./answerKeys.ts";
import { Compactions, type CompactionPlace } from "./compactions.ts";
import { DamagedLines, type DamagedLine } from "./damagedLines.ts";
import { ForeignTree, type ForeignAnswer } from "./foreignTree.ts";
import type { ForeignConversation, HeldPart } from "./foreignConversation.ts";
import type { ForeignFile } from "./foreignFile.ts";
import { formatOf } from "./formats.ts";
import type { MessageHolder } from "./heldMessages.ts";
import { importReportSetting } from "./importReport.ts";

/**
 * Conversations of the file, at least one, each to be stored before the next is read. `undefined` when the format is not
 * known. A format that is known but not read is an error that names it.
 */
export function readForeign(
  file: ForeignFile,
  holder: MessageHolder,
): Iterable<Result<NamedConversation, ValidationError>> | undefined {
  const format = formatOf(file);
  if (format === undefined) return undefined;
  const { name, read, readAll } = format;
  if (readAll !== undefined) return withMessages(name, withRest(readAll(file, holder), file.rest));
  if (read !== undefined) return withMessages(name, withRest([read(file, holder)], file.rest));
  return [err(validationError("document.format", name, "a format that Forge reads"))];
}

export interface NamedConversation extends ForeignConversation {
  /** As `formats.ts` names it. */
  readonly tool: string;
}

/** The last conversation tells what is cut off. */
function* withRest(
  conversations: Iterable<ForeignConversation>,
  rest: DamagedLine | undefined,
): Generator<ForeignConversation> {
  if (rest === undefined) {
    yield* conversations;
    return;
  }
  let last: ForeignConversation | undefined;
  for (const conversation of conversations) {
    if (last !== undefined) yield last;
    last = conversation;
  }
  if (last === undefined) return;
  const damaged = last.damaged ?? new DamagedLines();
  damaged.add(rest);
  yield { ...last, damaged };
}

function* withMessages(
  tool: string,
  conversations: Iterable<ForeignConversation>,
): Generator<Result<NamedConversation, ValidationError>> {
  for (const found of conversations) {
    if (found.messages.some(({ parts }) => parts.length > 0)) yield ok({ ...found, tool });
    else yield err(found.damaged?.fault ?? validationError("document", "none", "at least one message"));
  }
}

/** Tools with which the records of a foreign conversation are made. */
export interface ForeignImport {
  readonly holder: MessageHolder;
  readonly recount: Recount;
  readonly nowMs: number;
  /** Of the file; given: the conversation is linked with it, so that a later import finds it. */
  readonly link?: Pick<ImportLink, "tool" | "bytes">;
}

/** Records in the order in which they are to be stored. A missing time is that of the message before, or `nowMs`. */
export function* foreignRecords(
  conversation: NamedConversation,
  { holder, recount, nowMs, link }: ForeignImport,
): Generator<ConversationRecord> {
  const { title, titleBy = "automatic", damaged } = conversation;
  const tree = new ForeignTree(conversation);
  const endMs = tree.endMs || nowMs;
  const usage: UsageRecord[] = [];
  const isHidden: boolean[] = [];
  /** The last message of each answer. */
  const lastOf: MessageId[] = [];
  const keys: string[] = [];
  const visibility = new VisibilityReplay();
  const ownWords = new FirstLine();
  const hasAny = conversation.messages.some(({ compacts }) => compacts !== undefined);
  const compactions = hasAny ? new Compactions(conversation.tool, holder, recount) : undefined;
  let [turn, atMs] = [messageId(0), 0];
  for (const answer of tree.answers()) {
    const first = messageId(isHidden.length);
    const parent = answer.parent === undefined ? undefined : lastOf[answer.parent];
    atMs = answer.createdAtMs === 0 ? atMs || nowMs : answer.createdAtMs;
    const messages = [...messagesOf(answer, holder)];
    const key = link && answerKey(keys[answer.parent ?? -1] ?? "", messages);
    if (key !== undefined) keys.push(key);
    if (answer.usage !== undefined) {
      const model = modelId(answer.model || "unknown");
      usage.push({ kind: "usage", message: first, model, ...answer.usage, atMs, inOrigin: true });
    }
    const place = parent === undefined ? undefined : compactionPlace(answer, lastOf, { parent, atMs });
    if (parent !== undefined && place !== undefined && compactions?.take(answer, place) === true) {
      lastOf.push(parent); // which the messages after it follow
      continue;
    }
    if (answer.role === "user") turn = first;
    for (const message of messages) {
      const id = messageId(isHidden.length);
      const before = id === first ? (parent ?? -1) : id - 1;
      const entry = entryOf(message, { id, first, turn, atMs, answer, key });
      yield* visibility.add(entry, before, endMs);
      const record = recount({ kind: "message", entry, message }, NOTHING_BEFORE);
      yield record;
      if (record.kind === "message") compactions?.add(record.entry, before, answer.isAside);
      isHidden.push(!answer.isLive);
      if (id === first) ownWords.look(message, answer);
    }
    lastOf.push(messageId(isHidden.length - 1));
  }
  for (const record of visibility.end((id) => isHidden[id] === true, endMs)) if (record !== undefined) yield record;
  if (compactions !== undefined) yield* compactions.records(); // compared with what is visible
  yield* usage;
  const name = title.trim() || ownWords.text;
  if (name !== "") yield { kind: "title", title: beginningOf(name, LONGEST_TITLE), by: titleBy, atMs: endMs };
  if (link !== undefined) {
    const linked = { ...link, id: sourceIdOf(conversation, holder), answers: keys.length };
    yield importLinkSetting(linked, endMs);
    const folder = folderAddress(conversation.source?.project ?? "");
    if (folder !== undefined) yield { kind: "project", project: { remotes: [], folder }, atMs: endMs };
  }
  const lastLive = isHidden.lastIndexOf(false);
  if (damaged !== undefined && damaged.count > 0)
    yield { ...importReportSetting(damaged, messageId(Math.max(0, lastLive))), atMs: endMs };
}

function compactionPlace(
  { compacts }: ForeignAnswer,
  lastOf: readonly MessageId[],
  at: Pick<CompactionPlace, "parent" | "atMs">,
): CompactionPlace | undefined {
  const last = compacts && lastOf[compacts.last];
  if (last === undefined) return undefined;
  const before = compacts?.after;
  if (before === undefined || before === null) return { ...at, last, ...(before === null ? { after: null } : {}) };
  const after = lastOf[before];
  return after === undefined ? undefined : { ...at, last, after };
}

function* messagesOf({ role, parts, results }: ForeignAnswer, holder: MessageHolder): Generator<Message> {
  const loaded = (held: readonly HeldPart[]): readonly Part[] => held.map((part) => holder.part(part));
  yield { role, parts: loaded(parts) };
  if (results !== undefined) yield { role: "user", parts: loaded(results) };
}

interface Place {
  readonly id: MessageId;
  /** First message of its answer. */
  readonly first: MessageId;
  readonly turn: MessageId;
  readonly atMs: number;
  readonly answer: ForeignAnswer;
  readonly key: string | undefined;
}

function entryOf(message: Message, { id, first, turn, atMs, answer, key }: Place): HistoryEntry {
  const isResults = id !== first;
  const isBatch = answer.results !== undefined;
  const textClass = contentClassOfMessage(message);
  const { model, state, durationMs } = answer;
  return {
    id,
    role: message.role,
    turn,
    state: isResults ? "complete" : state,
    createdAtMs: atMs,
    tokens: UNCOUNTED,
    ...(textClass === "prose" ? {} : { textClass }),
    ...(isBatch ? { batch: first, ...partCountOf(message.parts, { id, batch: first }) } : {}),
    ...(model === "" || isResults ? {} : { model: modelId(model) }),
    ...(durationMs === undefined || isResults ? {} : { durationMs }),
    ...(key === undefined || isResults ? {} : { imported: key }),
  };
}

/** Replaced when the records are counted. */
const UNCOUNTED: TokenCounts = { cl100k: 0, o200k: 0 };
/** Messages are counted by themselves. */
const NOTHING_BEFORE: Parameters<Recount>[1] = { tokensIn: () => UNCOUNTED };
const LONGEST_TITLE = 60;

/** The first line of the user's own words, in the live branch if there are any. */
class FirstLine {
  #live = "";
  #other = "";

  get text(): string {
    return this.#live || this.#other;
  }

  look(message: Message, { isAside, isLive }: ForeignAnswer): void {
    if (message.role !== "user" || isAside || this.#live !== "" || (!isLive && this.#other !== "")) return;
    const line = firstLineOf(textOf(message));
    if (isLive) this.#live = line;
    else this.#other = line;
  }
}

function firstLineOf(text: string): string {
  return (
    text
      .split("\n")
      .map((line) => line.trim())
      .find((line) => line !== "") ?? ""
  );
}
