/** `search_text`: lines of workspace files that contain a text or match a regular expression. */

import * as v from "valibot";
import { ok, type Result } from "../../core/result.ts";
import type { Tool } from "../../core/tools/tool.ts";
import { localize } from "../../protocol/localize.ts";
import {
  displayPathIn,
  INCLUDE_IGNORED,
  isMissingRoot,
  missingNotes,
  parseGlob,
  SEARCHED_FOLDER,
  shownFolder,
  startPlaces,
} from "./findFiles.ts";
import { onOneLine } from "./hiddenText.ts";
import { hostTool, titleOnlyView, type CallViewResult, type ReportBug } from "./hostTool.ts";
import { flag, integer, text } from "./input/toolInput.ts";
import { counted, dataText } from "./resultText.ts";
import { compileQuery, type FoundLine, type TextQuery } from "./search/matcher.ts";
import { searchPlace, type PlaceHits } from "./searchPlace.ts";
import { failure, type ToolFailure } from "./toolFailure.ts";
import { spelledPlace } from "./files/workspaceFiles.ts";
import type { Place } from "./workspaceRoots.ts";

const DEFAULT_LINES = 100;
const MOST_LINES = 1_000;

const INPUT = v.strictObject({
  query: text("What to look for, within one line.", { least: 1, most: 2_000 }),
  is_regex: v.optional(flag("The query is a JavaScript regular expression.")),
  case_sensitive: v.optional(flag("Upper and lower case differ; if left out, they do not.")),
  path: SEARCHED_FOLDER,
  files: v.optional(text('Only files like this glob: "*.ts", "src/**".', { least: 1, most: 500 })),
  include_ignored: INCLUDE_IGNORED,
  max_results: v.optional(
    integer(`At most so many lines; ${DEFAULT_LINES} if left out.`, { least: 1, most: MOST_LINES }),
  ),
});
type Input = v.InferOutput<typeof INPUT>;

export function searchTextTool(dist: string, reportBug: ReportBug): Tool {
  return hostTool(
    {
      name: "search_text",
      description:
        "Searches the text files of the workspace line by line, unsaved changes included. Ignored files, files over " +
        "4 MB and files that usually hold secrets are left out.",
      effect: "reads",
      input: INPUT,
      view,
      run: async (input, cancel) => {
        const wanted = request(input);
        if (!wanted.ok) return wanted;
        const { places, query, glob, most } = wanted.value;
        const found: { readonly place: Place; readonly hits: PlaceHits }[] = [];
        const missing: Place[] = [];
        let left = most;
        for (const written of places) {
          if (left === 0) break;
          const place = await spelledPlace(dist, written);
          const includeIgnored = input.include_ignored === true;
          const choice = { glob, includeIgnored, most: left, query, skipNested: places.length > 1 };
          const hits = await searchPlace(dist, place, choice, cancel);
          if (!hits.ok) {
            if (!isMissingRoot(hits.error, places)) return hits;
            missing.push(place);
            continue;
          }
          left -= hits.value.files.reduce((sum, { lines }) => sum + lines.length, 0);
          found.push({ place, hits: hits.value });
        }
        return ok(resultText(input.query, found, missing));
      },
    },
    reportBug,
  );
}

interface Wanted {
  readonly places: readonly Place[];
  readonly query: TextQuery;
  readonly glob: string | undefined;
  readonly most: number;
}

function request(input: Input): Result<Wanted, ToolFailure> {
  const places = startPlaces(input.path);
  if (!places.ok) return places;
  const files = input.files;
  const glob = files === undefined ? ok(undefined) : parseGlob(files);
  if (!glob.ok) return glob;
  const query = {
    pattern: input.query,
    isRegex: input.is_regex === true,
    ignoreCase: input.case_sensitive !== true,
  };
  const compiled = compileQuery(query);
  if (!compiled.ok) return failure("INVALID_INPUT", `"query" is no regular expression: ${compiled.error}.`);
  return ok({ places: places.value, query, glob: glob.value, most: input.max_results ?? DEFAULT_LINES });
}

function view(input: Input): CallViewResult {
  const wanted = request(input);
  if (!wanted.ok) return wanted;
  return titleOnlyView(titleOf(onOneLine(input.query), shownFolder(input.path), wanted.value.glob && input.files));
}

function titleOf(query: string, folder: string | undefined, files: string | undefined): string {
  const like = onOneLine(files ?? "");
  if (files === undefined) {
    return folder === undefined ? localize("Search for {0}", query) : localize("Search for {0} in {1}", query, folder);
  }
  return folder === undefined
    ? localize("Search for {0} in files like {1}", query, like)
    : localize("Search for {0} in {1} in files like {2}", query, folder, like);
}

/** With the place from which read_file shows more of a long line. */
function lineOf({ line, column }: FoundLine): string {
  return column === undefined ? String(line) : `${line} (from "start_column": ${column})`;
}

function resultText(
  query: string,
  found: readonly { readonly place: Place; readonly hits: PlaceHits }[],
  missing: readonly Place[],
): string {
  const total = { lines: 0, files: 0, mayHoldSecrets: 0, tooLarge: 0, secretCount: 0, hiddenCount: 0 };
  const body: string[] = [];
  const notes = [...missingNotes(missing)];
  for (const { place, hits } of found) {
    total.mayHoldSecrets += hits.skipped.mayHoldSecrets;
    total.tooLarge += hits.skipped.tooLarge;
    total.secretCount += hits.changes.secretCount;
    total.hiddenCount += hits.changes.hiddenCount;
    for (const { file, lines } of hits.files) {
      total.files++;
      total.lines += lines.length;
      body.push(...lines.map((found) => `${displayPathIn(place, file)}:${lineOf(found)}: ${found.text}`));
    }
    if (hits.incompleteReason !== undefined) notes.push(hits.incompleteReason);
  }
  if (total.mayHoldSecrets > 0) {
    notes.push(`Not searched, as they usually hold secrets: ${counted(total.mayHoldSecrets, "file")}.`);
  }
  if (total.tooLarge > 0) notes.push(`Not searched, as they are over 4 MB: ${counted(total.tooLarge, "file")}.`);
  const where = total.lines === 0 ? "" : ` in ${counted(total.files, "file")}`;
  const heading = `${counted(total.lines, "line")} with ${onOneLine(query)}${where}`;
  return dataText({ heading, body: body.join("\n"), changes: total, notes });
}
