/**
 * A model's reasoning goes back only to the service that signed it. So a signature names its service, except those of
 * Anthropic, which were there first and name none.
 */

const OPENAI = "openai:";

/** Whether a signature is Anthropic's. */
export function isAnthropicSignature(signature: string): boolean {
  return signature !== "" && !/^(?:openai|google|openrouter):/.test(signature);
}

/** A reasoning item of OpenAI's that can be sent back. */
export interface OpenAiReasoning {
  readonly id: string;
  readonly encrypted: string;
}

/** The signature that stands for a reasoning item. */
export function openAiSignature({ id, encrypted }: OpenAiReasoning): string {
  return `${OPENAI}${id} ${encrypted}`;
}

/** The reasoning item of a signature; `undefined` where it is of another service. */
export function readOpenAiSignature(signature: string): OpenAiReasoning | undefined {
  const match = /^openai:(\S+) ([^]+)$/.exec(signature);
  const [, id, encrypted] = match ?? [];
  return id === undefined || encrypted === undefined ? undefined : { id, encrypted };
}

/** What a service wants back with a tool call of one of its models. */
export interface ThoughtSignature {
  /** Whose form it has: Google's own, or that in which OpenRouter hands on Google's. */
  readonly service: "google" | "openrouter";
  /** Only this model takes it. */
  readonly model: string;
  /** Which of the calls before it in the answer it belongs to: 1 for the last. */
  readonly callsBack: number;
  readonly content: string;
}

/** The signature that stands for a thought signature. */
export function storedThoughtSignature({ service, model, callsBack, content }: ThoughtSignature): string {
  return `${service}:${model} ${String(callsBack)} ${content}`;
}

/** The thought signature of a stored one; `undefined` where it is something else. */
export function readThoughtSignature(signature: string): ThoughtSignature | undefined {
  const match = /^(google|openrouter):(\S+) (\d+) ([^]+)$/.exec(signature);
  const [, service, model, callsBack, content] = match ?? [];
  if (model === undefined || callsBack === undefined || content === undefined) return undefined;
  return { service: service === "google" ? service : "openrouter", model, callsBack: Number(callsBack), content };
}
