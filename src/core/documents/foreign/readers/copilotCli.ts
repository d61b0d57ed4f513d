/**
 * Copilot CLI's sessions: JSON Lines of events, those of sub-agents among the others. Calls are in the messages, what
 * became of them in events of their own, often after words of another agent.
 */

import { DocumentReader, type LocatedValue } from "../../documentReader.ts";
import { toolCallId } from "../../../ids.ts";
import { boundedJson, isDeeplyNested, stringField, tryParseJson } from "../../../json.ts";
import type { AttachmentPart, ImagePart, Part, ToolResultPart } from "../../../message.ts";
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
  type ForeignSource,
} from "../foreignConversation.ts";
import { DamagedLines } from "../damagedLines.ts";
import { isObjectWith, LOOKED_AT, type ForeignFile, type ForeignRecord } from "../foreignFile.ts";
import type { MessageHolder } from "../heldMessages.ts";
import { asData, asSummary, userParts } from "../userParts.ts";
import { comparable } from "./claudeCode.ts";
import { standIn, storedFile } from "./storedFiles.ts";

export function isCopilotCli(file: ForeignFile): boolean {
  return file.has((value) => isObjectWith(value, "data") && EVENTS.has(stringField(value, "type")), LOOKED_AT);
}

const EVENTS = new Set(["session.start", "session.resume", "user.message", "assistant.message"]);

export function readCopilotCli(file: ForeignFile, holder: MessageHolder): ForeignConversation {
  const session = new Session(holder);
  for (const record of file.records(session.damaged)) session.add(record);
  return session.conversation();
}

/** One event: its data, and the agent that it is of; empty for the session's own. */
interface Event {
  readonly data: LocatedValue;
  readonly agent: string;
  readonly atMs: number;
}

class Session {
  readonly damaged = new DamagedLines();
  readonly #holder: MessageHolder;
  readonly #messages: HeldMessage[] = [];
  /** Keys of the live branch, oldest first. */
  #path: string[] = [];
  /** Length of the live branch before each event. */
  readonly #lengthAt = new Map<string, number>();
  /** Last message of each sub-agent. */
  readonly #lastOf = new Map<string, string>();
  readonly #known = new Set<string>();
  /** Calls that the user made. */
  readonly #byUser = new Set<string>();
  readonly #assets = new Map<string, string>();
  /** Thoughts of each agent that no message had yet. */
  readonly #thoughts = new Map<string, string[]>();
  /** Last thought of a message of each agent. */
  readonly #thoughtOf = new Map<string, string>();
  /** Requests by message, and usage whose message comes later. */
  readonly #requests = new Map<string, number>();
  readonly #usageAhead = new Map<string, ForeignUsage>();
  /** The last message that the compaction being written stands for. */
  #compactedTo: string | undefined;
  #model = "";
  #title = "";
  #source: ForeignSource | undefined;

  constructor(holder: MessageHolder) {
    this.#holder = holder;
  }

  add(line: ForeignRecord): void {
    const id = optionalText(optionalField(line, "id"));
    if (id !== "" && this.#lengthAt.has(id)) return; // copied by a resumed session
    if (id !== "") this.#lengthAt.set(id, this.#path.length);
    const data = optionalField(line, "data");
    const agent = optionalText(optionalField(line, "agentId")) || optionalText(optionalField(data, "parentToolCallId"));
    const atMs = optionalTimeMs(optionalField(line, "timestamp")) || optionalTimeMs(optionalField(line, "ts"));
    const read = new DocumentReader();
    this.#addEvent(read, optionalText(optionalField(line, "type")), { data, agent, atMs });
    if (read.fault !== undefined) this.damaged.add({ line: line.line, text: boundedJson(line.value) }, read.fault);
  }

  conversation(): ForeignConversation {
    for (const agent of [...this.#thoughts.keys()]) this.#flush(agent);
    const source = this.#source === undefined ? {} : { source: this.#source };
    return { title: this.#title, messages: this.#messages, damaged: this.damaged, ...source };
  }

  #addEvent(read: DocumentReader, type: string, event: Event): void {
    const text = (name: string): string => optionalText(optionalField(event.data, name));
    switch (type) {
      case "session.start":
      case "session.resume":
        this.#model = text("selectedModel") || this.#model;
        this.#source ??= {
          id: text("sessionId"),
          project: optionalText(optionalField(optionalField(event.data, "context"), "cwd")) || text("cwd"),
        };
        break;
      case "session.model_change":
        this.#model = text("newModel") || this.#model;
        break;
      case "session.title_changed":
        this.#title = text("title") || this.#title;
        break;
      case "session.binary_asset":
        this.#assets.set(text("assetId"), text("data"));
        break;
      case "session.snapshot_rewind":
        this.#path = this.#path.slice(0, this.#lengthAt.get(text("upToEventId")));
        break;
      case "session.compaction_start":
        this.#compactedTo = event.agent === "" ? this.#path.at(-1) : undefined;
        break;
      case "session.compaction_complete": {
        // It is written while the work goes on.
        const last = event.agent === "" ? this.#compactedTo : undefined;
        if (event.agent === "") this.#compactedTo = undefined;
        this.#addNote(event, "summary", text("summaryContent"), last === undefined ? {} : { last });
        break;
      }
      case "session.handoff":
        this.#addNote(event, "summary", text("summary"));
        break;
      case "session.error":
        this.#addNote(event, "error", text("message"));
        break;
      case "session.warning":
      case "session.info":
        this.#addNote(event, "note", text("message"));
        break;
      case "system.notification":
        this.#addNote(event, "notification", text("content"));
        break;
      case "system.message":
        if (text("role") === "developer") this.#addNote(event, "developer", text("content"));
        break;
      case "user.message":
        this.#addUserMessage(read, event);
        break;
      case "assistant.reasoning":
        this.#addThought(event, text("content"));
        break;
      case "assistant.message":
        this.#addAnswer(read, event);
        break;
      case "assistant.usage":
        this.#addUsage(event);
        break;
      case "tool.user_requested":
        this.#byUser.add(text("toolCallId"));
        this.#addNote(event, text("toolName") || "tool", inputOf(event.data));
        break;
      case "tool.execution_start":
        this.#addStart(read, event);
        break;
      case "tool.execution_complete":
        this.#addResult(read, event);
        break;
      case "abort":
        this.#abort();
        break;
      default:
        break;
    }
  }

  /** Of the session's own agent, or beside it. */
  #push(message: ForeignMessage, agent: string): void {
    if (message.message.parts.length === 0) return;
    // A result belongs to its call, whatever was said between.
    if (message.message.parts.every(isResult)) {
      this.#messages.push(this.#holder.hold(message));
      return;
    }
    const key = String(this.#messages.length);
    const live = this.#path.at(-1) ?? null;
    const node = { key, follows: agent === "" ? live : (this.#lastOf.get(agent) ?? live) };
    if (agent === "") this.#path.push(key);
    else this.#lastOf.set(agent, key);
    this.#messages.push(this.#holder.hold({ ...message, node, ...(agent === "" ? {} : { isAside: true }) }));
  }

  #addNote({ agent, atMs }: Event, label: string, text: string, compacts?: Compaction): void {
    if (text.trim() === "") return;
    const message: ForeignMessage = {
      ...NOTHING,
      createdAtMs: atMs,
      message: { role: "user", parts: [textPart(text)] },
    };
    this.#push(compacts === undefined ? asData(message, label) : asSummary(message, compacts), agent);
  }

  #addUserMessage(read: DocumentReader, { data, agent, atMs }: Event): void {
    const content = read.text(optionalField(data, "content"));
    if (read.fault !== undefined) return;
    this.#flush(agent);
    const sent = optionalText(optionalField(data, "transformedContent"));
    const attached = optionalItems(optionalField(data, "attachments")).flatMap((each) => this.#attachment(each));
    const words = userParts(content === "" ? [] : [textPart(content)]);
    const parts = [...words, ...attached, ...addedParts(content, sent)];
    const message: ForeignMessage = { ...NOTHING, createdAtMs: atMs, message: { role: "user", parts } };
    const label = agent === "" ? labelOf(data) : "sub-agent";
    this.#push(label === undefined ? message : asData(message, label), agent);
  }

  #attachment(place: LocatedValue): readonly Part[] {
    const text = (name: string): string => optionalText(optionalField(place, name));
    const type = text("type");
    const label = text("displayName") || text("title") || text("path") || type || "attachment";
    const data = text("data") || (this.#assets.get(text("assetId")) ?? "");
    const mediaType = text("mimeType");
    if (data !== "" && mediaType !== "") return [storedFile({ mediaType, data, label })];
    const known = text("text") || text("path") || text("url");
    if (type === "blob" && known === "") return [storedFile({ mediaType, label })];
    return [{ kind: "attachment", label, text: known || boundedJson(place.value) }];
  }

  #addThought({ agent }: Event, text: string): void {
    if (text.trim() === "" || this.#thoughtOf.get(agent) === comparable(text)) return;
    this.#thoughts.set(agent, [...(this.#thoughts.get(agent) ?? []), text]);
  }

  /** Thoughts after which nothing was said. */
  #flush(agent: string): void {
    const parts = (this.#thoughts.get(agent) ?? []).map((text): Part => ({ kind: "thinking", text }));
    this.#thoughts.delete(agent);
    this.#push({ ...NOTHING, message: { role: "assistant", parts }, model: this.#model }, agent);
  }

  #addAnswer(read: DocumentReader, { data, agent, atMs }: Event): void {
    const text = (name: string): string => optionalText(optionalField(data, name));
    const requests = optionalItems(optionalField(data, "toolRequests")).map((request): Part => {
      const callId = toolCallId(read.text(optionalField(request, "toolCallId")));
      return { kind: "toolCall", callId, name: read.text(optionalField(request, "name")), inputJson: inputOf(request) };
    });
    const content = optionalField(data, "content");
    const words = content.value === undefined || content.value === null ? "" : read.text(content);
    if (read.fault !== undefined) return;
    const thought = text("reasoningText");
    const own = (this.#thoughts.get(agent) ?? []).filter((each) => comparable(each) !== comparable(thought));
    this.#thoughts.delete(agent);
    this.#thoughtOf.set(agent, comparable(thought));
    const thinking = [...own, thought].filter((each) => each.trim() !== "");
    const parts: readonly Part[] = [
      ...thinking.map((each): Part => ({ kind: "thinking", text: each })),
      ...(words === "" ? [] : [textPart(words)]),
      ...requests,
    ];
    if (parts.length === 0) return;
    for (const part of requests) if (part.kind === "toolCall") this.#known.add(part.callId);
    const request = text("apiCallId");
    const usage = this.#usageAhead.get(request) ?? outputIn(data);
    if (request !== "") this.#requests.set(request, this.#messages.length);
    this.#push(
      {
        ...NOTHING,
        message: { role: "assistant", parts },
        createdAtMs: atMs,
        model: text("model") || this.#model,
        id: text("messageId"),
        ...(usage === undefined ? {} : { usage }),
      },
      agent,
    );
  }

  #addUsage({ data, agent }: Event): void {
    const usage = usageIn(data);
    const request = optionalText(optionalField(data, "apiCallId"));
    if (usage === undefined) return;
    const index =
      request === ""
        ? this.#messages.findLastIndex(
            ({ role, isAside }) => role === "assistant" && (isAside === true) === (agent !== ""),
          )
        : (this.#requests.get(request) ?? -1);
    if (index >= 0) this.#change(index, { usage });
    else if (request !== "") this.#usageAhead.set(request, usage);
  }

  /** The message of the call is lost, or the tool was not asked for in one. */
  #addStart(read: DocumentReader, { data, agent, atMs }: Event): void {
    const callId = read.text(optionalField(data, "toolCallId"));
    const name = read.text(optionalField(data, "toolName"));
    if (read.fault !== undefined || this.#known.has(callId) || this.#byUser.has(callId)) return;
    this.#known.add(callId);
    const call: Part = { kind: "toolCall", callId: toolCallId(callId), name, inputJson: inputOf(data) };
    const model = optionalText(optionalField(data, "model")) || this.#model;
    this.#push({ ...NOTHING, message: { role: "assistant", parts: [call] }, createdAtMs: atMs, model }, agent);
  }

  #addResult(read: DocumentReader, { data, agent, atMs }: Event): void {
    const callId = read.text(optionalField(data, "toolCallId"));
    if (read.fault !== undefined) return;
    const [result, error] = [optionalField(data, "result"), optionalField(data, "error")];
    const resultFiles = this.#filesOf(result).map((part): ResultFile => ({ callId, part }));
    const texts = [
      optionalText(result) || optionalText(optionalField(result, "content")),
      optionalText(error) || optionalText(optionalField(error, "message")),
      ...resultFiles.map(({ part }) => standIn(part)),
    ];
    const text = texts.filter((each) => each !== "").join("\n");
    const part: Part = { kind: "toolResult", callId: toolCallId(callId), outcome: outcomeOf(data, error), text };
    this.#push(
      {
        ...NOTHING,
        message: { role: "user", parts: [part] },
        createdAtMs: atMs,
        ...(resultFiles.length === 0 ? {} : { resultFiles }),
      },
      agent,
    );
  }

  /** Pictures stand in one of two lists, or in both. */
  #filesOf(result: LocatedValue): readonly (ImagePart | AttachmentPart)[] {
    const given = optionalItems(optionalField(result, "binaryResultsForLlm"));
    const items = given.length > 0 ? given : optionalItems(optionalField(result, "contents"));
    return items.flatMap((item) => {
      const text = (name: string): string => optionalText(optionalField(item, name));
      const data = text("data") || (this.#assets.get(text("assetId")) ?? "");
      const isFile = given.length > 0 || ["image", "audio"].includes(text("type"));
      return isFile ? [storedFile({ mediaType: text("mimeType"), data, label: text("description") })] : [];
    });
  }

  /** The user stopped the answer, unless it was over. */
  #abort(): void {
    const index = this.#messages.findLastIndex(({ isAside, parts }) => isAside !== true && !parts.every(isResult));
    const { role, id } = this.#messages[index] ?? {};
    if (role !== "assistant") return;
    const first = id === "" ? index : this.#messages.findIndex((message) => message.id === id);
    this.#change(first, { state: "cancelled" });
  }

  #change(index: number, change: Partial<Pick<HeldMessage, "usage" | "state">>): void {
    const message = this.#messages[index];
    if (message !== undefined) this.#messages[index] = { ...message, ...change };
  }
}

const NOTHING = { createdAtMs: 0, state: "complete", model: "", id: "" } as const;

function textPart(text: string): Part {
  return { kind: "text", text };
}

function isResult({ kind }: { readonly kind: Part["kind"] }): boolean {
  return kind === "toolResult";
}

/** Who wrote a message in the user's role; `undefined` for the user. */
function labelOf(data: LocatedValue): string | undefined {
  if (optionalField(data, "isAutopilotContinuation").value === true) return "note";
  const source = optionalText(optionalField(data, "source"));
  return /^(?:skill|agent|system|hook|autopilot|notification)\b/.test(source) ? source : undefined;
}

/** Texts that the tool sent beside the user's words: reminders by their names, and anything else. */
function addedParts(content: string, sent: string): readonly Part[] {
  if (sent === "" || sent === content) return [];
  const parts = userParts([textPart(sent)]);
  return parts.flatMap((part): readonly Part[] => {
    const text = part.kind === "text" || part.kind === "attachment" ? part.text : "";
    const rest = (part.kind === "text" ? text.replace(content, "") : text).trim();
    if (content.includes(rest)) return [];
    return part.kind === "text" ? [{ kind: "attachment", label: "prompt", text: rest }] : [part];
  });
}

function inputOf(request: LocatedValue): string {
  const [first, other] = [optionalField(request, "arguments"), optionalField(request, "args")];
  const { value } = first.value === undefined ? other : first;
  if (value === undefined || value === null) return "{}";
  if (typeof value !== "string") return boundedJson(value);
  const parsed = tryParseJson(value);
  const isInput = typeof parsed === "object" && parsed !== null && !isDeeplyNested(parsed);
  return isInput ? value : JSON.stringify({ input: value });
}

function outcomeOf(data: LocatedValue, error: LocatedValue): ToolResultPart["outcome"] {
  if (optionalField(data, "success").value !== false) return "ok";
  return /^(?:denied|rejected)/.test(optionalText(optionalField(error, "code"))) ? "denied" : "error";
}

function usageIn(data: LocatedValue): ForeignUsage | undefined {
  const count = (name: string): number => optionalCount(optionalField(data, name));
  const [cacheReadTokens, cacheWriteTokens] = [count("cacheReadTokens"), count("cacheWriteTokens")];
  const inputTokens = Math.max(count("inputTokens"), cacheReadTokens + cacheWriteTokens);
  const outputTokens = count("outputTokens");
  if (inputTokens + outputTokens === 0) return undefined;
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}

/** All that a message itself says of its usage. */
function outputIn(data: LocatedValue): ForeignUsage | undefined {
  const outputTokens = optionalCount(optionalField(data, "outputTokens"));
  return outputTokens === 0 ? undefined : { inputTokens: 0, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 };
}
