/**
 * Encoder for the Responses API. The service stores nothing (`store: false`), so the model's reasoning is sent back and
 * forth, encrypted. No sampling parameters: reasoning models refuse them.
 */

import type {
  EasyInputMessage,
  ResponseCreateParamsStreaming,
  ResponseInputContent,
  ResponseInputItem,
} from "openai/resources/responses/responses";
import { openAiReasons, openAiTakesLength, EFFORTS, VERBOSITY } from "../generationOptions.ts";
import { textOf, type Message, type Part, type ThinkingPart } from "../../../core/message.ts";
import { type StreamOptions, type WireContext } from "../../../core/stream/provider.ts";
import { readOpenAiSignature } from "../../http/signatures.ts";
import { imageText } from "../../http/pictures.ts";
import {
  attachmentText,
  callInputJson,
  CONTINUE_TEXT,
  EARLIER_TEXT,
  givenLast,
  schemaObject,
} from "../../http/wireMessages.ts";
import { withWireCallIds } from "../../http/callIds.ts";

/** Parameters that some models refuse. */
export type ResponsesParameter = "reasoning.summary" | "reasoning.effort" | "include" | "text.verbosity" | "tools";

export interface ResponsesForm {
  readonly accepts: (name: ResponsesParameter, value?: string) => boolean;
  /** Whether earlier reasoning is sent back. */
  readonly withReasoning: boolean;
  /** The answer at the end is sent as it is, to be continued. */
  readonly givesLast?: boolean;
}

/** Minimum that the service accepts. */
const LEAST_OUTPUT_TOKENS = 16;

export function encodeResponses(
  given: WireContext,
  options: StreamOptions,
  form: ResponsesForm,
): ResponseCreateParamsStreaming {
  return {
    model: options.model,
    max_output_tokens: Math.max(LEAST_OUTPUT_TOKENS, options.maxOutputTokens),
    stream: true,
    store: false,
    ...(given.systemPrompt === "" ? {} : { instructions: given.systemPrompt }),
    ...encodeTools(given, form),
    ...encodeReasoning(options, form),
    ...encodeLength(options, form),
    input: encodeInput(given.messages, form),
  };
}

function encodeTools({ tools }: WireContext, form: ResponsesForm): Pick<ResponseCreateParamsStreaming, "tools"> {
  if (tools.length === 0 || !form.accepts("tools")) return {};
  return {
    tools: tools.map((tool) => ({
      type: "function",
      name: tool.name,
      description: tool.description,
      parameters: schemaObject(tool),
      // Schemas of other extensions' tools seldom follow the rules of strict mode.
      strict: false,
    })),
  };
}

function encodeReasoning(
  { model, reasoningEffort }: StreamOptions,
  form: ResponsesForm,
): Pick<ResponseCreateParamsStreaming, "reasoning" | "include"> {
  if (!openAiReasons(model)) return {};
  const effort = reasoningEffort === undefined ? undefined : EFFORTS[reasoningEffort];
  const reasoning = {
    ...(form.accepts("reasoning.summary") ? { summary: "auto" as const } : {}),
    ...(effort !== undefined && form.accepts("reasoning.effort", effort) ? { effort } : {}),
  };
  return {
    ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    ...(form.accepts("include") ? { include: ["reasoning.encrypted_content" as const] } : {}),
  };
}

function encodeLength(
  { model, answerLength }: StreamOptions,
  form: ResponsesForm,
): Pick<ResponseCreateParamsStreaming, "text"> {
  if (answerLength === undefined || !openAiTakesLength(model)) return {};
  const verbosity = VERBOSITY[answerLength];
  return form.accepts("text.verbosity", verbosity) ? { text: { verbosity } } : {};
}

function encodeInput(
  given: readonly Message[],
  { withReasoning, givesLast = false }: Pick<ResponsesForm, "withReasoning" | "givesLast">,
): ResponseInputItem[] {
  const messages = givesLast ? withAnswerGivenLast(given) : given;
  const items = withoutDanglingReasoning(
    withWireCallIds(messages).flatMap((message) => encodeMessage(message, withReasoning)),
  );
  return [
    ...(isModelOutput(items.at(0)) ? [userMessage(EARLIER_TEXT)] : []),
    ...items,
    ...(isModelOutput(items.at(-1)) && !givesLast ? [userMessage(CONTINUE_TEXT)] : []),
  ];
}

/** One item for all of it: llama.cpp refuses two. */
function withAnswerGivenLast(messages: readonly Message[]): readonly Message[] {
  const start = messages.findLastIndex(({ role }) => role !== "assistant") + 1;
  const answer = { role: "assistant", parts: messages.slice(start).flatMap(({ parts }) => parts) } as const;
  return [...messages.slice(0, start), givenLast(answer)];
}

/** Whether the model wrote the item. */
function isModelOutput(item: ResponseInputItem | undefined): boolean {
  if (item === undefined) return false;
  if (item.type === "reasoning" || item.type === "function_call") return true;
  return "role" in item && item.role === "assistant";
}

/** The service refuses reasoning without model output after it, as in an answer that was cut there. */
function withoutDanglingReasoning(items: readonly ResponseInputItem[]): readonly ResponseInputItem[] {
  return items.filter((item, index) => {
    if (item.type !== "reasoning") return true;
    const next = items.slice(index + 1).find(({ type }) => type !== "reasoning");
    return isModelOutput(next);
  });
}

function encodeMessage(message: Message, withReasoning: boolean): ResponseInputItem[] {
  switch (message.role) {
    case "system":
      return textOf(message) === "" ? [] : [{ role: "system", content: textOf(message) }];
    case "assistant":
      return message.parts.flatMap((part) => encodeAssistantPart(part, withReasoning));
    case "user": {
      const results = message.parts.flatMap((part): ResponseInputItem[] =>
        part.kind === "toolResult" ? [{ type: "function_call_output", call_id: part.callId, output: part.text }] : [],
      );
      const content = message.parts.flatMap(encodeUserPart);
      return content.length === 0 ? results : [...results, { role: "user", content }];
    }
  }
}

function encodeUserPart(part: Part): ResponseInputContent[] {
  switch (part.kind) {
    case "text":
      return part.text === "" ? [] : [{ type: "input_text", text: part.text }];
    case "attachment":
      return [{ type: "input_text", text: attachmentText(part) }];
    case "image":
      return [{ type: "input_image", detail: "auto", image_url: `data:${part.mediaType};base64,${part.dataBase64}` }];
    case "thinking":
    case "toolCall":
    case "toolResult":
      return [];
  }
}

function encodeAssistantPart(part: Part, withReasoning: boolean): ResponseInputItem[] {
  switch (part.kind) {
    case "text":
      return ownText(part.text);
    case "attachment":
      return ownText(attachmentText(part));
    case "image":
      return ownText(imageText(part.mediaType));
    case "toolCall":
      return [
        { type: "function_call", call_id: part.callId, name: part.name, arguments: callInputJson(part.inputJson) },
      ];
    case "thinking":
      return withReasoning ? encodeThinking(part) : [];
    case "toolResult":
      return [];
  }
}

/** The service accepts only reasoning that it encrypted: drops another's, and reasoning that was cut off. */
function encodeThinking({ text, signature = "" }: ThinkingPart): ResponseInputItem[] {
  const reasoning = readOpenAiSignature(signature);
  if (reasoning === undefined) return [];
  const { id, encrypted } = reasoning;
  const summary = text === "" ? [] : [{ type: "summary_text" as const, text }];
  return [{ type: "reasoning", id, summary, encrypted_content: encrypted }];
}

/** llama.cpp refuses a message of the model without its type. */
function ownText(text: string): EasyInputMessage[] {
  return text === "" ? [] : [{ type: "message", role: "assistant", content: text }];
}

function userMessage(text: string): EasyInputMessage {
  return { role: "user", content: text };
}
