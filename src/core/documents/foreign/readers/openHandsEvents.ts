/**
 * Events of OpenHands' agent SDK and agent server, each named by its `kind`. Calls of one answer are an event each, with
 * the words of the answer in the first. Newer events name their parent, so that a conversation may have branches.
 */

import { toolCallId } from "../../../ids.ts";
import { boundedJson } from "../../../json.ts";
import type { Message, Part, ToolResultPart } from "../../../message.ts";
import { omit } from "../../../omit.ts";
import type { LocatedValue } from "../../documentReader.ts";
import {
  optionalField,
  optionalItems,
  optionalText,
  type Compaction,
  type ForeignMessage,
  type ForeignNode,
  type HeldMessage,
  type ResultFile,
} from "../foreignConversation.ts";
import type { MessageHolder } from "../heldMessages.ts";
import { asData, asSummary, userParts } from "../userParts.ts";
import { thinkingIn } from "./messagesApi.ts";
import { localTimeMs, textPart } from "./openHandsParts.ts";
import { pictureAt } from "./referredFiles.ts";
import { standIn } from "./storedFiles.ts";

export class SdkEvents {
  readonly links = new Map<string, string | null>();
  readonly #holder: MessageHolder;
  readonly #messages: HeldMessage[];
  readonly #model: string;
  /** Answers whose words are read. */
  readonly #answers = new Set<string>();
  /** Calls of agents of other makers, which tell of a call as often as it changes. */
  readonly #called = new Set<string>();
  readonly #answered = new Set<string>();
  #summary = "";
  /** The event before those that were forgotten first; `undefined`: nothing was. */
  #forgottenAfter: string | null | undefined;
  #last: string | null = null;

  constructor(holder: MessageHolder, messages: HeldMessage[], model: string) {
    this.#holder = holder;
    this.#messages = messages;
    this.#model = model;
  }

  /** The event `id`, or the nearest one before it that is a message. */
  messageAt(id: string): string | undefined {
    const keys = new Set(this.#messages.map(({ node }) => node?.key));
    const seen = new Set<string>();
    for (
      let key: string | null | undefined = id;
      typeof key === "string" && !seen.has(key);
      key = this.links.get(key)
    ) {
      if (keys.has(key)) return key;
      seen.add(key);
    }
    return undefined;
  }

  add(event: LocatedValue, kind: string): void {
    const about = this.#aboutEvent(event);
    const text = (name: string): string => optionalText(optionalField(event, name));
    switch (kind) {
      case "SystemPromptEvent": {
        const texts = ["system_prompt", "dynamic_context"].map((name) => textIn(optionalField(event, name)));
        this.#addData(about, "system", joined(texts, "\n\n"));
        break;
      }
      case "MessageEvent":
        this.#addMessage(about, event);
        break;
      case "ActionEvent":
        this.#addCall(about, event);
        break;
      case "ObservationEvent":
        this.#addResult(about, event, observationIn(optionalField(event, "observation")));
        break;
      case "UserRejectObservation":
        this.#addResult(about, event, { outcome: "denied", text: text("rejection_reason"), files: [] });
        break;
      case "AgentErrorEvent":
        if (text("tool_call_id") === "") this.#addData(about, "error", text("error"));
        else this.#addResult(about, event, { outcome: "error", text: text("error"), files: [] });
        break;
      case "ConversationErrorEvent":
        this.#addData(about, "error", joined([text("code"), text("detail")], ": "));
        break;
      case "Condensation":
      case "CondensationSummaryEvent":
        this.#addSummary(about, event);
        break;
      case "ACPToolCallEvent":
        this.#addCallOfOther(about, event);
        break;
      default: // states and figures
    }
  }

  #aboutEvent(event: LocatedValue): About {
    const id = optionalText(optionalField(event, "id"));
    const createdAtMs = localTimeMs(optionalField(event, "timestamp"));
    if (id === "") return { ...NOTHING, createdAtMs };
    const parent = optionalText(optionalField(event, "parent_id"));
    const follows = parent === "" ? this.#last : parent === ROOT ? null : parent;
    this.#last = id;
    this.links.set(id, follows);
    return { ...NOTHING, createdAtMs, node: { key: id, follows } };
  }

  #addMessage(about: About, event: LocatedValue): void {
    const message = optionalField(event, "llm_message");
    const { parts } = contentIn(optionalField(message, "content"));
    const added = optionalItems(optionalField(event, "extended_content")).flatMap((each): readonly Part[] =>
      textIn(each).trim() === "" ? [] : [{ kind: "attachment", label: "note", text: textIn(each) }],
    );
    if (optionalField(event, "source").value === "agent") {
      const id = optionalText(optionalField(event, "llm_response_id"));
      this.#addAnswer(about, id, [...thoughtIn(message), ...parts], []);
      return;
    }
    const sender = optionalText(optionalField(event, "sender"));
    const made = { ...about, message: { role: "user", parts: [...userParts(parts), ...added] } } as const;
    this.#push(sender === "" ? made : asData(made, sender));
  }

  #addCall(about: About, event: LocatedValue): void {
    const asked = optionalField(event, "tool_call");
    const action = optionalField(event, "action");
    const given = optionalText(optionalField(asked, "arguments"));
    const text = (name: string): string => optionalText(optionalField(event, name));
    const name = text("tool_name") || optionalText(optionalField(asked, "name")) || "tool";
    const call: Part = {
      kind: "toolCall",
      callId: toolCallId(text("tool_call_id") || optionalText(optionalField(asked, "id"))),
      name,
      inputJson: given || boundedJson(withoutKind(action.value)),
    };
    const { parts } = contentIn(optionalField(event, "thought"));
    const final = name === "finish" ? textPart(optionalText(optionalField(action, "message"))) : [];
    const words = [...thoughtIn(event), ...(parts.length === 0 ? final : parts)];
    this.#addAnswer(about, text("llm_response_id"), words, [call]);
  }

  /** Words of an answer are those of its first event. */
  #addAnswer(about: About, id: string, words: readonly Part[], calls: readonly Part[]): void {
    const isFirst = id === "" || !this.#answers.has(id);
    this.#answers.add(id);
    this.#push({
      ...about,
      model: this.#model,
      id,
      message: { role: "assistant", parts: [...(isFirst ? words : []), ...calls] },
    });
  }

  #addResult(about: About, event: LocatedValue, { outcome, text, files }: Outcome): void {
    const callId = toolCallId(optionalText(optionalField(event, "tool_call_id")));
    const added = optionalItems(optionalField(event, "extended_content")).map(textIn);
    this.#push({
      ...about,
      message: { role: "user", parts: [{ kind: "toolResult", callId, outcome, text: joined([text, ...added], "\n") }] },
      ...(files.length === 0 ? {} : { resultFiles: files.map((part) => ({ callId, part })) }),
    });
  }

  #addCallOfOther(about: About, event: LocatedValue): void {
    const text = (name: string): string => optionalText(optionalField(event, name));
    const id = text("tool_call_id");
    const callId = toolCallId(id);
    if (!this.#called.has(id)) {
      const input = optionalField(event, "raw_input").value ?? {};
      const name = text("tool_kind") || text("title") || "tool";
      this.#addAnswer(about, "", [], [{ kind: "toolCall", callId, name, inputJson: boundedJson(input) }]);
    }
    this.#called.add(id);
    const output = optionalField(event, "raw_output").value;
    const blocks = optionalItems(optionalField(event, "content"));
    const isDone = ["completed", "failed"].includes(text("status"));
    if (this.#answered.has(id) || (!isDone && (output === undefined || output === null))) return;
    this.#answered.add(id);
    const isError = optionalField(event, "is_error").value === true || text("status") === "failed";
    const shown =
      typeof output === "string" ? output : output === undefined || output === null ? "" : boundedJson(output);
    const content = blocks.map((block) => textIn(optionalField(block, "content")) || boundedJson(block.value));
    const result: ToolResultPart = {
      kind: "toolResult",
      callId,
      outcome: isError ? "error" : "ok",
      text: shown || content.join("\n"),
      ...(text("title") === "" ? {} : { title: text("title") }),
    };
    const { node, ...rest } = about;
    const after = node === undefined ? {} : { node: { key: `${node.key} result`, follows: node.key } };
    this.#push({ ...rest, ...after, message: { role: "user", parts: [result] } });
  }

  /** A condensation and the message that it becomes have the same text. */
  #addSummary(about: About, event: LocatedValue): void {
    const text = optionalText(optionalField(event, "summary"));
    if (text === "" || text === this.#summary) return;
    const compacts = this.#forgotten(optionalItems(optionalField(event, "forgotten_event_ids")).map(optionalText));
    this.#push(asSummary({ ...about, message: { role: "user", parts: textPart(text) } }, compacts));
    this.#summary = text;
  }

  /** A summary says what an earlier one said, too: its messages are those of both. */
  #forgotten(ids: readonly string[]): Compaction | undefined {
    const [first, last] = [ids.at(0), ids.at(-1)];
    const after = first === undefined ? undefined : this.links.get(first);
    if (after === undefined || last === undefined) return undefined;
    this.#forgottenAfter = this.#forgottenAfter === undefined ? after : this.#forgottenAfter;
    return { after: this.#forgottenAfter, last };
  }

  #addData(about: About, label: string, text: string): void {
    this.#push(asData({ ...about, message: { role: "user", parts: textPart(text) } }, label));
  }

  #push(message: ForeignMessage): void {
    if (message.message.parts.length > 0) this.#messages.push(this.#holder.hold(message));
  }
}

const ROOT = "__root__";
const NOTHING = { createdAtMs: 0, state: "complete", model: "", id: "" } as const;

interface About extends Omit<ForeignMessage, "message"> {
  readonly node?: ForeignNode;
}

interface Outcome {
  readonly outcome: ToolResultPart["outcome"];
  readonly text: string;
  readonly files: readonly ResultFile["part"][];
}

interface Content {
  readonly parts: Message["parts"];
  readonly files: readonly ResultFile["part"][];
}

/** Text, or a list of texts and of pictures, of which each may have several addresses. */
function contentIn(content: LocatedValue): Content {
  if (typeof content.value === "string") return { parts: textPart(content.value), files: [] };
  const parts = optionalItems(content).flatMap((item): readonly Part[] => {
    const addresses = optionalItems(optionalField(item, "image_urls")).map(optionalText);
    if (addresses.length > 0) return addresses.map((address) => pictureAt(address));
    return textPart(textIn(item));
  });
  const files = parts.flatMap((part) => (part.kind === "image" || part.kind === "attachment" ? [part] : []));
  return { parts, files };
}

function textIn(place: LocatedValue): string {
  return typeof place.value === "string" ? place.value : optionalText(optionalField(place, "text"));
}

function observationIn(observation: LocatedValue): Outcome {
  const { parts, files } = contentIn(optionalField(observation, "content"));
  const isError = optionalField(observation, "is_error").value === true;
  const said = parts.flatMap((part) => {
    if (part.kind === "image" || part.kind === "attachment") return [standIn(part)];
    return part.kind === "text" ? [part.text] : [];
  });
  const older = ["output", "error", "message"].map((name) => optionalText(optionalField(observation, name)));
  const text = said.length > 0 ? said.join("\n") : older.find((each) => each !== "");
  return {
    outcome: isError ? "error" : "ok",
    text: text ?? boundedJson(withoutKind(observation.value)),
    files,
  };
}

/** Thinking of any model: its words, or blocks of them. */
function thoughtIn(place: LocatedValue): readonly Part[] {
  const text = optionalText(optionalField(place, "reasoning_content"));
  if (text !== "") return [{ kind: "thinking", text }];
  const blocks = optionalItems(optionalField(place, "thinking_blocks")).flatMap(thinkingIn);
  return blocks.length > 0 ? blocks : summaryOf(optionalField(place, "responses_reasoning_item"));
}

function summaryOf(item: LocatedValue): readonly Part[] {
  const text = joined(optionalItems(optionalField(item, "summary")).map(textIn), "\n");
  return text === "" ? [] : [{ kind: "thinking", text }];
}

function joined(texts: readonly string[], separator: string): string {
  return texts.filter((text) => text !== "").join(separator);
}

type Fields = Readonly<Record<string, unknown>> & { readonly kind?: unknown };

function withoutKind(value: unknown): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? omit(value as Fields, "kind")
    : (value ?? {});
}
