/** Messages of the editor. It draws `[words](address)` in them as a link, which may run a command, whoever wrote it. */

import * as vscode from "vscode";

type Show = typeof vscode.window.showInformationMessage;

export const showInformation: Show = withoutLinks((...message) => vscode.window.showInformationMessage(...message));
export const showWarning: Show = withoutLinks((...message) => vscode.window.showWarningMessage(...message));

function withoutLinks(show: (...message: Parameters<Show>) => Thenable<unknown>): Show {
  return ((text: string, ...rest: [never]) => show(text.replaceAll("](", "]\u2060("), ...rest)) as Show;
}
