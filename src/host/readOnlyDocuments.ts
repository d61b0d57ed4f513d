/** Texts of Forge's own that are shown in the editor and can not be changed there. */

import * as vscode from "vscode";
import type { SummaryOffer } from "./summaryOffer.ts";
import { offerDocument, offerTitle } from "./summaryWords.ts";

const SCHEME = "forge-text";

/** The texts of one window; each name has one. */
export class ReadOnlyDocuments implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #provider: vscode.Disposable;

  constructor() {
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: (uri) => this.#texts.get(uri.path),
    });
  }

  /** Shows Markdown under a name, beside what is open; the focus goes there. */
  async show(name: string, markdown: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md` });
    this.#texts.set(uri.path, markdown);
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.#provider.dispose();
    this.#changed.dispose();
  }
}

/** Shows what is offered, if anything is. */
export async function showOffer(offer: SummaryOffer | undefined, documents: ReadOnlyDocuments): Promise<void> {
  if (offer !== undefined) await documents.show(offerTitle(), offerDocument(offer));
}
