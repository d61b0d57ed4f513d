/**
 * Continue's `sessions/*.json`: one list of items, each a message with what the user added to it, and the states of its
 * calls with their results. A message of the tool may repeat a result. There are no times but those of reasoning.
 */

import { toolCallId } from "../../../ids.ts";
import { boundedJson } from "../../../json.ts";
import type { Part } from "../../../message.ts";
import { DocumentReader, type LocatedValue } from "../../documentReader.ts";
import { DamagedLines } from "../damagedLines.ts";
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
} from "../foreignConversation.ts";
import { isObjectWith, type ForeignFile } from "../foreignFile.ts";
import type { MessageHolder } from "../heldMessages.ts";
import { asData, asSummary } from "../userParts.ts";
import { pictureAt } from "./referredFiles.ts";

export function isContinue(value: unknown): boolean {
  return isObjectWith(value, "sessionId", "history");
}

export function readContinue(file: ForeignFile, holder: MessageHolder): ForeignConversation {
  const session = new Session(holder, optionalText(file.field("chatModelTitle")));
  let line = 0;
  for (const item of file.list("history") ?? []) session.add(item, ++line);
  const title = optionalText(file.field("title"));
  const [id, project] = ["sessionId", "workspaceDirectory"].map((name) => optionalText(file.field(name)));
  const source = { id: id ?? "", project: project ?? "" };
  return { ...session.messages(), title: title === UNNAMED ? "" : title, source };
}

/** Title of a session that nobody has named. */
const UNNAMED = "New Session";
const ROLES = ["user", "assistant", "thinking", "tool", "system"] as const;

class Session {
  readonly #holder: MessageHolder;
  readonly #model: string;
  readonly #damaged = new DamagedLines();
  readonly #messages: HeldMessage[] = [];
  readonly #answered = new Set<string>();
  /** Of the answer that is being read, which thinking begins. */
  #answer = 0;

  constructor(holder: MessageHolder, model: string) {
    this.#holder = holder;
    this.#model = model;
  }

  messages(): Pick<ForeignConversation, "messages" | "damaged"> {
    return { messages: this.#messages, damaged: this.#damaged };
  }

  add(item: LocatedValue, line: number): void {
    const read = new DocumentReader();
    const message = optionalField(item, "message");
    const role = read.word(optionalField(message, "role"), ROLES);
    const parts = contentIn(read, optionalField(message, "content"));
    const calls = role === "assistant" || role === "thinking" ? this.#callsIn(read, item) : NO_CALLS;
    if (read.fault !== undefined) {
      this.#damaged.add({ line, text: boundedJson(item.value) }, read.fault);
      return;
    }
    switch (role) {
      case "user":
        this.#push({ ...NOTHING, message: { role, parts: [...parts, ...contextOf(item)] } });
        break;
      case "system":
        this.#push(asData({ ...NOTHING, message: { role: "user", parts } }, role));
        break;
      case "tool":
        this.#addResult(message, parts);
        break;
      default:
        this.#addAnswer(item, role === "thinking" ? asThinking(parts) : parts, calls);
        if (role === "assistant") this.#answer++;
    }
    const summary = optionalText(optionalField(item, "conversationSummary"));
    if (summary === "") return;
    this.#push(asSummary({ ...NOTHING, message: { role: "user", parts: [{ kind: "text", text: summary }] } }, {}));
  }

  #addAnswer(item: LocatedValue, parts: readonly Part[], { calls, results }: Calls): void {
    const message = optionalField(item, "message");
    const reasoning = optionalField(item, "reasoning");
    const [startAtMs, endAtMs] = ["startAt", "endAt"].map((name) => optionalTimeMs(optionalField(reasoning, name)));
    const thought = asThinking([{ kind: "text", text: optionalText(optionalField(reasoning, "text")) }]);
    const usage = usageIn(optionalField(message, "usage"));
    const logs = optionalItems(optionalField(item, "promptLogs"));
    const model = logs.map((log) => optionalText(optionalField(log, "modelTitle"))).find((name) => name !== "");
    this.#push({
      ...NOTHING,
      createdAtMs: endAtMs ?? startAtMs ?? 0,
      message: { role: "assistant", parts: [...thought, ...parts, ...calls, ...results] },
      model: model ?? (optionalField(message, "role").value === "assistant" ? this.#model : ""),
      id: `answer ${this.#answer}`,
      ...(usage === undefined ? {} : { usage }),
    });
  }

  #addResult(message: LocatedValue, parts: readonly Part[]): void {
    const id = optionalText(optionalField(message, "toolCallId"));
    if (this.#answered.has(id)) return;
    this.#answered.add(id);
    const callId = toolCallId(id);
    const result: Part = { kind: "toolResult", callId, outcome: "ok", text: textOfParts(parts) };
    const files = parts.flatMap((part) => (part.kind === "image" ? [{ callId, part }] : []));
    this.#push({
      ...NOTHING,
      message: { role: "user", parts: [result] },
      ...(files.length === 0 ? {} : { resultFiles: files }),
    });
  }

  /** Calls by the message, or by the states of older sessions. */
  #callsIn(read: DocumentReader, item: LocatedValue): Calls {
    const single = optionalField(item, "toolCallState");
    const states = [...optionalItems(optionalField(item, "toolCallStates")), ...(single.value == null ? [] : [single])];
    const given = optionalItems(optionalField(optionalField(item, "message"), "toolCalls"));
    const places = given.length > 0 ? given : states.map((state) => optionalField(state, "toolCall"));
    const calls = places.map((call): Part => {
      const asked = optionalField(call, "function");
      return {
        kind: "toolCall",
        callId: toolCallId(read.text(optionalField(call, "id"))),
        name: read.text(optionalField(asked, "name")),
        inputJson: optionalText(optionalField(asked, "arguments")) || "{}",
      };
    });
    const results = states.flatMap((state) => this.#resultIn(state));
    return { calls, results };
  }

  #resultIn(state: LocatedValue): readonly Part[] {
    const id = optionalText(optionalField(state, "toolCallId"));
    const status = optionalField(state, "status").value;
    const outputs = optionalItems(optionalField(state, "output"));
    if (id === "" || this.#answered.has(id) || (outputs.length === 0 && status !== "done")) return [];
    this.#answered.add(id);
    const texts = outputs.map((output) => {
      const text = optionalText(optionalField(output, "content"));
      return outputs.length === 1 ? text : `${optionalText(optionalField(output, "name"))}\n${text}`.trim();
    });
    const outcome = status === "errored" ? "error" : status === "canceled" ? "interrupted" : "ok";
    return [{ kind: "toolResult", callId: toolCallId(id), outcome, text: texts.join("\n\n") }];
  }

  #push(message: ForeignMessage): void {
    this.#messages.push(this.#holder.hold(message));
  }
}

interface Calls {
  readonly calls: readonly Part[];
  readonly results: readonly Part[];
}

const NO_CALLS: Calls = { calls: [], results: [] };
const NOTHING = { createdAtMs: 0, state: "complete", model: "", id: "" } as const;

function contentIn(read: DocumentReader, content: LocatedValue): readonly Part[] {
  if (content.value === undefined || content.value === null || content.value === "") return [];
  if (typeof content.value === "string") return [{ kind: "text", text: content.value }];
  return read
    .each(content, (piece): readonly Part[] => {
      const text = optionalText(optionalField(piece, "text"));
      if (optionalField(piece, "type").value === "text") return text === "" ? [] : [{ kind: "text", text }];
      const address = optionalText(optionalField(optionalField(piece, "imageUrl"), "url"));
      if (address !== "") return [pictureAt(address)];
      return [
        {
          kind: "attachment",
          label: optionalText(optionalField(piece, "type")) || "content",
          text: boundedJson(piece.value),
        },
      ];
    })
    .flat();
}

/** Context that the user added with `@`: sent beside the message, but not their words. */
function contextOf(item: LocatedValue): readonly Part[] {
  return optionalItems(optionalField(item, "contextItems")).map((added) => {
    const label = optionalText(optionalField(added, "description")) || optionalText(optionalField(added, "name"));
    return { kind: "attachment", label: label || "context", text: optionalText(optionalField(added, "content")) };
  });
}

function asThinking(parts: readonly Part[]): readonly Part[] {
  const text = textOfParts(parts);
  return text === "" ? [] : [{ kind: "thinking", text }];
}

function textOfParts(parts: readonly Part[]): string {
  return parts
    .map((part) => (part.kind === "image" ? `[picture: ${part.mediaType}]` : "text" in part ? part.text : ""))
    .join("\n");
}

function usageIn(usage: LocatedValue): ForeignUsage | undefined {
  const details = optionalField(usage, "promptTokensDetails");
  const inputTokens = optionalCount(optionalField(usage, "promptTokens"));
  const outputTokens = optionalCount(optionalField(usage, "completionTokens"));
  if (inputTokens + outputTokens === 0) return undefined;
  const cacheReadTokens = optionalCount(optionalField(details, "cachedTokens"));
  const cacheWriteTokens = optionalCount(optionalField(details, "cacheWriteTokens"));
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}
