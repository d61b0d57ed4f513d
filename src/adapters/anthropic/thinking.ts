/**
 * Parameters for thinking, and which earlier thinking is sent back. Newer models bind their thinking to everything
 * before it: once that has changed, as with every summary, the service refuses the request, or drops that thinking if
 * asked to (https://platform.claude.com/docs/en/build-with-claude/preserved-thinking).
 */

import type {
  MessageCreateParamsStreaming,
  ThinkingConfigAdaptive,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { withoutVendor } from "../../core/models/longestPrefix.ts";
import type { StreamOptions } from "../../core/stream/provider.ts";
import { goesOnByName, type GoesOn } from "../http/continuation.ts";
import type { ReportedError } from "../http/httpFailure.ts";

/** Parameters that some models refuse. */
export type MessagesParameter = "output_config.effort" | "thinking" | "thinking.display";

/** Error messages of refusals, by the field they name. A field inside `thinking` does not count as `thinking`. */
export const REFUSALS: Readonly<Record<MessagesParameter, RegExp>> = {
  "output_config.effort": /output_config|\beffort\b/i,
  "thinking.display": /\bthinking(?:\.\w+)*\.display\b/i,
  thinking:
    /(?<![\w.])thinking(?:\.(?:type|adaptive|enabled|disabled|between_tools|budget_tokens))*(?![\w.]).{0,60}(?:not support|unsupported|not available|not permitted|Input should|Input tag)/i,
};

export type AcceptsParameter = (name: MessagesParameter, value?: string) => boolean;

/** Which earlier thinking is sent: all; all, with the service dropping what no longer fits; or none. */
export type EarlierThinking = "all" | "fitting" | "none";

export interface RequestForm {
  readonly accepts: AcceptsParameter;
  readonly earlier: EarlierThinking;
  /** Sends no cache marks, for a gateway that refuses them. */
  readonly omitsCacheMarks?: boolean;
  /** The answer at the end is sent as it is, to be continued. */
  readonly givesLast?: boolean;
}

/** `includesEarlier`: whether the messages may contain thinking blocks. */
export interface EncodedThinking {
  readonly thinking?: Thinking;
  readonly effort?: Effort;
  readonly includesEarlier: boolean;
}

type Effort = NonNullable<NonNullable<MessageCreateParamsStreaming["output_config"]>["effort"]>;
type Thinking = NonNullable<MessageCreateParamsStreaming["thinking"]> | BoundThinking;
type BoundThinking = ThinkingConfigAdaptive & {
  readonly block_binding: { readonly prefix_mismatch_behavior: "drop_block" };
};

/** Value of `anthropic-beta` that allows dropping thinking. */
const BINDING_CONTROLS = "thinking-binding-controls-2026-08-01";

/** Values of `anthropic-beta` for this `thinking`. */
export function betasOf(thinking: MessageCreateParamsStreaming["thinking"]): readonly string[] {
  return thinking !== undefined && "block_binding" in thinking ? [BINDING_CONTROLS] : [];
}

export function thinkingParameters(options: StreamOptions, form: RequestForm): EncodedThinking {
  // An answer that is given last was thought about; the service refuses to do so again.
  const asked = form.givesLast === true ? {} : requestedThinking(options, form.accepts);
  if (form.earlier === "all") return { ...asked, includesEarlier: true };
  // Only adaptive thinking supports dropping what does not fit.
  if (form.earlier === "none" || asked.thinking?.type !== "adaptive")
    return { ...withoutBudget(asked), includesEarlier: false };
  const thinking: BoundThinking = { ...asked.thinking, block_binding: { prefix_mismatch_behavior: "drop_block" } };
  return { ...asked, thinking, includesEarlier: true };
}

/** Form to try after a refusal of the form `earlier`; `undefined` when thinking was not the reason. */
export function earlierThinkingAfter(
  { status, message }: ReportedError,
  earlier: EarlierThinking,
): EarlierThinking | undefined {
  if ((status !== 400 && status !== 422) || earlier === "none") return undefined;
  if (/invalid `?signature`?|bound to a different|`?thinking`? blocks?\b.{0,80}cannot be modified/i.test(message)) {
    return earlier === "all" ? "fitting" : "none";
  }
  if (EARLIER_REFUSED.test(message)) return "none";
  return earlier === "fitting" && saysBindingUnsupported(message) ? "none" : undefined;
}

/**
 * Refusals of thinking blocks: by gateways that do not know them or some kinds of them, and by older models that
 * require thinking before a call.
 */
const EARLIER_REFUSED =
  /messages\.\d+\.content\.\d+(?:\.(?:redacted_)?thinking\b|: input tag '(?:redacted_)?thinking')|expected `?thinking`? or/i;

/**
 * Whether a form from `earlierThinkingAfter` holds for every conversation with the model. Otherwise only this conversation's
 * thinking is at fault: an older model would not think at all in the form `fitting`, and thinking that never fits is
 * specific to one conversation.
 */
export function holdsForAllConversations(earlier: EarlierThinking, model: string, { message }: ReportedError): boolean {
  if (earlier === "fitting") return supportsEffort(model);
  return saysBindingUnsupported(message) || (EARLIER_REFUSED.test(message) && /input tag|extra inputs/i.test(message));
}

/** Whether the service does not support dropping thinking. */
function saysBindingUnsupported(message: string): boolean {
  return /block_binding|thinking-binding|anthropic-beta/i.test(message) && !/invalid `?signature`?/i.test(message);
}

type AskedThinking = Omit<EncodedThinking, "includesEarlier">;

/** Newer models take an effort and adapt their thinking to it; older ones take a budget of tokens. */
function requestedThinking(
  { model, maxOutputTokens, reasoningEffort }: StreamOptions,
  accepts: AcceptsParameter,
): AskedThinking {
  if (reasoningEffort === "none") return leastThinking(model, accepts);
  if (supportsEffort(model)) {
    if (reasoningEffort === undefined && !thinksByDefault(model)) return {};
    return { ...adaptiveThinking(accepts), ...effortOf(reasoningEffort, accepts) };
  }
  if (reasoningEffort === undefined) return {};
  const budget = Math.min(THINKING_BUDGETS[reasoningEffort], maxOutputTokens - LEAST_ANSWER_TOKENS);
  if (budget < LEAST_BUDGET_TOKENS || !accepts("thinking", "enabled")) return {};
  return { thinking: { type: "enabled", budget_tokens: budget } };
}

/** Whether a model supports adaptive thinking and effort. Older ones refuse both. */
function supportsEffort(name: string): boolean {
  return thinksByDefault(name) || /^claude-(?:opus|sonnet)-4-[6-9]\b/.test(withoutVendor(name));
}

/** Whether a model thinks even when the request does not ask for it. */
function thinksByDefault(name: string): boolean {
  return /^claude-(?:opus|sonnet|haiku|fable|mythos)-(?:[5-9]|\d{2})\b/.test(withoutVendor(name));
}

/** Least thinking that a model allows: none; only between tool calls; or low effort, if it always thinks. */
function leastThinking(model: string, accepts: AcceptsParameter): AskedThinking {
  if (accepts("thinking", "disabled")) return { thinking: { type: "disabled" } };
  if (!thinksByDefault(model)) return {};
  if (accepts("thinking", "between_tools")) return { thinking: { type: "between_tools" } };
  return { ...adaptiveThinking(accepts), ...effortOf("low", accepts) };
}

/** Without an explicit `display`, newer models hide what they say between two tool calls. */
function adaptiveThinking(accepts: AcceptsParameter): AskedThinking {
  if (!accepts("thinking", "adaptive")) return {};
  return { thinking: { type: "adaptive", ...(accepts("thinking.display") ? { display: "summarized" } : {}) } };
}

function effortOf(effort: Effort | undefined, accepts: AcceptsParameter): AskedThinking {
  return effort !== undefined && accepts("output_config.effort", effort) ? { effort } : {};
}

/** With a budget, an older model requires the thinking before each call, which this request omits. */
function withoutBudget({ thinking, ...rest }: AskedThinking): AskedThinking {
  return thinking === undefined || thinking.type === "enabled" ? rest : { ...rest, thinking };
}

const THINKING_BUDGETS = { low: 2_048, medium: 8_192, high: 16_384, max: 32_768 } as const;
/** Minimum that the service accepts. */
const LEAST_BUDGET_TOKENS = 1_024;
/** The output limit includes thinking; this much is reserved for the answer itself. */
const LEAST_ANSWER_TOKENS = 1_024;

/** Claude 4.5 and older go on with an answer that is given last, newer ones refuse it; gateways serve others. */
export function goesOnForModel(name: string): GoesOn {
  if (!/^claude\b/i.test(withoutVendor(name))) return goesOnByName(name);
  return supportsEffort(name) ? "no" : "yes";
}
