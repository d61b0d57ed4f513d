/** `edit_file`: proposes a change of a file, written only when the user accepts it. */

import * as v from "valibot";
import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { limitNote } from "../folderLimits.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { Tool, ToolOutcome } from "../../../core/tools/tool.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import { proposalOf, type ProposedEdits } from "./proposedEdits.ts";
import { openNotebook, readOpenNotebook } from "../../notebooks/openNotebooks.ts";
import type { SeenFiles } from "../seenFiles.ts";
import { findPlace, locate, stampOfDocument } from "../files/workspaceFiles.ts";
import { onOneLine, onSeveralLines } from "../hiddenText.ts";
import { hostTool, type CallViewResult, type ReportBug } from "../hostTool.ts";
import { type TakeInstead, text } from "../input/toolInput.ts";
import { configuresTools } from "../paths/configuringFiles.ts";
import { mayHoldSecrets } from "../paths/guardedFiles.ts";
import type { EditProblems, ProblemsBefore, ToldProblems } from "../problems/editProblems.ts";
import { problemPlace } from "../problems/problemLine.ts";
import { FILE_PATH } from "../readFile.ts";
import { counted, dataText } from "../resultText.ts";
import { CANCELLED_FAILURE, failure, type ToolFailure } from "../toolFailure.ts";
import { folderOf, type Place } from "../workspaceRoots.ts";
import { withPlainLineEnds } from "./applyEdits.ts";
import { revealChange, writeEdit, type Written } from "./applyProposal.ts";
import { correctKept, keepEdit } from "./keptEdit.ts";
import type { KeepChanges } from "../../checkpoints/keepChange.ts";
import { lineDiff } from "../../../adapters/diff/lineDiff.ts";
import { isNewFile, prepareEdit, type PreparedEdit, type WantedEdit } from "./preparedEdit.ts";

const MOST_TEXT = 1_000_000;
/** UTF-16 units of both texts; longer ones are only compared by the editor's diff, which does not block the host. */
const MOST_COMPARED = 400_000;
const MOST_DETAIL_LINES = 400;

const EDIT = v.strictObject({
  old_text: text("Exact text that is there once, without line numbers.", { least: 1, most: MOST_TEXT }),
  new_text: text("Text that is to stand there instead.", { most: MOST_TEXT }),
});
const INPUT = v.strictObject({
  path: FILE_PATH,
  edits: v.optional(
    v.pipe(
      v.array(EDIT),
      v.minLength(1),
      v.maxLength(100),
      v.description("Replacements in an existing file, applied one after another."),
    ),
  ),
  content: v.optional(
    text("The whole text of a new file, or of a file that you have read, instead of edits.", { most: MOST_TEXT }),
  ),
});
type Input = v.InferOutput<typeof INPUT>;

/** For short steps that must not be interrupted. */
const NEVER = new AbortController().signal;

/** A written file counts as seen. */
export function editFileTool(
  dist: string,
  proposals: ProposedEdits,
  problems: EditProblems,
  seen: SeenFiles,
  keep: Pick<KeepChanges, "edit">,
  reportBug: ReportBug,
): Tool {
  /** The edit that the user was shown last; only this one may be written. */
  let described: PreparedEdit | undefined;
  /** The input that the user was asked about last, without a look into the file. */
  let asked: string | undefined;
  const prepare = async (
    place: Place,
    input: Input,
    cancel: CancelSignal,
  ): Promise<Result<PreparedEdit, ToolFailure>> => {
    const wanted = wantedEdit(input);
    return wanted.ok ? prepareEdit({ dist, seen }, place, wanted.value, cancel) : wanted;
  };
  return hostTool(
    {
      name: "edit_file",
      note: () => limitNote("edit_file"),
      description:
        'Changes one file: "edits" for parts of it, or "content" for a new file or all of it. The user sees the change ' +
        "as a diff and accepts or refuses it.",
      effect: "writes",
      input: INPUT,
      takeInstead: editsInstead,
      view: async (input) => {
        described = undefined;
        asked = undefined;
        const place = await findPlace(dist, input.path);
        if (!place.ok) return place;
        const isGuarded = await holdsSecrets(dist, place.value);
        if (!isGuarded.ok) return isGuarded;
        if (isGuarded.value) {
          asked = JSON.stringify(input);
          return guardedView(place.value, input);
        }
        const prepared = await prepare(place.value, input, NEVER);
        described = prepared.ok ? prepared.value : undefined;
        return prepared.ok ? viewOf(prepared.value) : prepared;
      },
      preview: async (input, cancel) => {
        // The user is asked, whether or not it fits: else the failure would say what the file holds.
        if (asked === JSON.stringify(input)) {
          const place = await findPlace(dist, input.path);
          const prepared = place.ok ? await prepare(place.value, input, cancel) : place;
          described = prepared.ok ? prepared.value : undefined;
        }
        if (described === undefined) return undefined;
        const decision = await proposals.propose(proposalOf(described), cancel);
        return decision === "closed" ? undefined : decision === "accepted" ? "allowed" : "denied";
      },
      run: async (input, cancel, reached) => {
        if (!vscode.workspace.isTrusted) return failure("NOT_ALLOWED", "The user does not trust this workspace yet.");
        const place = await findPlace(dist, input.path);
        if (!place.ok) return place;
        const isGuarded = await holdsSecrets(dist, place.value);
        if (!isGuarded.ok) return isGuarded;
        const wasAsked = asked === JSON.stringify(input);
        asked = undefined;
        if (isGuarded.value && !wasAsked) return changedMeanwhile(place.value);
        const prepared = await prepare(place.value, input, cancel);
        if (isGuarded.value && !prepared.ok) return doesNotFit(place.value);
        if (!prepared.ok) return prepared;
        const shown = described;
        described = undefined;
        const isSame = shown === undefined ? isGuarded.value : isSameEdit(shown, prepared.value);
        if (!isSame) return changedMeanwhile(place.value);
        const before = isGuarded.value ? undefined : await problemsBefore(problems, prepared.value, cancel);
        try {
          if (cancel.aborted) return err(CANCELLED_FAILURE);
          const kept = await keepEdit(prepared.value, keep, titleOf(prepared.value, false));
          if (!kept.ok) return kept;
          const written = await writeEdit(dist, prepared.value);
          if (!written.ok) return written;
          reached(resultOf(prepared.value, written.value, undefined));
          await correctKept(prepared.value, kept.value);
          await noteWritten(dist, prepared.value, seen);
          await revealChange(prepared.value);
          return ok(resultOf(prepared.value, written.value, await before?.added(cancel)));
        } finally {
          before?.dispose();
        }
      },
    },
    reportBug,
  );
}

const SAVED_WORDS: Readonly<Record<Written, string>> = {
  saved: "",
  userChanges: " It is not saved: the user had unsaved changes in it.",
  couldNotBeSaved: " The editor has the change, and could not save it.",
};

/** True for a file that usually holds secrets, at this path or where it leads. */
async function holdsSecrets(dist: string, place: Place): Promise<Result<boolean, ToolFailure>> {
  const located = await locate(dist, place, NEVER);
  if (!located.ok) return located;
  return ok(located.value.kind === "file" && [place.relative, located.value.relative].some(mayHoldSecrets));
}

function isSameEdit(one: PreparedEdit, other: PreparedEdit): boolean {
  return (
    one.realRelative === other.realRelative &&
    one.place.shown === other.place.shown &&
    one.before === other.before &&
    one.after === other.after
  );
}

function changedMeanwhile({ shown }: Place): Result<never, ToolFailure> {
  return failure("CONFLICT", `${shown} changed while the user was asked; nothing was written. Read it again.`);
}

/** The same words for whatever does not fit: anything else would say what the file holds. */
function doesNotFit({ shown }: Place): Result<never, ToolFailure> {
  return failure("CONFLICT", `${shown} was not changed: the edit does not fit it as it is. Ask the user to change it.`);
}

function wantedEdit({ edits, content }: Input): Result<Exclude<WantedEdit, { kind: "rewrite" }>, ToolFailure> {
  if (edits !== undefined && content === undefined) {
    return ok({
      kind: "edits",
      edits: edits.map(({ old_text: oldText, new_text: newText }) => ({ oldText, newText })),
    });
  }
  if (edits === undefined && content !== undefined) return ok({ kind: "content", content });
  return failure("INVALID_INPUT", 'Give either "edits" or "content".');
}

/** Some models write the texts of a single edit beside the path, or empty fields beside the ones that they mean. */
const editsInstead: TakeInstead = (given) => {
  const { old_text, new_text, ...others } = given;
  const isSingle = typeof old_text === "string" && old_text !== "" && typeof new_text === "string";
  const edits = isSingle && isWithout(others["edits"]) ? [{ old_text, new_text }] : others["edits"];
  const withoutTexts = isSingle || (isWithout(old_text) && isWithout(new_text)) ? others : given;
  const fields = edits === undefined ? withoutTexts : { ...withoutTexts, edits };
  const without = (left: string): typeof given =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => name !== left));
  const hasContent = !isWithout(others["content"]);
  if (isWithout(edits)) return hasContent ? without("edits") : fields;
  return hasContent ? fields : without("content");
};

/** True for an empty value, or one that holds only empty ones. */
function isWithout(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).every(isWithout);
  return value === undefined || value === "";
}

async function noteWritten(dist: string, { place, document }: PreparedEdit, seen: SeenFiles): Promise<void> {
  const located = await locate(dist, place, NEVER);
  if (!located.ok) return;
  const notebook = openNotebook(place.uri);
  const stamp =
    notebook !== undefined
      ? readOpenNotebook(notebook).stamp
      : document?.isDirty === true
        ? stampOfDocument(document)
        : located.value.stamp;
  seen.note(place.uri.toString(), stamp);
}

/** The edit as the model wrote it, with nothing of the file. */
function guardedView(place: Place, input: Input): CallViewResult {
  const wanted = wantedEdit(input);
  if (!wanted.ok) return wanted;
  const { value } = wanted;
  const marked = (sign: string, text: string): readonly string[] =>
    text === ""
      ? []
      : withPlainLineEnds(text)
          .split("\n")
          .map((line) => sign + line);
  const lines =
    value.kind === "edits"
      ? value.edits.flatMap(({ oldText, newText }) => [...marked("-", oldText), ...marked("+", newText)])
      : marked("+", value.content);
  return ok({
    title: localize("Edit {0}, which usually holds keys or passwords", onOneLine(place.shown)),
    detail: onSeveralLines(shortened(lines)),
    look: "diff",
    mustAsk: true,
  });
}

function shortened(lines: readonly string[]): string {
  const more = lines.length - MOST_DETAIL_LINES;
  if (more <= 0) return lines.join("\n");
  return [...lines.slice(0, MOST_DETAIL_LINES), plural(more, "… 1 more line", "… {0} more lines")].join("\n");
}

function viewOf(prepared: PreparedEdit): CallViewResult {
  const { place, realRelative, after } = prepared;
  // A folder that is opened by itself may be one of settings, such as `.github`.
  const folder = place.root.uri.path.split("/").at(-1) ?? "";
  const affectsTools = [place.relative, realRelative].some((relative) => configuresTools(`${folder}/${relative}`));
  const title = titleOf(prepared, affectsTools);
  const mustAsk = { ...folderOf(place), ...(affectsTools ? { mustAsk: true } : {}) };
  const before = withPlainLineEnds(prepared.before);
  if (before.length + after.length > MOST_COMPARED) {
    return ok({ title, detail: localize("The diff is shown in the editor."), look: "words", ...mustAsk });
  }
  const lines = lineDiff(before, withPlainLineEnds(after)).text.split("\n");
  return ok({ title, detail: onSeveralLines(shortened(lines)), look: "diff", ...mustAsk });
}

function titleOf(prepared: PreparedEdit, affectsTools: boolean): string {
  const shown = onOneLine(prepared.place.shown);
  const change = changeSize(prepared, (count) => localize("{0} characters", count));
  if (isNewFile(prepared)) {
    return affectsTools
      ? localize("Create {0}, which tools run or follow ({1})", shown, change)
      : localize("Create {0} ({1})", shown, change);
  }
  return affectsTools
    ? localize("Edit {0}, which tools run or follow ({1})", shown, change)
    : localize("Edit {0} ({1})", shown, change);
}

/** "+3 −1", in lines; in characters, worded by `failureMessage`, where the texts are too long to be compared by lines. */
function changeSize({ before, after }: PreparedEdit, inWords: (count: string) => string): string {
  if (before.length + after.length > MOST_COMPARED) {
    const change = after.length - before.length;
    return inWords(`${change < 0 ? "−" : "+"}${Math.abs(change).toLocaleString("en-US")}`);
  }
  const { added, removed } = lineDiff(withPlainLineEnds(before), withPlainLineEnds(after));
  return `+${added} −${removed}`;
}

function problemsBefore(problems: EditProblems, prepared: PreparedEdit, cancel: CancelSignal): Promise<ProblemsBefore> {
  const { place, document, before } = prepared;
  const show = async (): Promise<void> => {
    if (document !== undefined) await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
  };
  return problems.before({ file: place.uri.toString(), isNew: isNewFile(prepared), before, show }, cancel);
}

function resultOf(
  prepared: PreparedEdit,
  written: Written,
  added: ToldProblems | undefined,
): Omit<ToolOutcome, "outcome"> {
  const { place } = prepared;
  const done = isNewFile(prepared) ? "created" : "changed";
  const change = changeSize(prepared, (count) => `${count} characters`);
  const text = `${place.shown} is ${done} (${change}).${SAVED_WORDS[written]}`;
  if (added === undefined) return { text };
  const { listed, more, changes } = added;
  const heading = `${text} The edit added ${counted(listed.length + more, "problem")}:`;
  const body = listed.map((each) => `${problemPlace(each.path, each)}: ${each.severity}: ${each.message}`).join("\n");
  const notes = more === 0 ? [] : [`${counted(more, "more problem")} left out: get_problems lists them.`];
  return { text: dataText({ heading, body, changes, notes }), problems: { listed, more } };
}
