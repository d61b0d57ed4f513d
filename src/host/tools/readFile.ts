/** `read_file`: lines of a workspace file. */

import { isNotebookStamp } from "../notebooks/notebookText.ts";
import * as v from "valibot";
import { ok, type Result } from "../../core/result.ts";
import type { Tool, ToolCallView } from "../../core/tools/tool.ts";
import { localize } from "../../protocol/localize.ts";
import type { SeenFiles } from "./seenFiles.ts";
import type { ReadAnswer } from "./files/fileTask.ts";
import type { LineRange } from "./files/lineIndex.ts";
import { findPlace, locate, readFileRange, spelledPlace } from "./files/workspaceFiles.ts";
import { onOneLine } from "./hiddenText.ts";
import { hostTool, type ReportBug } from "./hostTool.ts";
import { integer, text } from "./input/toolInput.ts";
import { isInGitFolder, mayHoldSecrets } from "./paths/guardedFiles.ts";
import { counted, dataText } from "./resultText.ts";
import { failure, type ToolFailure } from "./toolFailure.ts";
import { type Place, resolvePlace } from "./workspaceRoots.ts";

const MOST_LINES = 2_000;
const MOST_LINE_NUMBER = 1_000_000_000;

export const FILE_PATH = text("Path of the file, from the workspace folder on.", { least: 1, most: 4_096 });
const LINE = { least: 1, most: MOST_LINE_NUMBER };
const INPUT = v.strictObject({
  path: FILE_PATH,
  start_line: v.optional(integer("First line to read; 1 if left out.", LINE)),
  start_column: v.optional(
    integer("Character of the first line to begin at, for a line that is too long to be shown whole.", LINE),
  ),
  end_line: v.optional(integer(`Last line to read. At most ${MOST_LINES} lines are read at once.`, LINE)),
});
type Input = v.InferOutput<typeof INPUT>;

const ABOUT_CELLS =
  'It is a notebook: below a line such as "%% cell 2 (code, python)" is the source of that cell. Outputs are shown after ' +
  'their cell, and are not part of what can be edited. A head without a number, "%% cell (code, python)", begins a new cell.';

/** Records in `seen` what the model has read. */
export function readFileTool(dist: string, seen: SeenFiles, reportBug: ReportBug): Tool {
  /** Files that usually hold secrets, for which the user's approval is pending. */
  const asked = new Set<string>();
  return hostTool(
    {
      name: "read_file",
      description:
        "Reads lines of a text file in the workspace, with their numbers. Unsaved changes in the editor are included. " +
        "Secrets are replaced by marks.",
      effect: "reads",
      input: INPUT,
      view: async (written) => {
        const input = await withLinesOfPath(dist, written);
        const wanted = request(input);
        if (!wanted.ok) return wanted;
        const place = await spelledPlace(dist, wanted.value.place);
        const located = await locate(dist, place, NEVER);
        if (!located.ok) return located;
        if (located.value.kind === "missing") return failure("NOT_FOUND", `There is no ${place.shown}.`);
        const isGuarded = [place.relative, located.value.relative].some(mayHoldSecrets);
        if (isGuarded) asked.add(place.uri.toString());
        return ok({ title: titleOf(wanted.value, input), ...(isGuarded ? SECRETS_QUESTION : { detail: "" }) });
      },
      run: async (input, cancel) => {
        const wanted = request(await withLinesOfPath(dist, input));
        if (!wanted.ok) return wanted;
        const { range } = wanted.value;
        const place = await spelledPlace(dist, wanted.value.place);
        const hasAgreed = asked.delete(place.uri.toString());
        const answer = await readFileRange(dist, place, { range, mayHoldSecrets: hasAgreed }, cancel);
        if (!answer.ok) return answer;
        if (answer.value.kind === "askFirst") {
          return failure("CONFLICT", `${place.shown} became a file that usually holds secrets. Ask for it again.`);
        }
        const { lines, totalLines, stamp, columns } = answer.value;
        if (columns !== undefined && lines.length === 0) {
          const length = counted(columns.lineLength, "character");
          return failure("INVALID_INPUT", `Line ${range.first} of ${place.shown} has only ${length}.`);
        }
        if (totalLines > 0 && lines.length === 0) {
          return failure("INVALID_INPUT", `${place.shown} has only ${counted(totalLines, "line")}.`);
        }
        seen.note(place.uri.toString(), stamp);
        return ok(resultText(place, answer.value));
      },
    },
    reportBug,
  );
}

/** For short steps before anything runs. */
const NEVER = new AbortController().signal;

const SECRETS_QUESTION: Pick<ToolCallView, "detail" | "look" | "mustAsk"> = {
  detail: localize(
    "Files like this usually hold keys or passwords. Forge replaces what it recognizes as a secret; everything else in the file is sent to the model.",
  ),
  look: "words",
  mustAsk: true,
};

interface Wanted {
  readonly place: Place;
  readonly range: LineRange;
}

function request(input: Input): Result<Wanted, ToolFailure> {
  const place = resolvePlace(input.path);
  if (!place.ok) return place;
  if (isInGitFolder(place.value.relative)) {
    return failure("NOT_ALLOWED", "Files of git itself are not read. git_status and git_diff say what it knows.");
  }
  const first = input.start_line ?? 1;
  const end = input.end_line;
  if (end !== undefined && end < first) {
    return failure("INVALID_INPUT", `"end_line" (${end}) must not be less than "start_line" (${first}).`);
  }
  if (input.start_column !== undefined) {
    return ok({ place: place.value, range: { first, last: first, column: input.start_column } });
  }
  const last = Math.min(end ?? MOST_LINE_NUMBER, first + MOST_LINES - 1);
  return ok({ place: place.value, range: { first, last } });
}

/** "src/a.ts:12" and "src/a.ts:12-20" mean lines of src/a.ts, unless a file has that name. */
const WITH_LINES = /^(.+?)(?::L?|#L)(\d{1,7})(?:[-–]L?(\d{1,7}))?(?::\d{1,7})?$/;

async function withLinesOfPath(dist: string, input: Input): Promise<Input> {
  const [, path, first, last] = WITH_LINES.exec(input.path) ?? [];
  if (path === undefined || input.start_line !== undefined || (await isFile(dist, input.path))) return input;
  if (!(await isFile(dist, path))) return input;
  const start_line = Math.max(1, Number(first));
  return {
    ...input,
    path,
    start_line,
    ...(last === undefined ? {} : { end_line: Math.max(start_line, Number(last)) }),
  };
}

async function isFile(dist: string, path: string): Promise<boolean> {
  const place = await findPlace(dist, path);
  const located = place.ok ? await locate(dist, place.value, NEVER) : place;
  return located.ok && located.value.kind === "file";
}

function titleOf({ place, range }: Wanted, input: Input): string {
  const end = input.end_line;
  const shown = onOneLine(place.shown);
  if (range.column !== undefined) {
    return localize("Read {0}, line {1} from character {2} on", shown, range.first, range.column);
  }
  if (end !== undefined) return localize("Read {0}, lines {1}–{2}", shown, range.first, end);
  return input.start_line === undefined
    ? localize("Read {0}", shown)
    : localize("Read {0}, from line {1} on", shown, range.first);
}

const ENCODING_NOTES: Readonly<Record<string, string>> = {
  "utf-8":
    "Some bytes of the file are not valid UTF-8; they are shown as U+FFFD. An edit keeps them if it does not name them.",
};

function resultText(place: Place, answer: Extract<ReadAnswer, { kind: "lines" }>): string {
  const { lines, first, totalLines, isCut, encoding, stamp, columns } = answer;
  const end = first + lines.length - 1;
  const what =
    totalLines === 0
      ? "empty"
      : columns === undefined
        ? `lines ${first}–${end} of ${totalLines}`
        : `line ${first} of ${totalLines}, characters ${columns.first}–${columns.last} of ${columns.lineLength}`;
  const unsaved = stamp.startsWith("unsaved:") ? ", as the editor shows it, with changes that are not saved" : "";
  const notes = [
    ...(encoding === undefined
      ? []
      : [ENCODING_NOTES[encoding] ?? `The file is not UTF-8; it was read as ${encoding}.`]),
    ...(isNotebookStamp(stamp) ? [ABOUT_CELLS] : []),
    ...(columns === undefined || columns.last === columns.lineLength
      ? []
      : [`Read on with "start_line": ${first}, "start_column": ${columns.last + 1}.`]),
    ...(isCut ? [`More would be too much at once: read on from line ${end + 1}.`] : []),
  ];
  const body = lines.map((line, index) => `${first + index}\t${line}`).join("\n");
  return dataText({ heading: `${place.shown}: ${what}${unsaved}`, body, changes: answer, notes });
}
