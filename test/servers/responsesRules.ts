/** Requests that OpenAI's Responses API refuses. Errors follow its wording. */

import type { ServedModel } from "./protocol.ts";
import { estimateTokens, list, member, text } from "./wireJson.ts";
import { isObjectJson, type Refusal } from "./openaiRules.ts";

/** Prefix of the server's encrypted reasoning; it accepts no other. */
export const SEAL = "sealed-";

/** The refusal with the service's code, if the body is refused. */
export function refuseResponses(body: unknown, model: ServedModel): Refusal | undefined {
  for (const name of ["temperature", "top_p", "messages", "max_tokens", "max_completion_tokens"]) {
    if (member(body, name) !== undefined) return unsupported(name);
  }
  for (const name of model.refuses ?? []) {
    if (valueAt(body, name) !== undefined) return unsupported(name);
  }
  if (member(body, "stream") !== true) return bad("this server only streams");
  if (member(body, "store") !== false) return bad("this server keeps nothing: store must be false");
  const limit = member(body, "max_output_tokens");
  if (typeof limit !== "number" || limit < 16) {
    return bad("Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16.");
  }
  if (limit > model.maxOutput) return bad(`max_output_tokens is too large: ${String(limit)}.`);
  const promptTokens = estimateTokens([member(body, "instructions"), member(body, "input"), member(body, "tools")]);
  if (promptTokens > model.contextWindow) {
    const message = "Your input exceeds the context window of this model. Please adjust your input and try again.";
    return { code: "context_length_exceeded", message };
  }
  const input = list(body, "input");
  return refuseItems(input) ?? refuseToolPairs(input) ?? refuseReasoning(input);
}

function bad(message: string): Refusal {
  return { code: "invalid_value", message };
}

function unsupported(name: string): Refusal {
  return {
    code: "unsupported_parameter",
    message: `Unsupported parameter: '${name}' is not supported with this model.`,
    param: name,
  };
}

/** The value at a dotted path such as `reasoning.effort`. */
function valueAt(body: unknown, path: string): unknown {
  return path.split(".").reduce(member, body);
}

function refuseItems(input: readonly unknown[]): Refusal | undefined {
  if (input.length === 0) return bad("Invalid 'input': empty array.");
  for (const [index, item] of input.entries()) {
    const type = text(item, "type");
    const at = `input[${String(index)}]`;
    if (type === "function_call" && (text(item, "name") === "" || !isCallId(item)))
      return bad(`Invalid '${at}': a call needs a name and an id.`);
    if (type === "function_call" && !isObjectJson(text(item, "arguments")))
      return bad(`Invalid '${at}.arguments': not a valid JSON object.`);
    if (type !== "" && type !== "message") continue;
    const role = text(item, "role");
    if (!["user", "assistant", "system", "developer"].includes(role))
      return bad(`Invalid value: '${role}' for ${at}.role`);
    const content = member(item, "content");
    const isEmpty = typeof content === "string" ? content === "" : list(item, "content").length === 0;
    if (isEmpty) return bad(`Invalid '${at}.content': empty.`);
    const wanted = role === "assistant" ? /^output_text$/ : /^input_(?:text|image)$/;
    if (list(item, "content").some((part) => !wanted.test(text(part, "type")))) {
      return bad(`Invalid value for '${at}.content': a part of another kind.`);
    }
  }
  return undefined;
}

function isCallId(item: unknown): boolean {
  return /^[\w-]{1,64}$/.test(text(item, "call_id"));
}

function refuseToolPairs(input: readonly unknown[]): Refusal | undefined {
  const open = new Set<string>();
  const used = new Set<string>();
  for (const item of input) {
    const id = text(item, "call_id");
    if (text(item, "type") === "function_call") {
      if (used.has(id)) return bad(`Duplicate function call with call_id ${id}.`);
      used.add(id);
      open.add(id);
    } else if (text(item, "type") === "function_call_output" && !open.delete(id)) {
      return bad(`No tool call found for function call output with call_id ${id}.`);
    }
  }
  const [orphan] = open;
  return orphan === undefined ? undefined : bad(`No tool output found for function call ${orphan}.`);
}

function refuseReasoning(input: readonly unknown[]): Refusal | undefined {
  for (const [index, item] of input.entries()) {
    if (text(item, "type") !== "reasoning") continue;
    const id = text(item, "id");
    const next = input.slice(index + 1).find((other) => text(other, "type") !== "reasoning");
    const isFollowed = text(next, "type") === "function_call" || text(next, "role") === "assistant";
    if (!isFollowed) return bad(`Item '${id}' of type 'reasoning' was provided without its required following item.`);
    if (!text(item, "encrypted_content").startsWith(SEAL)) {
      const message = `The encrypted content for item ${id} could not be verified.`;
      return { code: "invalid_encrypted_content", message };
    }
  }
  return undefined;
}
