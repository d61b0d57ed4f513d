/**
 * Stored signatures of reasoning, which is sent back only to the service that signed it. A prefix names the service;
 * Anthropic's have none, because they existed before the prefixes.
 */

const OPENAI = "openai:";

export function isAnthropicSignature(signature: string): boolean {
  return signature !== "" && !/^(?:openai|google|openrouter):/.test(signature);
}

export interface OpenAiReasoning {
  readonly id: string;
  readonly encrypted: string;
}

export function openAiSignature({ id, encrypted }: OpenAiReasoning): string {
  return `${OPENAI}${id} ${encrypted}`;
}

/** `undefined` for another service's signature. */
export function readOpenAiSignature(signature: string): OpenAiReasoning | undefined {
  const match = /^openai:(\S+) ([^]+)$/.exec(signature);
  const [, id, encrypted] = match ?? [];
  return id === undefined || encrypted === undefined ? undefined : { id, encrypted };
}

/** Signature that a service requires with a tool call of its models. */
export interface ThoughtSignature {
  /** Wire form: Google's own, or OpenRouter's form of it. */
  readonly service: "google" | "openrouter";
  /** Only this model accepts it. */
  readonly model: string;
  /** Position of the call, counted back from the signature: 1 is the last call before it. */
  readonly callsBack: number;
  readonly content: string;
}

export function storedThoughtSignature({ service, model, callsBack, content }: ThoughtSignature): string {
  return `${service}:${model} ${String(callsBack)} ${content}`;
}

/** `undefined` for any other signature. */
export function readThoughtSignature(signature: string): ThoughtSignature | undefined {
  const match = /^(google|openrouter):(\S+) (\d+) ([^]+)$/.exec(signature);
  const [, service, model, callsBack, content] = match ?? [];
  if (model === undefined || callsBack === undefined || content === undefined) return undefined;
  return { service: service === "google" ? service : "openrouter", model, callsBack: Number(callsBack), content };
}
