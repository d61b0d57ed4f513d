/** Which model answers is a choice of the user's, or follows from the settings; what is recorded is made for one or the other. */

import type { ModelId } from "../ids.ts";
import type { ModelRecord } from "./records.ts";

/** The record that another model answers by the settings: it says for which one the next records are made, and chooses none. */
export function answersBySettings(model: ModelId, atMs: number): ModelRecord {
  return { kind: "model", provider: "", model, atMs };
}

/** Whether the user chose the model: then it answers whatever the settings say. */
export function isChosen({ provider }: Pick<ModelRecord, "provider">): boolean {
  return provider !== "";
}
