/** The editor's errors and warnings in open files of the workspace, for {@link EditorProblems}. */

import * as vscode from "vscode";
import { cellOf, fileUriOf, openNotebook } from "../../notebooks/openNotebooks.ts";
import { isInGitFolder, mayHoldSecrets } from "../paths/guardedFiles.ts";
import { placeOfUri } from "../workspaceRoots.ts";
import type { EditorProblems, FileProblem, OpenFile } from "./problemReports.ts";

export const editorProblems: EditorProblems = {
  openFiles() {
    const { notebookDocuments, textDocuments } = vscode.workspace;
    const files = [
      ...notebookDocuments.filter(({ isClosed }) => !isClosed).map(notebookFile),
      ...textDocuments.filter(({ isClosed, uri }) => !isClosed && cellOf(uri) === undefined).map(textFile),
    ];
    return files.filter((file) => file !== undefined);
  },
  openFile(file) {
    const uri = vscode.Uri.parse(file, true);
    const notebook = openNotebook(uri);
    if (notebook !== undefined) return notebookFile(notebook);
    const document = vscode.workspace.textDocuments.find(
      ({ isClosed, uri: its }) => !isClosed && its.toString() === file,
    );
    return document === undefined ? undefined : textFile(document);
  },
  knownFiles() {
    const { notebookDocuments, textDocuments } = vscode.workspace;
    const found = vscode.languages.getDiagnostics().filter(([, problems]) => problems.length > 0);
    const uris = [...notebookDocuments, ...textDocuments].map(({ uri }) => uri);
    return [...found.map(([uri]) => fileUriOf(uri)), ...uris].map(String);
  },
  onDidReport: (listener) =>
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      listener(uris.map((uri) => fileUriOf(uri).toString()));
    }),
  onDidClose: (listener) =>
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      listener(uri.toString());
    }),
};

/** What usually holds secrets is no file here: what checkers say of it may quote it. */
function pathOf(uri: vscode.Uri): string | undefined {
  const place = placeOfUri(uri);
  if (place === undefined || isInGitFolder(place.relative) || mayHoldSecrets(place.relative)) return undefined;
  return place.shown;
}

function textFile(document: vscode.TextDocument): OpenFile | undefined {
  const path = pathOf(document.uri);
  if (path === undefined) return undefined;
  return {
    file: document.uri.toString(),
    path,
    languages: [document.languageId],
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
