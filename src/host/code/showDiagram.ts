/** Shows code that describes a diagram in the editor's Markdown preview: in its own sandbox, and only on request. */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import type { ReadOnlyDocuments } from "../view/readOnlyDocuments.ts";
import { fencedText } from "./fencedText.ts";
import { showInformation } from "../editor/boxes/messages.ts";

/** Opens the preview; warns where no installed extension seems able to draw the diagram. */
export async function showDiagram(
  { text }: { readonly text: string },
  documents: Pick<ReadOnlyDocuments, "preview">,
): Promise<void> {
  if (!drawsDiagrams()) {
    const [find, anyway] = [localize("Find an extension"), localize("Show it anyway")];
    const why = localize("Nothing that draws Mermaid diagrams in Markdown was found in this editor.");
    const chosen = await showInformation(why, find, anyway);
    if (chosen === find) await vscode.commands.executeCommand("workbench.extensions.search", "markdown mermaid");
    if (chosen !== anyway) return;
  }
  await documents.preview({ name: `${localize("Diagram")}.md`, text: fencedText("mermaid", text) });
}

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
