/** Read-only documents of Forge in the editor: summaries, originals, whole requests, diagrams, attachments. */

import * as vscode from "vscode";
import type { ImagePart } from "../../core/message.ts";
import { localize } from "../../protocol/localize.ts";
import type { SummaryOffer } from "../session/summaries/summaryOffer.ts";
import { offerDocument, offerTitle } from "../session/summaries/summaryTexts.ts";
import { ReadOnlyPictures } from "./readOnlyPictures.ts";

const SCHEME = "forge-text";

/** The extension of `name` tells the language. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export interface ComparedFile {
  readonly uri: vscode.Uri;
  readonly before: NamedText;
  readonly after: NamedText;
}

/** One text per name: a second one replaces the first. */
export class ReadOnlyDocuments implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #pictures = new ReadOnlyPictures();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #provider: vscode.Disposable;

  constructor() {
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: (uri) =>
        this.#texts.get(uri.path) ??
        localize("This text was shown in a window that was closed. Open it again from the chat."),
    });
  }

  /** Opens a text in the editor and focuses it. */
  async show(text: NamedText): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.#keep(text));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Opens a picture in the editor's own viewer and focuses it. */
  async showPicture(picture: ImagePart): Promise<void> {
    await this.#pictures.show(picture);
  }

  /** Opens the editor's Markdown preview at the side; the focus stays in the chat where possible. */
  async preview(text: NamedText): Promise<void> {
    await vscode.commands.executeCommand("markdown.showPreviewToSide", this.#keep(text));
  }

  async compare(before: NamedText, after: NamedText, title: string): Promise<void> {
    await vscode.commands.executeCommand("vscode.diff", this.#keep(before), this.#keep(after), title, {
      preview: true,
    });
  }

  /** Opens the changes of several files in one editor, which takes the focus; of one as its diff, which does not. */
  async compareFiles(files: readonly ComparedFile[], title: string): Promise<void> {
    const [only, ...others] = files;
    if (only !== undefined && others.length === 0) {
      const [before, after] = [this.#keep(only.before), this.#keep(only.after)];
      await vscode.commands.executeCommand("vscode.diff", before, after, title, { preview: true, preserveFocus: true });
      return;
    }
    const resources = files.map(({ uri, before, after }) => [uri, this.#keep(before), this.#keep(after)]);
    await vscode.commands.executeCommand("vscode.changes", title, resources);
  }

  dispose(): void {
    this.#provider.dispose();
    this.#pictures.dispose();
    this.#changed.dispose();
  }

  #keep({ name, text }: NamedText): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.#texts.set(uri.path, text);
    this.#changed.fire(uri);
    return uri;
  }
}

export async function showOffer(offer: SummaryOffer | undefined, documents: ReadOnlyDocuments): Promise<void> {
  if (offer !== undefined) await documents.show({ name: `${offerTitle()}.md`, text: offerDocument(offer) });
}
