/** Claude Code's sessions: JSON Lines, one piece of a message a line, each with the id of its parent. */

import { DocumentReader, type LocatedValue } from "../../documentReader.ts";
import { fingerprint } from "../../../history/summaries/sourceHash.ts";
import { boundedJson, stringField } from "../../../json.ts";
import { textOf, type Message } from "../../../message.ts";
import {
  optionalField,
  optionalItems,
  optionalText,
  optionalTimeMs,
  type Compaction,
  type ForeignConversation,
  type ForeignMessage,
  type HeldMessage,
  type ForeignNode,
  type ForeignSource,
} from "../foreignConversation.ts";
import { DamagedLines } from "../damagedLines.ts";
import { isObjectWith, type ForeignFile, type ForeignRecord } from "../foreignFile.ts";
import type { MessageHolder } from "../heldMessages.ts";
import { asData, asSummary, userParts } from "../userParts.ts";
import { readContent, readMessage } from "./messagesApi.ts";

export function isClaudeCode(file: ForeignFile): boolean {
  return !file.isList && file.has(isTurn);
}

function isTurn(value: unknown): boolean {
  return isObjectWith(value, "type", "message") && ["user", "assistant"].includes(stringField(value, "type"));
}

export function readClaudeCode(file: ForeignFile, holder: MessageHolder): ForeignConversation {
  const session = new Session(holder);
  for (const record of file.records(session.damaged)) session.add(record);
  return session.conversation();
}

class Session {
  readonly damaged = new DamagedLines();
  readonly #holder: MessageHolder;
  readonly #messages: HeldMessage[] = [];
  readonly #links = new Map<string, string | null>();
  readonly #queue = new Queue();
  #sessionId = "";
  #agentId = "";
  #project = "";
  #customTitle = "";
  #aiTitle = "";
  #lastKey: string | null = null;
  readonly #summaries: { readonly leaf: string; readonly text: string }[] = [];
  /** The line before the summary of a compaction. */
  #boundary: LocatedValue | undefined;
  #isAllAside = true;

  constructor(holder: MessageHolder) {
    this.#holder = holder;
  }

  add(line: ForeignRecord): void {
    const uuid = optionalText(optionalField(line, "uuid"));
    if (uuid !== "" && this.#links.has(uuid)) return; // copied by a resumed session
    const node = this.#nodeOf(line, uuid);
    this.#agentId ||= optionalText(optionalField(line, "agentId"));
    this.#project ||= optionalText(optionalField(line, "cwd"));
    switch (optionalField(line, "type").value) {
      case "user":
      case "assistant":
        this.#read(line, (read) => this.#addMessage(read, line, node));
        break;
      case "attachment":
        this.#read(line, (read) => this.#addAttachment(read, line, node));
        break;
      case "queue-operation":
        this.#queue.add(line, this.#messages.length);
        break;
      case "system":
        this.#addSystem(line, node);
        break;
      case "summary": {
        const text = optionalText(optionalField(line, "summary"));
        this.#summaries.push({ leaf: optionalText(optionalField(line, "leafUuid")), text });
        break;
      }
      case "custom-title":
        this.#customTitle = optionalText(optionalField(line, "customTitle")) || this.#customTitle;
        break;
      case "ai-title":
        this.#aiTitle = optionalText(optionalField(line, "aiTitle")) || this.#aiTitle;
        break;
      default:
        break;
    }
  }

  conversation(): ForeignConversation {
    const messages = this.#queue.withUndelivered(this.#messages, this.#holder);
    return {
      title: this.#title(),
      ...(this.#customTitle === "" ? {} : { titleBy: "user" }),
      // A sub-agent's own file is the conversation.
      messages: this.#isAllAside ? messages.map(inFront) : messages,
      links: this.#links,
      damaged: this.damaged,
      source: this.#source(),
    };
  }

  /** Files of sub-agents name the session of their caller. */
  #source(): ForeignSource {
    const [id, project] = [this.#sessionId, this.#project];
    if (!this.#isAllAside) return { id, project };
    return { id: this.#agentId && `${id} ${this.#agentId}`, project, isSubAgent: true };
  }

  /** A summary may be of another session: then its leaf is not in this one. */
  #title(): string {
    const own = this.#summaries.find(({ leaf }) => this.#links.size === 0 || leaf === "" || this.#links.has(leaf));
    return [this.#customTitle, own?.text ?? "", this.#aiTitle].find((title) => title.trim() !== "") ?? "";
  }

  #read(line: ForeignRecord, add: (read: DocumentReader) => void): void {
    const read = new DocumentReader();
    const { length } = this.#messages;
    add(read);
    if (read.fault === undefined) return;
    this.#messages.length = length;
    this.damaged.add({ line: line.line, text: boundedJson(line.value) }, read.fault);
  }

  /** A new root is a branch from the beginning, unless a compaction or another session goes on here. */
  #nodeOf(line: LocatedValue, uuid: string): ForeignNode | undefined {
    if (uuid === "") return undefined;
    const sessionId = optionalText(optionalField(line, "sessionId"));
    const goesOn = isContinuation(line) || (this.#sessionId !== "" && sessionId !== this.#sessionId);
    const parent = optionalField(line, "parentUuid").value;
    const logical = optionalText(optionalField(line, "logicalParentUuid"));
    const given = typeof parent === "string" ? parent : logical === "" ? null : logical;
    const isNext = given === this.#lastKey || (given === null && (parent === undefined || goesOn));
    const follows = isNext ? this.#lastKey : given; // one text of the two
    if (optionalField(line, "isSidechain").value !== true) this.#lastKey = uuid;
    this.#sessionId = sessionId;
    this.#links.set(uuid, follows);
    return { key: uuid, follows };
  }

  #addMessage(read: DocumentReader, line: LocatedValue, node: ForeignNode | undefined): void {
    const place = optionalField(line, "message");
    const made = readMessage(read, place, optionalField(line, "timestamp"));
    if (read.fault !== undefined) return;
    const isAside = optionalField(line, "isSidechain").value === true;
    this.#isAllAside &&= isAside;
    const costUsd = optionalField(line, "costUSD").value;
    const usage =
      made.usage !== undefined && typeof costUsd === "number" && costUsd > 0 ? { ...made.usage, costUsd } : made.usage;
    const message: ForeignMessage = {
      ...made,
      ...(usage === undefined ? {} : { usage }),
      ...(node === undefined ? {} : { node }),
      ...(isAside ? { isAside: true } : {}),
    };
    if (isSynthetic(line, place)) {
      const label = optionalField(line, "isApiErrorMessage").value === true ? "error" : "note";
      this.#push({ ...asData(message, label), model: "", id: "" });
      return;
    }
    if (made.message.role === "user") this.#queue.delivered(line, made.message);
    if (optionalField(line, "isMeta").value === true && isCaveat(made.message)) return;
    if (optionalField(line, "isCompactSummary").value === true) {
      this.#push(asSummary(message, this.#boundary === undefined ? {} : this.#compacted(this.#boundary)));
      this.#boundary = undefined;
    } else this.#push(made.message.role === "user" ? withLabel(message, labelOfLine(line)) : message);
  }

  /** Messages that a compaction left as they were follow its summary, or come before what the summary stands for. */
  #compacted(boundary: LocatedValue): Compaction | undefined {
    const about = optionalField(boundary, "compactMetadata");
    const [segment, listed] = [optionalField(about, "preservedSegment"), optionalField(about, "preservedMessages")];
    const ids = optionalItems(optionalField(listed, "uuids")).map(optionalText);
    const head = optionalText(optionalField(segment, "headUuid")) || (ids.at(0) ?? "");
    const tail = optionalText(optionalField(segment, "tailUuid")) || (ids.at(-1) ?? "");
    if (head === "" || tail === "") return {};
    const anchor =
      optionalText(optionalField(segment, "anchorUuid")) || optionalText(optionalField(listed, "anchorUuid"));
    if (anchor === optionalText(optionalField(boundary, "uuid"))) return { after: tail };
    const last = this.#links.get(head);
    return typeof last === "string" ? { last } : undefined;
  }

  #push(message: ForeignMessage): void {
    this.#messages.push(this.#holder.hold(message));
  }

  /** Words typed while it worked, and files that the user added; not the tool's own lists and reminders. */
  #addAttachment(read: DocumentReader, line: LocatedValue, node: ForeignNode | undefined): void {
    const attachment = optionalField(line, "attachment");
    const type = optionalText(optionalField(attachment, "type"));
    const about: Omit<ForeignMessage, "message"> = {
      ...insertedAt(line, node),
      ...(optionalField(line, "isSidechain").value === true ? { isAside: true } : {}),
    };
    if (type === "queued_command") {
      const { parts } = readContent(read, optionalField(attachment, "prompt"));
      if (read.fault !== undefined) return;
      const message: Message = { role: "user", parts: userParts(parts) };
      this.#queue.delivered(line, message);
      const origin = labelOfLine(attachment);
      const mode = optionalText(optionalField(attachment, "commandMode"));
      const label = origin ?? (mode === "task-notification" ? mode : undefined);
      this.#push(withLabel({ ...about, message }, label));
      return;
    }
    const text = fileTextIn(optionalField(attachment, "content")) || optionalText(optionalField(attachment, "snippet"));
    const label =
      optionalText(optionalField(attachment, "displayPath")) || optionalText(optionalField(attachment, "filename"));
    if (label === "" || text === "" || type.startsWith("hook")) return;
    this.#push({ ...about, message: { role: "user", parts: [{ kind: "attachment", label, text }] } });
  }

  #addSystem(line: LocatedValue, node: ForeignNode | undefined): void {
    const subtype = optionalText(optionalField(line, "subtype"));
    const content = optionalText(optionalField(line, "content"));
    if (subtype === "compact_boundary") this.#boundary = line;
    if (content.trim() === "" || !["local_command", "informational", "away_summary"].includes(subtype)) return;
    const parts = userParts([{ kind: "text", text: content }]);
    const label = subtype === "local_command" ? undefined : subtype === "away_summary" ? "summary" : "note";
    const message: ForeignMessage = {
      message: { role: "user", parts },
      ...insertedAt(line, node),
    };
    this.#queue.delivered(line, message.message);
    this.#push(withLabel(message, label));
  }
}

function inFront(message: HeldMessage): HeldMessage {
  const { isAside, ...front } = message;
  return isAside === true ? front : message;
}

/** A compaction begins the tree anew, but not the conversation. */
function isContinuation(line: LocatedValue): boolean {
  return (
    optionalField(line, "isCompactSummary").value === true ||
    optionalField(line, "subtype").value === "compact_boundary"
  );
}

function isSynthetic(line: LocatedValue, message: LocatedValue): boolean {
  if (optionalField(line, "type").value !== "assistant") return false;
  return (
    optionalField(line, "isApiErrorMessage").value === true || optionalField(message, "model").value === "<synthetic>"
  );
}

/** The note that stands before the output of each local command. */
function isCaveat(message: Message): boolean {
  return message.parts.every((part) => {
    const text = part.kind === "text" || part.kind === "attachment" ? part.text : undefined;
    return text !== undefined && /^\s*Caveat: /.test(text);
  });
}

function withLabel(message: ForeignMessage, label: string | undefined): ForeignMessage {
  return label === undefined ? message : asData(message, label);
}

/** The kind of a line in the user's role that names its origin; `undefined` when the user wrote it. */
export function labelOfLine(line: LocatedValue): string | undefined {
  if (SUMMARY_FLAGS.some((name) => optionalField(line, name).value === true)) return "summary";
  const kind = optionalText(optionalField(optionalField(line, "origin"), "kind"));
  if (kind !== "") return kind === "human" || kind === "user" ? undefined : kind;
  if (optionalField(line, "isSidechain").value === true) return "sub-agent";
  return NOTE_FLAGS.some((name) => optionalField(line, name).value === true) ? "note" : undefined;
}

const SUMMARY_FLAGS = ["isCompactSummary", "isSummary"];
const NOTE_FLAGS = ["isVisibleInTranscriptOnly", "isMeta", "isTruncationMarker"];

function fileTextIn(content: LocatedValue): string {
  return (
    optionalText(content) ||
    optionalText(optionalField(optionalField(content, "file"), "content")) ||
    optionalItems(content)
      .map((item) => optionalText(optionalField(item, "text")))
      .join("\n")
  );
}

/** Words typed while it worked. Each is in the file when it was queued, and once more where it was delivered. */
class Queue {
  readonly #queued: { readonly text: string; readonly atMs: number; readonly place: number }[] = [];
  readonly #delivered = new Map<string, number>();
  readonly #commands = new Set<string>();

  add(line: LocatedValue, place: number): void {
    const content = optionalField(line, "content");
    const text = optionalText(content) || fileTextIn(content);
    if (optionalField(line, "operation").value !== "enqueue" || text.trim() === "") return;
    this.#queued.push({ text, atMs: optionalTimeMs(optionalField(line, "timestamp")), place });
  }

  /** Notes the texts of a message that reached the model. */
  delivered(line: LocatedValue, message: Message): void {
    const content = optionalField(optionalField(line, "message"), "content");
    const attachment = optionalField(line, "attachment");
    const given = [content, optionalField(attachment, "prompt"), optionalField(line, "content")].flatMap((place) => {
      if (typeof place.value === "string") return [place.value];
      return optionalItems(place).map((item) => optionalText(optionalField(item, "text")));
    });
    for (const text of new Set([...given, textOf(message)].map(comparable))) {
      if (text !== "") this.#delivered.set(text, (this.#delivered.get(text) ?? 0) + 1);
    }
    for (const part of message.parts) {
      if (part.kind === "attachment" && part.label === "command-name") this.#commands.add(part.text.trim());
    }
  }

  /** `messages` with the words that were queued and never delivered, where they were typed. */
  withUndelivered(messages: readonly HeldMessage[], holder: MessageHolder): readonly HeldMessage[] {
    const whole: HeldMessage[] = [];
    let from = 0;
    for (const { text, atMs, place } of this.#queued) {
      if (this.#take(text)) continue;
      for (const before of messages.slice(from, place)) whole.push(before);
      from = place;
      const message: Message = { role: "user", parts: userParts([{ kind: "text", text }]) };
      whole.push(holder.hold({ message, createdAtMs: atMs, state: "complete", model: "", id: "", isInserted: true }));
    }
    return whole.length === 0 ? messages : [...whole, ...messages.slice(from)];
  }

  #take(text: string): boolean {
    const key = comparable(text);
    const left = this.#delivered.get(key) ?? 0;
    if (left > 0) this.#delivered.set(key, left - 1);
    return left > 0 || this.#commands.has(text.trim().split(/\s/, 1)[0] ?? "");
  }
}

/** The words without their spacing; of a long text only its fingerprint. */
export function comparable(text: string): string {
  const words = text.replace(/\s+/g, " ").trim();
  return words.length > LONGEST_COMPARED ? fingerprint(words) : words;
}

const LONGEST_COMPARED = 1_000;

/** Facts of a message that the tool put in between. */
function insertedAt(line: LocatedValue, node: ForeignNode | undefined): Omit<ForeignMessage, "message"> {
  return {
    createdAtMs: optionalTimeMs(optionalField(line, "timestamp")),
    state: "complete",
    model: "",
    id: "",
    isInserted: true,
    ...(node === undefined ? {} : { node }),
  };
}
