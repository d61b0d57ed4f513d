/**
 * Encoder for the Messages API. The same conversation always gives the same bytes, so the service's prompt cache holds
 * between requests. No sampling parameters: the service refuses them.
 */

import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  TextBlockParam,
  Tool,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type { ToolDefinition } from "../../core/context/request/requestOverhead.ts";
import type { ImagePart, Message, Part, ToolResultPart } from "../../core/message.ts";
import { type StreamOptions, type WireContext } from "../../core/stream/provider.ts";
import { answerAtEnd } from "../http/continuation.ts";
import { isAnthropicSignature } from "../http/signatures.ts";
import { imageText, PICTURE_TYPES } from "../http/pictures.ts";
import {
  attachmentText,
  callInputObject,
  CONTINUE_TEXT,
  EARLIER_TEXT,
  joinSameRole,
  recordText,
  schemaObject,
} from "../http/wireMessages.ts";
import { withWireCallIds } from "../http/callIds.ts";
import { REDACTED_PREFIX } from "./decode.ts";
import { thinkingParameters, type RequestForm } from "./thinking.ts";

export function encodeRequest(
  given: WireContext,
  options: StreamOptions,
  form: RequestForm,
): MessageCreateParamsStreaming {
  const { thinking, effort, includesEarlier } = thinkingParameters(options, form);
  const body: MessageCreateParamsStreaming = {
    model: options.model,
    max_tokens: options.maxOutputTokens,
    stream: true,
    ...(thinking === undefined ? {} : { thinking }),
    ...(effort === undefined ? {} : { output_config: { effort } }),
    messages: encodeMessages(includesEarlier ? given.messages : given.messages.map(withoutThinking), form),
  };
  if (given.tools.length > 0) body.tools = given.tools.map(encodeTool);
  if (given.systemPrompt !== "") body.system = [{ type: "text", text: given.systemPrompt, ...cacheMark(form) }];
  return body;
}

/** Cache mark for everything up to here: instructions and tools across conversations, messages for the next turn. */
function cacheMark({ omitsCacheMarks = false }: RequestForm): {
  readonly cache_control?: { readonly type: "ephemeral" };
} {
  return omitsCacheMarks ? {} : { cache_control: { type: "ephemeral" } };
}

interface Turn {
  readonly role: "user" | "assistant";
  readonly content: readonly ContentBlockParam[];
}

function encodeMessages(messages: readonly Message[], form: RequestForm): MessageCreateParamsStreaming["messages"] {
  const turns = withWireCallIds(messages)
    .map(encodeMessage)
    .filter((turn) => turn.content.length > 0);
  const joined = joinSameRole(turns, (first, second) => ({ ...first, content: [...first.content, ...second.content] }));
  const givesLast = form.givesLast === true;
  const ending = { role: "assistant", content: textBlock(answerAtEnd(messages).trimEnd()) } as const;
  const whole = [
    ...(joined.at(0)?.role === "assistant" ? [userText(EARLIER_TEXT)] : []),
    ...(givesLast ? joined.with(-1, ending) : joined).map(resultsFirst),
    ...(joined.at(-1)?.role === "assistant" && !givesLast ? [userText(CONTINUE_TEXT)] : []),
  ];
  const marked = turnsWithCacheMark(whole);
  return whole.map((turn, index) => ({
    role: turn.role,
    content: marked.has(index) ? cachedAtEnd(turn.content, form) : [...turn.content],
  }));
}

/**
 * The last turn, where the next request continues, and the user turn before it, where the last request ended: the
 * service looks back only 20 blocks from a mark, and a round of tools may have more.
 */
function turnsWithCacheMark(turns: readonly Turn[]): ReadonlySet<number> {
  const last = turns.length - 1;
  const before = turns.findLastIndex(({ role }, index) => role === "user" && index < last);
  return new Set([before, last]);
}

export function encodeMessage(message: Message): Turn {
  switch (message.role) {
    case "assistant":
      return { role: "assistant", content: withoutTrailingThinking(message.parts.flatMap(encodeAssistantPart)) };
    case "user":
      return { role: "user", content: message.parts.flatMap(encodeUserPart) };
    case "system": {
      const text = message.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("");
      return { role: "user", content: textBlock(recordText(text)) };
    }
  }
}

function encodeUserPart(part: Part): ContentBlockParam[] {
  switch (part.kind) {
    case "text":
      return textBlock(part.text);
    case "attachment":
      return textBlock(attachmentText(part));
    case "image":
      return [encodeImage(part)];
    case "toolResult":
      return [encodeResult(part)];
    case "thinking":
    case "toolCall":
      return [];
  }
}

function encodeAssistantPart(part: Part): ContentBlockParam[] {
  switch (part.kind) {
    case "text":
      return textBlock(part.text);
    case "toolCall":
      return [{ type: "tool_use", id: part.callId, name: part.name, input: callInputObject(part.inputJson) }];
    case "thinking":
      return encodeThinking(part.text, part.signature);
    case "image":
      return textBlock(imageText(part.mediaType));
    case "attachment":
      return textBlock(attachmentText(part));
    case "toolResult":
      return [];
  }
}

function withoutThinking(message: Message): Message {
  return { ...message, parts: message.parts.filter(({ kind }) => kind !== "thinking") };
}

/** The service accepts only thinking that it signed: drops another model's, and thinking that was cut off. */
function encodeThinking(thinking: string, signature: string | undefined): ContentBlockParam[] {
  if (signature === undefined || !isAnthropicSignature(signature)) return [];
  if (signature.startsWith(REDACTED_PREFIX)) {
    return [{ type: "redacted_thinking", data: signature.slice(REDACTED_PREFIX.length) }];
  }
  return [{ type: "thinking", thinking, signature }];
}

function encodeResult(part: ToolResultPart): ContentBlockParam {
  const result = { type: "tool_result", tool_use_id: part.callId, is_error: part.outcome !== "ok" } as const;
  return part.text.trim() === "" ? result : { ...result, content: part.text };
}

function encodeImage(part: ImagePart): ImageBlockParam | TextBlockParam {
  const mediaType = PICTURE_TYPES.find((known) => known === part.mediaType);
  if (mediaType === undefined) return { type: "text", text: imageText(part.mediaType) };
  return { type: "image", source: { type: "base64", media_type: mediaType, data: part.dataBase64 } };
}

export function encodeTool(tool: ToolDefinition): Tool {
  return { name: tool.name, description: tool.description, input_schema: { ...schemaObject(tool), type: "object" } };
}

/** The service refuses blocks of only white space. */
function textBlock(text: string): TextBlockParam[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

function userText(text: string): Turn {
  return { role: "user", content: textBlock(text) };
}

/** The service refuses an answer that ends with thinking, as a cut one may. */
function withoutTrailingThinking(content: readonly ContentBlockParam[]): readonly ContentBlockParam[] {
  const end = content.findLastIndex((block) => block.type !== "thinking" && block.type !== "redacted_thinking");
  return content.slice(0, end + 1);
}

/** The service requires tool results first in the user turn after the calls. */
function resultsFirst(turn: Turn): Turn {
  const results = turn.content.filter((block) => block.type === "tool_result");
  return { ...turn, content: [...results, ...turn.content.filter((block) => block.type !== "tool_result")] };
}

function cachedAtEnd(content: readonly ContentBlockParam[], form: RequestForm): ContentBlockParam[] {
  return content.map((block, index) => {
    const markable = block.type === "text" || block.type === "tool_result" || block.type === "image";
    return markable && index === content.length - 1 ? { ...block, ...cacheMark(form) } : block;
  });
}
