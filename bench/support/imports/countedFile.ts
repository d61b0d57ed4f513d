/**
 * Contents of a file of another tool, read by the shortest code that finds it: words, thoughts, calls with what was given
 * to them, results and pictures. For files of which nobody knows what is in them; shares nothing with the readers.
 */

import { readFileSync } from "node:fs";

export interface CountedFile {
  readonly format: string;
  /** Texts of all kinds. */
  readonly texts: readonly string[];
  /** Base64. */
  readonly pictures: ReadonlySet<string>;
  /** Ids of calls, and of those that have results. */
  readonly calls: ReadonlySet<string>;
  readonly results: ReadonlySet<string>;
}

/** `undefined` for a file of no known format. */
export function countedFile(file: string): CountedFile | undefined {
  const content = readFileSync(file, "utf8");
  const records = recordsIn(content);
  for (const [format, isOf, count] of FORMATS) {
    if (!isOf(records, content)) continue;
    const sums = new Sums();
    count(records, sums, content);
    const { texts, pictures, calls, results } = sums;
    return { format, texts, pictures, calls, results };
  }
  return undefined;
}

/** A value of JSON that may lack anything. */
class Node {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  get(...path: readonly string[]): Node {
    let value = this.value;
    for (const name of path)
      value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
    return new Node(value);
  }

  has(...path: readonly string[]): boolean {
    return this.get(...path).value !== undefined;
  }

  get text(): string {
    return typeof this.value === "string" ? this.value : "";
  }

  get items(): readonly Node[] {
    return Array.isArray(this.value) ? this.value.map((item) => new Node(item)) : [];
  }

  get members(): readonly Node[] {
    return typeof this.value === "object" && this.value !== null
      ? Object.values(this.value).map((item) => new Node(item))
      : [];
  }
}

class Sums {
  readonly texts: string[] = [];
  readonly pictures = new Set<string>();
  readonly calls = new Set<string>();
  readonly results = new Set<string>();

  add(...nodes: readonly Node[]): void {
    for (const { text } of nodes) if (text !== "") this.texts.push(text);
  }

  call(id: Node, input: Node): void {
    this.calls.add(id.text);
    this.texts.push(...leavesOf(input.value));
  }

  result(id: Node, ...texts: readonly Node[]): void {
    this.results.add(id.text);
    this.add(...texts);
  }

  picture({ text }: Node): void {
    const data = text.replace(/^data:[^,]*,/, "");
    if (/^[\w+/=]{40,}$/.test(data)) this.pictures.add(data);
  }

  /** Content of the Messages API. */
  blocks(content: Node): void {
    this.add(content);
    for (const block of content.items) {
      this.add(block, block.get("text"), block.get("thinking"));
      const type = block.get("type").text;
      if (type.endsWith("tool_use")) this.call(block.get("id"), block.get("input"));
      if (type.endsWith("tool_result")) {
        const inner = block.get("content");
        this.result(block.get("tool_use_id"), inner, ...inner.items.map((item) => item.get("text")));
        for (const item of inner.items) if (item.get("type").text === "image") this.picture(item.get("source", "data"));
      }
      if (type === "image") this.picture(block.get("source", "data"));
    }
  }
}

/** All strings in a value, also in JSON that is a string. */
export function leavesOf(value: unknown): readonly string[] {
  if (typeof value === "string") {
    if (!/^\s*[{[]/.test(value)) return [value];
    try {
      return leavesOf(JSON.parse(value));
    } catch {
      return [value];
    }
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

/** The items of a list, the one value, or the values of the lines; what is no JSON is left out. */
function recordsIn(content: string): readonly Node[] {
  const text = content.replace(/^\uFEFF/, "");
  const parsed = (json: string): readonly unknown[] => {
    try {
      return [JSON.parse(json)];
    } catch {
      return [];
    }
  };
  const [whole] = parsed(text);
  const values = Array.isArray(whole) ? whole : whole === undefined ? text.split("\n").flatMap(parsed) : [whole];
  return values.map((value) => new Node(value));
}

type Recognizes = (records: readonly Node[], content: string) => boolean;
type Counts = (records: readonly Node[], sums: Sums, content: string) => void;

const some =
  (...paths: readonly (readonly string[])[]): Recognizes =>
  (records) =>
    records.some((record) => paths.every((path) => record.has(...path)));

const FORMATS: readonly (readonly [string, Recognizes, Counts])[] = [
  ["aider", (_, content) => /^# aider chat started at/m.test(content.slice(0, 4_000)), countAider],
  ["codex", (records) => records.some((each) => each.has("payload") && each.has("timestamp")), countCodex],
  ["claudeCode", some(["message", "role"], ["type"], ["timestamp"]), countClaudeCode],
  ["copilotCli", some(["data"], ["type"], ["id"]), countCopilotCli],
  ["chatGpt", some(["mapping"]), countChatGpt],
  ["claudeAi", some(["chat_messages"]), countClaudeAi],
  ["geminiCli", some(["sessionId"], ["projectHash"]), countGeminiCli],
  ["continue", some(["sessionId"], ["history"]), countContinue],
  ["opencode", some(["info"], ["messages"]), countOpencode],
  ["openHands", (records) => eventsIn(records).length > 0, countOpenHands],
  ["sweAgent", some(["history"], ["trajectory"]), countSweAgent],
  ["editorChat", some(["requests"]), countEditorChat],
  [
    "cline",
    some(["role"], ["content"]),
    (records, sums) => records.forEach((each) => sums.blocks(each.get("content"))),
  ],
];

function countAider(_: readonly Node[], sums: Sums, content: string): void {
  sums.texts.push(content.replace(/^(?:####|>)(?: |$)/gm, "").replace(/^# aider/gm, "aider"));
}

function countCodex(records: readonly Node[], sums: Sums): void {
  const hasItems = records.some((record) => record.get("payload", "type").text === "message");
  for (const record of records) {
    const item = record.get("payload");
    const id = item.get("call_id");
    // Events say what items say, too, with marks left out.
    if (hasItems && record.get("type").text === "event_msg") continue;
    switch (item.get("type").text) {
      case "message":
        for (const part of item.get("content").items) {
          sums.add(part.get("text"));
          sums.picture(part.get("image_url"));
        }
        break;
      case "reasoning":
        for (const name of ["summary", "content"]) sums.add(...item.get(name).items.map((part) => part.get("text")));
        break;
      case "function_call":
        sums.call(id, item.get("arguments"));
        break;
      case "custom_tool_call":
        sums.call(id, item.get("input"));
        break;
      case "function_call_output":
      case "custom_tool_call_output":
        sums.result(id, item.get("output"), item.get("output", "content"));
        for (const part of item.get("output").items) sums.add(part.get("text"));
        break;
      case "user_message":
      case "agent_message":
        sums.add(item.get("message"));
        break;
      case "agent_reasoning":
        sums.add(item.get("text"));
        break;
    }
    if (record.get("type").text === "compacted") sums.add(item.get("message"));
  }
}

function countClaudeCode(records: readonly Node[], sums: Sums): void {
  for (const record of records) {
    const type = record.get("type").text;
    const isCaveat = record.get("isMeta").value === true;
    if ((type === "user" || type === "assistant") && !isCaveat) sums.blocks(record.get("message", "content"));
    if (type === "summary") continue;
    if (record.get("attachment", "type").text === "queued_command") sums.blocks(record.get("attachment", "prompt"));
  }
}

function countCopilotCli(records: readonly Node[], sums: Sums): void {
  for (const record of records) {
    const data = record.get("data");
    switch (record.get("type").text) {
      case "user.message":
      case "assistant.message":
        sums.add(data.get("content"), data.get("reasoningText"));
        for (const call of data.get("toolRequests").items) sums.call(call.get("toolCallId"), call.get("arguments"));
        break;
      case "tool.execution_complete":
        sums.result(data.get("toolCallId"), data.get("result", "content"), data.get("error", "message"));
        break;
      case "assistant.reasoning":
        sums.add(data.get("content"));
        break;
    }
  }
}

function countChatGpt(records: readonly Node[], sums: Sums): void {
  for (const { message } of records.flatMap((record) =>
    record.get("mapping").members.map((node) => ({ message: node.get("message") })),
  )) {
    const content = message.get("content");
    sums.add(content.get("text"), content.get("result"), content.get("content"));
    for (const part of content.get("parts").items) sums.add(part, part.get("text"));
    for (const thought of content.get("thoughts").items) sums.add(thought.get("summary"), thought.get("content"));
  }
}

function countClaudeAi(records: readonly Node[], sums: Sums): void {
  for (const message of records.flatMap((record) => record.get("chat_messages").items)) {
    sums.blocks(message.get("content"));
    for (const file of message.get("attachments").items) sums.add(file.get("extracted_content"));
  }
}

function countGeminiCli(records: readonly Node[], sums: Sums): void {
  // A message stands once more with each change of it.
  const messages = new Map<string, Node>();
  for (const record of records.flatMap((each) => [each, ...each.get("messages").items]))
    if (record.has("type")) messages.set(record.get("id").text, record);
  for (const message of messages.values()) {
    const content = message.get("content");
    for (const part of [content, ...content.items.map((each) => each.get("text"))])
      sums.texts.push(part.text.replace(/^(?:--- .* ---|Content from @.*:)$/gm, ""));
    for (const thought of message.get("thoughts").items) sums.add(thought.get("description"));
    for (const call of message.get("toolCalls").items) {
      sums.call(call.get("id"), call.get("args"));
      for (const part of call.get("result").items) {
        const response = part.get("functionResponse", "response");
        sums.result(call.get("id"), response.get("output"), response.get("error"));
      }
    }
  }
}

function countContinue(records: readonly Node[], sums: Sums): void {
  for (const item of records.flatMap((record) => record.get("history").items)) {
    const content = item.get("message", "content");
    sums.add(content, item.get("reasoning", "text"), item.get("conversationSummary"));
    for (const part of content.items) {
      sums.add(part.get("text"));
      sums.picture(part.get("imageUrl", "url"));
    }
    for (const added of item.get("contextItems").items) sums.add(added.get("content"));
    for (const call of item.get("message", "toolCalls").items)
      sums.call(call.get("id"), call.get("function", "arguments"));
  }
}

function countOpencode(records: readonly Node[], sums: Sums): void {
  for (const part of records.flatMap((record) =>
    record.get("messages").items.flatMap((each) => each.get("parts").items),
  )) {
    sums.add(part.get("text"));
    if (part.get("type").text !== "tool") continue;
    sums.call(part.get("callID"), part.get("state", "input"));
    if (part.has("state", "output")) sums.result(part.get("callID"), part.get("state", "output"));
  }
}

function eventsIn(records: readonly Node[]): readonly Node[] {
  const lists = records.flatMap((record) => [...record.get("history").items, ...record.get("trajectory").items]);
  const events = [...records, ...lists].flatMap((each) => (Array.isArray(each.value) ? each.items : [each]));
  return events.filter((each) => each.has("source") && (each.has("action") || each.has("observation")));
}

function countOpenHands(records: readonly Node[], sums: Sums): void {
  for (const event of eventsIn(records)) {
    const isSeen = !["agent_state_changed", "null"].includes(event.get("observation").text);
    if (isSeen) sums.add(event.get("content"), event.get("args", "content"), event.get("args", "thought"));
    sums.add(event.get("args", "command"), event.get("args", "code"));
  }
}

function countSweAgent(records: readonly Node[], sums: Sums): void {
  for (const message of records.flatMap((record) => record.get("history").items)) {
    const content = message.get("content");
    sums.add(content, ...content.items.map((part) => part.get("text")));
    for (const call of message.get("tool_calls").items) sums.call(call.get("id"), call.get("function", "arguments"));
  }
}

function countEditorChat(records: readonly Node[], sums: Sums): void {
  for (const request of records.flatMap((record) => record.get("requests").items)) {
    sums.add(request.get("message", "text"));
    for (const round of request.get("result", "metadata", "toolCallRounds").items) {
      sums.add(round.get("response"));
      for (const call of round.get("toolCalls").items) sums.call(call.get("id"), call.get("arguments"));
    }
  }
}
