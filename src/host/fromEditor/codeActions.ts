/** Code actions of Forge for problems and selections. None are offered where AI features are disabled. */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";

const KINDS = [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.RefactorRewrite];

export function registerCodeActions(): vscode.Disposable {
  const selector = [
    { scheme: "file" },
    { scheme: "untitled" },
    { scheme: "vscode-remote" },
    { scheme: "vscode-vfs" },
    { scheme: "vscode-notebook-cell" },
  ];
  return vscode.languages.registerCodeActionsProvider(
    selector,
    {
      provideCodeActions: (document, range, context) => {
        if (vscode.workspace.getConfiguration("chat", document.uri).get("disableAIFeatures") === true) return [];
        const actions: vscode.CodeAction[] = [];
        const problems = context.diagnostics.filter((problem) => problem.range.intersection(range) !== undefined);
        if (problems.length > 0) {
          const whole = problems.reduce((all, problem) => all.union(problem.range), range);
          actions.push(action(localize("Fix with Forge"), "forge.fixProblems", { range: whole, problems }));
        }
        if (!range.isEmpty)
          actions.push(action(localize("Explain with Forge"), "forge.explainSelection", { range, problems: [] }));
        return actions;
      },
    },
    { providedCodeActionKinds: KINDS },
  );
}

function action(
  title: string,
  command: string,
  { range, problems }: { readonly range: vscode.Range; readonly problems: vscode.Diagnostic[] },
): vscode.CodeAction {
  const isFix = problems.length > 0;
  const made = new vscode.CodeAction(
    title,
    isFix ? vscode.CodeActionKind.QuickFix : vscode.CodeActionKind.RefactorRewrite,
  );
  made.command = { command, title, arguments: [range] };
  if (isFix) made.diagnostics = problems;
  return made;
}
