/** Requests that Anthropic's service refuses. Errors follow its wording. */

import type { ServedModel } from "./protocol.ts";
import { estimateTokens, list, member, text } from "./wireJson.ts";

/** Error message if the body is refused. */
export function refuseMessages(body: unknown, model: ServedModel): string | undefined {
  for (const name of ["temperature", "top_p", "top_k"]) {
    if (member(body, name) !== undefined) return `${name}: is not supported for this model`;
  }
  for (const name of model.refuses ?? []) {
    if (name.split(".").reduce(member, body) !== undefined) return `${name}: is not supported by this model`;
  }
  const maxTokens = member(body, "max_tokens");
  if (typeof maxTokens !== "number") return "max_tokens: Field required";
  if (maxTokens > model.maxOutput) {
    return `max_tokens: ${String(maxTokens)} > ${String(model.maxOutput)}, which is the maximum allowed number of output tokens for ${model.id}`;
  }
  if (member(body, "stream") !== true) return "stream: this server only streams";
  const promptTokens = estimateTokens([member(body, "system"), member(body, "messages"), member(body, "tools")]);
  if (promptTokens > model.contextWindow) {
    return `prompt is too long: ${String(promptTokens)} tokens > ${String(model.contextWindow)} maximum`;
  }
  const messages = list(body, "messages");
  return refuseRoles(messages) ?? refuseBlocks(messages) ?? refuseCacheMarks(body) ?? refuseToolPairs(messages);
}

function refuseRoles(messages: readonly unknown[]): string | undefined {
  if (messages.length === 0) return "messages: at least one message is required";
  const roles = messages.map((message) => text(message, "role"));
  const odd = roles.findIndex((role) => role !== "user" && role !== "assistant");
  if (odd >= 0) return `messages.${String(odd)}: Unexpected role "${roles[odd] ?? ""}"`;
  if (roles[0] !== "user") return 'messages: first message must use the "user" role';
  const same = roles.findIndex((role, index) => role === roles[index - 1]);
  if (same > 0) return `messages.${String(same)}: roles must alternate between "user" and "assistant"`;
  if (roles.at(-1) === "assistant") return "This model does not support assistant message prefill.";
  return undefined;
}

function refuseBlocks(messages: readonly unknown[]): string | undefined {
  for (const [index, message] of messages.entries()) {
    const blocks = list(message, "content");
    const where = `messages.${String(index)}.content`;
    if (blocks.length === 0) return `${where}: must not be empty`;
    for (const block of blocks) {
      const type = text(block, "type");
      if (type === "text" && text(block, "text").trim() === "")
        return `${where}: text content blocks must be non-empty`;
      if (type === "thinking" && text(block, "signature") === "") return `${where}: thinking.signature: Field required`;
      if (type === "thinking" && text(block, "signature").startsWith("openai:"))
        return `${where}: Invalid \`signature\` in \`thinking\` block`;
      if (
        type === "tool_use" &&
        (typeof member(block, "input") !== "object" || Array.isArray(member(block, "input")))
      ) {
        return `${where}: tool_use.input: Input should be an object`;
      }
    }
    const last = text(blocks.at(-1), "type");
    if (last === "thinking") return `${where}: The final block in an assistant message cannot be \`thinking\`.`;
  }
  return undefined;
}

function refuseCacheMarks(body: unknown): string | undefined {
  const blocks = [...list(body, "system"), ...list(body, "messages").flatMap((message) => list(message, "content"))];
  const marks = blocks.filter((block) => member(block, "cache_control") !== undefined).length;
  return marks > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${String(marks)}.` : undefined;
}

function refuseToolPairs(messages: readonly unknown[]): string | undefined {
  const used = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const blocks = list(message, "content");
    const calls = blocks.filter((block) => text(block, "type") === "tool_use").map((block) => text(block, "id"));
    const repeated = calls.find((id) => used.has(id));
    if (repeated !== undefined) return "messages: `tool_use` ids must be unique";
    for (const id of calls) {
      if (!/^[a-zA-Z0-9_-]+$/.test(id))
        return `messages.${String(index)}: tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
      used.add(id);
    }
    const missing = calls.filter((id) => !leadingResults(messages[index + 1]).includes(id));
    if (missing.length > 0) {
      return `messages.${String(index)}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}`;
    }
    const asked = list(messages[index - 1], "content").map((block) => text(block, "id"));
    const results = blocks
      .filter((block) => text(block, "type") === "tool_result")
      .map((block) => text(block, "tool_use_id"));
    const orphan = results.find((id) => !asked.includes(id));
    if (orphan !== undefined)
      return `messages.${String(index)}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}`;
  }
  return undefined;
}

/** Ids of tool results before all other blocks: later results do not count. */
function leadingResults(message: unknown): readonly string[] {
  const blocks = list(message, "content");
  const end = blocks.findIndex((block) => text(block, "type") !== "tool_result");
  return (end < 0 ? blocks : blocks.slice(0, end)).map((block) => text(block, "tool_use_id"));
}
