/**
 * Requests of the Messages API and of Chat Completions, as Forge exports them and as many tools store conversations: one
 * request, several of them, or their messages alone. The model that a request names need not be that of its answers.
 */

import { toolCallId } from "../../../ids.ts";
import { boundedJson, listIn, stringField, tryParseJson } from "../../../json.ts";
import type { Part } from "../../../message.ts";
import { DocumentReader, type LocatedValue } from "../../documentReader.ts";
import { DamagedLines } from "../damagedLines.ts";
import {
  optionalField,
  optionalItems,
  optionalText,
  type ForeignConversation,
  type ForeignMessage,
  type HeldMessage,
  type ResultFile,
} from "../foreignConversation.ts";
import { isObjectWith, LOOKED_AT, type ForeignFile } from "../foreignFile.ts";
import type { MessageHolder } from "../heldMessages.ts";
import { asData, userParts } from "../userParts.ts";
import { readContent, thinkingIn } from "./messagesApi.ts";
import { pictureAt } from "./referredFiles.ts";
import { conversationsIn } from "./severalConversations.ts";
import { standIn, storedFile } from "./storedFiles.ts";

/** Messages with marks that those of Cline lack. */
export function isChat(file: ForeignFile): boolean {
  const isMarked = (value: unknown): boolean =>
    isMessage(value) &&
    (["system", "developer", "tool", "function"].includes(stringField(value, "role")) ||
      isObjectWith(value, "tool_calls") ||
      listIn(value, "content").some((block) => stringField(block, "type") === "image_url"));
  if (!file.has((value) => ["user", "assistant"].includes(stringField(value, "role")), LOOKED_AT)) return false;
  return (!file.isList && !file.isDamagedList) || file.has(isMarked, LOOKED_AT);
}

export function isRequest(value: unknown): boolean {
  return listIn(value, "messages").some(isMessage);
}

const ROLES = ["user", "assistant", "system", "developer", "tool", "function"] as const;

function isMessage(value: unknown): boolean {
  return (
    isObjectWith(value, "role") && !("parts" in value) && ROLES.some((role) => role === stringField(value, "role"))
  );
}

export function readChat(file: ForeignFile, holder: MessageHolder): ForeignConversation {
  const chat = new Chat(holder);
  for (const record of file.records(chat.damaged)) chat.add(record, record.line);
  return chat.conversation();
}

export function* readRequests(file: ForeignFile, holder: MessageHolder): Generator<ForeignConversation> {
  const list = file.list("messages");
  if (list === undefined) {
    yield* conversationsIn(file, (record) => {
      const messages = optionalField(record, "messages");
      return Array.isArray(messages.value) ? chatOf(record, optionalItems(messages), holder) : undefined;
    });
    return;
  }
  yield chatOf({ value: { system: file.field("system").value }, path: "document" }, list, holder);
}

function chatOf(
  request: LocatedValue,
  messages: Iterable<LocatedValue>,
  holder: MessageHolder,
): ReturnType<Chat["conversation"]> {
  const chat = new Chat(holder);
  const system = optionalField(request, "system");
  if (system.value !== undefined && system.value !== null && system.value !== "")
    chat.add({ value: { role: "system", content: system.value }, path: system.path }, 1);
  let line = 0;
  for (const message of messages) chat.add(message, ++line);
  return chat.conversation();
}

class Chat {
  readonly damaged = new DamagedLines();
  readonly #holder: MessageHolder;
  readonly #messages: HeldMessage[] = [];
  #made = 0;

  constructor(holder: MessageHolder) {
    this.#holder = holder;
  }

  conversation(): ForeignConversation & { readonly damaged: DamagedLines } {
    return { title: "", messages: this.#messages, damaged: this.damaged };
  }

  add(place: LocatedValue, line: number): void {
    const read = new DocumentReader();
    const message = this.#messageIn(read, place);
    if (read.fault !== undefined) this.damaged.add({ line, text: boundedJson(place.value) }, read.fault);
    else if (message.message.parts.length > 0) this.#messages.push(this.#holder.hold(message));
  }

  #messageIn(read: DocumentReader, place: LocatedValue): ForeignMessage {
    const role = read.word(optionalField(place, "role"), ROLES);
    const { parts, resultFiles } = contentIn(read, optionalField(place, "content"));
    const files = resultFiles.length === 0 ? {} : { resultFiles };
    switch (role) {
      case "assistant": {
        const made = [...thoughtIn(place), ...parts, ...refusalIn(place), ...this.#callsIn(read, place)];
        return { ...NOTHING, ...files, message: { role, parts: made } };
      }
      case "user":
        return { ...NOTHING, ...files, message: { role, parts: userParts(parts.filter(isSaid)) } };
      case "system":
      case "developer":
        return asData({ ...NOTHING, message: { role: "user", parts } }, "system");
      case "tool":
      case "function":
        if (parts.some(({ kind }) => kind === "toolResult"))
          return { ...NOTHING, ...files, message: { role: "user", parts } };
        return this.#resultIn(place, parts);
    }
  }

  #callsIn(read: DocumentReader, place: LocatedValue): readonly Part[] {
    const calls = optionalItems(optionalField(place, "tool_calls")).map((call): Part => {
      const kind = optionalField(call, "custom").value === undefined ? "function" : "custom";
      const called = optionalField(call, kind);
      const name = read.text(optionalField(called, "name"));
      const id = read.text(optionalField(call, "id"));
      return { kind: "toolCall", callId: toolCallId(id), name, inputJson: inputIn(called) };
    });
    const older = optionalField(place, "function_call");
    if (older.value === undefined || older.value === null) return calls;
    const callId = toolCallId(`function ${String(++this.#made)}`);
    return [
      ...calls,
      { kind: "toolCall", callId, name: read.text(optionalField(older, "name")), inputJson: inputIn(older) },
    ];
  }

  /** A result of the older form names no call: it is the last one's. */
  #resultIn(place: LocatedValue, parts: readonly Part[]): ForeignMessage {
    const callId = toolCallId(optionalText(optionalField(place, "tool_call_id")) || `function ${String(this.#made)}`);
    const files = parts.flatMap((part) =>
      part.kind === "image" || part.kind === "attachment" ? [{ callId, part }] : [],
    );
    const texts = parts.map((part) => {
      if (part.kind === "image" || part.kind === "attachment") return standIn(part);
      return part.kind === "text" ? part.text : "";
    });
    const result: Part = { kind: "toolResult", callId, outcome: "ok", text: texts.join("\n") };
    const message = { role: "user", parts: [result] } as const;
    return { ...NOTHING, message, ...(files.length === 0 ? {} : { resultFiles: files }) };
  }
}

const NOTHING = { createdAtMs: 0, state: "complete", model: "", id: "" } as const;

interface Content {
  readonly parts: readonly Part[];
  readonly resultFiles: readonly ResultFile[];
}

function contentIn(read: DocumentReader, content: LocatedValue): Content {
  if (!Array.isArray(content.value)) return readContent(read, content);
  const resultFiles: ResultFile[] = [];
  const parts = read.each(content, (block): readonly Part[] => {
    const own = partOfChat(block);
    if (own !== undefined) return [own];
    const found = readContent(read, { value: [block.value], path: content.path });
    resultFiles.push(...found.resultFiles);
    return found.parts.map(withAttachment);
  });
  return { parts: parts.flat(), resultFiles };
}

/** Kinds of content that only Chat Completions has; `undefined` for others. */
function partOfChat(block: LocatedValue): Part | undefined {
  const field = (name: string): LocatedValue => optionalField(block, name);
  switch (field("type").value) {
    case "image_url": {
      const address = field("image_url");
      return pictureAt(optionalText(address) || optionalText(optionalField(address, "url")));
    }
    case "input_audio": {
      const audio = field("input_audio");
      const mediaType = `audio/${optionalText(optionalField(audio, "format")) || "unknown"}`;
      return storedFile({ mediaType, data: optionalText(optionalField(audio, "data")) });
    }
    case "file": {
      const file = field("file");
      const address = optionalText(optionalField(file, "file_data")) || optionalText(optionalField(file, "file_id"));
      return storedFile({ mediaType: "", address, label: optionalText(optionalField(file, "filename")) });
    }
    case "refusal":
      return { kind: "text", text: optionalText(field("refusal")) };
    case "input_text":
    case "output_text":
      return { kind: "text", text: optionalText(field("text")) };
    default:
      return undefined;
  }
}

/** An attachment as Forge sends it. */
const ATTACHMENT = /^<attachment name=("(?:[^"\\]|\\[^])*")>\n([^]*)\n<\/attachment>$/;

function withAttachment(part: Part): Part {
  const [, name, text] = part.kind === "text" ? (ATTACHMENT.exec(part.text) ?? []) : [];
  const label = tryParseJson(name ?? "");
  return typeof label === "string" && text !== undefined ? { kind: "attachment", label, text } : part;
}

/** Texts that a request has only because services want one there. */
const PLACEHOLDER = /^\[The conversation (?:began earlier; what came before|ends here\. Write your next)[^\n\]]*\]$/;

function isSaid(part: Part): boolean {
  return part.kind !== "text" || !PLACEHOLDER.test(part.text);
}

function thoughtIn(place: LocatedValue): readonly Part[] {
  const texts = ["reasoning_content", "reasoning"].map((name) => optionalText(optionalField(place, name)));
  return thinkingIn({ value: { text: texts.find((text) => text !== "") }, path: place.path });
}

function refusalIn(place: LocatedValue): readonly Part[] {
  const text = optionalText(optionalField(place, "refusal"));
  return text === "" ? [] : [{ kind: "text", text }];
}

function inputIn(called: LocatedValue): string {
  const given = optionalField(called, "arguments").value ?? optionalField(called, "input").value ?? {};
  if (typeof given !== "string") return boundedJson(given);
  return given.trim() === "" ? "{}" : given;
}
