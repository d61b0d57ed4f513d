/** Signatures that bind thinking to everything before it, as in Anthropic's newer models. Errors follow its wording. */

import { createHash } from "node:crypto";
import type { RecordedRequest } from "./protocol.ts";
import { list, member, text } from "./wireJson.ts";

/** `anthropic-beta` value required to choose what happens to thinking that does not match. */
export const BINDING_CONTROLS = "thinking-binding-controls-2026-08-01";

/** Signature of the thinking in the answer to a request. */
export function boundSignature(body: unknown): string {
  return `bound:${prefixOf(body, list(body, "messages").length)}`;
}

/** Error message if the request's thinking is refused. */
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

/** Hash of everything before the message at `index`, except cache marks. */
function prefixOf(body: unknown, index: number): string {
  const prefix = [member(body, "system"), member(body, "tools"), list(body, "messages").slice(0, index)];
  const bytes = JSON.stringify(prefix, (key, value: unknown) => (key === "cache_control" ? undefined : value));
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}
