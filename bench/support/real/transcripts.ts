/**
 * Reads recorded conversations in the formats of other tools, by code of its own: Claude Code and pi (JSONL), Gemini CLI
 * and ChatGPT (JSON), OpenHands (JSONL of events), lists of messages in OpenAI's form, and SpecStory (Markdown).
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import type { ToolCallId } from "../../../src/core/ids.ts";
import type { Message, Part, ToolCallPart } from "../../../src/core/message.ts";

export interface Transcript {
  readonly name: string;
  readonly messages: readonly RecordedMessage[];
}

export interface RecordedMessage {
  readonly message: Message;
  /** Text that the user typed, without what a tool added. Empty for all other messages. */
  readonly own: string;
}

/** The conversations of a file; none if its format is unknown. */
export function readTranscripts(file: string): readonly Transcript[] {
  const text = readFileSync(file, "utf8");
  const name = path.basename(file).replace(/\.(?:jsonl?|md)$/, "");
  const read = file.endsWith(".md") ? [specStory(text)] : file.endsWith(".jsonl") ? jsonLines(text) : json(text);
  return read.flatMap((messages, index) =>
    messages.length === 0 ? [] : [{ name: read.length === 1 ? name : `${name}#${String(index + 1)}`, messages }],
  );
}

/** Results are recorded in the length in which a tool of Forge returns them. */
const LONGEST_RESULT = 32_000;

/** Joins calls and results, which formats record one by one, into batches. */
class Recorder {
  readonly messages: RecordedMessage[] = [];
  #said: Part[] = [];
  #results: { readonly callId: string; readonly text: string; readonly isError: boolean }[] = [];

  user(text: string): void {
    this.#flush();
    if (text.trim() === "") return;
    this.messages.push({ message: { role: "user", parts: [{ kind: "text", text }] }, own: ownWords(text) });
  }

  says(text: string, kind: "text" | "thinking" = "text"): void {
    if (this.#results.length > 0) this.#flush();
    if (text.trim() !== "") this.#said.push({ kind, text });
  }

  calls(callId: string, name: string, input: unknown): void {
    if (this.#results.length > 0) this.#flush();
    this.#said.push({ kind: "toolCall", callId: callId as ToolCallId, name, inputJson: JSON.stringify(input ?? {}) });
  }

  returns(callId: string, text: string, isError = false): void {
    this.#results.push({ callId, text: text.slice(0, LONGEST_RESULT), isError });
  }

  end(): readonly RecordedMessage[] {
    this.#flush();
    return this.messages;
  }

  #flush(): void {
    const said = this.#said;
    const results = this.#results;
    [this.#said, this.#results] = [[], []];
    if (said.length === 0) return;
    this.messages.push({ message: { role: "assistant", parts: said }, own: "" });
    const calls = said.filter((part): part is ToolCallPart => part.kind === "toolCall");
    if (calls.length === 0) return;
    const parts = calls.map(({ callId }): Part => {
      const result = results.find((each) => each.callId === callId);
      if (result === undefined) return { kind: "toolResult", callId, outcome: "interrupted", text: "interrupted" };
      return { kind: "toolResult", callId, outcome: result.isError ? "error" : "ok", text: result.text };
    });
    this.messages.push({ message: { role: "user", parts }, own: "" });
  }
}

/** Tags in which tools put what the user did not type. */
const ADDED =
  /<(system-reminder|command-name|command-message|command-contents|local-command-stdout|local-command-stderr|task-notification|ide_selection|ide_opened_file|environment_details|session_context)>[\s\S]*?<\/\1>/g;

/** Tags around what the user typed after a command. */
const AROUND_WORDS = /<\/?command-args>/g;

function ownWords(text: string): string {
  if (/^\s*(?:Caveat: The messages below|\[Request interrupted|This session is being continued)/.test(text)) return "";
  return text.replaceAll(ADDED, "").replaceAll(AROUND_WORDS, "").trim();
}

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The texts of a content: a string, or parts with texts. */
function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  return objects(content)
    .map((part) => string(part["text"]))
    .join("\n");
}

function jsonLines(text: string): readonly (readonly RecordedMessage[])[] {
  const lines = text.split("\n").flatMap((line): readonly Json[] => {
    try {
      const value: unknown = JSON.parse(line);
      return isObject(value) ? [value] : [];
    } catch {
      return [];
    }
  });
  if (lines.some((line) => Array.isArray(line["history"]))) {
    return lines.map((line) => openHands(objects(line["history"])));
  }
  return [lines.some(({ type }) => type === "session") ? pi(lines) : claudeCode(lines)];
}

function claudeCode(lines: readonly Json[]): readonly RecordedMessage[] {
  const recorder = new Recorder();
  for (const line of lines) {
    const { type, message, isMeta, isSidechain, isCompactSummary } = line;
    if (isMeta === true || isSidechain === true || isCompactSummary === true || !isObject(message)) continue;
    const { content } = message;
    if (type === "user") {
      const results = objects(content).filter((part) => part["type"] === "tool_result");
      for (const part of results) {
        recorder.returns(string(part["tool_use_id"]), textIn(part["content"]), part["is_error"] === true);
      }
      if (results.length === 0) recorder.user(textIn(content));
    } else if (type === "assistant") {
      for (const part of objects(content)) {
        if (part["type"] === "text") recorder.says(string(part["text"]));
        else if (part["type"] === "thinking") recorder.says(string(part["thinking"]), "thinking");
        else if (part["type"] === "tool_use") recorder.calls(string(part["id"]), string(part["name"]), part["input"]);
      }
    }
  }
  return recorder.end();
}

function pi(lines: readonly Json[]): readonly RecordedMessage[] {
  const recorder = new Recorder();
  for (const { message } of lines) {
    if (!isObject(message)) continue;
    const { role, content } = message;
    if (role === "user") recorder.user(textIn(content));
    else if (role === "toolResult") {
      recorder.returns(string(message["toolCallId"]), textIn(content), message["isError"] === true);
    } else if (role === "assistant") {
      for (const part of objects(content)) {
        if (part["type"] === "text") recorder.says(string(part["text"]));
        else if (part["type"] === "thinking") recorder.says(string(part["thinking"]), "thinking");
        else if (part["type"] === "toolCall")
          recorder.calls(string(part["id"]), string(part["name"]), part["arguments"]);
      }
    }
  }
  return recorder.end();
}

function openHands(events: readonly Json[]): readonly RecordedMessage[] {
  const recorder = new Recorder();
  for (const { id, source, message, action, args, observation, cause, content } of events) {
    if (action === "message" && source === "user") recorder.user(string(message));
    else if (typeof observation === "string") recorder.returns(String(cause), string(content) || string(message));
    else if (typeof action === "string" && isObject(args)) {
      const { thought, ...input } = args;
      recorder.says(string(thought));
      if (action === "message" || action === "finish") recorder.says(string(message));
      else recorder.calls(String(id), action, input);
    }
  }
  return recorder.end();
}

function json(text: string): readonly (readonly RecordedMessage[])[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (isObject(value)) {
    const { messages } = value;
    return [
      objects(messages).some(({ type }) => type === "gemini") ? gemini(objects(messages)) : openAi(objects(messages)),
    ];
  }
  return objects(value).map((each) => {
    const { mapping, traj } = each;
    return isObject(mapping)
      ? chatGpt(mapping, string(each["current_node"]))
      : openAi(objects(traj ?? each["messages"]));
  });
}

function gemini(messages: readonly Json[]): readonly RecordedMessage[] {
  const recorder = new Recorder();
  for (const { type, content, toolCalls } of messages) {
    if (type === "user") recorder.user(textIn(content));
    else if (type === "gemini") {
      recorder.says(textIn(content));
      const calls = objects(toolCalls);
      for (const call of calls) recorder.calls(string(call["id"]), string(call["name"]), call["args"]);
      for (const call of calls) {
        const outputs = objects(call["result"]).map(({ functionResponse }) => {
          const response = isObject(functionResponse) ? functionResponse["response"] : undefined;
          return isObject(response) ? string(response["output"]) || string(response["error"]) : "";
        });
        recorder.returns(string(call["id"]), outputs.join("\n"), call["status"] === "error");
      }
    }
  }
  return recorder.end();
}

function openAi(messages: readonly Json[]): readonly RecordedMessage[] {
  const recorder = new Recorder();
  for (const { role, content, tool_calls: calls, tool_call_id: answered } of messages) {
    if (role === "user") recorder.user(textIn(content));
    else if (role === "tool") recorder.returns(string(answered), textIn(content));
    else if (role === "assistant") {
      recorder.says(textIn(content));
      for (const call of objects(calls)) {
        const made = isObject(call["function"]) ? call["function"] : {};
        recorder.calls(string(call["id"]), string(made["name"]), { arguments: made["arguments"] });
      }
    }
  }
  return recorder.end();
}

/** The path from the first message to the newest. */
function chatGpt(mapping: Json, newest: string): readonly RecordedMessage[] {
  const nodes: Json[] = [];
  for (let at = mapping[newest]; isObject(at); at = mapping[string(at["parent"])]) nodes.unshift(at);
  const recorder = new Recorder();
  for (const { message } of nodes) {
    if (!isObject(message) || !isObject(message["author"]) || !isObject(message["content"])) continue;
    const { parts, text } = message["content"];
    const said = Array.isArray(parts) ? parts.filter((part) => typeof part === "string").join("\n") : string(text);
    if (message["author"]["role"] === "user") recorder.user(said);
    else if (message["author"]["role"] !== "system") recorder.says(said);
  }
  return recorder.end();
}

const SPEAKER = /^_\*\*(User|Assistant|Agent)\b[^\n]*\*\*_$/m;
const TOOL_USE = /<tool-use\b[^>]*data-tool-name="([^"]*)"[^>]*>([\s\S]*?)<\/tool-use>/;
const THOUGHTS = /<think>([\s\S]*?)<\/think>/;

function specStory(text: string): readonly RecordedMessage[] {
  const recorder = new Recorder();
  const [, ...pieces] = text.split(SPEAKER);
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const body = (pieces[at + 1] ?? "").replaceAll(/^---$/gm, "").trim();
    if (pieces[at] === "User") {
      recorder.user(body);
      continue;
    }
    const called = /^Tool use: \*\*([^*\n]+)\*\*([^\n]*)\n?([\s\S]*)$/.exec(body);
    if (called !== null) {
      const id = `call-${String(at)}`;
      recorder.calls(id, called[1] ?? "", { input: (called[2] ?? "").trim() });
      recorder.returns(id, (called[3] ?? "").trim());
    } else markedParts(body, at, recorder);
  }
  return recorder.end();
}

/** Thoughts and calls within one answer. */
function markedParts(body: string, place: number, recorder: Recorder): void {
  const pieces = body.split(
    new RegExp(`(${TOOL_USE.source.replaceAll(/\((?!\?)/g, "(?:")}|${THOUGHTS.source.replaceAll(/\((?!\?)/g, "(?:")})`),
  );
  for (const [index, piece] of pieces.entries()) {
    const tool = TOOL_USE.exec(piece);
    const thoughts = THOUGHTS.exec(piece);
    if (tool?.index === 0) {
      const id = `call-${String(place)}-${String(index)}`;
      const [head = "", ...rest] = (tool[2] ?? "").split("</summary>");
      recorder.calls(id, tool[1] ?? "", { input: head.replaceAll(/<[^>]*>/g, "").trim() });
      recorder.returns(
        id,
        rest
          .join("")
          .replaceAll(/<\/?details>/g, "")
          .trim(),
      );
    } else if (thoughts?.index === 0) recorder.says(thoughts[1] ?? "", "thinking");
    else recorder.says(piece);
  }
}
