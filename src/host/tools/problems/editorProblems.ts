/** The editor's errors and warnings in open files of the workspace, for {@link EditorProblems}. */

import * as vscode from "vscode";
import { cellOf, fileUriOf, openNotebook } from "../../notebooks/openNotebooks.ts";
import { isInGitFolder, mayHoldSecrets } from "../paths/guardedFiles.ts";
import { placeOfUri } from "../workspaceRoots.ts";
import type { EditorProblems, FileProblem, OpenFile } from "./problemReports.ts";

export const editorProblems: EditorProblems = {
  openFiles: () => openFiles(() => true),
  openFile(file) {
    const uri = vscode.Uri.parse(file, true);
    const notebook = openNotebook(uri);
    if (notebook !== undefined) return notebookFile(notebook);
    const document = vscode.workspace.textDocuments.find(
      ({ isClosed, uri: its }) => !isClosed && its.toString() === file,
    );
    return document === undefined ? undefined : textFile(document);
  },
  onDidReport: (listener) =>
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      const reported = new Set(uris.map((uri) => fileUriOf(uri).toString()));
      const files = openFiles((file) => reported.has(file));
      if (files.length > 0) listener(files);
    }),
  onDidClose: (listener) => {
    const close = ({ uri }: { readonly uri: vscode.Uri }): void => {
      listener(uri.toString());
    };
    const { onDidCloseNotebookDocument, onDidCloseTextDocument } = vscode.workspace;
    return vscode.Disposable.from(onDidCloseNotebookDocument(close), onDidCloseTextDocument(close));
  },
};

function openFiles(isWanted: (file: string) => boolean): readonly OpenFile[] {
  const isOpen = ({ isClosed, uri }: vscode.TextDocument | vscode.NotebookDocument): boolean =>
    !isClosed && isWanted(uri.toString());
  const { notebookDocuments, textDocuments } = vscode.workspace;
  const texts = textDocuments.filter((document) => isOpen(document) && cellOf(document.uri) === undefined);
  const files = [...notebookDocuments.filter(isOpen).map(notebookFile), ...texts.map(textFile)];
  return files.filter((file) => file !== undefined);
}

/** Undefined also for a file that usually holds secrets: what checkers say of it may quote it. */
function pathOf(uri: vscode.Uri): string | undefined {
  const place = placeOfUri(uri);
  if (place === undefined || isInGitFolder(place.relative) || mayHoldSecrets(place.relative)) return undefined;
  return place.shown;
}

function isShown(uri: vscode.Uri): boolean {
  const wanted = uri.toString();
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => {
    if (input instanceof vscode.TabInputTextDiff)
      return [input.original, input.modified].some((each) => each.toString() === wanted);
    const isFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook;
    return isFile && input.uri.toString() === wanted;
  });
}

function textFile(document: vscode.TextDocument): OpenFile | undefined {
  const path = pathOf(document.uri);
  if (path === undefined) return undefined;
  return {
    file: document.uri.toString(),
    path,
    languages: [document.languageId],
    isShown: isShown(document.uri),
    version: String(document.version),
    text: () => document.getText(),
    problems: () => problemsOf(document),
  };
}

function notebookFile(notebook: vscode.NotebookDocument): OpenFile | undefined {
  const path = pathOf(notebook.uri);
  if (path === undefined) return undefined;
  const documents = notebook.getCells().map(({ document }) => document);
  return {
    file: notebook.uri.toString(),
    path,
    languages: [...new Set(documents.map(({ languageId }) => languageId))],
    isShown: isShown(notebook.uri),
    version: [notebook.version, ...documents.map(({ version }) => version)].join("."),
    text: () => documents.map((document) => document.getText()).join("\n"),
    problems: () =>
      documents.flatMap((document, index) => problemsOf(document).map((each) => ({ ...each, cell: index + 1 }))),
  };
}

function problemsOf(document: vscode.TextDocument): readonly FileProblem[] {
  return vscode.languages.getDiagnostics(document.uri).flatMap((diagnostic): readonly FileProblem[] => {
    const { severity, message, code, source, range } = diagnostic;
    if (severity > vscode.DiagnosticSeverity.Warning) return [];
    // A report on an earlier text may name a line that is gone.
    const { line } = document.validatePosition(range.start);
    return [
      {
        severity: severity === vscode.DiagnosticSeverity.Error ? "error" : "warning",
        message,
        code: String(typeof code === "object" ? code.value : (code ?? "")),
        source: source ?? "",
        lineText: document.lineAt(line).text,
        line: range.start.line + 1,
        column: range.start.character + 1,
      },
    ];
  });
}
