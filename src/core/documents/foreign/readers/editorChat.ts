/**
 * An export of the editor's own chat ("Chat: Export Chat"). A request has the pieces that were shown (`response`) and,
 * where tools ran, the rounds that were sent (`result.metadata.toolCallRounds`): text, thinking, calls. The rounds have
 * the inputs, `toolCallResults` the results; pieces add what only was shown, such as edits.
 */

import { toolCallId } from "../../../ids.ts";
import { boundedJson, member, tryParseJson } from "../../../json.ts";
import type { AttachmentPart, ImagePart, Part, ToolCallPart, ToolResultPart } from "../../../message.ts";
import type { LocatedValue } from "../../documentReader.ts";
import {
  optionalCount,
  optionalField,
  optionalItems,
  optionalText,
  optionalTimeMs,
  type ForeignConversation,
  type ForeignMessage,
  type HeldMessage,
  type ResultFile,
} from "../foreignConversation.ts";
import type { ForeignFile } from "../foreignFile.ts";
import type { MessageHolder } from "../heldMessages.ts";
import { userParts } from "../userParts.ts";

export function isEditorChat(file: ForeignFile): boolean {
  return file.list("requests") !== undefined;
}

export function readEditorChat(file: ForeignFile, holder: MessageHolder): ForeignConversation {
  const title = optionalText(file.field("customTitle"));
  const messages: HeldMessage[] = [];
  let index = 0;
  for (const request of file.list("requests") ?? []) {
    for (const message of messagesOf(request, index)) messages.push(holder.hold(message));
    index++;
  }
  const source = { id: optionalText(file.field("sessionId")), project: "" };
  return { title, ...(title === "" ? {} : { titleBy: "user" }), messages, source };
}

function messagesOf(request: LocatedValue, index: number): readonly ForeignMessage[] {
  const result = optionalField(request, "result");
  const metadata = optionalField(result, "metadata");
  const askedAtMs = optionalTimeMs(optionalField(request, "timestamp"));
  const elapsed = optionalField(optionalField(result, "timings"), "totalElapsed").value;
  const durationMs = typeof elapsed === "number" && elapsed > 0 && elapsed < LONGEST_MS ? elapsed : undefined;
  const error = optionalText(optionalField(optionalField(result, "errorDetails"), "message"));
  const model =
    optionalText(optionalField(request, "modelId")).replace(/^copilot\//, "") ||
    optionalText(optionalField(metadata, "resolvedModel"));
  const answer = new Answer(metadata, String(index));
  const response = optionalField(request, "response");
  if (typeof response.value === "string") answer.addText(response.value);
  for (const piece of optionalItems(response)) answer.addPiece(piece);
  const steps = answer.steps();
  const state =
    optionalField(request, "isCanceled").value === true ? "cancelled" : error === "" ? "complete" : "failed";
  const answeredAtMs = askedAtMs === 0 ? 0 : askedAtMs + Math.floor(durationMs ?? 0);
  const about = { createdAtMs: answeredAtMs, model, id: "" };
  const answered = steps.map(({ parts, files }, at): ForeignMessage => ({
    ...about,
    message: { role: "assistant", parts },
    state: at === steps.length - 1 ? state : "complete",
    ...(files.length === 0 ? {} : { resultFiles: files }),
    ...(at === steps.length - 1 ? { ...usageOf(request, result, metadata), ...maybeDuration(durationMs) } : {}),
  }));
  const asked = { createdAtMs: askedAtMs, state: "complete", model: "", id: "" } as const;
  const failed: ForeignMessage = {
    ...asked,
    message: { role: "user", parts: [{ kind: "attachment", label: "error", text: error }] },
  };
  return [
    { ...asked, message: { role: "user", parts: askedParts(request) } },
    ...answered,
    ...(error === "" ? [] : [failed]),
  ];
}

const LONGEST_MS = 1_000_000_000_000;

function maybeDuration(durationMs: number | undefined): Pick<ForeignMessage, "durationMs"> {
  return durationMs === undefined ? {} : { durationMs };
}

function usageOf(...places: readonly LocatedValue[]): Pick<ForeignMessage, "usage"> {
  const all = places.flatMap((place) => [place, optionalField(place, "usage")]);
  const first = (...names: readonly string[]): number =>
    all.flatMap((place) => names.map((name) => optionalCount(optionalField(place, name)))).find((count) => count > 0) ??
    0;
  const inputTokens = first("promptTokens");
  const outputTokens = first("completionTokens", "outputTokens");
  if (inputTokens + outputTokens === 0) return {};
  return { usage: { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 } };
}

/** The user's words, then what they added: files by name, pictures, pasted text. */
function askedParts(request: LocatedValue): readonly Part[] {
  const message = optionalField(request, "message");
  const text = optionalText(message) || optionalText(optionalField(message, "text"));
  const added = optionalItems(optionalField(optionalField(request, "variableData"), "variables"));
  return [...userParts(text === "" ? [] : [{ kind: "text", text }]), ...added.flatMap(addedPart)];
}

function addedPart(variable: LocatedValue): readonly Part[] {
  const value = optionalField(variable, "value");
  const label = optionalText(optionalField(variable, "name")) || optionalText(optionalField(variable, "kind"));
  const mediaType = optionalText(optionalField(variable, "mimeType")) || "image/png";
  if (optionalField(variable, "kind").value === "image") {
    const dataBase64 = base64In(value);
    if (dataBase64 !== "") return [{ kind: "image", mediaType, dataBase64 }];
  }
  const text =
    optionalText(optionalField(variable, "code")) ||
    optionalText(value) ||
    optionalText(optionalField(variable, "content"));
  return label === "" ? [] : [{ kind: "attachment", label, text: text || pathIn(value) || label }];
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function base64In(value: LocatedValue): string {
  const text =
    optionalText(value) || optionalText(optionalField(value, "$base64")) || optionalText(optionalField(value, "data"));
  const data = text.replace(/^data:[^,]{0,100},/, "");
  return BASE64.test(data) ? data : "";
}

interface Step {
  readonly parts: readonly Part[];
  readonly files: readonly ResultFile[];
}

interface Round {
  readonly thinking: string[];
  readonly texts: string[];
  readonly calls: ToolCallPart[];
  /** What only was shown, after the text. */
  readonly shown: string[];
}

/** One answer: a step for each round of calls, with the results, and one for the text at the end. */
class Answer {
  readonly #rounds: Round[] = [];
  readonly #results = new Map<string, ToolResultPart>();
  readonly #files: ResultFile[] = [];
  /** Round of each call, by its id without the editor's suffix. */
  readonly #roundOf = new Map<string, number>();
  readonly #sent: string;
  #at = 0;
  readonly #prefix: string;
  #made = 0;
  readonly #hasRounds: boolean;

  constructor(metadata: LocatedValue, prefix: string) {
    this.#prefix = prefix;
    const results = optionalField(metadata, "toolCallResults");
    for (const round of optionalItems(optionalField(metadata, "toolCallRounds"))) this.#addRound(round, results);
    this.#hasRounds = this.#rounds.length > 0;
    this.#addOrphans(results);
    this.#sent = comparable(this.#rounds.flatMap(({ texts }) => texts).join(" "));
    if (this.#rounds.length === 0) this.#rounds.push(newRound());
  }

  addText(text: string): void {
    if (text === "" || (this.#hasRounds && this.#sent.includes(comparable(text)))) return;
    this.#round().shown.push(text);
  }

  addPiece(piece: LocatedValue): void {
    const kind = optionalField(piece, "kind").value;
    switch (kind) {
      case undefined:
      case "markdownContent":
      case "markdownVuln":
      case "warning":
        this.addText(markdownIn(piece, kind === undefined ? "value" : "content"));
        break;
      case "thinking": {
        const value = optionalField(piece, "value");
        const thought = optionalText(value) || optionalItems(value).map(optionalText).join("");
        if (thought !== "" && !this.#isThought(thought)) this.#round().thinking.push(thought);
        break;
      }
      case "inlineReference":
        if (!this.#hasRounds) this.addText(referenceIn(piece));
        break;
      case "toolInvocationSerialized":
      case "toolInvocation":
        this.#addInvocation(piece);
        break;
      case "textEditGroup":
      case "notebookEditGroup":
        this.addText(editsIn(piece));
        break;
      case "confirmation":
      case "elicitation":
      case "elicitationSerialized":
      case "elicitation2":
        this.addText(quoted(`${markdownIn(piece, "title")} ${markdownIn(piece, "message")}`));
        break;
      case "progressMessage":
      case "progressTaskSerialized":
        this.addText(quoted(markdownIn(piece, "content")));
        break;
      default:
        break;
    }
  }

  steps(): readonly Step[] {
    return this.#rounds.flatMap(({ thinking, texts, shown, calls }): readonly Step[] => {
      const thought = thinking.join("").trim();
      const text = [...texts, shown.join("").trim()]
        .filter((each) => each !== "")
        .join("\n\n")
        .trim();
      const results = calls.flatMap(({ callId }) => this.#results.get(callId) ?? []);
      const parts: readonly Part[] = [
        ...(thought === "" ? [] : [{ kind: "thinking", text: thought } as const]),
        ...(text === "" ? [] : [{ kind: "text", text } as const]),
        ...calls,
        ...results,
      ];
      const ids = new Set<string>(calls.map(({ callId }) => callId));
      return parts.length === 0 ? [] : [{ parts, files: this.#files.filter(({ callId }) => ids.has(callId)) }];
    });
  }

  /** Pieces after the calls of the last round belong to a round of their own. */
  #round(): Round {
    while (this.#rounds.length <= this.#at) this.#rounds.push(newRound());
    return this.#rounds[this.#at] ?? newRound();
  }

  #isThought(text: string): boolean {
    const known = comparable(this.#rounds.flatMap(({ thinking }) => thinking).join(" "));
    return this.#hasRounds && known.includes(comparable(text));
  }

  #addRound(place: LocatedValue, results: LocatedValue): void {
    const round = newRound();
    const response = optionalText(optionalField(place, "response"));
    if (response !== "") round.texts.push(response);
    const thinking = optionalField(place, "thinking");
    const text = optionalField(thinking, "text");
    const thought = optionalText(thinking) || optionalText(text) || optionalItems(text).map(optionalText).join("");
    if (thought !== "") round.thinking.push(thought);
    for (const call of optionalItems(optionalField(place, "toolCalls"))) {
      const id = optionalText(optionalField(call, "id")) || `${this.#prefix}-${this.#made++}`;
      const given = optionalField(call, "arguments");
      const inputJson = optionalText(given) || boundedJson(given.value ?? {});
      round.calls.push({ kind: "toolCall", callId: toolCallId(id), name: nameIn(call, "name"), inputJson });
      this.#roundOf.set(bareId(id), this.#rounds.length);
      this.#addResult(id, optionalField(results, id));
    }
    this.#rounds.push(round);
  }

  /** Results of calls that no round names. */
  #addOrphans(results: LocatedValue): void {
    if (typeof results.value !== "object" || results.value === null) return;
    for (const id of Object.keys(results.value)) {
      if (this.#roundOf.has(bareId(id))) continue;
      this.#round().calls.push({ kind: "toolCall", callId: toolCallId(id), name: "tool", inputJson: "{}" });
      this.#roundOf.set(bareId(id), this.#at);
      this.#addResult(id, optionalField(results, id));
    }
  }

  #addResult(id: string, result: LocatedValue): void {
    if (result.value === undefined) return;
    const callId = toolCallId(id);
    const texts = optionalItems(optionalField(result, "content")).map((item) => {
      const file = dataIn(item);
      if (file === undefined) return treeText(optionalField(item, "value").value);
      this.#files.push({ callId, part: file });
      return file.kind === "image" ? `[picture: ${file.mediaType}]` : `[${file.label}]`;
    });
    const text = texts.filter((each) => each !== "").join("\n");
    this.#results.set(callId, { kind: "toolResult", callId, outcome: "ok", text });
  }

  #addInvocation(piece: LocatedValue): void {
    const words = (markdownIn(piece, "pastTenseMessage") || markdownIn(piece, "invocationMessage")).replace(
      /\s+/g,
      " ",
    );
    const id = optionalText(optionalField(piece, "toolCallId"));
    const round = this.#roundOf.get(bareId(id));
    const call =
      round === undefined ? undefined : this.#rounds[round]?.calls.find(({ callId }) => bareId(callId) === bareId(id));
    const details = optionalField(piece, "resultDetails");
    const isError = optionalField(details, "isError").value === true;
    if (round !== undefined && call !== undefined) {
      this.#at = Math.max(this.#at, round + 1);
      const result = this.#results.get(call.callId) ?? invocationResult(call.callId, piece);
      if (result === undefined) return;
      const outcome = isError ? "error" : result.outcome;
      this.#results.set(call.callId, { ...result, outcome, ...(words === "" ? {} : { title: words }) });
      return;
    }
    const inputJson = inputIn(piece);
    const made = toolCallId(id === "" ? `${this.#prefix}-shown-${this.#made++}` : id);
    const result = invocationResult(made, piece);
    if (inputJson === "" && result === undefined) {
      this.addText(quoted(words));
      return;
    }
    this.#round().calls.push({
      kind: "toolCall",
      callId: made,
      name: nameIn(piece, "toolId"),
      inputJson: inputJson || "{}",
    });
    if (result !== undefined) {
      const outcome = isError ? "error" : result.outcome;
      this.#results.set(made, { ...result, outcome, ...(words === "" ? {} : { title: words }) });
    }
    this.#at++;
    if (this.#at < this.#rounds.length) this.#rounds.splice(this.#at, 0, newRound());
    for (const [key, at] of this.#roundOf) if (at >= this.#at) this.#roundOf.set(key, at + 1);
  }
}

function newRound(): Round {
  return { thinking: [], texts: [], calls: [], shown: [] };
}

/** Ids of calls get a suffix in the editor: `call_1__vscode-17`. */
function bareId(id: string): string {
  return id.split("__vscode", 1)[0] ?? id;
}

function nameIn(place: LocatedValue, field: string): string {
  return optionalText(optionalField(place, field)) || "tool";
}

function comparable(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function quoted(words: string): string {
  return words.trim() === "" ? "" : `\n\n> ${words.trim().replace(/\s+/g, " ")}\n\n`;
}

/** Input of a call that is only among the pieces that were shown. */
function inputIn(piece: LocatedValue): string {
  const details = optionalField(optionalField(piece, "resultDetails"), "input");
  const specific = optionalField(piece, "toolSpecificData");
  const raw = optionalField(specific, "rawInput");
  if (optionalText(details) !== "") return asJson(optionalText(details));
  if (raw.value !== undefined) return boundedJson(raw.value);
  const commandLine = optionalField(specific, "commandLine");
  const command =
    optionalText(commandLine) ||
    optionalText(optionalField(commandLine, "original")) ||
    optionalText(optionalField(specific, "command"));
  if (command !== "") return JSON.stringify({ command });
  return optionalField(specific, "kind").value === undefined ? "" : boundedJson(specific.value);
}

/** What a call printed that is only among the pieces that were shown. */
function invocationResult(callId: ToolResultPart["callId"], piece: LocatedValue): ToolResultPart | undefined {
  const output = optionalField(optionalField(piece, "resultDetails"), "output");
  const specific = optionalField(piece, "toolSpecificData");
  const texts = [
    optionalText(output),
    ...optionalItems(output).map((item) => optionalText(optionalField(item, "value"))),
    optionalText(optionalField(optionalField(specific, "terminalCommandOutput"), "text")),
    optionalText(optionalField(specific, "result")),
  ].filter((text) => text !== "");
  return texts.length === 0 ? undefined : { kind: "toolResult", callId, outcome: "ok", text: texts.join("\n") };
}

function asJson(text: string): string {
  return tryParseJson(text) === undefined ? JSON.stringify({ input: text }) : text;
}

/** Text of a result: a string, or a tree of texts as prompts are made of. */
function treeText(value: unknown): string {
  if (typeof value === "string") return value;
  const pieces: string[] = [];
  const open: unknown[] = [member(value, "node") ?? value];
  while (open.length > 0) {
    const node = open.pop();
    const text = member(node, "text");
    if (typeof text === "string") pieces.push(member(node, "lineBreakBefore") === true ? `\n${text}` : text);
    const children = member(node, "children");
    if (Array.isArray(children)) for (let at = children.length - 1; at >= 0; at--) open.push(children[at]);
  }
  return pieces.join("").replace(/^\n/, "");
}

function dataIn(item: LocatedValue): ImagePart | AttachmentPart | undefined {
  const mediaType = optionalText(optionalField(item, "mimeType"));
  const dataBase64 = base64In(optionalField(item, "data"));
  if (mediaType === "" || dataBase64 === "") return undefined;
  if (mediaType.startsWith("image/")) return { kind: "image", mediaType, dataBase64 };
  const bytes = Math.floor((dataBase64.length * 3) / 4);
  return {
    kind: "attachment",
    label: mediaType,
    text: `[${mediaType}, ${bytes.toLocaleString("en-US")} bytes, not imported]`,
  };
}

/** An edit as it was proposed: the file, and the text that was put in. */
function editsIn(piece: LocatedValue): string {
  const path = pathIn(optionalField(piece, "uri")) || optionalText(optionalField(optionalField(piece, "uri"), "path"));
  const edits = optionalItems(optionalField(piece, "edits")).flatMap((group) => {
    const items = Array.isArray(group.value) ? optionalItems(group) : [group];
    return items.flatMap((edit) => {
      const text = optionalText(optionalField(edit, "text"));
      const cells = optionalItems(optionalField(edit, "cells")).map((cell) =>
        optionalText(optionalField(cell, "source")),
      );
      return [text, ...cells].filter((each) => each !== "");
    });
  });
  const fence = edits.some((text) => text.includes("```")) ? "~~~~" : "```";
  const blocks = edits.map((text) => `${fence}\n${text}\n${fence}`);
  return path === "" && blocks.length === 0 ? "" : `\n\n> ${path}\n\n${blocks.join("\n\n")}\n\n`;
}

/** Markdown is a string or an object with `value`; older exports have `value` instead of `content`. */
function markdownIn(piece: LocatedValue, name: string): string {
  const content = optionalField(piece, name);
  return (
    optionalText(content) ||
    optionalText(optionalField(content, "value")) ||
    (name === "content" ? optionalText(optionalField(piece, "value")) : "")
  );
}

function pathIn(reference: LocatedValue): string {
  const uri = optionalField(reference, "uri");
  return (
    optionalText(optionalField(reference, "fsPath")) ||
    optionalText(optionalField(reference, "path")) ||
    optionalText(optionalField(uri, "fsPath")) ||
    optionalText(optionalField(uri, "path"))
  );
}

function referenceIn(piece: LocatedValue): string {
  const reference = optionalField(piece, "inlineReference");
  const name =
    optionalText(optionalField(piece, "name")) ||
    optionalText(optionalField(reference, "name")) ||
    (pathIn(reference).split("/").at(-1) ?? "");
  return name === "" ? "" : `\`${name}\``;
}
