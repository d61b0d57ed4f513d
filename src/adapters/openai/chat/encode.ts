/**
 * Encoder for Chat Completions. OpenAI accepts system messages anywhere; chat templates of many compatible servers
 * allow one, at the start, and require alternating roles, so they get that. No sampling parameters: reasoning models
 * refuse them.
 */

import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
  ChatCompletionTool,
} from "openai/resources/chat/completions/completions";
import { openAiReasons, openAiTakesLength, EFFORTS, VERBOSITY } from "../generationOptions.ts";
import type { ToolDefinition } from "../../../core/context/request/requestOverhead.ts";
import { textMessage, textOf, type Message, type Part } from "../../../core/message.ts";
import { type StreamOptions, type WireContext } from "../../../core/stream/provider.ts";
import { imageText } from "../../http/pictures.ts";
import {
  attachmentText,
  callInputJson,
  schemaObject,
  strictAlternatingTurns,
  alternatingTurns,
} from "../../http/wireMessages.ts";
import type { ThoughtSignature } from "../../http/signatures.ts";
import { signedCalls, type SignatureForm } from "./thoughtSignatures.ts";
import type { OpenAiSettings } from "../openAiClient.ts";

/** Parameters that some models or servers refuse. */
export type ChatParameter =
  | "max_tokens"
  | "reasoning_effort"
  | "verbosity"
  | "stream_options"
  | "tools"
  | "return_progress"
  | "continue_final_message"
  | "thoughtInRest";

/** Default forms of encoding, used until a server refuses them. */
export type EncodingDefault =
  "thinkingLeftOut" | "usualCallIds" | "userAfterResults" | "unsignedCalls" | "ownSignatures" | "systemRole" | "images";

export interface ChatForm {
  readonly dialect: OpenAiSettings["name"];
  readonly accepts: (name: ChatParameter, value?: string) => boolean;
  readonly allows: (habit: EncodingDefault) => boolean;
  /** Form in which unsigned calls of other models are marked, where the server requires a mark. */
  readonly signatureService?: ThoughtSignature["service"];
  /** True when an answer at the end is sent as it is, to be continued. */
  readonly givesLast?: (messages: readonly Message[]) => boolean;
  /** The server is to report how far it has read the prompt. */
  readonly asksProgress?: boolean;
}

export interface MessageForm extends ChatForm {
  readonly signatures: SignatureForm;
}

export function encodeRequest(
  given: WireContext,
  options: StreamOptions,
  form: ChatForm,
): ChatCompletionCreateParamsStreaming {
  // Every compatible server knows the older name; some reasoning models accept only the newer one.
  const limit =
    form.dialect === "openaiCompatible" && form.accepts("max_tokens")
      ? { max_tokens: options.maxOutputTokens }
      : { max_completion_tokens: options.maxOutputTokens };
  return {
    model: options.model,
    ...limit,
    stream: true,
    ...(form.accepts("stream_options") ? { stream_options: { include_usage: true } } : {}),
    ...(form.asksProgress === true ? { return_progress: true } : {}),
    ...encodeGenerationOptions(options, form),
    ...encodeTools(given, form),
    ...encodeGivenLast(given, form),
    messages: encodeMessages(given, { ...form, signatures: signatureForm(options, form) }),
  };
}

/** vLLM and SGLang need these to go on with an answer, and other servers ignore them; llama.cpp does so unasked. */
function encodeGivenLast({ messages }: WireContext, form: ChatForm): object {
  if (form.dialect === "openai" || form.givesLast?.(messages) !== true) return {};
  return {
    ...(form.accepts("continue_final_message") ? { continue_final_message: true, add_generation_prompt: false } : {}),
    // llama.cpp goes on only with an answer that is not to be thought about again.
    ...(form.accepts("thoughtInRest") ? {} : { chat_template_kwargs: { enable_thinking: false } }),
  };
}

function signatureForm({ model }: StreamOptions, { allows, signatureService = "google" }: ChatForm): SignatureForm {
  return {
    model,
    takesSignatures: allows("ownSignatures"),
    unsignedMark: allows("unsignedCalls") ? undefined : signatureService,
  };
}

function encodeTools(
  { tools }: WireContext,
  { accepts }: ChatForm,
): Pick<ChatCompletionCreateParamsStreaming, "tools"> {
  if (tools.length === 0 || !accepts("tools")) return {};
  return {
    tools: tools.map(encodeTool),
  };
}

export function encodeTool(tool: ToolDefinition): ChatCompletionTool {
  return {
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: schemaObject(tool) },
  };
}

/** Sends only what the user chose, and of OpenAI's own models only to those that support it. */
function encodeGenerationOptions(
  { model, reasoningEffort, answerLength }: StreamOptions,
  form: ChatForm,
): Pick<ChatCompletionCreateParamsStreaming, "reasoning_effort" | "verbosity"> {
  const isOwn = form.dialect === "openai";
  const effort =
    reasoningEffort === undefined || (isOwn && !openAiReasons(model)) ? undefined : EFFORTS[reasoningEffort];
  const verbosity =
    answerLength === undefined || !isOwn || !openAiTakesLength(model) ? undefined : VERBOSITY[answerLength];
  return {
    ...(effort !== undefined && form.accepts("reasoning_effort", effort) ? { reasoning_effort: effort } : {}),
    ...(verbosity !== undefined && form.accepts("verbosity", verbosity) ? { verbosity } : {}),
  };
}

function encodeMessages(given: WireContext, form: MessageForm): ChatCompletionMessageParam[] {
  const inTurns = form.dialect === "openai" ? alternatingTurns : strictAlternatingTurns;
  const callIds = form.allows("usualCallIds") ? "usual" : "nine";
  const isSystem = given.systemPrompt !== "" && form.allows("systemRole");
  const asked = isSystem || given.systemPrompt === "" ? [] : [textMessage("user", given.systemPrompt)];
  const hasContent = (message: Message): boolean => encodeMessage(message, form).length > 0;
  const givesLast = form.givesLast?.(given.messages) === true;
  const turns = inTurns([...asked, ...given.messages], hasContent, { callIds, givesLast });
  const instructions: ChatCompletionMessageParam[] = isSystem ? [{ role: "system", content: given.systemPrompt }] : [];
  const messages = turns.flatMap((message) => encodeMessage(message, form));
  return [...instructions, ...(form.allows("userAfterResults") ? messages : withResultsAcknowledged(messages))];
}

/** Inserts an assistant message between tool results and a following user message. */
function withResultsAcknowledged(messages: readonly ChatCompletionMessageParam[]): ChatCompletionMessageParam[] {
  return messages.flatMap((message, index) => {
    const isAfterResults = message.role === "user" && messages[index - 1]?.role === "tool";
    return isAfterResults ? [{ role: "assistant", content: RESULTS_READ }, message] : [message];
  });
}

const RESULTS_READ = "I have read the results.";

export function encodeMessage(message: Message, form: MessageForm): ChatCompletionMessageParam[] {
  switch (message.role) {
    case "system":
      return [{ role: "system", content: textOf(message) }];
    case "assistant":
      return encodeAssistant(message.parts, form);
    case "user": {
      const content = message.parts.flatMap((part) => encodeUserPart(part, form));
      const results = message.parts.flatMap((part): ChatCompletionMessageParam[] =>
        part.kind === "toolResult" ? [{ role: "tool", tool_call_id: part.callId, content: part.text }] : [],
      );
      return content.length === 0 ? results : [...results, { role: "user", content: plainText(content) ?? content }];
    }
  }
}

export function encodeUserPart(part: Part, { allows }: ChatForm): ChatCompletionContentPart[] {
  switch (part.kind) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "attachment":
      return [{ type: "text", text: attachmentText(part) }];
    case "image":
      if (!allows("images")) return [{ type: "text", text: imageText(part.mediaType) }];
      return [{ type: "image_url", image_url: { url: `data:${part.mediaType};base64,${part.dataBase64}` } }];
    case "thinking":
    case "toolCall":
    case "toolResult":
      return [];
  }
}

/** The protocol has no field for thinking; only servers that require the thinking before calls get it. */
function encodeAssistant(parts: readonly Part[], form: MessageForm): ChatCompletionMessageParam[] {
  const content = parts.flatMap(assistantText).join("");
  const { inCall, inMessage } = signedCalls(parts, form.signatures);
  const calls = parts
    .filter((part) => part.kind === "toolCall")
    .map(({ callId, name, inputJson }, index): ChatCompletionMessageToolCall => {
      const call = { name, arguments: callInputJson(inputJson) };
      return { type: "function", id: callId, function: call, ...inCall.get(index) };
    });
  if (calls.length > 0) {
    const thinking = form.allows("thinkingLeftOut") ? {} : { reasoning_content: thinkingOf(parts) };
    const message = { role: "assistant" as const, content: content === "" ? null : content, ...thinking };
    return [{ ...message, ...inMessage, tool_calls: calls }];
  }
  return content === "" ? [] : [{ role: "assistant", content }];
}

function thinkingOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.kind === "thinking" ? [part.text] : [])).join("");
}

function assistantText(part: Part): string[] {
  if (part.kind === "text") return [part.text];
  if (part.kind === "attachment") return [attachmentText(part)];
  return part.kind === "image" ? [imageText(part.mediaType)] : [];
}

/** Many servers accept text only as a plain string. `undefined` when the content is more than text. */
function plainText(content: readonly ChatCompletionContentPart[]): string | undefined {
  const texts: string[] = [];
  for (const part of content) {
    if (part.type !== "text") return undefined;
    texts.push(part.text);
  }
  return texts.join("\n\n");
}
