/** `edit_file`: proposes a change of a file, written only when the user accepts it. */

import * as v from "valibot";
import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { ok, type Result } from "../../../core/result.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import type { ProposedEdits } from "./proposedEdits.ts";
import type { SeenFiles } from "../seenFiles.ts";
import { locate, stampOfDocument } from "../files/workspaceFiles.ts";
import { onOneLine, onSeveralLines } from "../hiddenText.ts";
import { hostTool, type CallViewResult, type ReportBug } from "../hostTool.ts";
import { text } from "../input/toolInput.ts";
import { configuresTools } from "../paths/configuringFiles.ts";
import { FILE_PATH } from "../readFile.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";
import { resolvePlace } from "../workspaceRoots.ts";
import { withPlainLineEnds } from "./applyEdits.ts";
import { type AppliedEdit, createFile, replaceText, revealChange } from "./applyProposal.ts";
import { lineDiff } from "../../../adapters/diff/lineDiff.ts";
import { prepareEdit, type PreparedEdit, type WantedEdit } from "./preparedEdit.ts";

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
export function editFileTool(dist: string, proposals: ProposedEdits, seen: SeenFiles, reportBug: ReportBug): Tool {
  /** The edit that the user was shown last; only this one may be written. */
  let described: PreparedEdit | undefined;
  const prepare = async (input: Input, cancel: CancelSignal): Promise<Result<PreparedEdit, ToolFailure>> => {
    const wanted = wantedEdit(input);
    if (!wanted.ok) return wanted;
    const place = resolvePlace(input.path);
    return place.ok ? prepareEdit({ dist, seen }, place.value, wanted.value, cancel) : place;
  };
  return hostTool(
    {
      name: "edit_file",
      description:
        'Changes one file: "edits" for parts of it, or "content" for a new file or all of it. The user sees the change ' +
        "as a diff and accepts or refuses it.",
      effect: "writes",
      input: INPUT,
      view: async (input) => {
        const prepared = await prepare(input, NEVER);
        described = prepared.ok ? prepared.value : undefined;
        return prepared.ok ? viewOf(prepared.value) : prepared;
      },
      preview: async (_input, cancel) => {
        if (described === undefined) return undefined;
        const { place, document, after } = described;
        const proposal = { uri: place.uri, shown: place.shown, isNew: document === undefined, after };
        const decision = await proposals.propose(proposal, cancel);
        return decision === "closed" ? undefined : decision === "accepted" ? "allowed" : "denied";
      },
      run: async (input, cancel) => {
        if (!vscode.workspace.isTrusted) return failure("NOT_ALLOWED", "The user does not trust this workspace yet.");
        const prepared = await prepare(input, cancel);
        if (!prepared.ok) return prepared;
        const { place, document, before, after } = prepared.value;
        if (described?.before !== before || described.after !== after || described.place.shown !== place.shown) {
          return failure(
            "CONFLICT",
            `${place.shown} changed while the user was asked; nothing was written. Read it again.`,
          );
        }
        const written =
          document === undefined ? await createFile(place, after) : await replaceText(document, place, before, after);
        described = undefined;
        if (!written.ok) return written;
        await noteWritten(dist, prepared.value, seen);
        await revealChange(place, before, after);
        return ok(resultText(prepared.value, written.value));
      },
    },
    reportBug,
  );
}

const SAVED_WORDS: Readonly<Record<AppliedEdit["saved"], string>> = {
  saved: "",
  userChanges: " It is not saved: the user had unsaved changes in it.",
  couldNotBeSaved: " The editor could not save it; the change is only in the editor.",
};

function wantedEdit(input: Input): Result<WantedEdit, ToolFailure> {
  const { edits, content } = input;
  if (edits !== undefined && content === undefined) {
    return ok({
      kind: "edits",
      edits: edits.map(({ old_text: oldText, new_text: newText }) => ({ oldText, newText })),
    });
  }
  if (edits === undefined && content !== undefined) return ok({ kind: "content", content });
  return failure("INVALID_INPUT", 'Give either "edits" or "content".');
}

async function noteWritten(dist: string, { place, document }: PreparedEdit, seen: SeenFiles): Promise<void> {
  const located = await locate(dist, place, NEVER);
  if (!located.ok) return;
  const stamp = document?.isDirty === true ? stampOfDocument(document) : located.value.stamp;
  seen.note(place.uri.toString(), stamp);
}

function viewOf(prepared: PreparedEdit): CallViewResult {
  const { place, realRelative, after } = prepared;
  // A folder that is opened by itself may be one of settings, such as `.github`.
  const folder = place.root.uri.path.split("/").at(-1) ?? "";
  const affectsTools = [place.relative, realRelative].some((relative) => configuresTools(`${folder}/${relative}`));
  const title = titleOf(prepared, affectsTools);
  const mustAsk = affectsTools ? { mustAsk: true } : {};
  const before = withPlainLineEnds(prepared.before);
  if (before.length + after.length > MOST_COMPARED) {
    return ok({ title, detail: localize("The diff is shown in the editor."), ...mustAsk });
  }
  const lines = lineDiff(before, withPlainLineEnds(after)).text.split("\n");
  const more = lines.length - MOST_DETAIL_LINES;
  const shownLines =
    more <= 0 ? lines : [...lines.slice(0, MOST_DETAIL_LINES), plural(more, "… 1 more line", "… {0} more lines")];
  return ok({ title, detail: onSeveralLines(shownLines.join("\n")), look: "diff", ...mustAsk });
}

function titleOf(prepared: PreparedEdit, affectsTools: boolean): string {
  const shown = onOneLine(prepared.place.shown);
  const change = changeSize(prepared, (count) => localize("{0} characters", count));
  if (prepared.document === undefined) {
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

function resultText(prepared: PreparedEdit, { saved, isFormatted }: AppliedEdit): string {
  const { place, document } = prepared;
  const done = document === undefined ? "created" : "changed";
  const change = changeSize(prepared, (count) => `${count} characters`);
  const formatted = isFormatted ? " The editor changed more of it while saving; read it before the next edit." : "";
  return `${place.shown} is ${done} (${change}).${SAVED_WORDS[saved]}${formatted}`;
}
