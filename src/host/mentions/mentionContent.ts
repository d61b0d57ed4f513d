/**
 * Reads the content of a mention as parts of a message. It goes through the tools that models use, so the same
 * guarantees hold: workspace only, bounded, marked as data, without recognized secrets.
 */

import type { AddedPart } from "../../core/journal/addedParts.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { Tool } from "../../core/tools/tool.ts";
import { localize } from "../../protocol/localize.ts";
import { isolated } from "../../protocol/rightToLeft.ts";
import { resolvePlace } from "../tools/workspaceRoots.ts";
import type { AskUser } from "./pendingAttachments.ts";
import { openPaths } from "./mentionFinder.ts";
import type { Lines, Mention } from "./mention.ts";
import { withLines } from "./namedFiles.ts";
import { terminalContent } from "./terminalContent.ts";
import { showWarning } from "../editor/boxes/messages.ts";

export interface ReadContext {
  readonly tools: readonly Tool[];
  readonly cancel: CancelSignal;
  readonly asks: AskUser;
}

/** Most open files added at once. */
const MOST_EDITORS = 10;
/** Lines from a symbol on, where only the place of its name is known. */
const SYMBOL_LINES = 60;

/** The error is for the user; empty when they refused. Several parts for several files. */
export async function mentionContent(
  mention: Mention,
  reading: ReadContext,
): Promise<Result<readonly AddedPart[], string>> {
  switch (mention.kind) {
    case "file":
      return one(await fileContent(mention.path ?? "", reading, mention.lines));
    case "symbol":
      return one(await symbolContent(mention, reading));
    case "folder":
      return one(await toolContent(`Folder ${mention.path ?? ""}`, "list_files", { path: mention.path }, reading));
    case "selection":
      return one(await toolContent(`Selection ${mention.description}`, "get_selection", {}, reading));
    case "problems":
      return one(await toolContent("Problems", "get_problems", {}, reading));
    case "diff":
      return one(await toolContent("Git diff", "git_diff", {}, reading));
    case "terminal":
      return one(await terminalContent());
    case "editors":
      return editorsContent(reading);
    case "conversation":
      return err(localize("This cannot be added here."));
    case "image":
    case "pasted":
      return err(localize("Images are added by dropping or pasting them."));
  }
}

/** A file of the workspace by its path, or `lines` of it; asks the user first about one that usually holds secrets. */
export async function fileContent(
  path: string,
  reading: ReadContext,
  lines?: Lines,
): Promise<Result<AddedPart, string>> {
  const place = resolvePlace(path);
  if (!place.ok) return err(place.error.text);
  const range = lines === undefined ? {} : { start_line: lines.first, end_line: lines.last };
  const read = await toolContent(withLines(path, lines), "read_file", { path, ...range }, reading);
  return read.ok && read.value.kind === "attachment" ? ok({ ...read.value, uri: place.value.uri.toString() }) : read;
}

async function symbolContent(
  { label, path = "", lines }: Mention,
  reading: ReadContext,
): Promise<Result<AddedPart, string>> {
  const first = lines?.first ?? 1;
  const last = Math.max(lines?.last ?? first, first + SYMBOL_LINES);
  return toolContent(`Symbol ${label}`, "read_file", { path, start_line: first, end_line: last }, reading);
}

async function editorsContent(reading: ReadContext): Promise<Result<readonly AddedPart[], string>> {
  const parts: AddedPart[] = [];
  let why = localize("No files of the workspace are open.");
  for (const path of openPaths().slice(0, MOST_EDITORS)) {
    const read = await fileContent(path, reading);
    if (read.ok) parts.push(read.value);
    else why = read.error;
  }
  return parts.length === 0 ? err(why) : ok(parts);
}

async function toolContent(
  label: string,
  name: string,
  input: object,
  { tools, cancel, asks }: ReadContext,
): Promise<Result<AddedPart, string>> {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (tool === undefined) return err(localize("This cannot be added here."));
  const inputJson = JSON.stringify(input);
  const view = await tool.describe(inputJson);
  if (!view.ok) return err(withoutCode(view.error));
  if (view.value.mustAsk === true && !(await asks(() => mayAdd(view.value.title, view.value.detail)))) return err("");
  const outcome = await tool.run(inputJson, cancel);
  return outcome.outcome === "ok"
    ? ok({ kind: "attachment", label, text: outcome.text })
    : err(withoutCode(outcome.text));
}

async function mayAdd(title: string, detail: string): Promise<boolean> {
  const add = localize("Add It");
  return (await showWarning(`${isolated(title)}?`, { modal: true, detail: isolated(detail) }, add)) === add;
}

function one(read: Result<AddedPart, string>): Result<readonly AddedPart[], string> {
  return read.ok ? ok([read.value]) : read;
}

/** Failures of tools begin with a code, which is for models. */
function withoutCode(text: string): string {
  return text.replace(/^[A-Z_]+: /, "");
}
