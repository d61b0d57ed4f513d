/**
 * `meta.json`: a cache of what the list of conversations shows, so that listing opens no database. Written by the lease
 * holder, read by any window. A missing or invalid file does not affect the conversation; the counts in a valid one are
 * the least that its database must contain (`adapters/sqlite/knownContent`).
 */

import { join } from "node:path";
import { storageFailed, type StorageFailed } from "../../core/errors.ts";
import { isImportLink, type ImportLink } from "../../core/history/importLink.ts";
import type { Project } from "../../core/history/project.ts";
import { countIn, parseJson } from "../../core/json.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { systemErrorCode, fileFailure, nodeFiles, replaceFile, undefinedIfMissing, type Files } from "./files.ts";

const VERSION = 1;

export interface ConversationMeta {
  readonly version: typeof VERSION;
  readonly title: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
  readonly messageCount: number;
  /** Absent in files of earlier versions. */
  readonly recordCount?: number;
  readonly provider: string;
  readonly model: string;
  readonly usage: { readonly usedTokens: number; readonly budgetTokens: number; readonly summarizedSegments: number };
  /** Number of interrupted answers that wait for the user's decision. */
  readonly undecided: number;
  /** Pinned to the top of the list. */
  readonly isPinned?: boolean;
  readonly isArchived?: boolean;
  /** Models do not recall it from other conversations. */
  readonly isLeftOut?: boolean;
  /** Absent in files of earlier versions. */
  readonly projects?: readonly Project[];
  /** Where it was imported from. */
  readonly imported?: ImportLink;
}

export const META_FILE = "meta.json";

/** `undefined` if the file is missing, invalid, unreadable or of an unknown version. */
export async function readMeta(folder: string, files: Files = nodeFiles): Promise<ConversationMeta | undefined> {
  try {
    const value: unknown = JSON.parse(await files.readText(join(folder, META_FILE)));
    if (!isMeta(value)) return undefined;
    return value.projects === undefined ? value : { ...value, projects: value.projects.filter(isProject) };
  } catch (error) {
    if (error instanceof SyntaxError || systemErrorCode(error) !== undefined) return undefined;
    throw error;
  }
}

/**
 * Durable on return; `isDurable: "content"`: after a power cut the file may be the one before, which says less. Only the
 * lease holder may call this. The file of a newer Forge is left as it is.
 */
export async function writeMeta(
  folder: string,
  meta: ConversationMeta,
  { files = nodeFiles, isDurable = true }: { readonly files?: Files; readonly isDurable?: true | "content" } = {},
): Promise<Result<void, StorageFailed>> {
  try {
    const there = parseJson((await undefinedIfMissing(files.readText(join(folder, META_FILE)))) ?? "");
    if (there.ok && isNewerMeta(there.value)) return err({ ...storageFailed(undefined, ""), reason: "newerVersion" });
    await replaceFile(files, join(folder, META_FILE), `${JSON.stringify(meta, null, 2)}\n`, { isDurable });
    return ok(undefined);
  } catch (error) {
    return err(fileFailure(error));
  }
}

type Field = "string" | "number";
const FIELDS: Readonly<
  Record<
    Exclude<
      keyof ConversationMeta,
      "version" | "usage" | "recordCount" | "isPinned" | "isArchived" | "isLeftOut" | "projects" | "imported"
    >,
    Field
  >
> = {
  title: "string",
  createdAtMs: "number",
  lastUsedAtMs: "number",
  messageCount: "number",
  provider: "string",
  model: "string",
  undecided: "number",
};
const USAGE_FIELDS: Readonly<Record<keyof ConversationMeta["usage"], Field>> = {
  usedTokens: "number",
  budgetTokens: "number",
  summarizedSegments: "number",
};

export function isNewerMeta(value: unknown): boolean {
  return countIn(value, "version") > VERSION;
}

export function isMeta(value: unknown): value is ConversationMeta {
  return (
    hasFields(value, FIELDS) &&
    (!("projects" in value) || Array.isArray(value.projects)) &&
    (!("imported" in value) || isImportLink(value.imported)) &&
    "version" in value &&
    value.version === VERSION &&
    "usage" in value &&
    hasFields(value.usage, USAGE_FIELDS)
  );
}

function isProject(value: unknown): value is Project {
  if (typeof value !== "object" || value === null || !("remotes" in value)) return false;
  const isText = (each: unknown): boolean => typeof each === "string";
  const others = new Map<string, unknown>(Object.entries(value));
  return (
    Array.isArray(value.remotes) &&
    value.remotes.every(isText) &&
    ["rootCommit", "folder"].every((name) => !others.has(name) || isText(others.get(name)))
  );
}

function hasFields(value: unknown, fields: Readonly<Record<string, Field>>): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(fields).every(([name, type]) => typeof Reflect.get(value, name) === type);
}
