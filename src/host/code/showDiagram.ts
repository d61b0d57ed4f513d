/** Code that describes a diagram, drawn where the editor draws Markdown: in its own sandbox, and only when asked for. */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import type { ReadOnlyDocuments } from "../view/readOnlyDocuments.ts";
import { fencedText } from "./fencedText.ts";

/** Shows the diagram beside what is open; says so where nothing here seems able to draw it. */
export async function showDiagram(
  { text }: { readonly text: string },
  documents: Pick<ReadOnlyDocuments, "preview">,
): Promise<void> {
  if (!drawsDiagrams()) {
    const [find, anyway] = [localize("Find an extension"), localize("Show it anyway")];
    const why = localize("Nothing that draws Mermaid diagrams in Markdown was found in this editor.");
    const chosen = await vscode.window.showInformationMessage(why, find, anyway);
    if (chosen === find) await vscode.commands.executeCommand("workbench.extensions.search", "markdown mermaid");
    if (chosen !== anyway) return;
  }
  await documents.preview({ name: `${localize("Diagram")}.md`, text: fencedText("mermaid", text) });
}

/** Whether an extension, the editor's own one or another, adds Mermaid to the preview of Markdown. */
function drawsDiagrams(): boolean {
  return vscode.extensions.all.some(({ id, packageJSON }: vscode.Extension<unknown>) => {
    const manifest: unknown = packageJSON;
    const adds: unknown = isObject(manifest) ? manifest["contributes"] : undefined;
    return /mermaid/i.test(id) && isObject(adds) && adds["markdown.markdownItPlugins"] === true;
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
