/** An extension with a virtual folder, as those for remote repositories. */

import * as vscode from "vscode";

/** Initial content of the folder `forge-memory:/`. */
const FIRST: Readonly<Record<string, string>> = { "/far.txt": "far away\n", "/deep/below.txt": "far below\n" };

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.workspace.registerFileSystemProvider("forge-memory", new MemoryFolder()));
}

class MemoryFolder implements vscode.FileSystemProvider {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #files = new Map<string, { readonly bytes: Uint8Array; readonly mtime: number }>();

  constructor() {
    for (const [name, text] of Object.entries(FIRST)) this.#put(name, new TextEncoder().encode(text));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const file = this.#files.get(path);
    if (file !== undefined) {
      return { type: vscode.FileType.File, ctime: 0, mtime: file.mtime, size: file.bytes.length };
    }
    if (this.#below(path).length === 0) throw vscode.FileSystemError.FileNotFound(path);
    return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    const names = new Map(
      this.#below(path).map((rest): [string, vscode.FileType] => {
        const [name = "", ...more] = rest.split("/");
        return [name, more.length === 0 ? vscode.FileType.File : vscode.FileType.Directory];
      }),
    );
    return [...names];
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    const file = this.#files.get(path);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(path);
    return file.bytes;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.#put(uri.path, content);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  #put(path: string, bytes: Uint8Array): void {
    this.#files.set(path, { bytes, mtime: (this.#files.get(path)?.mtime ?? 0) + 1 });
  }

  /** Relative paths below a folder. */
  #below(folder: string): readonly string[] {
    const prefix = folder.endsWith("/") ? folder : `${folder}/`;
    return [...this.#files.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  }
}
