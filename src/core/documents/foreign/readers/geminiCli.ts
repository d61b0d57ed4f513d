/**
 * Gemini CLI's chats: one document, or JSON Lines in which a message stands once more with each change of it; and saved
 * checkpoints, which are lists of contents of the Gemini API. Where a chat was rewound, a branch begins.
 */

import { DocumentReader, type LocatedValue } from "../../documentReader.ts";
import { toolCallId } from "../../../ids.ts";
import { boundedJson, member, stringField } from "../../../json.ts";
import type { Message, Part, ToolResultPart } from "../../../message.ts";
import {
  optionalCount,
  optionalField,
  optionalItems,
  optionalText,
  optionalTimeMs,
  type ForeignConversation,
  type ForeignMessage,
  type ForeignUsage,
  type HeldMessage,
  type ResultFile,
} from "../foreignConversation.ts";
import { DamagedLines } from "../damagedLines.ts";
import { isObjectWith, LOOKED_AT, type ForeignFile, type ForeignRecord } from "../foreignFile.ts";
import type { MessageHolder } from "../heldMessages.ts";
import type { LongRecords } from "../longRecords.ts";
import { asData, userParts } from "../userParts.ts";
import { standIn, storedFile } from "./storedFiles.ts";

export function isGeminiCli(file: ForeignFile): boolean {
  return file.has(isChat, LOOKED_AT);
}

function isChat(value: unknown): boolean {
  const history = member(value, "history");
  return (
    isObjectWith(value, "sessionId", "projectHash") ||
    isContent(value) ||
    (Array.isArray(history) && isContent(history[0])) ||
    (stringField(value, "type") === "gemini" && isObjectWith(value, "id", "content"))
  );
}

function isContent(value: unknown): boolean {
  return isObjectWith(value, "role", "parts") && !isObjectWith(value, "content");
}

export function readGeminiCli(file: ForeignFile, holder: MessageHolder): ForeignConversation {
  const chat = new Chat(holder, file.long);
  const messages = file.list("messages") ?? file.list("history");
  if (messages === undefined) for (const record of file.records(chat.damaged, isHistory)) chat.add(record);
  else {
    for (const name of CHAT_FIELDS) chat.set(name, file.field(name));
    let line = 0;
    for (const message of messages) chat.add({ ...message, line: ++line });
  }
  return chat.conversation();
}

const CHAT_FIELDS = ["summary", "kind", "sessionId"] as const;

/** A line with the model's history, which may be very long. */
function isHistory(value: unknown): boolean {
  return isObjectWith(value, "$set");
}

class Chat {
  readonly damaged = new DamagedLines();
  readonly #holder: MessageHolder;
  readonly #long: LongRecords;
  readonly #messages: HeldMessage[] = [];
  readonly #indexOf = new Map<string, number>();
  /** Ids of the live branch, oldest first. */
  #path: string[] = [];
  readonly #calls = new UnnamedCalls();
  #title = "";
  #isSubAgent = false;
  #id = "";

  constructor(holder: MessageHolder, long: LongRecords) {
    this.#holder = holder;
    this.#long = long;
  }

  add(line: ForeignRecord): void {
    const changed = optionalField(line, "$set");
    const rewound = optionalText(optionalField(line, "$rewindTo"));
    if (rewound !== "") this.#path = this.#path.slice(0, Math.max(0, this.#path.indexOf(rewound)));
    else if (changed.value !== undefined) {
      for (const name of CHAT_FIELDS) this.set(name, optionalField(changed, name));
      this.#addShortened(this.#long.items(optionalField(changed, "messages")), line.line);
    } else if (optionalField(line, "projectHash").value !== undefined) {
      for (const name of CHAT_FIELDS) this.set(name, optionalField(line, name));
      for (const message of optionalItems(optionalField(line, "messages")))
        this.#addMessage({ ...message, line: line.line });
    } else this.#addMessage(line);
  }

  set(name: string, { value }: LocatedValue): void {
    if (typeof value !== "string") return;
    if (name === "summary") this.#title = value;
    if (name === "kind") this.#isSubAgent = value === "subagent";
    if (name === "sessionId") this.#id ||= value;
  }

  conversation(): ForeignConversation {
    const isSubAgent = this.#isSubAgent ? ({ isSubAgent: true } as const) : {};
    const source = { id: this.#id, project: "", ...isSubAgent };
    return { title: this.#title, messages: this.#messages, damaged: this.damaged, source };
  }

  /** The model's own history: what is known already is there whole, and follows what a summary in it stands for. */
  #addShortened(messages: Iterable<LocatedValue>, line: number): void {
    let summary: number | undefined;
    let kept: string | undefined;
    for (const message of messages) {
      const id = optionalText(optionalField(message, "id"));
      const known = this.#indexOf.get(id);
      if (known !== undefined) {
        const isOfPath = this.#messages[known]?.parts.some(({ kind }) => kind !== "toolResult") === true;
        if (summary !== undefined && isOfPath) kept ??= id;
        continue;
      }
      const { length } = this.#messages;
      this.#addMessage({ ...message, line });
      if (isSnapshot(message) && this.#messages.length > length) summary = length;
    }
    const held = summary === undefined ? undefined : this.#messages[summary];
    if (summary === undefined || held === undefined) return;
    const last = kept === undefined ? undefined : this.#path[this.#path.indexOf(kept) - 1];
    if (kept !== undefined && last === undefined) return;
    this.#messages[summary] = { ...held, compacts: last === undefined ? {} : { last } };
  }

  #addMessage(line: ForeignRecord): void {
    const read = new DocumentReader();
    const made = optionalField(line, "role").value === undefined ? messageIn(read, line) : this.#contentIn(read, line);
    if (read.fault !== undefined) this.damaged.add({ line: line.line, text: boundedJson(line.value) }, read.fault);
    if (read.fault !== undefined || made === undefined) return;
    const id = optionalText(optionalField(line, "id"));
    const index = id === "" ? undefined : this.#indexOf.get(id);
    const message = this.#isSubAgent && made.message.role === "user" ? asData(made, "sub-agent") : made;
    if (index !== undefined) {
      const node = this.#messages[index]?.node;
      this.#messages[index] = this.#holder.hold({ ...message, ...(node === undefined ? {} : { node }) });
      return;
    }
    const key = id || `message ${this.#messages.length}`;
    const node = { key, follows: this.#path.at(-1) ?? null };
    this.#indexOf.set(key, this.#messages.length);
    // A result belongs to its call, whatever was said between.
    if (!message.message.parts.every(({ kind }) => kind === "toolResult")) this.#path.push(key);
    this.#messages.push(this.#holder.hold({ ...message, node }));
  }

  /** Of a checkpoint. */
  #contentIn(read: DocumentReader, line: LocatedValue): ForeignMessage | undefined {
    const role = read.word(optionalField(line, "role"), ["user", "model"]);
    const { parts, resultFiles } = partsIn(read, optionalField(line, "parts"), this.#calls);
    if (parts.length === 0) return undefined;
    const message: Message =
      role === "model" ? { role: "assistant", parts } : { role: "user", parts: userParts(withFiles(parts)) };
    return { ...NOTHING, message, ...(resultFiles.length === 0 ? {} : { resultFiles }) };
  }
}

const NOTHING = { createdAtMs: 0, state: "complete", model: "", id: "" } as const;

function messageIn(read: DocumentReader, line: LocatedValue): ForeignMessage | undefined {
  const type = read.text(optionalField(line, "type"));
  const createdAtMs = optionalTimeMs(optionalField(line, "timestamp"));
  const content = partsIn(read, optionalField(line, "content"));
  if (type === "gemini") return answerIn(read, line, content, createdAtMs);
  const { parts, resultFiles } = content;
  const given = type === "user" ? parts : userParts(parts);
  if (given.length === 0) return undefined;
  const message: ForeignMessage = {
    ...NOTHING,
    createdAtMs,
    message: { role: "user", parts: given },
    ...(resultFiles.length === 0 ? {} : { resultFiles }),
  };
  if (type !== "user") return asData(message, type === "error" ? "error" : "note");
  return { ...message, message: { role: "user", parts: asTyped(read, line, given) } };
}

/** The words as typed, where a command made others of them; what was read for them are files. */
function asTyped(read: DocumentReader, line: LocatedValue, parts: readonly Part[]): readonly Part[] {
  const own = userParts(withFiles(parts));
  const typed = partsIn(read, optionalField(line, "displayContent")).parts;
  if (wordsOf(typed) === "" || wordsOf(typed) === wordsOf(own)) return own;
  const made = own.map((part): Part =>
    part.kind === "text" ? { kind: "attachment", label: "prompt", text: part.text } : part,
  );
  return [...userParts(typed.filter(({ kind }) => kind === "text")), ...made];
}

function wordsOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.kind === "text" ? part.text.trim() : "")).join("");
}

interface Content {
  readonly parts: readonly Part[];
  readonly resultFiles: readonly ResultFile[];
}

function answerIn(
  read: DocumentReader,
  line: LocatedValue,
  { parts, resultFiles }: Content,
  createdAtMs: number,
): ForeignMessage | undefined {
  const thoughts = optionalItems(optionalField(line, "thoughts")).flatMap((thought) => {
    const [subject, description] = ["subject", "description"].map((name) => optionalText(optionalField(thought, name)));
    const text = [subject && `**${subject}**`, description].filter(Boolean).join("\n");
    return text === "" ? [] : [text];
  });
  const thinking: readonly Part[] = thoughts.length === 0 ? [] : [{ kind: "thinking", text: thoughts.join("\n\n") }];
  const files: ResultFile[] = [...resultFiles];
  const calls = optionalItems(optionalField(line, "toolCalls")).flatMap((call) => callIn(read, call, files));
  const usage = usageIn(optionalField(line, "tokens"));
  // The shortened history holds thoughts and calls in the content, too.
  const given = parts.filter(({ kind }) => thinking.length === 0 || kind !== "thinking");
  const all = [...thinking, ...given, ...calls];
  if (all.length === 0) return undefined;
  return {
    ...NOTHING,
    message: { role: "assistant", parts: all },
    createdAtMs,
    model: optionalText(optionalField(line, "model")),
    ...(files.length === 0 ? {} : { resultFiles: files }),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** A call with its result. */
function callIn(read: DocumentReader, call: LocatedValue, files: ResultFile[]): readonly Part[] {
  const callId = read.text(optionalField(call, "id"));
  const name = read.text(optionalField(call, "name"));
  const input = optionalField(call, "args");
  const inputJson = input.value === undefined || input.value === null ? "{}" : read.json(input);
  const made: Part = { kind: "toolCall", callId: toolCallId(callId), name, inputJson };
  const given = optionalField(call, "result");
  const status = optionalText(optionalField(call, "status"));
  const items = Array.isArray(given.value) ? optionalItems(given) : isObjectWith(given.value) ? [given] : [];
  const texts = items.flatMap((item) => resultTexts(item, callId, files));
  const shown = optionalText(optionalField(call, "resultDisplay"));
  const text = (typeof given.value === "string" ? given.value : texts.join("\n")) || shown;
  if (text === "" && !["success", "error"].includes(status)) return [made];
  return [made, { kind: "toolResult", callId: toolCallId(callId), outcome: outcomeOf(status, text), text }];
}

function outcomeOf(status: string, text: string): ToolResultPart["outcome"] {
  if (status === "error") return "error";
  if (status !== "cancelled") return "ok";
  return /\bdid not allow\b/i.test(text) ? "denied" : "interrupted";
}

/** Of a part of a result: mostly the response itself, files beside it or in it. */
function resultTexts(item: LocatedValue, callId: string, files: ResultFile[]): readonly string[] {
  if (typeof item.value === "string") return [item.value];
  const file = fileIn(item);
  if (file !== undefined) {
    files.push({ callId, part: file });
    return [standIn(file)];
  }
  const response = optionalField(item, "functionResponse");
  if (response.value === undefined) return [optionalText(optionalField(item, "text")) || boundedJson(item.value)];
  const body = optionalField(response, "response");
  const inside = optionalItems(optionalField(response, "parts")).flatMap((part) => resultTexts(part, callId, files));
  return [responseText(body), ...inside].filter((each) => each !== "");
}

/** Mostly one text under one name. */
function responseText({ value }: LocatedValue): string {
  const fields = isObjectWith(value) ? Object.keys(value) : [];
  const only =
    fields.length === 1 && ["output", "error"].includes(fields[0] ?? "") ? member(value, fields[0] ?? "") : undefined;
  if (typeof only === "string") return only;
  return fields.length === 0 ? "" : boundedJson(value);
}

function fileIn(part: LocatedValue): ReturnType<typeof storedFile> | undefined {
  const [data, link] = [optionalField(part, "inlineData"), optionalField(part, "fileData")];
  const place = data.value === undefined ? link : data;
  if (place.value === undefined) return undefined;
  const text = (name: string): string => optionalText(optionalField(place, name));
  return storedFile({
    mediaType: text("mimeType"),
    data: text("data"),
    address: text("fileUri"),
    label: text("displayName"),
  });
}

/** Calls of checkpoints have no ids: a response is of the next call of its name. */
class UnnamedCalls {
  readonly #open = new Map<string, string[]>();
  #count = 0;

  called(name: string): string {
    const id = `${name} ${++this.#count}`;
    const open = this.#open.get(name);
    if (open === undefined) this.#open.set(name, [id]);
    else open.push(id);
    return id;
  }

  answered(name: string): string {
    return this.#open.get(name)?.shift() ?? `${name} ${++this.#count}`;
  }
}

function partsIn(read: DocumentReader, content: LocatedValue, calls = new UnnamedCalls()): Content {
  const resultFiles: ResultFile[] = [];
  const { value } = content;
  if (value === undefined || value === null || value === "") return { parts: [], resultFiles };
  if (typeof value === "string") return { parts: [{ kind: "text", text: value }], resultFiles };
  if (!Array.isArray(value)) return { parts: partIn(read, content, calls, resultFiles), resultFiles };
  const parts = read.each(content, (part) => partIn(read, part, calls, resultFiles)).flat();
  return { parts, resultFiles };
}

function partIn(read: DocumentReader, part: LocatedValue, calls: UnnamedCalls, files: ResultFile[]): readonly Part[] {
  if (typeof part.value === "string") return [{ kind: "text", text: part.value }];
  if (!isObjectWith(part.value)) read.refuse(part, "a part");
  const text = optionalField(part, "text");
  if (typeof text.value === "string") {
    const kind = optionalField(part, "thought").value === true ? "thinking" : "text";
    return text.value === "" ? [] : [{ kind, text: text.value }];
  }
  const file = fileIn(part);
  if (file !== undefined) return [file];
  const call = optionalField(part, "functionCall");
  if (call.value !== undefined) {
    const name = read.text(optionalField(call, "name"));
    const callId = toolCallId(optionalText(optionalField(call, "id")) || calls.called(name));
    const input = optionalField(call, "args");
    return [{ kind: "toolCall", callId, name, inputJson: input.value === undefined ? "{}" : read.json(input) }];
  }
  const response = optionalField(part, "functionResponse");
  if (response.value !== undefined) {
    const name = optionalText(optionalField(response, "name"));
    const callId = optionalText(optionalField(response, "id")) || calls.answered(name);
    const isError = optionalField(optionalField(response, "response"), "error").value !== undefined;
    const result = resultTexts(part, callId, files).join("\n");
    return [{ kind: "toolResult", callId: toolCallId(callId), outcome: isError ? "error" : "ok", text: result }];
  }
  const label = Object.keys(part.value ?? {}).find((name) => name !== "thoughtSignature");
  return label === undefined ? [] : [{ kind: "attachment", label, text: boundedJson(part.value) }];
}

function usageIn(tokens: LocatedValue): ForeignUsage | undefined {
  const count = (name: string): number => optionalCount(optionalField(tokens, name));
  const [inputTokens, outputTokens] = [count("input") + count("tool"), count("output") + count("thoughts")];
  if (inputTokens + outputTokens === 0) return undefined;
  return { inputTokens, outputTokens, cacheReadTokens: count("cached"), cacheWriteTokens: 0 };
}

/** The summary of a compression, in the user's role. */
function isSnapshot(message: LocatedValue): boolean {
  const content = optionalField(message, "content");
  const [first] = optionalItems(content);
  const text = first === undefined ? optionalText(content) : optionalText(optionalField(first, "text"));
  return optionalField(message, "type").value === "user" && SNAPSHOT.test(text);
}

const FILES_BEGIN = /\n*--- Content from referenced files ---/;
const FILES_END = /\n*--- End of content ---/;
const FILE_HEAD = /\n*Content from @?([^\n]+):(?:\n|$)/;
const SNAPSHOT = /^\s*<state_snapshot>/;
/** Texts in the user's role that the tool wrote, by how they begin. */
const INSERTED: readonly { readonly pattern: RegExp; readonly label: string }[] = [
  { pattern: /^\s*This is the Gemini CLI\. We are setting up the context\b/, label: "context" },
  { pattern: SNAPSHOT, label: "summary" },
];

/** Texts of the files that the user named, and of the tool, apart from the user's words. */
function withFiles(parts: readonly Part[]): readonly Part[] {
  /** Name of the file that is being read; empty before the first one. */
  let label: string | undefined;
  return parts.flatMap((part): readonly Part[] => {
    if (part.kind !== "text") return [part];
    const found: Part[] = [];
    const push = (text: string): void => {
      if (text.trim() === "") return;
      found.push(label === undefined ? { ...part, text } : { kind: "attachment", label: label || "files", text });
    };
    const inserted = INSERTED.find(({ pattern }) => pattern.test(part.text));
    if (inserted !== undefined) return [{ kind: "attachment", label: inserted.label, text: part.text }];
    let rest = part.text;
    for (;;) {
      const next = label === undefined ? FILES_BEGIN.exec(rest) : firstOf(FILE_HEAD.exec(rest), FILES_END.exec(rest));
      if (next === null) break;
      push(rest.slice(0, next.index));
      rest = rest.slice(next.index + next[0].length);
      label = label === undefined ? "" : next[1];
    }
    push(rest);
    return found;
  });
}

function firstOf(one: RegExpExecArray | null, other: RegExpExecArray | null): RegExpExecArray | null {
  if (one === null || other === null) return one ?? other;
  return one.index <= other.index ? one : other;
}
