/** Distinguishes a model chosen by the user from one that follows from the settings. */

import type { ModelId } from "../ids.ts";
import type { ModelRecord } from "./records.ts";

/** Records which model is in use by the settings: later records are made for it, but the user did not choose it. */
export function modelFromSettingsRecord(model: ModelId, atMs: number): ModelRecord {
  return { kind: "model", provider: "", model, atMs };
}

/** A chosen model overrides the settings. */
export function isUserChoice({ provider }: Pick<ModelRecord, "provider">): boolean {
  return provider !== "";
}
