/** Requests that OpenAI's service, and compatible servers with a strict chat template, refuse. */

import type { ServedModel } from "./protocol.ts";
import { estimateTokens, list, member, text } from "./wireJson.ts";

export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** Name of the refused parameter. */
  readonly param?: string;
}

/** Error of vLLM when it was not configured for tool calls. */
const NO_TOOLS = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';

/** Error of OpenAI's newer models, also through other services. */
const NO_MAX_TOKENS: Refusal = {
  code: "unsupported_parameter",
  message: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  param: "max_tokens",
};

/** The refusal with the service's code, if the body is refused. */
export function refuseChat(body: unknown, model: ServedModel, strictTemplate: boolean): Refusal | undefined {
  const refused = ["temperature", "top_p", "presence_penalty", "frequency_penalty", "logit_bias"];
  const { refuses = [] } = model;
  for (const name of [...refused, ...refuses]) {
    if (member(body, name) === undefined) continue;
    if (name === "max_tokens") return NO_MAX_TOKENS;
    return bad(name === "tools" ? NO_TOOLS : `Unsupported parameter: '${name}' is not supported with this model.`);
  }
  if (member(body, "stream") !== true) return bad("this server only streams");
  const takesOlder = strictTemplate && !refuses.includes("max_tokens");
  const limit = member(body, takesOlder ? "max_tokens" : "max_completion_tokens");
  if (typeof limit !== "number") return NO_MAX_TOKENS;
  if (limit > model.maxOutput) return bad(`max_completion_tokens is too large: ${String(limit)}.`);
  const promptTokens = estimateTokens([member(body, "messages"), member(body, "tools")]);
  if (promptTokens > model.contextWindow) {
    const message = `This model's maximum context length is ${String(model.contextWindow)} tokens. However, your messages resulted in ${String(promptTokens)} tokens.`;
    return { code: "context_length_exceeded", message };
  }
  const messages = list(body, "messages");
  const problem =
    refuseShape(messages) ??
    refuseThinking(messages, model) ??
    refuseToolPairs(messages) ??
    refuseUnsealed(messages, model) ??
    (model.isMistral === true ? refuseAsMistral(messages) : undefined) ??
    (strictTemplate ? refuseTemplate(messages) : undefined);
  return problem === undefined ? undefined : bad(problem);
}

function bad(message: string): Refusal {
  return { code: "invalid_value", message };
}

function refuseShape(messages: readonly unknown[]): string | undefined {
  if (messages.length === 0) return "Invalid 'messages': empty array.";
  for (const [index, message] of messages.entries()) {
    const role = text(message, "role");
    const at = `messages[${String(index)}]`;
    if (!["system", "developer", "user", "assistant", "tool"].includes(role))
      return `Invalid value: '${role}' for ${at}.role`;
    for (const call of list(message, "tool_calls")) {
      if (!isObjectJson(text(member(call, "function"), "arguments")))
        return `Invalid value for '${at}.tool_calls': arguments are not a valid JSON object.`;
    }
    const empty = member(message, "content") === undefined || member(message, "content") === null;
    if (empty && list(message, "tool_calls").length === 0)
      return `Invalid value for '${at}.content': expected a string, got null.`;
  }
  return undefined;
}

function refuseThinking(messages: readonly unknown[], { wantsThinking = false }: ServedModel): string | undefined {
  const calling = messages.filter((message) => list(message, "tool_calls").length > 0);
  const thinking = calling.map((message) => member(message, "reasoning_content"));
  if (!wantsThinking) {
    return thinking.some((field) => field !== undefined)
      ? "Extra inputs: 'reasoning_content' is not permitted"
      : undefined;
  }
  return thinking.some((field) => typeof field !== "string")
    ? "The reasoning_content in the thinking mode must be passed back to the API."
    : undefined;
}

/** Whether the arguments are a JSON object, which chat templates require. */
export function isObjectJson(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function refuseToolPairs(messages: readonly unknown[]): string | undefined {
  let open: readonly string[] = [];
  for (const [index, message] of messages.entries()) {
    if (text(message, "role") === "tool") {
      const id = text(message, "tool_call_id");
      if (!open.includes(id)) {
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
      }
      open = open.filter((other) => other !== id);
      continue;
    }
    if (open.length > 0) return missing(open, index);
    open = list(message, "tool_calls").map((call) => text(call, "id"));
  }
  return open.length > 0 ? missing(open, messages.length) : undefined;
}

function missing(ids: readonly string[], index: number): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. messages[${String(index)}]: ${ids.join(", ")}`;
}

/** Signature that Google accepts for calls of other models. */
const ANOTHERS = "skip_thought_signature_validator";

/** Refusal of calls without a thought signature, in the wording of Google and of OpenRouter for Google. */
function refuseUnsealed(messages: readonly unknown[], { seal }: ServedModel): string | undefined {
  for (const message of messages) {
    const [call] = list(message, "tool_calls");
    if (call === undefined) continue;
    const given = seal?.service === "openRouter" ? sealInDetails(message, text(call, "id")) : sealInCall(call);
    if (given !== "" && given !== ANOTHERS && given !== seal?.text) return "Corrupted thought signature.";
    if (seal === undefined || given !== "") continue;
    return seal.service === "openRouter"
      ? "Gemini models require OpenRouter reasoning details to be preserved in each request."
      : "Function call is missing a thought_signature in functionCall parts.";
  }
  return undefined;
}

function sealInCall(call: unknown): string {
  return text(member(member(call, "extra_content"), "google"), "thought_signature");
}

function sealInDetails(message: unknown, callId: string): string {
  const details = list(message, "reasoning_details");
  return text(
    details.find((detail) => text(detail, "id") === callId),
    "data",
  );
}

/** Refusal in Mistral's wording. */
function refuseAsMistral(messages: readonly unknown[]): string | undefined {
  const ids = messages.flatMap((message) => list(message, "tool_calls").map((call) => text(call, "id")));
  const wrong = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
  if (wrong !== undefined) return `Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`;
  const roles = messages.map((message) => text(message, "role"));
  const isWrongOrder = roles.some((role, index) => role === "user" && roles[index - 1] === "tool");
  return isWrongOrder ? "Unexpected role 'user' after role 'tool'" : undefined;
}

/** Refusal of many local models' Jinja templates. */
function refuseTemplate(messages: readonly unknown[]): string | undefined {
  const roles = messages.map((message) => text(message, "role"));
  if (roles.indexOf("system", 1) > 0) return "System message must be at the beginning.";
  const spoken = roles.filter((role) => role === "user" || role === "assistant");
  const calls = messages.some((message) => list(message, "tool_calls").length > 0);
  const same = spoken.findIndex((role, index) => role === spoken[index - 1]);
  if (!calls && (same > 0 || spoken[0] !== "user"))
    return "Conversation roles must alternate user/assistant/user/assistant/...";
  return undefined;
}
