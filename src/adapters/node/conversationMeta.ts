/**
 * `meta.json`: a copy of what the list of conversations shows, so that listing opens no database. It is written by the
 * holder of the lease and read by any window. When it is missing or torn, the conversation is still whole.
 */

import { join } from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { codeOf, fileFailure, nodeFiles, replaceFile, type Files } from "./files.ts";

/** What the list shows of a conversation. */
export interface ConversationMeta {
  readonly version: 1;
  readonly title: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
  readonly messageCount: number;
  readonly provider: string;
  readonly model: string;
  readonly usage: { readonly usedTokens: number; readonly budgetTokens: number; readonly summarizedSegments: number };
  /** Answers that ended badly and wait for the user's word. */
  readonly undecided: number;
  /** The user keeps it at the top of the list. */
  readonly isPinned?: boolean;
  /** The user has put it away: it is listed among those in the archive. */
  readonly isArchived?: boolean;
}

/** The copy's name in the conversation's folder. */
export const META_FILE = "meta.json";

/** Reads a folder's copy; `undefined` when it is missing, torn, or of a version that is not known here. */
export async function readMeta(folder: string, files: Files = nodeFiles): Promise<ConversationMeta | undefined> {
  try {
    const value: unknown = JSON.parse(await files.readText(join(folder, META_FILE)));
    return isMeta(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) !== undefined) return undefined;
    throw error;
  }
}

/** Replaces a folder's copy. Only the holder of the lease may. */
export async function writeMeta(
  folder: string,
  meta: ConversationMeta,
  files: Files = nodeFiles,
): Promise<Result<void, StorageFailed>> {
  try {
    await replaceFile(files, join(folder, META_FILE), `${JSON.stringify(meta, null, 2)}\n`);
    return ok(undefined);
  } catch (error) {
    return err(fileFailure(error));
  }
}

type Field = "string" | "number";
const FIELDS: Readonly<
  Record<Exclude<keyof ConversationMeta, "version" | "usage" | "isPinned" | "isArchived">, Field>
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

function isMeta(value: unknown): value is ConversationMeta {
  return (
    hasFields(value, FIELDS) &&
    "version" in value &&
    value.version === 1 &&
    "usage" in value &&
    hasFields(value.usage, USAGE_FIELDS)
  );
}

function hasFields(value: unknown, fields: Readonly<Record<string, Field>>): value is object {
  if (typeof value !== "object" || value === null) return false;
  const entries = new Map<string, unknown>(Object.entries(value));
  return Object.entries(fields).every(([name, type]) => typeof entries.get(name) === type);
}
