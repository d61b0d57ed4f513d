/** `search_text`: lines of workspace files that contain a text or match a regular expression. */

import { ok, type Result } from "../../core/result.ts";
import type { Tool } from "../../core/tools/tool.ts";
import { localize } from "../../protocol/localize.ts";
import { parseGlob, FOLDER, INCLUDE_IGNORED, shownFolder, displayPathIn, startPlaces } from "./findFiles.ts";
import { onOneLine } from "./hiddenText.ts";
import { hostTool, titleOnlyView, type CallViewResult, type ReportBug } from "./hostTool.ts";
import { booleanField, optional, textField, integerField } from "./input/field.ts";
import type { InputValues } from "./input/inputShape.ts";
import { counted, dataText } from "./resultText.ts";
import { compileQuery, type TextQuery } from "./search/matcher.ts";
import { searchPlace, type PlaceHits } from "./searchPlace.ts";
import { failure, type ToolFailure } from "./toolFailure.ts";
import type { Place } from "./workspaceRoots.ts";

const DEFAULT_LINES = 100;
const MOST_LINES = 1_000;

const QUERY = textField("query", "What to look for, within one line.", { least: 1, most: 2_000 });
const IS_REGEX = optional(booleanField("is_regex", "The query is a JavaScript regular expression."));
const CASE = optional(booleanField("case_sensitive", "Upper and lower case differ; if left out, they do not."));
const FILES = optional(textField("files", 'Only files like this glob: "*.ts", "src/**".', { least: 1, most: 500 }));
const MOST = optional(
  integerField("max_results", `At most so many lines; ${DEFAULT_LINES} if left out.`, { least: 1, most: MOST_LINES }),
);

export function searchTextTool(dist: string, reportBug: ReportBug): Tool {
  return hostTool(
    {
      name: "search_text",
      description:
        "Searches the text files of the workspace line by line, unsaved changes included. Ignored files, files over " +
        "4 MB and files that usually hold secrets are left out.",
      effect: "reads",
      fields: [QUERY, IS_REGEX, CASE, FOLDER, FILES, INCLUDE_IGNORED, MOST],
      view,
      run: async (input, cancel) => {
        const wanted = request(input);
        if (!wanted.ok) return wanted;
        const { places, query, glob, most } = wanted.value;
        const found: { readonly place: Place; readonly hits: PlaceHits }[] = [];
        let left = most;
        for (const place of places) {
          if (left === 0) break;
          const includeIgnored = input.get(INCLUDE_IGNORED) === true;
          const hits = await searchPlace(dist, place, { glob, includeIgnored, most: left, query }, cancel);
          if (!hits.ok) return hits;
          left -= hits.value.files.reduce((sum, { lines }) => sum + lines.length, 0);
          found.push({ place, hits: hits.value });
        }
        return ok(resultText(input.get(QUERY), found));
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

function request(input: InputValues): Result<Wanted, ToolFailure> {
  const places = startPlaces(input.get(FOLDER));
  if (!places.ok) return places;
  const files = input.get(FILES);
  const glob = files === undefined ? ok(undefined) : parseGlob(files);
  if (!glob.ok) return glob;
  const query = {
    pattern: input.get(QUERY),
    isRegex: input.get(IS_REGEX) === true,
    ignoreCase: input.get(CASE) !== true,
  };
  const compiled = compileQuery(query);
  if (!compiled.ok) return failure("INVALID_INPUT", `"query" is no regular expression: ${compiled.error}.`);
  return ok({ places: places.value, query, glob: glob.value, most: input.get(MOST) ?? DEFAULT_LINES });
}

function view(input: InputValues): CallViewResult {
  const wanted = request(input);
  if (!wanted.ok) return wanted;
  return titleOnlyView(titleOf(onOneLine(input.get(QUERY)), shownFolder(input), wanted.value.glob && input.get(FILES)));
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

function resultText(query: string, found: readonly { readonly place: Place; readonly hits: PlaceHits }[]): string {
  const total = { lines: 0, files: 0, mayHoldSecrets: 0, tooLarge: 0, secretCount: 0, hiddenCount: 0 };
  const body: string[] = [];
  const notes: string[] = [];
  for (const { place, hits } of found) {
    total.mayHoldSecrets += hits.skipped.mayHoldSecrets;
    total.tooLarge += hits.skipped.tooLarge;
    total.secretCount += hits.changes.secretCount;
    total.hiddenCount += hits.changes.hiddenCount;
    for (const { file, lines } of hits.files) {
      total.files++;
      total.lines += lines.length;
      body.push(...lines.map(({ line, text }) => `${displayPathIn(place, file)}:${line}: ${text}`));
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
