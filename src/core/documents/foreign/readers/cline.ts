/**
 * `api_conversation_history.json` of Cline, Roo Code, Zoo Code and Kilo Code: a list of messages of the Messages API, or
 * Roo's second form, an object with messages of the AI SDK.
 */

import { DocumentReader, type LocatedValue } from "../../documentReader.ts";
import type { Part } from "../../../message.ts";
import {
  optionalCount,
  optionalField,
  optionalItems,
  optionalText,
  type Compaction,
  type ForeignConversation,
  type ForeignMessage,
  type HeldMessage,
  type ForeignUsage,
} from "../foreignConversation.ts";
import { boundedJson, listIn, member, stringField } from "../../../json.ts";
import { DamagedLines } from "../damagedLines.ts";
import { isObjectWith, type ForeignFile, type ForeignRecord } from "../foreignFile.ts";
import type { MessageHolder } from "../heldMessages.ts";
import { asData, thoughtAndSummary } from "../userParts.ts";
import { labelOfLine } from "./claudeCode.ts";
import { readMessage, thinkingIn } from "./messagesApi.ts";

export function isCline(file: ForeignFile): boolean {
  if (file.has(isSecondForm)) return true;
  if (!file.isList && !file.isDamagedList) return false;
  return file.has((value) => ["user", "assistant"].includes(stringField(value, "role")));
}

function isSecondForm(value: unknown): boolean {
  return member(value, "version") === 2 && listIn(value, "messages").some((item) => isRecord(item));
}

function isRecord(value: unknown): boolean {
  return (
    ["user", "assistant", "tool"].includes(stringField(value, "role")) || stringField(value, "type") === "reasoning"
  );
}

export function readCline(file: ForeignFile, holder: MessageHolder): ForeignConversation {
  const messages: HeldMessage[] = [];
  const condensed = new Condensed();
  const push = (message: ForeignMessage): void => {
    const node = { key: String(messages.length), follows: messages.at(-1)?.node?.key ?? null };
    messages.push(holder.hold({ ...message, node }));
  };
  const damaged = new DamagedLines();
  /** Thinking that Roo stores before its answer, without a role. */
  let thought: readonly Part[] = [];
  for (const record of recordsOf(file, damaged)) {
    if (optionalField(record, "role").value === undefined && optionalField(record, "type").value === "reasoning") {
      thought = [...thought, ...thinkingIn(record)];
      continue;
    }
    const read = new DocumentReader();
    const made = messageIn(read, record);
    if (read.fault !== undefined) {
      damaged.add({ line: record.line, text: boundedJson(record.value) }, read.fault);
      continue;
    }
    if (made.message.role === "assistant" && !isSummary(record)) {
      condensed.note(record, messages);
      push({ ...made, message: { role: "assistant", parts: [...thought, ...made.message.parts] } });
    } else {
      if (thought.length > 0) push({ ...made, message: { role: "assistant", parts: thought }, id: "" });
      const compacts = condensed.note(record, messages);
      if (isSummary(record)) for (const each of thoughtAndSummary(made, compacts)) push(each);
      else push(made);
    }
    thought = [];
  }
  if (thought.length > 0) push({ ...NOTHING, message: { role: "assistant", parts: thought } });
  return { title: "", messages, damaged };
}

function* recordsOf(file: ForeignFile, damaged: DamagedLines): Generator<ForeignRecord> {
  const list = file.list("messages");
  if (list === undefined) yield* file.records(damaged);
  let line = 0;
  for (const message of list ?? []) yield { ...message, line: ++line };
}

const NOTHING = { createdAtMs: 0, state: "complete", model: "", id: "" } as const;

function messageIn(read: DocumentReader, record: LocatedValue): ForeignMessage {
  const made = readMessage(read, withoutToolRole(record), optionalField(record, "ts"));
  if (read.fault !== undefined) return made;
  const label = labelOfLine(record);
  const { role, parts } = made.message;
  if (isSummary(record)) return made;
  if (label !== undefined && role === "user") return { ...asData(made, label), id: "" };
  if (role === "user") return made;
  const thinking = thoughtBeside(record);
  const model = made.model || optionalText(optionalField(optionalField(record, "modelInfo"), "modelId"));
  const usage = made.usage ?? metricsIn(optionalField(record, "metrics"));
  return {
    ...made,
    message: { role, parts: parts.some(({ kind }) => kind === "thinking") ? parts : [...thinking, ...parts] },
    model,
    ...(usage === undefined ? {} : { usage }),
  };
}

/** Of the model or in the user's role, as versions differ. */
function isSummary(record: LocatedValue): boolean {
  return labelOfLine(record) === "summary";
}

/** Messages that summaries of Roo stand for: each has the id of its summary, and a summary may have that of a later one. */
class Condensed {
  readonly #ranges = new Map<string, { readonly after: string | null; last: string }>();

  /** Notes the next of `messages`; returns what it stands for. */
  note(record: LocatedValue, messages: readonly HeldMessage[]): Compaction | undefined {
    const own = this.#ranges.get(optionalText(optionalField(record, "condenseId")));
    const parent = optionalText(optionalField(record, "condenseParent"));
    const known = this.#ranges.get(parent);
    const last = String(messages.length);
    if (known !== undefined) known.last = last;
    else if (parent !== "") {
      const before = messages.at(-1)?.node?.key ?? null;
      this.#ranges.set(parent, { after: own === undefined ? before : own.after, last });
    }
    return own === undefined ? undefined : { ...own };
  }
}

/** Results of calls are messages of a role of their own in the second form. */
function withoutToolRole({ value, path }: LocatedValue): LocatedValue {
  return { value: isObjectWith(value, "role") && value.role === "tool" ? { ...value, role: "user" } : value, path };
}

/** Thinking of an answer that has none in its content. */
function thoughtBeside(record: LocatedValue): readonly Part[] {
  const text = optionalText(optionalField(record, "reasoning_content"));
  if (text !== "") return [{ kind: "thinking", text }];
  const options = optionalField(optionalField(record, "providerOptions"), "openrouter");
  const details = [record, options].flatMap((place) => optionalItems(optionalField(place, "reasoning_details")));
  const texts = details.flatMap(thinkingIn).flatMap((part) => (part.kind === "thinking" ? [part.text] : []));
  return texts.length === 0 ? [] : [{ kind: "thinking", text: texts.join("\n") }];
}

function metricsIn(metrics: LocatedValue): ForeignUsage | undefined {
  const tokens = optionalField(metrics, "tokens");
  const cacheReadTokens = optionalCount(optionalField(tokens, "cached"));
  const inputTokens = optionalCount(optionalField(tokens, "prompt")) + cacheReadTokens;
  const outputTokens = optionalCount(optionalField(tokens, "completion"));
  if (inputTokens + outputTokens === 0) return undefined;
  const cost = optionalField(metrics, "cost").value;
  const price = typeof cost === "number" && cost > 0 && cost < 1e6 ? { costUsd: cost } : {};
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens: 0, ...price };
}
