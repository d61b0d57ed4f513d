/** What a piece of an answer says and thinks, wherever servers put it. */

import { listIn, stringField } from "../../../core/json.ts";

/** The words of a piece, and the thoughts; empty where it has none. */
export interface SaidAndThought {
  readonly text: string;
  readonly thinking: string;
}

/** Reads a delta. */
export function saidAndThought(delta: unknown): SaidAndThought {
  const parts = listIn(delta, "content");
  const fields = [stringField(delta, "reasoning_content"), stringField(delta, "reasoning"), detailsIn(delta)];
  // DeepSeek, vLLM and llama.cpp name it so, OpenRouter and Ollama so; some give it twice, some only in detail.
  const reasoning = fields.find((field) => field !== "") ?? "";
  return {
    text: stringField(delta, "content") + parts.map((part) => stringField(part, "text")).join(""),
    thinking: reasoning + parts.flatMap(thoughtsIn).join(""),
  };
}

function detailsIn(delta: unknown): string {
  return listIn(delta, "reasoning_details")
    .map((detail) => stringField(detail, "text") + stringField(detail, "summary"))
    .join("");
}

/** As Mistral's thinking models have it. */
function thoughtsIn(part: unknown): readonly string[] {
  if (stringField(part, "type") !== "thinking") return [];
  return [stringField(part, "thinking"), ...listIn(part, "thinking").map((piece) => stringField(piece, "text"))];
}
