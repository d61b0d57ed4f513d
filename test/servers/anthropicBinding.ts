/** How Anthropic's newer models bind their thinking to all that stood before it. The words are close to the service's own. */

import { createHash } from "node:crypto";
import type { RecordedRequest } from "./protocol.ts";
import { list, member, text } from "./wireJson.ts";

/** The value of the header `anthropic-beta` without which nobody may say what becomes of thinking that does not fit. */
export const BINDING_CONTROLS = "thinking-binding-controls-2026-08-01";

/** The signature of what is thought in answer to a request. */
export function boundSignature(body: unknown): string {
  return `bound:${prefixOf(body, list(body, "messages").length)}`;
}

/** Why a request is refused for the thinking in it; `undefined` when it is fine. */
export function refuseBinding({ headers, body }: RecordedRequest): string | undefined {
  const thinking = member(body, "thinking");
  const type = text(thinking, "type");
  if (type === "disabled") {
    return '"thinking.type.disabled" is not supported for this model. Use "thinking.type.between_tools" to turn off up-front thinking.';
  }
  const binding = member(thinking, "block_binding");
  if (binding !== undefined && (type !== "adaptive" || headers["anthropic-beta"] !== BINDING_CONTROLS)) {
    return `thinking.${type}.block_binding: Extra inputs are not permitted`;
  }
  if (text(binding, "prefix_mismatch_behavior") === "drop_block") return undefined;
  for (const [index, message] of list(body, "messages").entries()) {
    for (const [at, block] of list(message, "content").entries()) {
      if (text(block, "type") !== "thinking" || text(block, "signature") === `bound:${prefixOf(body, index)}`) continue;
      return `messages.${String(index)}.content.${String(at)}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block". That setting requires the \`${BINDING_CONTROLS}\` value in the \`anthropic-beta\` header.`;
    }
  }
  return undefined;
}

/** All before the message at `index`; where the cache has its marks does not matter. */
function prefixOf(body: unknown, index: number): string {
  const prefix = [member(body, "system"), member(body, "tools"), list(body, "messages").slice(0, index)];
  const bytes = JSON.stringify(prefix, (key, value: unknown) => (key === "cache_control" ? undefined : value));
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}
