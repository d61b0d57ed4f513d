/** opencode's sessions as it exports them, or their messages alone. A message holds the steps of an answer. */

import { DocumentReader, type LocatedValue } from "../../documentReader.ts";
import { toolCallId } from "../../../ids.ts";
import { boundedJson, listIn, member, stringField } from "../../../json.ts";
import type { MessageState, Part, ToolResultPart } from "../../../message.ts";
import {
  optionalCount,
  optionalField,
  optionalItems,
  optionalText,
  optionalTimeMs,
  type Compaction,
  type ForeignConversation,
  type ForeignMessage,
  type ForeignUsage,
  type HeldMessage,
  type ResultFile,
  sourceIn,
} from "../foreignConversation.ts";
import { DamagedLines } from "../damagedLines.ts";
import { isObjectWith, LOOKED_AT, type ForeignFile, type ForeignRecord } from "../foreignFile.ts";
import type { MessageHolder } from "../heldMessages.ts";
import { asData, thoughtAndSummary, userParts } from "../userParts.ts";
import { standIn, storedFile } from "./storedFiles.ts";

export function isOpencode(file: ForeignFile): boolean {
  return file.has((value) => {
    const info = member(value, "info") ?? value;
    return [stringField(info, "id"), stringField(info, "sessionID")].some((id) => id.startsWith("ses_"));
  }, LOOKED_AT);
}

export function readOpencode(file: ForeignFile, holder: MessageHolder): ForeignConversation {
  const damaged = new DamagedLines();
  const session = file.field("info");
  const isSubAgent = optionalText(optionalField(session, "parentID")) !== "";
  const reverted = new Reverted(optionalField(session, "revert"));
  const messages: HeldMessage[] = [];
  const compactions = new Compacted();
  let line = 0;
  let sessionId = "";
  for (const place of file.list("messages") ?? file.records(damaged)) {
    line++;
    const record: ForeignRecord = { ...withoutTexts(place, line, damaged), line };
    sessionId ||= optionalText(optionalField(optionalField(record, "info"), "sessionID"));
    const read = new DocumentReader();
    const made = messagesIn(read, record);
    if (read.fault !== undefined) {
      damaged.add({ line, text: boundedJson(record.value) }, read.fault);
      continue;
    }
    const isAside = reverted.has(optionalText(optionalField(optionalField(record, "info"), "id")));
    const compacts = compactions.note(record, messages.length);
    for (const message of isSummary(record) ? made.flatMap((each) => thoughtAndSummary(each, compacts)) : made) {
      const own = isSubAgent && message.message.role === "user" ? asData(message, "sub-agent") : message;
      const node = { key: String(messages.length), follows: messages.at(-1)?.node?.key ?? null };
      messages.push(holder.hold({ ...own, node, ...(isAside ? { isAside: true } : {}) }));
    }
  }
  const title = optionalText(optionalField(session, "title"));
  const own = sourceIn(session, "id", "directory");
  const source = { ...own, id: own.id || sessionId, ...(isSubAgent ? ({ isSubAgent: true } as const) : {}) };
  return { title: /^(?:New|Child) session - /.test(title) ? "" : title, messages, damaged, source };
}

/** An answer that its tool sent instead of what was said before. */
function isSummary(record: LocatedValue): boolean {
  const info = optionalField(record, "info");
  return optionalField(info, "role").value === "assistant" && optionalField(info, "summary").value === true;
}

/** The messages that summaries stand for: all before them, or up to the one that their request names. */
class Compacted {
  /** Index of the first message of each record, by its id. */
  readonly #firstOf = new Map<string, number>();
  #tail = "";

  /** Notes the next record, of which `length` is the index of the first message; returns what it stands for. */
  note(record: LocatedValue, length: number): Compaction | undefined {
    const info = optionalField(record, "info");
    this.#firstOf.set(optionalText(optionalField(info, "id")), length);
    for (const part of optionalItems(optionalField(record, "parts")))
      if (optionalField(part, "type").value === "compaction")
        this.#tail = optionalText(optionalField(part, "tail_start_id"));
    if (!isSummary(record) || optionalField(info, "error").value !== undefined) return undefined;
    const tail = this.#firstOf.get(this.#tail);
    if (tail === undefined) return { after: null };
    return tail === 0 ? undefined : { after: null, last: String(tail - 1) };
  }
}

/** Without parts whose files are damaged: they are texts. */
function withoutTexts({ value, path }: LocatedValue, line: number, damaged: DamagedLines): LocatedValue {
  const parts = listIn(value, "parts");
  const texts = parts.filter((part) => typeof part === "string");
  if (texts.length === 0 || !isObjectWith(value, "parts")) return { value, path };
  for (const text of texts) damaged.add({ line, text });
  return { value: { ...value, parts: parts.filter((part) => typeof part !== "string") }, path };
}

/** Messages that the user took back, from one on: they are no longer in the live branch. */
class Reverted {
  readonly #from: string;
  readonly #isInside: boolean;
  #isReached = false;

  constructor(revert: LocatedValue) {
    this.#from = optionalText(optionalField(revert, "messageID"));
    this.#isInside = optionalText(optionalField(revert, "partID")) !== "";
  }

  /** Asked for each message, in order. */
  has(id: string): boolean {
    const isFirst = id !== "" && id === this.#from;
    this.#isReached ||= isFirst;
    return this.#isReached && !(isFirst && this.#isInside);
  }
}

const NOTHING = { createdAtMs: 0, state: "complete", model: "", id: "" } as const;

function messagesIn(read: DocumentReader, record: LocatedValue): readonly ForeignMessage[] {
  const info = optionalField(record, "info");
  const role = read.word(optionalField(info, "role"), ["user", "assistant"]);
  const createdAtMs = optionalTimeMs(optionalField(optionalField(info, "time"), "created"));
  const parts = optionalField(record, "parts");
  if (role === "assistant") return answerIn(read, info, parts, createdAtMs);
  const made = read.each(parts, (part) => userPart(read, part)).flat();
  return made.length === 0 ? [] : [{ ...NOTHING, createdAtMs, message: { role, parts: made } }];
}

function userPart(read: DocumentReader, part: LocatedValue): readonly Part[] {
  const text = (name: string): string => optionalText(optionalField(part, name));
  const type = read.text(optionalField(part, "type"));
  switch (type) {
    case "text": {
      const found = userParts([{ kind: "text", text: read.text(optionalField(part, "text")) }]);
      const isAdded = ["synthetic", "ignored"].some((name) => optionalField(part, name).value === true);
      if (!isAdded) return found;
      return found.map((each) =>
        each.kind === "text" ? { kind: "attachment", label: "note", text: each.text } : each,
      );
    }
    case "file":
      return [fileIn(part)];
    case "agent":
      return [{ kind: "attachment", label: "agent", text: text("name") }];
    case "subtask":
      return [{ kind: "attachment", label: text("agent") || type, text: text("prompt") || text("description") }];
    default:
      return MARKS.has(type) ? [] : [{ kind: "attachment", label: type, text: boundedJson(part.value) }];
  }
}

/** Parts without words: states of files, and where a step or a compaction begins. */
const MARKS = new Set(["step-start", "step-finish", "snapshot", "patch", "compaction", "checkpoint"]);

function fileIn(part: LocatedValue): ReturnType<typeof storedFile> {
  const text = (name: string): string => optionalText(optionalField(part, name));
  return storedFile({ mediaType: text("mime"), address: text("url"), label: text("filename") });
}

/** Each step of an answer is an answer of its own: what its calls gave is known to the next one. */
function answerIn(
  read: DocumentReader,
  info: LocatedValue,
  parts: LocatedValue,
  createdAtMs: number,
): readonly ForeignMessage[] {
  const text = (name: string): string => optionalText(optionalField(info, name));
  const model = text("modelID") || optionalText(optionalField(optionalField(info, "model"), "id"));
  const messages: ForeignMessage[] = [];
  let [made, files]: [Part[], ResultFile[]] = [[], []];
  const isByStep = optionalItems(parts).some(
    (part) => optionalField(part, "type").value === "step-finish" && usageIn(part) !== undefined,
  );
  const end = (usage: ForeignUsage | undefined): void => {
    if (made.length === 0) return;
    messages.push({
      ...NOTHING,
      createdAtMs,
      model,
      message: { role: "assistant", parts: made },
      ...(files.length === 0 ? {} : { resultFiles: files }),
      ...(usage === undefined ? {} : { usage }),
    });
    [made, files] = [[], []];
  };
  read.each(parts, (part) => {
    const type = read.text(optionalField(part, "type"));
    if (type === "step-finish") end(usageIn(part));
    else if (type === "retry") messages.push(noteOf(errorText(optionalField(part, "error")), createdAtMs));
    else made.push(...answerPart(read, type, part, files));
  });
  end(isByStep ? undefined : usageIn(info));
  if (read.fault !== undefined) return [];
  if (optionalField(info, "summary").value === true) return messages;
  return withEnd(messages, info, createdAtMs);
}

/** With how it ended, how long it took, and why it failed. */
function withEnd(
  messages: readonly ForeignMessage[],
  info: LocatedValue,
  createdAtMs: number,
): readonly ForeignMessage[] {
  const error = optionalField(info, "error");
  const completedAtMs = optionalTimeMs(optionalField(optionalField(info, "time"), "completed"));
  const isStopped = optionalField(error, "name").value === "MessageAbortedError";
  const state: MessageState = error.value === undefined ? "complete" : isStopped ? "cancelled" : "failed";
  const last = messages.findLastIndex(({ message }) => message.role === "assistant");
  const took = messages.length === 1 && createdAtMs > 0 && completedAtMs > createdAtMs;
  const ended = messages.map((message, index) => {
    if (index !== last) return message;
    return { ...message, state, ...(took ? { durationMs: completedAtMs - createdAtMs } : {}) };
  });
  return state === "failed" ? [...ended, noteOf(errorText(error), createdAtMs)] : ended;
}

function noteOf(text: string, createdAtMs: number): ForeignMessage {
  const message: ForeignMessage = {
    ...NOTHING,
    createdAtMs,
    message: { role: "user", parts: [{ kind: "text", text }] },
  };
  return asData(message, "error");
}

function errorText(error: LocatedValue): string {
  const data = optionalField(error, "data");
  return (
    optionalText(optionalField(data, "message")) ||
    optionalText(optionalField(error, "message")) ||
    optionalText(optionalField(error, "name")) ||
    boundedJson(error.value)
  );
}

function answerPart(read: DocumentReader, type: string, part: LocatedValue, files: ResultFile[]): readonly Part[] {
  switch (type) {
    case "text":
    case "reasoning": {
      const text = read.text(optionalField(part, "text"));
      return text === "" ? [] : [{ kind: type === "text" ? "text" : "thinking", text }];
    }
    case "tool":
      return toolParts(read, part, files);
    case "file":
      return [fileIn(part)];
    default:
      return MARKS.has(type) ? [] : [{ kind: "attachment", label: type, text: boundedJson(part.value) }];
  }
}

function toolParts(read: DocumentReader, part: LocatedValue, files: ResultFile[]): readonly Part[] {
  const id = read.text(optionalField(part, "callID"));
  const callId = toolCallId(id);
  const state = optionalField(part, "state");
  const input = optionalField(state, "input");
  const inputJson = input.value === undefined || input.value === null ? "{}" : read.json(input);
  const call: Part = { kind: "toolCall", callId, name: read.text(optionalField(part, "tool")), inputJson };
  const status = optionalField(state, "status").value;
  if (status !== "completed" && status !== "error") return [call];
  const attached = optionalItems(optionalField(state, "attachments")).map(fileIn);
  files.push(...attached.map((each) => ({ callId: id, part: each })));
  const texts = [optionalText(optionalField(state, status === "error" ? "error" : "output")), ...attached.map(standIn)];
  const text = texts.filter((each) => each !== "").join("\n");
  const title = optionalText(optionalField(state, "title"));
  const time = optionalField(state, "time");
  const startMs = optionalTimeMs(optionalField(time, "start"));
  const durationMs = optionalTimeMs(optionalField(time, "end")) - startMs;
  const result: ToolResultPart = {
    kind: "toolResult",
    callId,
    outcome: outcomeOf(state, text),
    text,
    ...(title === "" ? {} : { title }),
    ...(startMs !== 0 && durationMs > 0 ? { durationMs } : {}),
  };
  return [call, result];
}

function outcomeOf(state: LocatedValue, text: string): ToolResultPart["outcome"] {
  if (optionalField(state, "status").value === "completed") return "ok";
  if (optionalField(optionalField(state, "metadata"), "interrupted").value === true) return "interrupted";
  if (text.startsWith("Tool execution aborted")) return "interrupted";
  return /^The user (?:rejected|has specified a rule which prevents)/.test(text) ? "denied" : "error";
}

/** Of an answer or of one step of it; cached tokens stand beside the others. */
function usageIn(place: LocatedValue): ForeignUsage | undefined {
  const tokens = optionalField(place, "tokens");
  const count = (name: string): number => optionalCount(optionalField(tokens, name));
  const cached = (name: string): number => optionalCount(optionalField(optionalField(tokens, "cache"), name));
  const [cacheReadTokens, cacheWriteTokens] = [cached("read"), cached("write")];
  const inputTokens = count("input") + cacheReadTokens + cacheWriteTokens;
  const outputTokens = count("output") + count("reasoning");
  if (inputTokens + outputTokens === 0) return undefined;
  const cost = optionalField(place, "cost").value;
  const price = typeof cost === "number" && cost > 0 && cost < 1e6 ? { costUsd: cost } : {};
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, ...price };
}
