/** `git_status` and `git_diff`: changes since the last commit, through the editor's git extension. */

import { beginningOf } from "../../../core/cutText.ts";
import * as v from "valibot";
import { limitNote } from "../folderLimits.ts";
import { thrownText } from "../../../core/errors.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import { localize } from "../../../protocol/localize.ts";
import { onOneLine } from "../hiddenText.ts";
import { hostTool, type ReportBug, titleOnlyView } from "../hostTool.ts";
import { flag, text } from "../input/toolInput.ts";
import { mayHoldSecrets } from "../paths/guardedFiles.ts";
import { sanitizeText, counted, dataText, fenced } from "../resultText.ts";
import { CANCELLED_FAILURE, failure, type ToolFailure } from "../toolFailure.ts";
import { isWithin, pathOrName, type Place, resolvePlace, placeOfUri } from "../workspaceRoots.ts";
import { type GitChange, type GitRepository, gitRepositories } from "./gitExtension.ts";

const MOST_FILES = 300;
const MOST_DIFF_FILES = 100;
const MOST_DIFF_LENGTH = 200_000;

/** The git extension's `Status` enum, part of its API. */
const STATUS_WORDS = [
  "modified",
  "added",
  "deleted",
  "renamed",
  "copied",
  "modified",
  "deleted",
  "untracked",
  "ignored",
  "added",
  "renamed",
  "type changed",
  "added by us",
  "added by them",
  "deleted by us",
  "deleted by them",
  "both added",
  "both deleted",
  "both modified",
];

const DIFF_INPUT = v.strictObject({
  path: v.optional(text("A file or folder; left out, everything that changed.", { most: 4_096 })),
  staged: v.optional(flag("Only what is staged for the next commit.")),
});
type DiffInput = v.InferOutput<typeof DIFF_INPUT>;

export function gitStatusTool(reportBug: ReportBug): Tool {
  return hostTool(
    {
      name: "git_status",
      note: () => limitNote("git_status"),
      description: "Gives the branch and the changed files of the workspace's git repositories.",
      effect: "reads",
      input: v.strictObject({}),
      view: () => titleOnlyView(localize("Show the git status")),
      run: () => status(),
    },
    reportBug,
  );
}

function diffTitle(isStaged: boolean, of: string | undefined): string {
  if (of === undefined) {
    return isStaged
      ? localize("Look at the staged changes since the last commit")
      : localize("Look at the changes since the last commit");
  }
  return isStaged
    ? localize("Look at the staged changes of {0} since the last commit", of)
    : localize("Look at the changes of {0} since the last commit", of);
}

export function gitDiffTool(reportBug: ReportBug): Tool {
  return hostTool(
    {
      name: "git_diff",
      note: () => limitNote("git_diff"),
      description:
        'Gives the changes since the last commit as a diff: saved ones, and with "staged" only staged ones. ' +
        "Files that git does not track yet have none; read them instead.",
      effect: "reads",
      input: DIFF_INPUT,
      view: (input) => {
        const within = scope(input);
        if (!within.ok) return within;
        return titleOnlyView(diffTitle(input.staged === true, within.value && onOneLine(within.value.shown)));
      },
      run: diff,
    },
    reportBug,
  );
}

const NO_COMMIT = "There is no commit yet that the files could be compared with.";

interface PlacedChange {
  readonly place: Place;
  readonly change: GitChange;
}

async function status(): Promise<Result<string, ToolFailure>> {
  const repositories = await gitRepositories();
  if (!repositories.ok) return repositories;
  const lines: string[] = [];
  for (const repository of repositories.value) {
    const isRead = await refresh(repository);
    lines.push(
      ...(isRead.ok ? statusLines(repository) : [`Repository ${repositoryName(repository)}: ${isRead.error.text}`]),
    );
  }
  const clean = sanitizeText(lines.join("\n"));
  return ok(dataText({ heading: "State of git", body: clean.text, changes: clean }));
}

/** Empty where the only open folder is the repository. */
function repositoryName({ rootUri }: GitRepository): string {
  const place = placeOfUri(rootUri);
  if (place === undefined) return "above the open folder";
  return place.shown === "." ? "" : place.shown;
}

async function refresh(repository: GitRepository): Promise<Result<void, ToolFailure>> {
  try {
    await repository.status();
    return ok(undefined);
  } catch (error) {
    return failure("FAILED", `git could not read it: ${thrownText(error)}`);
  }
}

function statusLines(repository: GitRepository): readonly string[] {
  const { state } = repository;
  const where = repositoryName(repository);
  const { HEAD, indexChanges, workingTreeChanges, mergeChanges, untrackedChanges = [] } = state;
  const branch =
    HEAD?.name === undefined ? `commit ${HEAD?.commit?.slice(0, 12) ?? "none yet"}` : `branch ${onOneLine(HEAD.name)}`;
  const apart = [
    ...((HEAD?.ahead ?? 0) > 0 ? [`${HEAD?.ahead ?? 0} ahead`] : []),
    ...((HEAD?.behind ?? 0) > 0 ? [`${HEAD?.behind ?? 0} behind`] : []),
  ];
  return [
    `Repository${where === "" ? "" : ` ${where}`}: ${[branch, ...apart].join(", ")}`,
    ...changeLines("Conflicts", mergeChanges),
    ...changeLines("Staged", indexChanges),
    ...changeLines("Not staged", workingTreeChanges.filter(isTracked)),
    ...changeLines("Untracked", [...workingTreeChanges.filter((change) => !isTracked(change)), ...untrackedChanges]),
  ];
}

function isTracked({ status: number }: GitChange): boolean {
  return STATUS_WORDS[number] !== "untracked";
}

function changeLines(title: string, changes: readonly GitChange[]): readonly string[] {
  const placed = inWorkspace(changes);
  const outside = changes.length - placed.length;
  if (changes.length === 0) return [];
  const lines = placed
    .slice(0, MOST_FILES)
    .map(({ place, change }) => `- ${place.shown} (${STATUS_WORDS[change.status] ?? "changed"})`);
  const more = placed.length - lines.length;
  return [
    `${title}:`,
    ...lines,
    ...(more > 0 ? [`- and ${counted(more, "more file")}`] : []),
    ...(outside > 0 ? [`- and ${counted(outside, "file")} outside the open folders`] : []),
  ];
}

function inWorkspace(changes: readonly GitChange[]): readonly PlacedChange[] {
  return changes.flatMap((change) => {
    const place = placeOfUri(change.uri);
    return place === undefined ? [] : [{ place, change }];
  });
}

function scope(input: DiffInput): Result<Place | undefined, ToolFailure> {
  const path = input.path ?? "";
  return path === "" ? ok(undefined) : resolvePlace(path);
}

async function diff(input: DiffInput, cancel: CancelSignal): Promise<Result<string, ToolFailure>> {
  const within = scope(input);
  if (!within.ok) return within;
  const repositories = await gitRepositories();
  if (!repositories.ok) return repositories;
  const isStaged = input.staged === true;
  const texts: string[] = [];
  const left = { files: 0, secret: 0 };
  const unread: string[] = [];
  let length = 0;
  for (const repository of repositories.value) {
    const isRead = await refresh(repository);
    const reason = !isRead.ok ? isRead.error.text : repository.state.HEAD?.commit === undefined ? NO_COMMIT : undefined;
    if (reason !== undefined) {
      if (repositories.value.length === 1) return failure("UNAVAILABLE", reason);
      unread.push(`${repositoryName(repository)}: ${reason}`);
      continue;
    }
    for (const { place, change } of changesOf(repository, isStaged, within.value)) {
      if (cancel.aborted) return err(CANCELLED_FAILURE);
      const paths = [place.relative, placeOfUri(change.originalUri)?.relative ?? ""];
      if (paths.some(mayHoldSecrets)) left.secret++;
      else if (texts.length === MOST_DIFF_FILES || length > MOST_DIFF_LENGTH) left.files++;
      else {
        const text = await diffOf(repository, change, isStaged);
        if (!text.ok) {
          unread.push(text.error.text);
          continue;
        }
        texts.push(withNames(text.value.trim(), place, placeOfUri(change.originalUri) ?? place));
        length += text.value.length;
      }
    }
  }
  const clean = sanitizeText(beginningOf(texts.join("\n"), 2 * MOST_DIFF_LENGTH));
  const notes = [
    ...unread.map((reason) => `Not compared: ${onOneLine(reason, 500)}`),
    ...(left.files > 0 ? [`Not shown, as it would be too much: ${counted(left.files, "file")}. Name one.`] : []),
    ...(left.secret > 0 ? [`Not shown, as they usually hold secrets: ${counted(left.secret, "file")}.`] : []),
  ];
  const heading = texts.length === 0 ? "No changes" : `Changes in ${counted(texts.length, "file")}`;
  return ok(dataText({ heading, body: fenced(clean.text), changes: clean, notes }));
}

/**
 * The head of a diff with the names that the other tools take: git knows a repository's own only, quotes odd ones, and
 * writes what its settings say before them.
 */
function withNames(text: string, place: Place, before: Place): string {
  const end = text.indexOf("\n@@");
  const head = (end < 0 ? text : text.slice(0, end)).split("\n").map((line) => renamedLine(line, place, before));
  return head.join("\n") + (end < 0 ? "" : text.slice(end));
}

function renamedLine(line: string, { shown }: Place, { shown: old }: Place): string {
  if (line.startsWith("diff --git ")) return `diff --git a/${old} b/${shown}`;
  if (line.startsWith("--- ") && line !== "--- /dev/null") return `--- a/${old}`;
  if (line.startsWith("+++ ") && line !== "+++ /dev/null") return `+++ b/${shown}`;
  const moved = /^(rename|copy) (from|to) /.exec(line);
  if (moved !== null) return `${moved[0]}${moved[2] === "from" ? old : shown}`;
  return line.startsWith("Binary files ") ? `Binary files a/${old} and b/${shown} differ` : line;
}

/** Each changed file once. */
function changesOf({ state }: GitRepository, isStaged: boolean, within: Place | undefined): readonly PlacedChange[] {
  const { indexChanges, workingTreeChanges, mergeChanges } = state;
  const changes = isStaged ? indexChanges : [...indexChanges, ...mergeChanges, ...workingTreeChanges.filter(isTracked)];
  const byPath = new Map(inWorkspace(changes).map((placed) => [placed.change.uri.toString(), placed]));
  return [...byPath.values()].filter(({ place }) => isWithin(place, within));
}

async function diffOf(
  repository: GitRepository,
  { uri }: GitChange,
  isStaged: boolean,
): Promise<Result<string, ToolFailure>> {
  try {
    return ok(
      isStaged ? await repository.diffIndexWithHEAD(uri.fsPath) : await repository.diffWith("HEAD", uri.fsPath),
    );
  } catch (error) {
    return failure("FAILED", `git could not compare ${pathOrName(uri)}: ${thrownText(error)}`);
  }
}
