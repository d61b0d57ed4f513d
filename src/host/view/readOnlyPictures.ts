/** Pictures of messages, read-only in the editor's own viewer. */

import { createHash } from "node:crypto";
import * as vscode from "vscode";
import type { ImagePart } from "../../core/message.ts";

const SCHEME = "forge-image";

/** File extensions by which the editor chooses its viewer; other media types are not shown. */
const ENDINGS: Readonly<Record<string, string>> = {
  "image/gif": "gif",
  "image/jpeg": "jpeg",
  "image/png": "png",
  "image/webp": "webp",
};

/** Retains each picture while its tab is open. */
export class ReadOnlyPictures implements vscode.Disposable {
  readonly #pictures = new Map<string, Uint8Array>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #provider: vscode.Disposable;

  constructor() {
    const refuse = (): never => {
      throw vscode.FileSystemError.NoPermissions();
    };
    const files: vscode.FileSystemProvider = {
      onDidChangeFile: this.#changed.event,
      watch: () => new vscode.Disposable(() => undefined),
      stat: (uri) => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: this.#bytesOf(uri).length }),
      readFile: (uri) => this.#bytesOf(uri),
      readDirectory: () => [],
      createDirectory: refuse,
      writeFile: refuse,
      delete: refuse,
      rename: refuse,
    };
    this.#provider = vscode.workspace.registerFileSystemProvider(SCHEME, files, {
      isCaseSensitive: true,
      isReadonly: true,
    });
  }

  /** Opens a picture in a tab of the editor and focuses it. */
  async show({ mediaType, dataBase64 }: ImagePart): Promise<void> {
    const ending = ENDINGS[mediaType];
    if (ending === undefined) return;
    const folder = createHash("sha256").update(dataBase64).digest("hex").slice(0, 16); // one tab per picture
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${folder}/image.${ending}` });
    this.#keepOnlyOpen();
    this.#pictures.set(uri.path, Buffer.from(dataBase64, "base64"));
    await vscode.commands.executeCommand("vscode.open", uri, { preview: true });
  }

  dispose(): void {
    this.#provider.dispose();
    this.#changed.dispose();
  }

  #keepOnlyOpen(): void {
    const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
    const open = inputs.flatMap((input) => (input instanceof vscode.TabInputCustom ? [input.uri.path] : []));
    for (const path of this.#pictures.keys()) if (!open.includes(path)) this.#pictures.delete(path);
  }

  #bytesOf(uri: vscode.Uri): Uint8Array {
    const bytes = this.#pictures.get(uri.path);
    if (bytes === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return bytes;
  }
}
