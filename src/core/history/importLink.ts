/** Where an imported conversation came from: stored with it, so that an import of the same file finds it again. */

import { tryParseJson } from "../json.ts";
import type { FullHistory } from "./fullHistory.ts";
import type { SettingRecord } from "./records.ts";

/** Setting that holds the {@link ImportLink} as JSON. */
export const IMPORT_LINK_SETTING = "importedFrom";

export interface ImportLink {
  /** As `core/documents/foreign/formats.ts` names it. */
  readonly tool: string;
  /** Of the conversation in its tool, or a fingerprint of how it begins. */
  readonly id: string;
  /** Questions and answers in the file at its last import. */
  readonly answers: number;
  /** Length of the file then. */
  readonly bytes: number;
}

export function importLinkSetting(link: ImportLink, atMs: number): SettingRecord {
  return { kind: "setting", name: IMPORT_LINK_SETTING, value: JSON.stringify(link), atMs };
}

/** `undefined` for a conversation that was not imported, and for a link that cannot be read. */
export function importLinkOf(history: Pick<FullHistory, "setting">): ImportLink | undefined {
  const value = tryParseJson(history.setting(IMPORT_LINK_SETTING) ?? "");
  return isImportLink(value) ? value : undefined;
}

export function isImportLink(value: unknown): value is ImportLink {
  if (typeof value !== "object" || value === null) return false;
  const isOf = (type: string, ...names: readonly string[]): boolean =>
    names.every((name) => typeof Reflect.get(value, name) === type);
  return isOf("string", "tool", "id") && isOf("number", "answers", "bytes");
}

/** Equal for the same conversation of the same tool alone. */
export function importKey({ tool, id }: Pick<ImportLink, "tool" | "id">): string {
  return `${tool} ${id}`;
}
