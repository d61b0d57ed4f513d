/**
 * A model's reasoning goes back only to the service that signed it. So a signature names its service, except those of
 * Anthropic, which were there first and name none.
 */

const OPENAI = "openai:";

/** Whose a signature is. */
export function isOpenAiSignature(signature: string): boolean {
  return signature.startsWith(OPENAI);
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
