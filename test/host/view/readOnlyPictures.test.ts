import assert from "node:assert/strict";
import type { FileSystemProvider, Uri } from "vscode";
import { before, describe, it } from "mocha";
import type { ImagePart } from "../../../src/core/message.ts";
import type { ReadOnlyPictures } from "../../../src/host/view/readOnlyPictures.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";

class Tab {
  readonly uri: Uri;
  constructor(uri: Uri) {
    this.uri = uri;
  }
}

const files: FileSystemProvider[] = [];
const opened: Uri[] = [];
let tabs: readonly { readonly input: object }[] = [];
const editor = {
  EventEmitter: class {
    readonly event = (): void => undefined;
    dispose(): void {
      // nothing listens
    }
  },
  FileSystemError: { FileNotFound: () => new Error("gone"), NoPermissions: () => new Error("read only") },
  FileType: { File: 1 },
  TabInputCustom: Tab,
  Uri: { from: (parts: object) => parts },
  commands: { executeCommand: (_command: string, uri: Uri) => Promise.resolve(opened.push(uri)) },
  window: {
    tabGroups: {
      get all(): readonly object[] {
        return [{ tabs }];
      },
    },
  },
  workspace: {
    registerFileSystemProvider: (_scheme: string, provider: FileSystemProvider) => {
      files.push(provider);
      return { dispose: () => undefined };
    },
  },
};
const picture = (bytes: string, mediaType = "image/png"): ImagePart => {
  return { kind: "image", mediaType, dataBase64: Buffer.from(bytes).toString("base64") };
};

describe("ReadOnlyPictures", () => {
  let pictures: ReadOnlyPictures;
  before(async () => {
    const load = (): Promise<{ readonly ReadOnlyPictures: typeof ReadOnlyPictures }> =>
      import("../../../src/host/view/readOnlyPictures.ts");
    const module = await withEditorModule("readOnlyPictures", editor, load);
    pictures = new module.ReadOnlyPictures();
  });

  it("opens each picture in one read-only tab and forgets it when its tab is closed", async () => {
    await pictures.show(picture("one"));
    tabs = opened.map((uri) => ({ input: new Tab(uri) }));
    await pictures.show(picture("two", "image/webp"));
    await pictures.show(picture("one"));
    await pictures.show(picture("<svg/>", "image/svg+xml"));
    const [one, two, again] = opened;
    assert.ok(one !== undefined && two !== undefined && opened.length === 3);
    assert.deepEqual(
      [one.scheme, one.path.slice(-10), two.path.slice(-11)],
      ["forge-image", "/image.png", "/image.webp"],
    );
    assert.deepEqual(again, one);
    const [provider = assert.fail()] = files;
    const read = async (uri: Uri): Promise<string> => Buffer.from(await provider.readFile(uri)).toString();
    assert.deepEqual([await read(one), (await provider.stat(one)).size], ["one", 3]);
    await assert.rejects(read(two), /gone/);
    assert.throws(() => provider.writeFile(one, Buffer.of(1), { create: true, overwrite: true }), /read only/);
  });
});
