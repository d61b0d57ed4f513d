/**
 * Titles of calls that no tool has described: still being written, never run, or invalid. Reads as much of the input as
 * it can. Pure.
 */

import { tryParseJson } from "../../core/json.ts";
import type { ToolCallPart } from "../../core/message.ts";
import { localize } from "../../protocol/localize.ts";
import { onOneLine } from "./hiddenText.ts";

/** Enough of an input to tell one call from another. */
const MOST_SHOWN = 60;

/** The value of a field for one line; `undefined` where it cannot be shown. */
type Shown = (field: string) => string | undefined;

/** One line: "Read src/app.ts". For a tool that is not Forge's own, its name and the first values of its input. */
export function callTitle({ name, inputJson }: Pick<ToolCallPart, "name" | "inputJson">): string {
  const input = tryParseJson(inputJson);
  const fields = new Map(typeof input === "object" && input !== null ? Object.entries(input) : []);
  const own = Object.hasOwn(TITLES_BY_TOOL, name) ? TITLES_BY_TOOL[name] : undefined;
  if (own !== undefined) return own((field) => shownValue(fields.get(field)), input !== undefined);
  const values = input === undefined ? inputJson : [...fields.values()].filter(isPlain).join(", ");
  return `${name} ${shownValue(values) ?? ""}`.trim();
}

/** With the input's fields, or without them where it cannot be parsed yet. */
const TITLES_BY_TOOL: Readonly<Record<string, (shown: Shown, isRead: boolean) => string>> = {
  read_file: (shown) => {
    const path = shown("path");
    return path === undefined ? localize("Read a file") : localize("Read {0}", path);
  },
  edit_file: (shown) => {
    const path = shown("path");
    return path === undefined ? localize("Edit a file") : localize("Edit {0}", path);
  },
  list_files: (shown, isRead) => {
    const path = shown("path");
    if (path !== undefined) return localize("List {0}", path);
    return isRead ? localize("List the workspace") : localize("List a folder");
  },
  find_files: (shown) => {
    const pattern = shown("pattern");
    return pattern === undefined ? localize("Find files") : localize("Find files like {0}", pattern);
  },
  search_text: (shown) => {
    const query = shown("query");
    return query === undefined ? localize("Search the files") : localize("Search for {0}", query);
  },
  get_problems: (shown) => {
    const path = shown("path");
    return path === undefined ? localize("Look at the problems") : localize("Look at the problems of {0}", path);
  },
  get_selection: () => localize("Look at the selection and the open files"),
  git_status: () => localize("Show the git status"),
  git_diff: (shown) => {
    const path = shown("path");
    return path === undefined
      ? localize("Look at the changes since the last commit")
      : localize("Look at the changes of {0} since the last commit", path);
  },
  run_command: (shown) => {
    const [command, path] = [shown("command"), shown("path")];
    if (command === undefined) return localize("Run a command");
    return path === undefined ? localize("Run {0}", command) : localize("Run {0} in {1}", command, path);
  },
  recall_history: (shown) => {
    const [query, message, scope] = [shown("query"), shown("message"), shown("scope")];
    if (query !== undefined && scope === "project")
      return localize("Search the other conversations of this project: {0}", query);
    if (query !== undefined && scope === "all") return localize("Search all other conversations: {0}", query);
    if (query !== undefined) return localize("Search history: {0}", query);
    if (message !== undefined && shown("conversation") !== undefined)
      return localize("Read message {0} of another conversation", message);
    if (message === undefined) return localize("Look up the history");
    return localize("Read message {0}", message);
  },
};

function shownValue(value: unknown): string | undefined {
  const line = isPlain(value) ? String(value).replaceAll(/\s+/g, " ").trim() : "";
  return line === "" ? undefined : onOneLine(line, MOST_SHOWN);
}

function isPlain(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
