import assert from "node:assert/strict";
import { MOUNT_LINES, planMount } from "../../../../src/host/replica/containers/devcontainerMount.ts";
import {
  type OtherFields,
  beginAnew,
  give,
  happened,
  optionsOf,
  take,
  withQuestions,
} from "../../../support/editor/fakeQuestions.ts";

const QUESTION = "Keep the conversations of this container on a volume?";
const AFTERWARDS =
  "Once the container is rebuilt, Forge asks for a passphrase and keeps conversations there, encrypted. What was said in this container before goes with that rebuild: export what you need.";

interface FileUri {
  readonly scheme: "file";
  readonly authority: "";
  readonly path: string;
}

const uriOf = (path: string): FileUri => ({ scheme: "file", authority: "", path: `/shop/${path}` });
const pathOf = ({ path }: FileUri): string => path.slice("/shop/".length);

/** Text of each file of the workspace, by its path. */
const files = new Map<string, string>();
let canEdit = true;

class WorkspaceEdit {
  readonly insertions: { readonly uri: FileUri; readonly offset: number; readonly text: string }[] = [];
  insert(uri: FileUri, offset: number, text: string): void {
    this.insertions.push({ uri, offset, text });
  }
}

class Range {
  readonly start: number;
  constructor(start: number) {
    this.start = start;
  }
}

const editor: OtherFields = {
  name: "devcontainerFile",
  fields: (usual) => ({
    WorkspaceEdit,
    Range,
    window: {
      ...usual.window,
      showTextDocument: ({ path }: { readonly path: string }) => {
        happened.push(`opened ${path}`);
        return Promise.resolve({ revealRange: ({ start }: Range) => void happened.push(`revealed ${start}`) });
      },
    },
    Uri: {
      ...usual.Uri,
      joinPath: (root: FileUri, ...parts: readonly string[]) => ({ ...root, path: [root.path, ...parts].join("/") }),
    },
    workspace: {
      ...usual.workspace,
      findFiles: (pattern: string, exclude: unknown) => {
        happened.push(`looked for ${pattern}, without ${String(exclude)}`);
        return Promise.resolve([...files.keys()].map(uriOf));
      },
      openTextDocument: (uri: FileUri) =>
        Promise.resolve({
          path: pathOf(uri),
          getText: () => files.get(pathOf(uri)),
          positionAt: (offset: number) => offset,
        }),
      // As the editor does, all places are those of the text before.
      applyEdit: ({ insertions }: WorkspaceEdit) => {
        if (!canEdit) return Promise.resolve(false);
        for (const { uri, offset, text } of insertions.toReversed()) {
          const before = files.get(pathOf(uri)) ?? "";
          files.set(pathOf(uri), before.slice(0, offset) + text + before.slice(offset));
        }
        return Promise.resolve(true);
      },
    },
  }),
};

const FILE = ".devcontainer/devcontainer.json";
const PLAIN = '{\n  "image": "a" // b\n}\n';

describe("keeping conversations on a volume", () => {
  beforeEach(() => {
    beginAnew();
    files.clear();
    canEdit = true;
  });

  async function keep(): Promise<void> {
    const { keepOnVolume } = await withQuestions(
      async () => import("../../../../src/host/replica/containers/keepOnVolume.ts"),
      editor,
    );
    await keepOnVolume();
  }

  it("shows the lines first, and inserts them into the file, which is opened and not saved", async () => {
    files.set(FILE, PLAIN);
    const keeping = keep();
    assert.deepEqual(await optionsOf(QUESTION), {
      modal: true,
      detail: ["These lines go into devcontainer.json. It is opened, and you save it:", MOUNT_LINES, AFTERWARDS].join(
        "\n\n",
      ),
    });
    assert.equal(files.get(FILE), PLAIN, "nothing is changed before");
    await give(QUESTION, "Insert");
    await keeping;
    const text = `${FILE} has the lines now. Save it, then rebuild the container.`;
    await give(text);
    assert.deepEqual(happened, [
      "looked for {.devcontainer/devcontainer.json,.devcontainer.json,.devcontainer/*/devcontainer.json}, without null",
      `asked ${QUESTION}`,
      `closed ${QUESTION}`,
      `opened ${FILE}`,
      "revealed 16",
      `asked ${text}`,
      `closed ${text}`,
    ]);
    const lines = MOUNT_LINES.replaceAll(/^/gm, "  ");
    assert.equal(files.get(FILE), `{\n  "image": "a", // b\n${lines}\n}\n`);
  });

  it("asks which file is meant", async () => {
    files.set(".devcontainer/web/devcontainer.json", PLAIN);
    files.set(".devcontainer/api/devcontainer.json", PLAIN);
    const keeping = keep();
    await give(QUESTION, "Insert");
    await take("Forge: Keep Conversations on a Volume", ".devcontainer/web/");
    await keeping;
    assert.deepEqual(
      [...files].map(([path, text]) => [path, planMount(text).kind]),
      [
        [".devcontainer/web/devcontainer.json", "there"],
        [".devcontainer/api/devcontainer.json", "insert"],
      ],
    );
  });

  it("changes nothing when a question is dismissed", async () => {
    files.set(".devcontainer/a/devcontainer.json", PLAIN).set(".devcontainer/b/devcontainer.json", PLAIN);
    const first = keep();
    await give(QUESTION);
    await first;
    const second = keep();
    await give(QUESTION, "Insert");
    await give("Forge: Keep Conversations on a Volume");
    await second;
    assert.deepEqual([...files.values()], [PLAIN, PLAIN]);
  });

  it("says so where the volume is in the file already", async () => {
    const before = '{ "mounts": ["target=/forge-conversations,type=volume"] }';
    files.set(FILE, before);
    const keeping = keep();
    await give(QUESTION, "Insert");
    await keeping;
    await give(`${FILE} already has the volume. It is there once the container is rebuilt, and Forge finds it.`);
    assert.equal(files.get(FILE), before);
  });

  for (const [title, text, isWritable] of [
    ["cannot be read", "{ image }", true],
    ["cannot be changed", PLAIN, false],
  ] as const)
    it(`offers the lines to be copied where the file ${title}`, async () => {
      files.set(FILE, text);
      canEdit = isWritable;
      const keeping = keep();
      await give(QUESTION, "Insert");
      await give(`${FILE} cannot be read or changed, so nothing was inserted. Put the lines in by hand.`, "Copy Lines");
      await keeping;
      await give("The lines are copied.");
      assert.ok(happened.includes(`copied ${MOUNT_LINES}`));
      assert.equal(files.get(FILE), text);
    });

  it("offers the lines to be copied where there is no file", async () => {
    const keeping = keep();
    const { detail } = (await optionsOf(QUESTION)) as { readonly detail: string };
    assert.ok(detail.startsWith("This workspace has no devcontainer.json. These lines belong there:\n\n"), detail);
    await give(QUESTION, "Copy Lines");
    await keeping;
    await give("The lines are copied.");
    assert.ok(happened.includes(`copied ${MOUNT_LINES}`));
  });
});
