/** Sends code from the editor to the chat: into the draft, or as a request to explain or to fix it. */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import { explain } from "../words/explain.ts";
import { activeSelection, cellOf } from "../notebooks/openNotebooks.ts";
import { pathOrName } from "../tools/workspaceRoots.ts";
import type { Presenter } from "../view/presenter.ts";
import { countDraft } from "../view/draftTokens.ts";
import type { ChatViews } from "../view/chatViews.ts";
import type { Session } from "../session/session.ts";
import { codeText, explainText, fixText, type CodePlace } from "./codeText.ts";
import { showInformation } from "../editor/boxes/messages.ts";

export type CodeCommand = "forge.addSelection" | "forge.explainSelection" | "forge.fixProblems";

/** Context lines sent before and after a problem. */
const LINES_AROUND = 12;

/** Uses the selection of the active editor, or the range in `context` that a code action passes. */
export async function sendCode(
  command: CodeCommand,
  context: unknown,
  session: Session,
  presenter: Pick<Presenter, "showBanner" | "showDraftTokens">,
  views: Pick<ChatViews, "focusAndPost" | "focus">,
): Promise<void> {
  const selected = activeSelection();
  if (selected === undefined) {
    void showInformation(localize("Open a file and select what to add to the chat."));
    return;
  }
  const { document, selection } = selected;
  const wanted = context instanceof vscode.Range ? document.validateRange(context) : linesOf(document, selection);
  if (command === "forge.addSelection") {
    const added = session.composer.addText(`${codeText(placeOf(document, wanted))}\n\n`);
    views.focus();
    await added;
    await countDraft(session, presenter);
    return;
  }
  const problems = command === "forge.fixProblems" ? problemsIn(document, wanted) : [];
  if (command === "forge.fixProblems" && problems.length === 0) {
    void showInformation(localize("The editor reports no problem here."));
    return;
  }
  const text =
    command === "forge.explainSelection"
      ? explainText(placeOf(document, linesOf(document, wanted)))
      : fixText(placeOf(document, surroundingRange(document, wanted)), problems);
  const sent = await session.sending.sendExternal(text);
  if (!sent.ok) presenter.showBanner(explain(sent.error, session.connection.provider.label));
}

/** The selection, extended to whole lines if it spans several; the current line if it is empty. */
function linesOf(document: vscode.TextDocument, selection: vscode.Range): vscode.Range {
  if (selection.isEmpty) return document.lineAt(selection.start.line).range;
  return selection.isSingleLine ? selection : surroundingRange(document, selection, 0);
}

function surroundingRange(document: vscode.TextDocument, range: vscode.Range, lines = LINES_AROUND): vscode.Range {
  const first = Math.max(0, range.start.line - lines);
  const endsAtLineStart = range.end.character === 0 && range.end.line > range.start.line;
  const last = Math.min(document.lineCount - 1, range.end.line - (endsAtLineStart ? 1 : 0) + lines);
  return new vscode.Range(first, 0, last, document.lineAt(last).range.end.character);
}

function placeOf(document: vscode.TextDocument, range: vscode.Range): CodePlace {
  const cell = cellOf(document.uri);
  return {
    path: pathOrName(cell?.notebook.uri ?? document.uri),
    ...(cell === undefined ? {} : { cell: cell.number }),
    language: document.languageId === "plaintext" ? "" : document.languageId,
    firstLine: range.start.line + 1,
    lastLine: range.end.line + 1,
    text: document.getText(range),
  };
}

function problemsIn(document: vscode.TextDocument, range: vscode.Range): readonly string[] {
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter((problem) => problem.range.intersection(range) !== undefined)
    .slice(0, 20)
    .map(({ message, source, range: where }) => {
      const from = source === undefined ? "" : ` (${source})`;
      return `${localize("Line {0}", where.start.line + 1)}: ${message}${from}`;
    });
}
