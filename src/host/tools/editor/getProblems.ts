/** `get_problems`: the editor's diagnostics for files of the workspace. */

import * as v from "valibot";
import * as vscode from "vscode";
import { ok, type Result } from "../../../core/result.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import { localize } from "../../../protocol/localize.ts";
import { cellOf } from "../../notebooks/openNotebooks.ts";
import { onOneLine } from "../hiddenText.ts";
import { hostTool, type ReportBug, titleOnlyView, type CallViewResult } from "../hostTool.ts";
import { text } from "../input/toolInput.ts";
import { isInGitFolder } from "../paths/guardedFiles.ts";
import { problemMessage, problemPlace } from "../problems/problemLine.ts";
import { sanitizeText, counted, dataText } from "../resultText.ts";
import type { ToolFailure } from "../toolFailure.ts";
import { isWithin, type Place, resolvePlace, placeOfUri } from "../workspaceRoots.ts";

const MOST_PROBLEMS = 200;
/** In the order of `vscode.DiagnosticSeverity`, worst first. */
const SEVERITIES = ["error", "warning", "information", "hint"] as const;

const INPUT = v.strictObject({
  path: v.optional(text("A file or folder; left out, the whole workspace.", { most: 4_096 })),
  least_severity: v.optional(
    v.pipe(v.picklist(SEVERITIES), v.description("Leaves out what is less severe; all if left out.")),
  ),
});
type Input = v.InferOutput<typeof INPUT>;

interface Problem {
  readonly place: Place;
  /** Of a notebook; counted from 1. */
  readonly cell: number | undefined;
  readonly diagnostic: vscode.Diagnostic;
}

export function getProblemsTool(reportBug: ReportBug): Tool {
  return hostTool(
    {
      name: "get_problems",
      description: "Gives the errors and warnings that the editor shows for files of the workspace, worst first.",
      effect: "reads",
      input: INPUT,
      view,
      run: (input) => Promise.resolve(problems(input)),
    },
    reportBug,
  );
}

function view(input: Input): CallViewResult {
  const place = scope(input);
  if (!place.ok) return place;
  return titleOnlyView(
    place.value === undefined
      ? localize("Look at the problems")
      : localize("Look at the problems of {0}", onOneLine(place.value.shown)),
  );
}

function scope(input: Input): Result<Place | undefined, ToolFailure> {
  const path = input.path ?? "";
  return path === "" ? ok(undefined) : resolvePlace(path);
}

function problems(input: Input): Result<string, ToolFailure> {
  const within = scope(input);
  if (!within.ok) return within;
  const shownSeverities = SEVERITIES.slice(0, SEVERITIES.indexOf(input.least_severity ?? "hint") + 1);
  const all = vscode.languages
    .getDiagnostics()
    .flatMap(([uri, diagnostics]): readonly Problem[] => {
      const cell = cellOf(uri);
      const place = placeOfUri(cell?.notebook.uri ?? uri);
      if (place === undefined || isInGitFolder(place.relative) || !isWithin(place, within.value)) return [];
      const severe = diagnostics.filter((diagnostic) => shownSeverities.includes(severityOf(diagnostic)));
      return severe.map((diagnostic) => ({ place, cell: cell?.number, diagnostic }));
    })
    .toSorted(bySeverity);
  const listed = all.slice(0, MOST_PROBLEMS);
  const clean = sanitizeText(listed.map(lineOf).join("\n"));
  const left = all.length - listed.length;
  const notes = left === 0 ? [] : [`${counted(left, "more problem")} left out: name a file, or a severity.`];
  return ok(dataText({ heading: counted(all.length, "problem"), body: clean.text, changes: clean, notes }));
}

function bySeverity(one: Problem, other: Problem): number {
  const [a, b] = [one.diagnostic, other.diagnostic];
  if (a.severity !== b.severity) return a.severity - b.severity;
  if (one.place.shown !== other.place.shown) return one.place.shown < other.place.shown ? -1 : 1;
  return a.range.start.compareTo(b.range.start);
}

function lineOf({ place, cell, diagnostic }: Problem): string {
  const { range, source, message } = diagnostic;
  const at = problemPlace(place.shown, { cell, line: range.start.line + 1, column: range.start.character + 1 });
  return `${at}: ${severityOf(diagnostic)}: ${problemMessage(message, source ?? "")}`;
}

function severityOf({ severity }: vscode.Diagnostic): (typeof SEVERITIES)[number] {
  return SEVERITIES[severity];
}
