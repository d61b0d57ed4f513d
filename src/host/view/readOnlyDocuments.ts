/**
 * What is Forge's own, shown in the editor and not to be changed there: summaries, originals, whole requests, diagrams, and
 * what was added to messages.
 */

import * as vscode from "vscode";
import type { ImagePart } from "../../core/message.ts";
import { localize } from "../../protocol/localize.ts";
import type { SummaryOffer } from "../session/summaries/summaryOffer.ts";
import { offerDocument, offerTitle } from "../session/summaries/summaryWords.ts";
import { ReadOnlyPictures } from "./readOnlyPictures.ts";

const SCHEME = "forge-text";

/** A text under the name that it is shown with; the name's ending tells the language. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The texts of one window; each name has one. */
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

  /** Shows a text beside what is open; the focus goes there. */
  async show(text: NamedText): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.#keep(text));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Shows a picture in the editor's own viewer; the focus goes there. */
  async showPicture(picture: ImagePart): Promise<void> {
    await this.#pictures.show(picture);
  }

  /** Shows a Markdown text beside what is open as the editor draws it; the focus stays in the chat where it can. */
  async preview(text: NamedText): Promise<void> {
    await vscode.commands.executeCommand("markdown.showPreviewToSide", this.#keep(text));
  }

  /** Shows what differs between two texts, in the editor's own diff. */
  async compare(before: NamedText, after: NamedText, title: string): Promise<void> {
    await vscode.commands.executeCommand("vscode.diff", this.#keep(before), this.#keep(after), title, {
      preview: true,
    });
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

/** Shows what is offered, if anything is. */
export async function showOffer(offer: SummaryOffer | undefined, documents: ReadOnlyDocuments): Promise<void> {
  if (offer !== undefined) await documents.show({ name: `${offerTitle()}.md`, text: offerDocument(offer) });
}
