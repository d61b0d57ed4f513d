/**
 * ChatGPT's export (`conversations.json`): each conversation is a tree of nodes, most with a message. One answer is
 * several of them: thoughts, calls (messages to a tool), their results (messages of a tool), text.
 */

import { toolCallId } from "../../../ids.ts";
import { boundedJson, tryParseJson } from "../../../json.ts";
import type { MessageState, Part } from "../../../message.ts";
import type { LocatedValue } from "../../documentReader.ts";
import { DamagedLines } from "../damagedLines.ts";
import {
  optionalField,
  optionalItems,
  optionalText,
  optionalTimeMs,
  type ForeignConversation,
  type ForeignMessage,
  type HeldMessage,
  type ResultFile,
} from "../foreignConversation.ts";
import { isObjectWith, type ForeignFile, type ForeignRecord } from "../foreignFile.ts";
import type { MessageHolder } from "../heldMessages.ts";
import type { Entry } from "../longRecords.ts";
import { asData } from "../userParts.ts";
import { bytesIn, missingFile, pictureAt } from "./referredFiles.ts";
import { conversationsIn } from "./severalConversations.ts";

export function isChatGpt(value: unknown): boolean {
  return isObjectWith(value, "mapping");
}

export function readChatGpt(file: ForeignFile, holder: MessageHolder): Iterable<ForeignConversation> {
  return conversationsIn(file, (record) => {
    const mapping = optionalField(record, "mapping");
    const isTree = typeof mapping.value === "object" && mapping.value !== null && !Array.isArray(mapping.value);
    return isTree ? new Tree(record, file.long.entries(mapping), holder).conversation() : undefined;
  });
}

interface TreeNode {
  readonly key: string;
  readonly parent: string | null;
  /** Reads it, which may be long. */
  readonly message: () => LocatedValue;
  readonly role: string;
  /** A message to a tool. */
  readonly isCall: boolean;
  /** In the order of the file. */
  readonly children: string[];
}

class Tree {
  readonly #record: ForeignRecord;
  readonly #holder: MessageHolder;
  readonly #nodes = new Map<string, TreeNode>();
  readonly #damaged = new DamagedLines();
  readonly #messages: HeldMessage[] = [];
  /** Nodes that are messages. */
  readonly #keys = new Set<string>();
  readonly #links = new Map<string, string | null>();
  /** Nodes of tools, by the call whose results they are. */
  readonly #resultsOf = new Map<string, TreeNode[]>();
  /** Call of each node of a tool. */
  readonly #callOf = new Map<string, string>();
  /** The first node of the answer that a node is a piece of. */
  readonly #answerOf = new Map<string, string>();

  constructor(record: ForeignRecord, entries: Iterable<Entry>, holder: MessageHolder) {
    this.#record = record;
    this.#holder = holder;
    for (const entry of entries) this.#addNode(entry);
    for (const node of this.#nodes.values()) {
      if (node.parent !== null) this.#nodes.get(node.parent)?.children.push(node.key);
    }
  }

  conversation(): ForeignConversation & { readonly damaged: DamagedLines } {
    const order = this.#inOrder();
    for (const node of order) this.#findPlace(node);
    for (const node of order) this.#addMessage(node);
    const id = (name: string): string => optionalText(optionalField(this.#record, name));
    const current = this.#messageAbove(optionalText(optionalField(this.#record, "current_node")));
    return {
      title: optionalText(optionalField(this.#record, "title")),
      messages: this.#messages,
      links: this.#links,
      ...(current === undefined ? {} : { current }),
      damaged: this.#damaged,
      source: { id: id("conversation_id") || id("id"), project: "" },
    };
  }

  #addNode({ name: key, read }: Entry): void {
    const node = read();
    const message = optionalField(node, "message");
    const parent = optionalText(optionalField(node, "parent"));
    const role = optionalText(optionalField(optionalField(message, "author"), "role"));
    const isWhole = message.value === undefined || message.value === null || role !== "";
    if (!isWhole || !isObjectWith(node.value, "parent")) {
      this.#damaged.add({ line: this.#record.line, text: boundedJson(node.value) });
      return;
    }
    this.#nodes.set(key, {
      key,
      parent: parent === "" ? null : parent,
      message: () => optionalField(read(), "message"),
      role,
      isCall: role === "assistant" && isToTool(message),
      children: [],
    });
  }

  /** Each after its parent, the first branch first. */
  #inOrder(): readonly TreeNode[] {
    const order = new Map<string, TreeNode>();
    const roots = [...this.#nodes.values()].filter(({ parent }) => parent === null || !this.#nodes.has(parent));
    // Of nodes in a circle none is a root.
    for (const start of [...roots, ...this.#nodes.values()]) {
      const open = [start];
      for (let node = open.pop(); node !== undefined; node = open.pop()) {
        if (order.has(node.key)) continue;
        order.set(node.key, node);
        for (const child of node.children.toReversed())
          open.push(...(this.#nodes.has(child) ? [this.#node(child)] : []));
      }
    }
    return [...order.values()];
  }

  #node(key: string): TreeNode {
    const node = this.#nodes.get(key);
    if (node === undefined) throw new RangeError(`no node ${key}`);
    return node;
  }

  /** The nearest node above that has something to say. */
  #before({ parent }: TreeNode): TreeNode | undefined {
    const seen = new Set<string>();
    for (let key = parent; key !== null && !seen.has(key);) {
      const node = this.#nodes.get(key);
      if (node === undefined) return undefined;
      if (node.role !== "" && node.role !== "system") return node;
      seen.add(key);
      key = node.parent;
    }
    return undefined;
  }

  #findPlace(node: TreeNode): void {
    const before = this.#before(node);
    if (before === undefined) return;
    if (node.role === "tool") {
      const call = before.isCall ? before.key : this.#callOf.get(before.key);
      if (call === undefined) return;
      this.#callOf.set(node.key, call);
      this.#resultsOf.set(call, [...(this.#resultsOf.get(call) ?? []), node]);
      return;
    }
    const isPiece = before.role === "assistant" && before.children.length === 1 && !before.isCall;
    if (node.role !== "assistant" || !isPiece) return;
    this.#answerOf.set(node.key, this.#answerOf.get(before.key) ?? before.key);
  }

  #addMessage(node: TreeNode): void {
    const made = this.#messageOf(node);
    if (made === undefined || made.message.parts.length === 0) {
      this.#links.set(node.key, node.parent);
      return;
    }
    this.#keys.add(node.key);
    this.#messages.push(this.#holder.hold({ ...made, node: { key: node.key, follows: node.parent } }));
  }

  #messageOf(node: TreeNode): ForeignMessage | undefined {
    const { key, role } = node;
    const message = node.message();
    const about = {
      createdAtMs: secondsMs(optionalField(message, "create_time")),
      state: "complete",
      model: "",
      id: "",
    } as const;
    if (role === "assistant") {
      const calls = node.isCall ? this.#callWithResult(key, message) : { parts: answerParts(message), resultFiles: [] };
      return {
        ...about,
        message: { role, parts: calls.parts },
        state: stateOf(message),
        model: optionalText(optionalField(optionalField(message, "metadata"), "model_slug")),
        id: this.#answerOf.get(key) ?? key,
        ...(calls.resultFiles.length === 0 ? {} : { resultFiles: calls.resultFiles }),
      };
    }
    if (this.#callOf.has(key) || role === "") return undefined;
    const parts = [...partsOf(message), ...filesIn(message)];
    const made: ForeignMessage = { ...about, message: { role: "user", parts } };
    const label = labelOfContext(message) ?? (role === "user" ? undefined : role === "tool" ? toolName(message) : role);
    return label === undefined ? made : asData(made, label);
  }

  /** All that the tool said is the one result of the call. */
  #callWithResult(
    key: string,
    message: LocatedValue,
  ): { readonly parts: readonly Part[]; readonly resultFiles: readonly ResultFile[] } {
    const callId = toolCallId(key);
    const call: Part = {
      kind: "toolCall",
      callId,
      name: optionalText(optionalField(message, "recipient")),
      inputJson: inputIn(textIn(message)),
    };
    const tools = (this.#resultsOf.get(key) ?? []).map((node) => node.message());
    if (tools.length === 0) return { parts: [call], resultFiles: [] };
    const parts = tools.flatMap((tool) => [...partsOf(tool), ...filesIn(tool)]);
    const texts = parts.map((part) => {
      if (part.kind === "image") return `[picture: ${part.mediaType}]`;
      if (part.kind === "attachment") return `[${part.label}]`;
      return "text" in part ? part.text : "";
    });
    const isError = tools.some(
      (tool) => optionalField(optionalField(tool, "content"), "content_type").value === "system_error",
    );
    const text = texts.filter((each) => each !== "").join("\n");
    return {
      parts: [call, { kind: "toolResult", callId, outcome: isError ? "error" : "ok", text }],
      resultFiles: parts.flatMap((part) =>
        part.kind === "image" || part.kind === "attachment" ? [{ callId, part }] : [],
      ),
    };
  }

  /** The nearest node from there up that is a message. */
  #messageAbove(from: string): string | undefined {
    const seen = new Set<string>();
    for (let key: string | null | undefined = from; key != null && !seen.has(key); key = this.#nodes.get(key)?.parent) {
      if (this.#keys.has(key)) return key;
      seen.add(key);
    }
    return undefined;
  }
}

function isToTool(message: LocatedValue): boolean {
  const recipient = optionalText(optionalField(message, "recipient"));
  return recipient !== "" && recipient !== "all";
}

function toolName(message: LocatedValue): string {
  return optionalText(optionalField(optionalField(message, "author"), "name")) || "tool";
}

/** Label of what ChatGPT puts into conversations by itself. */
function labelOfContext(message: LocatedValue): string | undefined {
  const type = optionalText(optionalField(optionalField(message, "content"), "content_type"));
  if (type.endsWith("_editable_context")) return type === "user_editable_context" ? "custom instructions" : "memory";
  const metadata = optionalField(message, "metadata");
  return optionalField(metadata, "is_visually_hidden_from_conversation").value === true ? "note" : undefined;
}

function stateOf(message: LocatedValue): MessageState {
  const ending = optionalText(
    optionalField(optionalField(optionalField(message, "metadata"), "finish_details"), "type"),
  );
  if (ending === "interrupted") return "cancelled";
  return optionalField(message, "status").value === "in_progress" ? "interrupted" : "complete";
}

function secondsMs({ value, path }: LocatedValue): number {
  return typeof value === "number" ? optionalTimeMs({ value: value * 1_000, path }) : optionalTimeMs({ value, path });
}

/** The input as the tool got it: JSON, or a text that is none. */
function inputIn(text: string): string {
  const parsed = tryParseJson(text);
  return typeof parsed === "object" && parsed !== null ? text : JSON.stringify({ input: text });
}

function answerParts(message: LocatedValue): readonly Part[] {
  const parts = [...partsOf(message), ...filesIn(message)];
  const metadata = optionalField(message, "metadata");
  const references = [
    ...optionalItems(optionalField(metadata, "content_references")),
    ...optionalItems(optionalField(metadata, "citations")),
  ];
  const cited = parts.map((part) =>
    part.kind === "text" ? { ...part, text: withReferences(part.text, references) } : part,
  );
  const sources = sourcesIn(references).filter(
    ({ url }) => !cited.some((part) => part.kind === "text" && part.text.includes(url)),
  );
  if (sources.length === 0) return cited;
  const text = sources.map(({ title, url }) => (title === "" ? url : `${title}: ${url}`)).join("\n");
  return [...cited, { kind: "attachment", label: "sources", text }];
}

/** Marks of references in the text, which only ChatGPT's own page can show, become what it shows there. */
function withReferences(text: string, references: readonly LocatedValue[]): string {
  let shown = text;
  for (const reference of references) {
    const mark = optionalText(optionalField(reference, "matched_text"));
    if (mark.includes("\uE200")) shown = shown.replaceAll(mark, () => optionalText(optionalField(reference, "alt")));
  }
  return shown;
}

interface Source {
  readonly title: string;
  readonly url: string;
}

function sourcesIn(references: readonly LocatedValue[]): readonly Source[] {
  const sources = new Map<string, Source>();
  const places = references.flatMap((reference) => [
    optionalField(reference, "metadata"),
    ...["items", "sources", "fallback_items"].flatMap((name) => optionalItems(optionalField(reference, name))),
    reference,
  ]);
  for (const place of places) {
    const url = optionalText(optionalField(place, "url"));
    if (url !== "" && !sources.has(url)) sources.set(url, { title: optionalText(optionalField(place, "title")), url });
  }
  return [...sources.values()];
}

/** Content in the order of the message. */
function partsOf(message: LocatedValue): readonly Part[] {
  const content = optionalField(message, "content");
  const type = optionalText(optionalField(content, "content_type"));
  const names = attachmentNames(message);
  switch (type) {
    case "text":
    case "multimodal_text":
      return joinedTexts(optionalItems(optionalField(content, "parts")).flatMap((part) => pieceOf(part, names)));
    case "thoughts":
      return thinking(
        optionalItems(optionalField(content, "thoughts")).flatMap((thought) => [
          optionalText(optionalField(thought, "summary")),
          optionalText(optionalField(thought, "content")),
        ]),
      );
    case "reasoning_recap":
      return thinking([optionalText(optionalField(content, "content"))]);
    case "code":
    case "execution_output":
    case "system_error":
      return textPart(optionalText(optionalField(content, "text")));
    case "tether_browsing_display":
      return textPart(
        optionalText(optionalField(content, "result")) || optionalText(optionalField(content, "summary")),
      );
    case "user_editable_context":
      return textPart(textsOf(content, ["user_profile", "user_instructions"]));
    case "model_editable_context":
      return textPart(textsOf(content, ["model_set_context", "repository"]));
    case "tether_quote":
    case "sonic_webpage":
      return textPart(textsOf(content, ["title", "url", "text", "snippet"]));
    default:
      return content.value === undefined ? [] : unknownContent(type, content);
  }
}

function unknownContent(type: string, content: LocatedValue): readonly Part[] {
  const text = optionalText(optionalField(content, "text")) || boundedJson(content.value);
  return [{ kind: "attachment", label: type || "content", text }];
}

function pieceOf(piece: LocatedValue, names: ReadonlyMap<string, string>): readonly Part[] {
  if (typeof piece.value === "string") return textPart(piece.value);
  const type = optionalText(optionalField(piece, "content_type"));
  if (type === "audio_transcription") return textPart(optionalText(optionalField(piece, "text")));
  const pointer = optionalText(optionalField(piece, "asset_pointer"));
  const kind = type.startsWith("image") ? "picture" : type.includes("audio") ? "recording" : "file";
  if (pointer === "" && !type.endsWith("asset_pointer")) return unknownContent(type, piece);
  const [width, height] = ["width", "height"].map((name) => optionalField(piece, name).value);
  const size = typeof width === "number" && typeof height === "number" ? `${width} × ${height}` : "";
  const prompt = optionalText(optionalField(optionalField(optionalField(piece, "metadata"), "dalle"), "prompt"));
  const missing = missingFile(
    names.get(fileId(pointer)) ?? kind,
    kind,
    pointer,
    size,
    bytesIn(optionalField(piece, "size_bytes").value),
  );
  return [prompt === "" ? missing : { ...missing, text: `${missing.text}\n${prompt}` }];
}

/** `file-service://file-A1` and `sediment://file_00A1#page` name a file. */
function fileId(pointer: string): string {
  return pointer.replace(/^[\w-]+:\/\//, "").replace(/[#?].*$/, "");
}

function attachmentsOf(message: LocatedValue): readonly LocatedValue[] {
  return optionalItems(optionalField(optionalField(message, "metadata"), "attachments"));
}

function attachmentNames(message: LocatedValue): ReadonlyMap<string, string> {
  const named = attachmentsOf(message).map((file): readonly [string, string] => [
    optionalText(optionalField(file, "id")),
    optionalText(optionalField(file, "name")),
  ]);
  return new Map(named.filter(([, name]) => name !== ""));
}

/** Files that the message names and does not show, and pictures that ran code made. */
function filesIn(message: LocatedValue): readonly Part[] {
  const shown = new Set(
    optionalItems(optionalField(optionalField(message, "content"), "parts")).map((part) =>
      fileId(optionalText(optionalField(part, "asset_pointer"))),
    ),
  );
  const files = attachmentsOf(message).flatMap((file): readonly Part[] => {
    if (shown.has(optionalText(optionalField(file, "id")))) return [];
    const mediaType = optionalText(optionalField(file, "mime_type")) || optionalText(optionalField(file, "mimeType"));
    const name = optionalText(optionalField(file, "name"));
    return [missingFile(name, mediaType || "file", bytesIn(optionalField(file, "size").value))];
  });
  const ran = optionalField(optionalField(message, "metadata"), "aggregate_result");
  const pictures = optionalItems(optionalField(ran, "messages")).flatMap((output): readonly Part[] => {
    const address = optionalText(optionalField(output, "image_url"));
    return address === "" ? [] : [pictureAt(address)];
  });
  return [...files, ...pictures];
}

/** Texts beside each other are one. */
function joinedTexts(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last?.kind === "text" && part.kind === "text")
      joined.splice(-1, 1, { kind: "text", text: `${last.text}\n${part.text}` });
    else joined.push(part);
  }
  return joined;
}

function textIn(message: LocatedValue): string {
  return partsOf(message)
    .map((part) => ("text" in part ? part.text : ""))
    .join("\n");
}

function textsOf(content: LocatedValue, names: readonly string[]): string {
  const texts = names.map((name) => optionalText(optionalField(content, name)));
  return texts.filter((text) => text.trim() !== "").join("\n\n");
}

function textPart(text: string): readonly Part[] {
  return text === "" ? [] : [{ kind: "text", text }];
}

function thinking(texts: readonly string[]): readonly Part[] {
  const text = texts.filter((each) => each !== "").join("\n");
  return text === "" ? [] : [{ kind: "thinking", text }];
}
