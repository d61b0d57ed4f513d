/**
 * Encoder for `/api/chat`. Always sends the context length: the server's default is small, and longer prompts are cut
 * silently. No sampling parameters: the model's own are the right ones.
 */

import type { ReasoningEffort } from "../../core/models/generationOptions.ts";
import type { Message, Part } from "../../core/message.ts";
import { type StreamOptions, type WireContext } from "../../core/stream/provider.ts";
import { imageText } from "../http/pictures.ts";
import { attachmentText, callInputObject, schemaObject, strictAlternatingTurns } from "../http/wireMessages.ts";
import type { ModelFacts } from "./modelFacts.ts";

/** Parameters that some models refuse. */
export type OllamaParameter = "tools" | "think";

export interface OllamaForm {
  readonly facts: ModelFacts;
  /** Context length for question and answer together. */
  readonly contextTokens: number;
  readonly accepts: (name: OllamaParameter, value?: string) => boolean;
  /** The answer at the end is sent as it is, to be continued. */
  readonly givesLast?: boolean;
}

export function encodeChat(given: WireContext, options: StreamOptions, form: OllamaForm): object {
  const { facts, contextTokens } = form;
  return {
    model: options.model,
    stream: true,
    // Servers that support these report a prompt that is too long; others never get one that is.
    truncate: false,
    shift: false,
    options: { num_ctx: contextTokens, num_predict: options.maxOutputTokens },
    ...encodeThink(options.reasoningEffort, form),
    ...encodeTools(given, form),
    messages: encodeMessages(given, facts.capabilities?.has("vision") ?? true, form.givesLast),
  };
}

function encodeThink(effort: ReasoningEffort | undefined, { facts, accepts }: OllamaForm): object {
  if (effort === undefined || facts.capabilities?.has("thinking") === false) return {};
  const levels = facts.thinkingLevels;
  const level = effort === "max" ? (levels?.at(-1) ?? "high") : effort;
  const think = levels?.includes(level) === true ? level : effort !== "none";
  return accepts("think", String(think)) ? { think } : {};
}

function encodeTools({ tools }: WireContext, { facts, accepts }: OllamaForm): object {
  if (tools.length === 0 || facts.capabilities?.has("tools") === false || !accepts("tools")) return {};
  return {
    tools: tools.map((tool) => ({
      type: "function",
      function: { name: tool.name, description: tool.description, parameters: schemaObject(tool) },
    })),
  };
}

function encodeMessages(given: WireContext, seesImages: boolean, givesLast = false): readonly object[] {
  const turns = strictAlternatingTurns(
    given.messages,
    (message) => encodeMessage(message, seesImages, new Map()).length > 0,
    { givesLast },
  );
  const names = new Map(
    turns.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "toolCall" ? [[part.callId, part.name]] : []))),
  );
  const instructions = given.systemPrompt === "" ? [] : [{ role: "system", content: given.systemPrompt }];
  return [...instructions, ...turns.flatMap((message) => encodeMessage(message, seesImages, names))];
}

function encodeMessage(
  { role, parts }: Message,
  seesImages: boolean,
  names: ReadonlyMap<string, string>,
): readonly object[] {
  const content = parts.flatMap((part) => wordsOf(part, seesImages)).join(role === "assistant" ? "" : "\n\n");
  if (role === "assistant") {
    const calls = parts.flatMap((part) =>
      part.kind === "toolCall"
        ? [{ id: part.callId, function: { name: part.name, arguments: callInputObject(part.inputJson) } }]
        : [],
    );
    if (calls.length > 0) return [{ role, content, ...thinkingOf(parts), tool_calls: calls }];
    return content === "" ? [] : [{ role, content }];
  }
  const results = parts.flatMap((part) =>
    part.kind === "toolResult"
      ? [{ role: "tool", tool_call_id: part.callId, tool_name: names.get(part.callId) ?? "", content: part.text }]
      : [],
  );
  const images = seesImages ? parts.flatMap((part) => (part.kind === "image" ? [part.dataBase64] : [])) : [];
  if (content === "" && images.length === 0) return results;
  return [...results, { role: "user", content, ...(images.length === 0 ? {} : { images }) }];
}

function wordsOf(part: Part, seesImages: boolean): readonly string[] {
  if (part.kind === "text") return part.text === "" ? [] : [part.text];
  if (part.kind === "attachment") return [attachmentText(part)];
  return part.kind === "image" && !seesImages ? [imageText(part.mediaType)] : [];
}

/** Sends back the thinking before a call. Signed thinking is another service's and is not sent. */
function thinkingOf(parts: readonly Part[]): object {
  const thinking = parts.flatMap((part) =>
    part.kind === "thinking" && part.signature === undefined ? [part.text] : [],
  );
  return thinking.join("") === "" ? {} : { thinking: thinking.join("") };
}
