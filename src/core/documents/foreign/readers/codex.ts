/**
 * Codex's rollouts: JSON Lines of items of the Responses API, with events beside them that say the same once more;
 * older ones hold the items alone, the oldest are one document. A turn that was rolled back is a branch.
 */

import { DocumentReader, type LocatedValue } from "../../documentReader.ts";
import { toolCallId } from "../../../ids.ts";
import { boundedJson, member, stringField } from "../../../json.ts";
import type { Message, Part } from "../../../message.ts";
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
  sourceIn,
  type ForeignSource,
} from "../foreignConversation.ts";
import { DamagedLines } from "../damagedLines.ts";
import { isObjectWith, LOOKED_AT, type ForeignFile, type ForeignRecord } from "../foreignFile.ts";
import type { MessageHolder } from "../heldMessages.ts";
import { asData, asSummary, userParts } from "../userParts.ts";
import { Events, wordsOfItem, type Speaker } from "./codexEvents.ts";
import { thinkingIn } from "./messagesApi.ts";
import { standIn, storedFile } from "./storedFiles.ts";

export function isCodex(file: ForeignFile): boolean {
  return file.has(isRollout, LOOKED_AT);
}

function isRollout(value: unknown): boolean {
  const type = stringField(value, "type");
  if (isObjectWith(value, "payload")) return RECORD_TYPES.has(type);
  if (isObjectWith(value, "session", "items")) return isObjectWith(member(value, "session"), "id", "instructions");
  return type === "" && isObjectWith(value, "id", "timestamp", "instructions");
}

const RECORD_TYPES = new Set(["session_meta", "response_item", "event_msg", "turn_context", "compacted"]);

export function readCodex(file: ForeignFile, holder: MessageHolder): ForeignConversation {
  const rollout = new Rollout(holder);
  const items = file.list("items");
  if (items !== undefined) {
    let line = 0;
    rollout.add({ ...file.field("session"), line });
    for (const item of items) rollout.add({ ...item, line: ++line });
  } else for (const record of file.records(rollout.damaged, isCompaction)) rollout.add(record);
  return rollout.conversation();
}

/** Repeats the history, which may be very long. */
function isCompaction(value: unknown): boolean {
  return stringField(value, "type") === "compacted";
}

interface Step {
  readonly key: string;
  /** The user's own words: an item, or an event, which mostly says the same. */
  readonly begins?: "item" | "event";
}

class Rollout {
  readonly damaged = new DamagedLines();
  readonly #holder: MessageHolder;
  readonly #messages: HeldMessage[] = [];
  /** The live branch, oldest first. */
  #path: Step[] = [];
  readonly #events = new Events();
  /** Events by what they follow: most are no messages. */
  readonly #links = new Map<string, string | null>();
  /** Items of older versions have no time of their own. */
  #startMs = 0;
  #title = "";
  #model = "";
  #isSubAgent: boolean | undefined;
  #source: ForeignSource | undefined;
  /** Number of the answer: all that the model said in one go. */
  #answer = 0;
  /** Index of its first message; `undefined` when the user spoke since. */
  #answerStart: number | undefined;
  /** True while the model speaks: the next item of it is of the same answer. */
  #isSpeaking = false;
  #usedAnswer = 0;
  #usageAhead: ForeignUsage | undefined;
  #lastTotal = "";

  constructor(holder: MessageHolder) {
    this.#holder = holder;
  }

  add(line: ForeignRecord): void {
    const payload = optionalField(line, "payload");
    const isBare = payload.value === undefined;
    const atMs = optionalTimeMs(optionalField(line, "timestamp"));
    switch (isBare ? "response_item" : optionalField(line, "type").value) {
      case "session_meta":
        // Those after the first are of the sessions that it was forked from.
        this.#isSubAgent ??= optionalField(optionalField(payload, "source"), "subagent").value !== undefined;
        this.#source ??= { ...sourceIn(payload, "id", "cwd"), ...(this.#isSubAgent ? { isSubAgent: true } : {}) };
        break;
      case "turn_context":
        this.#model = optionalText(optionalField(payload, "model")) || this.#model;
        break;
      case "response_item":
        this.#read(line, (read) => this.#addItem(read, isBare ? line : payload, atMs));
        break;
      case "compacted":
        this.#addCompaction(payload, atMs);
        break;
      case "event_msg":
        this.#addEvent(payload, atMs);
        break;
      default:
        break;
    }
  }

  conversation(): ForeignConversation {
    return {
      title: this.#title,
      ...(this.#title === "" ? {} : { titleBy: "user" }),
      messages: this.#withMissing(),
      links: this.#links,
      damaged: this.damaged,
      ...(this.#source === undefined ? {} : { source: this.#source }),
    };
  }

  /** The messages, and those of which only an event is left. */
  #withMissing(): readonly HeldMessage[] {
    const whole: HeldMessage[] = [];
    let from = 0;
    for (const { kind, text, atMs, place, model, node } of this.#events.missing()) {
      for (const before of this.#messages.slice(from, place)) whole.push(before);
      from = place;
      const part: Part = { kind: kind === "thinking" ? "thinking" : "text", text };
      const message =
        kind === "user"
          ? this.#byUser(plain({ role: "user", parts: ownParts([part]) }, atMs))
          : { ...plain({ role: "assistant", parts: [part] }, atMs), model };
      whole.push(this.#holder.hold({ ...message, node }));
    }
    return [...whole, ...this.#messages.slice(from)];
  }

  /** In a sub-agent's own file another agent speaks in the user's role. */
  #byUser(message: ForeignMessage): ForeignMessage {
    return this.#isSubAgent === true ? asData(message, "sub-agent") : message;
  }

  #read(line: ForeignRecord, add: (read: DocumentReader) => void): void {
    const read = new DocumentReader();
    add(read);
    if (read.fault !== undefined) this.damaged.add({ line: line.line, text: boundedJson(line.value) }, read.fault);
  }

  #addItem(read: DocumentReader, item: LocatedValue, atMs: number): void {
    const type = optionalText(optionalField(item, "type"));
    const field = (name: string): LocatedValue => optionalField(item, name);
    switch (type) {
      case "":
        this.#startMs ||= atMs;
        return;
      case "ghost_snapshot":
      case "additional_tools":
      case "configuration_update":
      case "compaction_trigger":
      case "compaction":
      case "compaction_summary":
      case "context_compaction":
        return; // no words of anybody: settings, and what only the service can read
      case "message":
        this.#addMessage(read, item, atMs);
        return;
      case "agent_message": {
        const { parts } = contentIn(read, field("content"));
        const label = optionalText(field("author")) || "sub-agent";
        if (read.fault === undefined) this.#push(asData(plain({ role: "user", parts }, atMs), label));
        return;
      }
      case "reasoning": {
        const thought = thinkingIn(item);
        for (const name of ["summary", "content"])
          for (const each of optionalItems(field(name)))
            this.#events.said("thinking", optionalText(optionalField(each, "text")));
        this.#addAnswer(thought, atMs);
        return;
      }
      case "function_call": {
        const [name, input] = [read.text(field("name")), field("arguments")];
        const space = optionalText(field("namespace"));
        const inputJson = typeof input.value === "string" ? input.value : inputOf(read, input);
        this.#addCall(read, read.text(field("call_id")), space === "" ? name : `${space}__${name}`, inputJson, atMs);
        return;
      }
      case "custom_tool_call": {
        const inputJson = JSON.stringify({ input: read.text(field("input")) });
        this.#addCall(read, read.text(field("call_id")), read.text(field("name")), inputJson, atMs);
        return;
      }
      case "local_shell_call":
      case "tool_search_call": {
        const callId = optionalText(field("call_id")) || read.text(field("id"));
        const input = type === "local_shell_call" ? field("action") : field("arguments");
        this.#addCall(read, callId, type.replace("_call", ""), inputOf(read, input), atMs);
        return;
      }
      case "web_search_call":
      case "image_generation_call":
        this.#addServiceCall(read, item, type.replace("_call", ""), atMs);
        return;
      case "function_call_output":
      case "custom_tool_call_output":
      case "tool_search_output":
        this.#addOutput(read, item, atMs);
        return;
      default:
        this.#addAnswer([{ kind: "attachment", label: type, text: boundedJson(item.value) }], atMs);
    }
  }

  #addMessage(read: DocumentReader, item: LocatedValue, atMs: number): void {
    const role = read.word(optionalField(item, "role"), ["user", "assistant", "developer", "system"]);
    const { parts } = contentIn(read, optionalField(item, "content"));
    if (read.fault !== undefined) return;
    if (role === "assistant") {
      this.#events.said("assistant", wordsOf(parts));
      this.#addAnswer(parts, atMs);
      return;
    }
    if (role !== "user") {
      this.#events.inserted(wordsOf(parts));
      this.#push(asData(plain({ role: "user", parts }, atMs), role));
      return;
    }
    const message = plain({ role, parts: ownParts(parts) }, atMs);
    if (isOwn(message.message)) this.#events.said("user", wordsOf(parts));
    else this.#events.inserted(wordsOf(parts));
    this.#push(this.#byUser(message));
  }

  #addCall(read: DocumentReader, callId: string, name: string, inputJson: string, atMs: number): void {
    if (read.fault !== undefined) return;
    this.#addAnswer([{ kind: "toolCall", callId: toolCallId(callId), name, inputJson }], atMs);
  }

  /** The service ran it: the item is both the call and all that is known of its result. */
  #addServiceCall(read: DocumentReader, item: LocatedValue, name: string, atMs: number): void {
    const isPicture = name === "image_generation";
    const given = optionalText(optionalField(item, "call_id")) || optionalText(optionalField(item, "id"));
    const callId = given || `${name} ${this.#messages.length}`;
    const prompt = { value: { prompt: optionalText(optionalField(item, "revised_prompt")) }, path: "" };
    const inputJson = inputOf(read, isPicture ? prompt : optionalField(item, "action"));
    const status = optionalText(optionalField(item, "status"));
    const data = optionalText(optionalField(item, "result"));
    const file = isPicture && data !== "" ? storedFile({ mediaType: "image/png", data }) : undefined;
    this.#addCall(read, callId, name, inputJson, atMs);
    if (read.fault !== undefined || (status !== "" && status !== "completed" && file === undefined)) return;
    const text = file === undefined ? "" : standIn(file);
    const result: Part = { kind: "toolResult", callId: toolCallId(callId), outcome: "ok", text };
    const files = file === undefined ? {} : { resultFiles: [{ callId, part: file }] };
    this.#push({ ...plain({ role: "user", parts: [result] }, atMs), ...files });
  }

  #addOutput(read: DocumentReader, item: LocatedValue, atMs: number): void {
    const callId = optionalText(optionalField(item, "call_id"));
    const [given, tools] = [optionalField(item, "output"), optionalField(item, "tools")];
    const output = given.value === undefined ? tools : given;
    if (output.value === undefined) read.refuse(given, "to be there");
    const content = optionalField(output, "content");
    const body = content.value === undefined ? output : content;
    const isFailed = optionalField(output, "success").value === false;
    const resultFiles: ResultFile[] = [];
    const isItems = output !== tools && optionalItems(body).some(({ value }) => isObjectWith(value, "type"));
    let text: string;
    if (!isItems) text = typeof body.value === "string" ? body.value : boundedJson(body.value);
    else {
      const texts = contentIn(read, body).parts.map((part) => {
        if (part.kind === "text") return part.text;
        if (part.kind !== "image" && part.kind !== "attachment") return "";
        resultFiles.push({ callId, part });
        return standIn(part);
      });
      text = texts.filter((each) => each !== "").join("\n");
    }
    if (read.fault !== undefined) return;
    const outcome = isFailed ? "error" : "ok";
    const result: Part = { kind: "toolResult", callId: toolCallId(callId), outcome, text };
    this.#push({
      ...plain({ role: "user", parts: [result] }, atMs),
      ...(resultFiles.length === 0 ? {} : { resultFiles }),
    });
  }

  #addAnswer(parts: readonly Part[], atMs: number): void {
    if (parts.length === 0) return;
    if (!this.#isSpeaking) {
      this.#answer++;
      this.#answerStart = this.#messages.length;
    }
    const usage = this.#usageAhead;
    if (usage !== undefined) this.#usedAnswer = this.#answer;
    this.#usageAhead = undefined;
    const message: ForeignMessage = {
      ...plain({ role: "assistant", parts }, atMs),
      model: this.#model,
      id: `answer ${this.#answer}`,
      ...(usage === undefined ? {} : { usage }),
    };
    this.#push(message);
    this.#isSpeaking = true;
  }

  #push(message: ForeignMessage): void {
    this.#isSpeaking = false;
    if (message.message.parts.length === 0) return;
    const isTurn = message.message.role === "user" && isOwn(message.message);
    if (isTurn) this.#answerStart = undefined;
    // A result belongs to its call, whatever was said between.
    if (message.message.parts.every(({ kind }) => kind === "toolResult")) {
      this.#messages.push(this.#holder.hold(message));
      return;
    }
    const node = { key: String(this.#messages.length), follows: this.#path.at(-1)?.key ?? null };
    this.#path.push({ key: node.key, ...(isTurn ? { begins: "item" } : {}) });
    const createdAtMs = message.createdAtMs || (this.#messages.length === 0 ? this.#startMs : 0);
    this.#messages.push(this.#holder.hold({ ...message, createdAtMs, node }));
  }

  /** The messages that it stands for are before it in the file, and in `replacement_history` once more. */
  #addCompaction(payload: LocatedValue, atMs: number): void {
    const text = optionalText(optionalField(payload, "message"));
    const isSealed = text.trim() === "";
    const parts: readonly Part[] = [{ kind: "text", text: isSealed ? SEALED : text }];
    this.#push(asSummary(plain({ role: "user", parts }, atMs), isSealed ? undefined : {}));
  }

  #addEvent(event: LocatedValue, atMs: number): void {
    const place = this.#messages.length;
    const tell = (kind: Speaker, text: string): void => {
      const node = { key: `event ${this.#links.size}`, follows: this.#path.at(-1)?.key ?? null };
      if (!this.#events.tell({ kind, text, atMs, place, model: this.#model, node })) return;
      this.#links.set(node.key, node.follows);
      this.#path.push({ key: node.key, ...(kind === "user" ? { begins: "event" } : {}) });
    };
    const text = (name: string): string => optionalText(optionalField(event, name));
    switch (optionalField(event, "type").value) {
      case "user_message":
        tell("user", text("message"));
        break;
      case "agent_message":
        tell("assistant", text("message"));
        break;
      case "agent_reasoning":
      case "agent_reasoning_raw_content":
        tell("thinking", text("text"));
        break;
      case "item_completed":
        for (const { kind, said } of wordsOfItem(optionalField(event, "item"))) tell(kind, said);
        break;
      case "token_count":
        this.#addUsage(optionalField(event, "info"));
        break;
      case "thread_name_updated":
        this.#title = text("thread_name") || this.#title;
        break;
      case "thread_rolled_back":
        this.#rollBack(optionalCount(optionalField(event, "num_turns")));
        break;
      case "turn_aborted":
        if (this.#answerStart !== undefined) this.#change(this.#answerStart, { state: "cancelled" });
        break;
      case "error": {
        const parts: readonly Part[] = [{ kind: "text", text: text("message") }];
        if (text("message") !== "") this.#push(asData(plain({ role: "user", parts }, atMs), "error"));
        break;
      }
      default:
        break;
    }
  }

  #rollBack(turns: number): void {
    const sign = this.#path.some(({ begins }) => begins === "item") ? "item" : "event";
    let left = turns;
    let length = this.#path.length;
    while (left > 0 && length > 0) if (this.#path[--length]?.begins === sign) left--;
    this.#path = this.#path.slice(0, length);
    this.#isSpeaking = false;
    this.#answerStart = undefined;
  }

  /** Reported after an answer, or by older versions before it; and again whenever limits are. */
  #addUsage(info: LocatedValue): void {
    const total = boundedJson(optionalField(info, "total_token_usage").value ?? null);
    const usage = usageIn(optionalField(info, "last_token_usage"));
    if (usage === undefined || total === this.#lastTotal) return;
    this.#lastTotal = total;
    const last = this.#messages.findLastIndex(({ role }) => role === "assistant");
    if (this.#answerStart === undefined || this.#usedAnswer === this.#answer) this.#usageAhead = usage;
    else {
      this.#usedAnswer = this.#answer;
      this.#change(last, { usage });
    }
  }

  #change(index: number, change: Partial<Pick<HeldMessage, "usage" | "state">>): void {
    const message = this.#messages[index];
    if (message !== undefined) this.#messages[index] = { ...message, ...change };
  }
}

const SEALED = "[A summary that only the service can read]";

function plain(message: Message, createdAtMs: number): ForeignMessage {
  return { message, createdAtMs, state: "complete", model: "", id: "" };
}

function usageIn(usage: LocatedValue): ForeignUsage | undefined {
  const count = (name: string): number => optionalCount(optionalField(usage, name));
  const [inputTokens, outputTokens] = [count("input_tokens"), count("output_tokens")];
  if (inputTokens + outputTokens === 0) return undefined;
  const [cacheReadTokens, cacheWriteTokens] = [count("cached_input_tokens"), count("cache_write_input_tokens")];
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}

function inputOf(read: DocumentReader, input: LocatedValue): string {
  return input.value === undefined || input.value === null ? "{}" : read.json(input);
}

function contentIn(read: DocumentReader, content: LocatedValue): { readonly parts: readonly Part[] } {
  if (content.value === undefined || content.value === null) return { parts: [] };
  if (typeof content.value === "string") return { parts: [{ kind: "text", text: content.value }] };
  return { parts: read.each(content, contentPart).flat() };
}

function contentPart(item: LocatedValue): readonly Part[] {
  const type = optionalText(optionalField(item, "type"));
  const text = optionalField(item, "text");
  if (typeof text.value === "string") return isPictureTag(text.value) ? [] : [{ kind: "text", text: text.value }];
  if (type === "input_image") return [storedFile({ mediaType: "image/", address: addressIn(item) })];
  if (type === "refusal") return [{ kind: "text", text: optionalText(optionalField(item, "refusal")) }];
  if (type === "encrypted_content") return [];
  const data = optionalText(optionalField(item, "data"));
  if (type === "image" && data !== "")
    return [storedFile({ mediaType: optionalText(optionalField(item, "mimeType")), data })];
  return [{ kind: "attachment", label: type || "content", text: boundedJson(item.value) }];
}

function addressIn(item: LocatedValue): string {
  const address = optionalField(item, "image_url");
  return optionalText(address) || optionalText(optionalField(address, "url"));
}

/** Before and after a picture in a user's message. */
function isPictureTag(text: string): boolean {
  return /^<(?:image(?: name=[^\n]*)?|\/image)>$/.test(text.trim());
}

function wordsOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
}

function isOwn(message: Message): boolean {
  return message.parts.some(({ kind }) => kind === "text" || kind === "image");
}

/** Texts in the user's role that the tool wrote, by how they begin. */
const INSERTED: readonly { readonly pattern: RegExp; readonly label: string }[] = [
  { pattern: /^\s*# AGENTS\.md instructions\b/, label: "AGENTS.md" },
  { pattern: /^\s*<(?:user_instructions|INSTRUCTIONS)>/, label: "user_instructions" },
  { pattern: /^\s*<skill>/, label: "skill" },
  { pattern: /^\s*Another language model started to solve this problem\b/, label: "summary" },
];
/** Between the editor's context and the user's words. */
const REQUEST_HEAD = /^## My request for Codex:[^\S\n]*\n/m;

function ownParts(parts: readonly Part[]): readonly Part[] {
  return parts.flatMap((part): readonly Part[] => {
    if (part.kind !== "text") return [part];
    const inserted = INSERTED.find(({ pattern }) => pattern.test(part.text));
    if (inserted !== undefined) return [{ kind: "attachment", label: inserted.label, text: part.text }];
    const head = /^\s*# /.test(part.text) ? REQUEST_HEAD.exec(part.text) : null;
    if (head === null) return userParts([part]);
    const context = part.text.slice(0, head.index).trim();
    const words: Part = { kind: "text", text: part.text.slice(head.index + head[0].length) };
    return [{ kind: "attachment", label: "editor context", text: context }, ...userParts([words])];
  });
}
