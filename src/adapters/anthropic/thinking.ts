/**
 * How a model is asked to think, and what it is given back of what it thought before. Newer models seal their thinking to
 * all that stood before it: where that has changed since, as it does with every summary, the service refuses the whole
 * request, or drops that thinking where it is asked to
 * (https://platform.claude.com/docs/en/build-with-claude/preserved-thinking).
 */

import type {
  MessageCreateParamsStreaming,
  ThinkingConfigAdaptive,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { withoutVendor } from "../../core/models/longestPrefix.ts";
import type { StreamOptions } from "../../core/stream/provider.ts";
import type { ReportedError } from "../http/httpFailure.ts";

/** Parameters that some models refuse. */
export type MessagesParameter = "output_config.effort" | "thinking" | "thinking.display";

/** How a refusal of each is put, by the field that it names: what stands within `thinking` is not `thinking` itself. */
export const REFUSALS: Readonly<Record<MessagesParameter, RegExp>> = {
  "output_config.effort": /output_config|\beffort\b/i,
  "thinking.display": /\bthinking(?:\.\w+)*\.display\b/i,
  thinking:
    /(?<![\w.])thinking(?:\.(?:type|adaptive|enabled|disabled|between_tools|budget_tokens))*(?![\w.]).{0,60}(?:not support|unsupported|not available|not permitted|Input should|Input tag)/i,
};

/** Whether a parameter may be sent to the model. */
export type TakesParameter = (name: MessagesParameter, value?: string) => boolean;

/** What becomes of earlier thinking: it goes back; what no longer fits is dropped by the service; none of it goes back. */
export type EarlierThinking = "all" | "fitting" | "none";

/** What is known of the model when a request is made. */
export interface RequestForm {
  readonly takes: TakesParameter;
  readonly earlier: EarlierThinking;
  /** Nothing is marked as worth keeping in the service's cache: a gateway refuses the marks. */
  readonly unmarked?: boolean;
}

/** What a request says of thinking; `takesEarlier`: whether thinking blocks may stand in its messages. */
export interface EncodedThinking {
  readonly thinking?: Thinking;
  readonly effort?: Effort;
  readonly takesEarlier: boolean;
}

type Effort = NonNullable<NonNullable<MessageCreateParamsStreaming["output_config"]>["effort"]>;
type Thinking = NonNullable<MessageCreateParamsStreaming["thinking"]> | BoundThinking;
type BoundThinking = ThinkingConfigAdaptive & {
  readonly block_binding: { readonly prefix_mismatch_behavior: "drop_block" };
};

/** What a request that drops thinking must say in its header `anthropic-beta`. */
const BINDING_CONTROLS = "thinking-binding-controls-2026-08-01";

/** What a request with this `thinking` must say in its header `anthropic-beta`; nothing where it needs none. */
export function betasOf(thinking: MessageCreateParamsStreaming["thinking"]): readonly string[] {
  return thinking !== undefined && "block_binding" in thinking ? [BINDING_CONTROLS] : [];
}

/** The thinking and the effort of a request, by the user's options and what the model takes. */
export function thinkingOf(options: StreamOptions, form: RequestForm): EncodedThinking {
  const asked = thinkingFor(options, form.takes);
  if (form.earlier === "all") return { ...asked, takesEarlier: true };
  // Only a model that thinks as it likes can be told to drop what does not fit.
  if (form.earlier === "none" || asked.thinking?.type !== "adaptive")
    return { ...unbudgeted(asked), takesEarlier: false };
  const thinking: BoundThinking = { ...asked.thinking, block_binding: { prefix_mismatch_behavior: "drop_block" } };
  return { ...asked, thinking, takesEarlier: true };
}

/** How a request is to be made after `said` refused one of the form `earlier` for its thinking; `undefined`: it did not. */
export function afterRefusal(
  { status, message }: ReportedError,
  earlier: EarlierThinking,
): EarlierThinking | undefined {
  if ((status !== 400 && status !== 422) || earlier === "none") return undefined;
  if (/invalid `?signature`?|bound to a different|`?thinking`? blocks?\b.{0,80}cannot be modified/i.test(message)) {
    return earlier === "all" ? "fitting" : "none";
  }
  if (EARLIER_REFUSED.test(message)) return "none";
  return earlier === "fitting" && isAboutBinding(message) ? "none" : undefined;
}

/** Gateways that know no thinking in what was said before, or not all of it; an older model that misses it before a call. */
const EARLIER_REFUSED =
  /messages\.\d+\.content\.\d+(?:\.(?:redacted_)?thinking\b|: input tag '(?:redacted_)?thinking')|expected `?thinking`? or/i;

/**
 * Whether the form that `afterRefusal` gave is that of all conversations with the model. An older one would not think at all
 * in it; there only the thinking of this conversation is wrong. That nothing fits is likewise true of one conversation.
 */
export function isForAll(earlier: EarlierThinking, model: string, { message }: ReportedError): boolean {
  if (earlier === "fitting") return takesEffort(model);
  return isAboutBinding(message) || (EARLIER_REFUSED.test(message) && /input tag|extra inputs/i.test(message));
}

/** Whether the service does not know how to drop thinking. */
function isAboutBinding(message: string): boolean {
  return /block_binding|thinking-binding|anthropic-beta/i.test(message) && !/invalid `?signature`?/i.test(message);
}

type AskedThinking = Omit<EncodedThinking, "takesEarlier">;

/** Newer models take an effort, and think as much as that needs; older ones take a number of tokens to think with. */
function thinkingFor({ model, maxOutputTokens, reasoningEffort }: StreamOptions, takes: TakesParameter): AskedThinking {
  if (reasoningEffort === "none") return least(model, takes);
  if (takesEffort(model)) {
    if (reasoningEffort === undefined && !thinksUnasked(model)) return {};
    return { ...adaptive(takes), ...effortOf(reasoningEffort, takes) };
  }
  if (reasoningEffort === undefined) return {};
  const budget = Math.min(THINKING_BUDGETS[reasoningEffort], maxOutputTokens - LEAST_ANSWER_TOKENS);
  if (budget < LEAST_BUDGET_TOKENS || !takes("thinking", "enabled")) return {};
  return { thinking: { type: "enabled", budget_tokens: budget } };
}

/** Whether a model thinks by itself as much as it needs, and takes an effort. Older ones refuse both. */
function takesEffort(name: string): boolean {
  return thinksUnasked(name) || /^claude-(?:opus|sonnet)-4-[6-9]\b/.test(withoutVendor(name));
}

/** Whether a model thinks also where nobody asked for it. */
function thinksUnasked(name: string): boolean {
  return /^claude-(?:opus|sonnet|haiku|fable|mythos)-(?:[5-9]|\d{2})\b/.test(withoutVendor(name));
}

/** An answer at once, or as soon as the model can: some think between tools only at the least, some always. */
function least(model: string, takes: TakesParameter): AskedThinking {
  if (takes("thinking", "disabled")) return { thinking: { type: "disabled" } };
  if (!thinksUnasked(model)) return {};
  if (takes("thinking", "between_tools")) return { thinking: { type: "between_tools" } };
  return { ...adaptive(takes), ...effortOf("low", takes) };
}

/** Thinks as it likes; without a word about it, newer models would keep to themselves what they say between two tools. */
function adaptive(takes: TakesParameter): AskedThinking {
  if (!takes("thinking", "adaptive")) return {};
  return { thinking: { type: "adaptive", ...(takes("thinking.display") ? { display: "summarized" } : {}) } };
}

function effortOf(effort: Effort | undefined, takes: TakesParameter): AskedThinking {
  return effort !== undefined && takes("output_config.effort", effort) ? { effort } : {};
}

/** With a budget for thinking, an older model wants to see what it thought before it called a tool. */
function unbudgeted({ thinking, ...rest }: AskedThinking): AskedThinking {
  return thinking === undefined || thinking.type === "enabled" ? rest : { ...rest, thinking };
}

const THINKING_BUDGETS = { low: 2_048, medium: 8_192, high: 16_384, max: 32_768 } as const;
/** The service refuses less. */
const LEAST_BUDGET_TOKENS = 1_024;
/** Thinking is a part of the answer's limit; this much is left for the answer itself. */
const LEAST_ANSWER_TOKENS = 1_024;
