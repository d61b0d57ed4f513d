/** `find_files`: files of the workspace by a glob of their paths. */

import * as v from "valibot";
import type { CancelSignal } from "../../core/cancellation.ts";
import { ok, type Result } from "../../core/result.ts";
import type { Tool } from "../../core/tools/tool.ts";
import { localize } from "../../protocol/localize.ts";
import type { FoundFiles } from "./files/fileTask.ts";
import { runFileTask } from "./files/fileThread.ts";
import { listVirtual, walkVirtual } from "./files/virtualFiles.ts";
import { spelledPlace, threadOptions, type WalkChoice, walkRequest } from "./files/workspaceFiles.ts";
import { onOneLine } from "./hiddenText.ts";
import { hostTool, titleOnlyView, type ReportBug } from "./hostTool.ts";
import { flag, integer, text } from "./input/toolInput.ts";
import { isInGitFolder } from "./paths/guardedFiles.ts";
import { displayPathOf, isTakenName } from "./paths/requestedPath.ts";
import { counted, dataText } from "./resultText.ts";
import { atAnyDepth, compileGlob } from "./search/glob.ts";
import { failure, type ToolFailure } from "./toolFailure.ts";
import { type Place, resolvePlace, rootPlaces, workspaceRoots } from "./workspaceRoots.ts";

const DEFAULT_FILES = 200;
const MOST_FILES = 2_000;

export const SEARCHED_FOLDER = v.optional(text("Folder to look in; left out, the whole workspace.", { most: 4_096 }));
export const INCLUDE_IGNORED = v.optional(
  flag("Also look at files that .gitignore or the editor's settings leave out."),
);
const INPUT = v.strictObject({
  pattern: text('A glob such as "src/**/*.ts" or "*.{json,md}"; one without "/" finds names in every folder.', {
    least: 1,
    most: 500,
  }),
  path: SEARCHED_FOLDER,
  include_ignored: INCLUDE_IGNORED,
  max_results: v.optional(
    integer(`At most so many files; ${DEFAULT_FILES} if left out.`, { least: 1, most: MOST_FILES }),
  ),
});

export function findFilesTool(dist: string, reportBug: ReportBug): Tool {
  return hostTool(
    {
      name: "find_files",
      description:
        "Finds files of the workspace by a glob of their paths. Ignored files are left out unless asked for.",
      effect: "reads",
      input: INPUT,
      view: (input) => {
        const places = startPlaces(input.path);
        if (!places.ok) return places;
        const glob = parseGlob(input.pattern);
        if (!glob.ok) return glob;
        const [pattern, folder] = [onOneLine(input.pattern), shownFolder(input.path)];
        return titleOnlyView(
          folder === undefined
            ? localize("Find files like {0}", pattern)
            : localize("Find files like {0} in {1}", pattern, folder),
        );
      },
      run: async (input, cancel) => {
        const places = startPlaces(input.path);
        if (!places.ok) return places;
        const glob = parseGlob(input.pattern);
        if (!glob.ok) return glob;
        const most = input.max_results ?? DEFAULT_FILES;
        const found: string[] = [];
        const missing: Place[] = [];
        let untaken = 0;
        let isCut = false;
        for (const written of places.value) {
          const place = await spelledPlace(dist, written);
          const includeIgnored = input.include_ignored === true;
          const skipNested = places.value.length > 1;
          const choice = { glob: glob.value, includeIgnored, most: most - found.length, skipNested };
          if (choice.most === 0) break;
          const files = await findFilesIn(dist, place, choice, cancel);
          if (!files.ok) {
            if (!isMissingRoot(files.error, places.value)) return files;
            missing.push(place);
            continue;
          }
          const taken = files.value.files.filter(isTakenName);
          untaken += files.value.files.length - taken.length;
          found.push(...taken.map((relative) => displayPathIn(place, relative)));
          isCut ||= files.value.isCut;
        }
        return ok(resultText(input.pattern, found, isCut, [...missingNotes(missing), ...untakenNotes(untaken)]));
      },
    },
    reportBug,
  );
}

/** The folder that the model named, or every open folder. */
export function startPlaces(path: string | undefined): Result<readonly Place[], ToolFailure> {
  if (path !== undefined && path !== "" && path !== ".") {
    const place = resolvePlace(path);
    if (!place.ok) return place;
    if (isInGitFolder(place.value.relative)) return failure("NOT_ALLOWED", "Folders of git itself are not searched.");
    return ok([place.value]);
  }
  const roots = rootPlaces();
  return roots.length === 0 ? failure("UNAVAILABLE", "No folder is open in the editor.") : ok(roots);
}

/** "src" for the title; `undefined` for the whole workspace. */
export function shownFolder(folder = ""): string | undefined {
  if (folder === "" || folder === ".") return undefined;
  const place = resolvePlace(folder);
  const shown = onOneLine(place.ok ? place.value.shown : folder);
  return shown === "." ? undefined : shown;
}

/** The path of a file of a walk from `place`, as the model is to write it. */
export function displayPathIn({ rootIndex }: Place, relative: string): string {
  return displayPathOf({ rootIndex, relative }, workspaceRoots());
}

/** The normalized glob; the error says why it is invalid. */
export function parseGlob(pattern: string): Result<string, ToolFailure> {
  const glob = atAnyDepth(pattern);
  const compiled = compileGlob(glob, { braces: true, ignoreCase: false });
  return compiled.ok ? ok(glob) : failure("INVALID_INPUT", compiled.error);
}

export async function findFilesIn(
  dist: string,
  place: Place,
  choice: WalkChoice,
  cancel: CancelSignal,
): Promise<Result<FoundFiles, ToolFailure>> {
  const walk = walkRequest(place, choice);
  if (place.root.folderPath !== undefined) {
    return runFileTask(
      threadOptions(dist),
      { kind: "find", walk },
      {
        cancel,
        pickResult: (message) => (message.kind === "find" ? message.result : undefined),
      },
    );
  }
  const start = await listVirtual(place);
  if (!start.ok) return start;
  const files: string[] = [];
  for await (const { relative } of walkVirtual(place.root.uri, walk, cancel)) {
    if (files.length === walk.most) return ok({ files, isCut: true });
    files.push(relative);
  }
  return cancel.aborted ? failure("CANCELLED", "The user stopped the search.") : ok({ files, isCut: false });
}

/** One folder of several: what can be told of the others is told. */
export function isMissingRoot({ code }: ToolFailure, places: readonly Place[]): boolean {
  return code === "NOT_FOUND" && places.length > 1;
}

function untakenNotes(count: number): readonly string[] {
  const names = "as their names hold line ends, backslashes or characters that are not seen, which no tool takes";
  return count === 0 ? [] : [`Not listed, ${names}: ${counted(count, "file")}.`];
}

export function missingNotes(missing: readonly Place[]): readonly string[] {
  return missing.map(({ shown }) => `Not searched, as the folder is not there: ${shown}.`);
}

function resultText(pattern: string, found: readonly string[], isCut: boolean, reasons: readonly string[]): string {
  const more = isCut ? ["There are more: narrow the pattern, name a folder, or ask for more results."] : [];
  const notes = [...more, ...reasons];
  const heading = `${counted(found.length, "file")} like ${onOneLine(pattern)}`;
  return dataText({ heading, body: found.join("\n"), changes: { secretCount: 0, hiddenCount: 0 }, notes });
}
