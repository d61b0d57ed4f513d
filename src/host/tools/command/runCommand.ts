/** `run_command`: runs a shell command in the workspace, after the user has agreed to exactly this one. */

import { existsSync } from "node:fs";
import * as v from "valibot";
import * as vscode from "vscode";
import { ok, type Result } from "../../../core/result.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import type { KeptCommand } from "../../checkpoints/commandStates.ts";
import type { KeepChanges } from "../../checkpoints/keepChange.ts";
import { locate, spelledPlace } from "../files/workspaceFiles.ts";
import { limitNote, notOnDisk } from "../folderLimits.ts";
import { HIDDEN_IN_COMMAND, hasHidden, makeVisible, onOneLine } from "../hiddenText.ts";
import { hostTool, type CallViewResult, type ReportBug } from "../hostTool.ts";
import { integer, text } from "../input/toolInput.ts";
import { sanitizeText, counted, dataText, fenced } from "../resultText.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";
import { folderOf, pathOrName, type Place, resolvePlace, rootPlaces } from "../workspaceRoots.ts";
import { type CommandResult, isReviewable, REVIEWED_CHARACTERS, REVIEWED_LINES } from "./commandRun.ts";
import { redactEnvironmentSecrets } from "./environmentSecrets.ts";
import { shellFor } from "./shells.ts";
import type { CommandTerminals } from "./commandTerminals.ts";

const DEFAULT_SECONDS = 120;
const MOST_SECONDS = 600;
/** UTF-16 units of the command's first line in the title of the call. */
const MOST_TITLE = 120;

const INPUT = v.strictObject({
  command: text(`The command, for the user's shell: at most ${REVIEWED_LINES} lines, which the user reviews.`, {
    least: 1,
    most: 10_000,
  }),
  path: v.optional(
    text("Folder of the workspace to run it in; left out, the first one on this machine's disk.", { most: 4_096 }),
  ),
  timeout_seconds: v.optional(
    integer(`Ends it after so many seconds; ${DEFAULT_SECONDS} if left out.`, { least: 1, most: MOST_SECONDS }),
  ),
});
type Input = v.InferOutput<typeof INPUT>;
const CONTROL = /(?![\n\t])\p{Cc}/u;

export function runCommandTool(
  dist: string,
  terminals: Pick<CommandTerminals, "run">,
  keep: Pick<KeepChanges, "command" | "commandNote">,
  reportBug: ReportBug,
): Tool {
  return hostTool(
    {
      name: "run_command",
      note: () => limitNote("run_command"),
      description:
        "Runs a command in a shell in the workspace and gives its output. The user is asked first, and sees it run. " +
        "Only the user can type into it: choose commands that end by themselves and ask nothing.",
      effect: "runs",
      input: INPUT,
      view: (input) => {
        const shown = view(input);
        return shown.ok ? ok({ ...shown.value, note: keep.commandNote() }) : shown;
      },
      run: async (input, cancel) => {
        if (!vscode.workspace.isTrusted) return failure("NOT_ALLOWED", "The user does not trust this workspace yet.");
        const wanted = request(input);
        if (!wanted.ok) return wanted;
        const { command, limitMs } = wanted.value;
        const place = await spelledPlace(dist, wanted.value.place);
        const folder = await folderOnDisk(dist, place, cancel);
        if (!folder.ok) return folder;
        const shell = shellFor(vscode.env.shell, existsSync, process.platform);
        const done = await keep.command(titleOf(wanted.value), () =>
          terminals.run({ command, folder: folder.value, shell, limitMs }, cancel),
        );
        if (!done.ok) {
          return failure(
            "FAILED",
            `The state of the files could not be kept (${done.error.detail}), so nothing was run. The user has to see to it.`,
          );
        }
        return withNote(resultOf(command, done.value.result, limitMs), noteOnKept(done.value.kept));
      },
    },
    reportBug,
  );
}

interface Wanted {
  readonly command: string;
  readonly place: Place;
  readonly limitMs: number;
}

function request(input: Input): Result<Wanted, ToolFailure> {
  const command = input.command.replaceAll("\r\n", "\n").trim();
  if (command === "") return failure("INVALID_INPUT", "The command is empty.");
  if (!isReviewable(command)) {
    const most = `${REVIEWED_CHARACTERS.toLocaleString("en-US")} characters or ${REVIEWED_LINES} lines`;
    return failure(
      "TOO_LARGE",
      `No user can review a command of more than ${most}. Write a script first, and run that.`,
    );
  }
  if (CONTROL.test(command) || hasHidden(command, HIDDEN_IN_COMMAND)) {
    const shown = onOneLine(makeVisible(command, HIDDEN_IN_COMMAND).text);
    return failure("NOT_ALLOWED", `The command holds characters that a reader does not see: ${shown}`);
  }
  const path = input.path ?? "";
  const places = rootPlaces();
  const first = places.find(({ root }) => root.folderPath !== undefined) ?? places[0];
  if (first === undefined) return failure("UNAVAILABLE", "No folder is open in the editor.");
  const place = path === "" ? ok(first) : resolvePlace(path);
  if (!place.ok) return place;
  if (place.value.root.folderPath === undefined) {
    return failure("UNAVAILABLE", notOnDisk(place.value.root));
  }
  return ok({ command, place: place.value, limitMs: (input.timeout_seconds ?? DEFAULT_SECONDS) * 1_000 });
}

/** The title is the command itself, shortened, so that the transcript shows what was run. */
function view(input: Input): CallViewResult {
  const wanted = request(input);
  if (!wanted.ok) return wanted;
  const { command, place, limitMs } = wanted.value;
  const run = titleOf(wanted.value);
  const title =
    input.timeout_seconds === undefined
      ? run
      : plural(limitMs / 1_000, "{1} (at most 1 second)", "{1} (at most {0} seconds)", run);
  return ok({ title, detail: command, mustAsk: true, ...folderOf(place) });
}

function titleOf({ command, place }: Wanted): string {
  const [first = "", ...more] = command.split("\n");
  const shown = onOneLine(first, MOST_TITLE);
  const what = more.length === 0 ? shown : plural(more.length, "{1} and 1 more line", "{1} and {0} more lines", shown);
  return place.relative === "" && rootPlaces().length === 1
    ? localize("Run {0}", what)
    : localize("Run {0} in {1}", what, onOneLine(place.shown));
}

async function folderOnDisk(dist: string, place: Place, cancel: CancelSignal): Promise<Result<string, ToolFailure>> {
  const located = await locate(dist, place, cancel);
  if (!located.ok) return located;
  if (located.value.kind === "missing") return failure("NOT_FOUND", `There is no ${place.shown}.`);
  if (located.value.kind === "file") return failure("WRONG_KIND", `${place.shown} is a file, not a folder.`);
  return ok(place.uri.fsPath);
}

const MOST_NAMED = 10;

/** Tells what a restore will not take back; empty if it takes back all that is known. */
function noteOnKept(kept: KeptCommand<unknown>["kept"]): string {
  if (!kept.ok) return `What it changed in files could not be kept for a restore: ${kept.error.detail}`;
  const uncovered = kept.value?.uncovered ?? [];
  if (uncovered.length === 0) return "";
  const names = uncovered.slice(0, MOST_NAMED).map(({ file }) => pathOrName(vscode.Uri.parse(file)));
  const rest = uncovered.length - names.length;
  const all = rest === 0 ? names.join(", ") : `${names.join(", ")} and ${String(rest)} more`;
  return `Changed, and not kept for a restore of files: ${all}`;
}

function withNote(result: Result<string, ToolFailure>, note: string): Result<string, ToolFailure> {
  if (note === "") return result;
  if (result.ok) return ok(`${result.value}\n${note}`);
  return failure(result.error.code, `${result.error.text}\n${note}`);
}

function resultOf(command: string, { end, output }: CommandResult, limitMs: number): Result<string, ToolFailure> {
  const values = redactEnvironmentSecrets(output, process.env);
  const clean = sanitizeText(values.text);
  const changes = { ...clean, secretCount: clean.secretCount + values.count };
  const body = output === "" ? "(no output)" : fenced(clean.text);
  const shown = onOneLine(makeVisible(command).text);
  switch (end.kind) {
    case "ended": {
      const code = end.exitCode === undefined ? "without an exit code" : `with exit code ${end.exitCode}`;
      return ok(dataText({ heading: `${shown}: ended ${code}`, body, changes }));
    }
    case "timedOut": {
      const late = `It ran longer than ${counted(limitMs / 1_000, "second")} and was ended.`;
      return stopped("TIMED_OUT", end.waitsAt === undefined ? late : `${late} ${waitedAt(end.waitsAt)}`);
    }
    case "refused":
      return failure("INVALID_INPUT", `${end.reason} Nothing was run.`);
    case "cancelled":
      return stopped("CANCELLED", "The user stopped it while it ran; what it did until then is done.");
    case "closed":
      return stopped("REFUSED", "The user closed the terminal that it ran in; what it did until then is done.");
  }

  function waitedAt(line: string): string {
    const shownLine = onOneLine(sanitizeText(redactEnvironmentSecrets(line, process.env).text).text, MOST_TITLE);
    return (
      `It seems to have waited for a key or an answer${shownLine === "" ? "" : `, at the line: ${shownLine}`}\n` +
      "Only the user can answer, in the terminal. Choose a command that asks nothing, or ask the user to answer."
    );
  }

  function stopped(code: ToolFailure["code"], text: string): Result<never, ToolFailure> {
    return failure(code, dataText({ heading: text, body, changes }));
  }
}
