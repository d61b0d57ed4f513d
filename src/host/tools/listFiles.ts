/** `list_files`: the entries of a workspace folder. */

import * as v from "valibot";
import { ok } from "../../core/result.ts";
import type { Tool } from "../../core/tools/tool.ts";
import { localize } from "../../protocol/localize.ts";
import { findPlace, listFolder } from "./files/workspaceFiles.ts";
import { makeVisible, onOneLine } from "./hiddenText.ts";
import { hostTool, titleOnlyView, type ReportBug } from "./hostTool.ts";
import { text } from "./input/toolInput.ts";
import { isInGitFolder } from "./paths/guardedFiles.ts";
import { counted, dataText } from "./resultText.ts";
import type { FolderEntry } from "./search/walkRules.ts";
import { failure } from "./toolFailure.ts";
import { isTakenName } from "./paths/requestedPath.ts";
import { resolvePlace, rootPlaces } from "./workspaceRoots.ts";

const MOST_ENTRIES = 1_000;

const INPUT = v.strictObject({
  path: v.optional(text("Path of the folder; left out, the workspace itself.", { most: 4_096 })),
});

export function listFilesTool(dist: string, reportBug: ReportBug): Tool {
  return hostTool(
    {
      name: "list_files",
      description: 'Lists the files and folders of one folder in the workspace. Folders end in "/".',
      effect: "reads",
      input: INPUT,
      view: ({ path = "" }) => {
        const place = path === "" ? undefined : resolvePlace(path);
        if (place?.ok === false) return place;
        return titleOnlyView(
          place === undefined ? localize("List the workspace") : localize("List {0}", onOneLine(place.value.shown)),
        );
      },
      run: async ({ path = "" }, cancel) => {
        const roots = rootPlaces();
        if (path === "" && roots.length > 1) return ok(rootsText(roots.map(({ shown }) => shown)));
        const place = await findPlace(dist, path);
        if (!place.ok) return place;
        if (isInGitFolder(place.value.relative)) return failure("NOT_ALLOWED", "Folders of git itself are not listed.");
        const entries = await listFolder(dist, place.value, cancel);
        return entries.ok ? ok(entriesText(place.value.shown, entries.value)) : entries;
      },
    },
    reportBug,
  );
}

function rootsText(names: readonly string[]): string {
  const body = names.map((name) => `${name}/`).join("\n");
  const heading = `The workspace has ${counted(names.length, "folder")}; paths begin with the name of one`;
  return dataText({ heading, body, changes: { secretCount: 0, hiddenCount: 0 } });
}

function entriesText(shown: string, entries: readonly FolderEntry[]): string {
  const sorted = entries
    .filter(({ name }) => name.toLowerCase() !== ".git")
    .toSorted((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
  const listed = sorted.slice(0, MOST_ENTRIES).map((entry) => makeVisible(labelOf(entry)));
  const hiddenCount = listed.reduce((sum, entry) => sum + entry.hiddenCount, 0);
  const left = sorted.length - listed.length;
  return dataText({
    heading: `${shown}: ${counted(sorted.length, "entry", "entries")}`,
    body: listed.map(({ text }) => text).join("\n"),
    changes: { secretCount: 0, hiddenCount },
    notes: left === 0 ? [] : [`${counted(left, "more entry", "more entries")} not listed; find_files takes a pattern.`],
  });
}

function rank({ kind }: FolderEntry): number {
  return kind === "folder" ? 0 : 1;
}

function labelOf({ name, kind }: FolderEntry): string {
  const onLine = isTakenName(name) ? onOneLine(name, 500) : `${onOneLine(name, 500)} (no tool takes this name)`;
  if (kind === "folder") return `${onLine}/`;
  if (kind === "link") return `${onLine} (a link)`;
  return kind === "other" ? `${onLine} (no ordinary file)` : onLine;
}
