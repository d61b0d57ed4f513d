import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import {
  type OtherFields,
  beginAnew,
  give,
  happened,
  optionsOf,
  withQuestions,
} from "../../../support/editor/fakeQuestions.ts";
import { temporaryFolder } from "../../../support/storage/storeBuilders.ts";
import { whenTrue } from "../../../support/whenTrue.ts";

const CONTAINER =
  "The conversations of this window lie in its container. When it is rebuilt or deleted they are lost, unless they are kept elsewhere, too.";
const CODESPACE =
  "The conversations of this window lie in its codespace. When the codespace is deleted or its container rebuilt they are lost, unless they are kept elsewhere, too.";
const CODESPACE_ON_VOLUME =
  "The conversations of this window lie in its codespace. When it is deleted they are lost, unless they are kept elsewhere, too.";
const WSL =
  "The conversations of this window lie in WSL. They stay there, and windows outside of it do not show them, unless they are kept on several machines.";
const HOST = `The conversations of this window lie on ${hostname()}. They stay there, and windows on other machines do not show them, unless they are kept on several machines.`;
const VOLUME =
  "This container has a volume for conversations now, /forge-conversations, which rebuilds leave as it is. Nothing is kept there yet.";
const [ON_VOLUME, ON_MACHINES] = ["Keep on a Volume…", "Keep on Several Machines…"];

const mounted = (point: string, type: string): string => `40 1 0:3 / ${point} rw - ${type} source rw\n`;
const OVERLAY = mounted("/", "overlay");
/** A mount that has the storage of these tests. */
const TEMPORARY = mounted(realpathSync(tmpdir()), "ext4");

/** The window that the test is about. */
const window = { remoteName: "", authority: "" };
const editor: OtherFields = {
  name: "remoteWindow",
  fields: (usual) => ({
    env: {
      ...usual.env,
      get remoteName() {
        return window.remoteName;
      },
    },
    commands: { executeCommand: (id: string) => Promise.resolve(void happened.push(`ran ${id}`)) },
    workspace: {
      ...usual.workspace,
      get workspaceFolders() {
        return window.authority === "" ? undefined : [{ uri: { authority: window.authority } }];
      },
    },
  }),
};

describe("where the history lies", () => {
  let temporary: ReturnType<typeof temporaryFolder>;
  let memory: Map<string, unknown>;
  beforeEach(() => {
    beginAnew();
    temporary = temporaryFolder();
    memory = new Map();
  });
  afterEach(() => {
    temporary.remove();
  });

  async function open(
    remoteName: string,
    authority: string,
    mountInfo: string,
    replicas: readonly string[] = [],
  ): Promise<void> {
    window.remoteName = remoteName;
    window.authority = authority;
    const { tellWhereHistoryLies } = await withQuestions(
      async () => import("../../../../src/host/replica/containers/placeNotice.ts"),
      editor,
    );
    await tellWhereHistoryLies(
      { storage: temporary.path },
      { get: (key) => memory.get(key), update: (key, value) => Promise.resolve(void memory.set(key, value)) },
      () => Promise.resolve(mountInfo),
      (folder) => replicas.includes(folder),
    );
  }

  const cases: readonly (readonly [
    title: string,
    remoteName: string,
    mountInfo: string,
    text: string,
    answer: string,
    ran: readonly string[],
  ])[] = [
    ["a dev container", "dev-container", OVERLAY, CONTAINER, ON_MACHINES, ["ran forge.setUpReplica"]],
    ["another container", "attached-container", OVERLAY, CONTAINER, ON_MACHINES, ["ran forge.setUpReplica"]],
    ["a codespace", "codespaces", OVERLAY, CODESPACE, ON_MACHINES, ["ran forge.setUpReplica"]],
    ["a codespace on a volume", "codespaces", TEMPORARY + mounted("/", "overlay"), CODESPACE_ON_VOLUME, "", []],
    ["WSL", "wsl", mounted("/", "ext4"), WSL, ON_MACHINES, ["ran forge.setUpReplica"]],
    ["a host", "ssh-remote", mounted("/", "ext4"), HOST, ON_MACHINES, ["ran forge.setUpReplica"]],
    [
      "a new volume",
      "dev-container",
      OVERLAY + mounted("/forge-conversations", "ext4"),
      VOLUME,
      "Keep Them There…",
      ["ran forge.setUpReplica"],
    ],
  ];
  for (const [title, remoteName, mountInfo, text, answer, ran] of cases)
    it(`is said once in ${title}, with what keeps it`, async () => {
      const opened = open(remoteName, `${remoteName}+a`, mountInfo);
      await give(text, answer === "" ? undefined : answer);
      await opened;
      await open(remoteName, `${remoteName}+a`, mountInfo);
      assert.deepEqual(happened, [`asked ${text}`, `closed ${text}`, ...ran]);
    });

  it("is said in another container, too, and in each empty window's machine", async () => {
    for (const authority of ["dev-container+a", "dev-container+b", ""]) {
      const opened = open("dev-container", authority, OVERLAY);
      await give(CONTAINER);
      await opened;
    }
    assert.deepEqual(memory.get("forge.historyPlacesSaid"), [
      "container dev-container+a",
      "container dev-container+b",
      `container dev-container+${hostname()}`,
    ]);
  });

  it("is remembered of two hundred machines, the newest", async () => {
    memory.set("forge.historyPlacesSaid", [7, ...Array.from({ length: 200 }, (_none, index) => `container ${index}`)]);
    const opened = open("dev-container", "dev-container+a", OVERLAY);
    await give(CONTAINER);
    await opened;
    const said = memory.get("forge.historyPlacesSaid") as readonly string[];
    assert.deepEqual([said.length, said[0], said.at(-1)], [200, "container 1", "container dev-container+a"]);
  });

  it("is said before it is answered, and not again while it waits", async () => {
    const first = open("dev-container", "dev-container+a", OVERLAY);
    await whenTrue(() => happened.length > 0);
    await open("dev-container", "dev-container+a", OVERLAY);
    await give(CONTAINER);
    await first;
    assert.deepEqual(happened, [`asked ${CONTAINER}`, `closed ${CONTAINER}`]);
  });

  for (const [remoteName, mountInfo, folder] of [
    ["dev-container", OVERLAY + mounted("/forge-conversations", "ext4"), "/forge-conversations"],
    ["codespaces", OVERLAY + mounted("/workspaces", "ext4"), "/workspaces/.forge-conversations"],
  ] as const)
    it(`is no matter where conversations outlived the container: they come back from ${folder}`, async () => {
      const authority = `${remoteName}+a`;
      memory.set("forge.historyPlacesSaid", [
        `container ${authority}`,
        `volume ${authority}`,
        `codespace ${authority}`,
      ]);
      const opened = open(remoteName, authority, mountInfo, [folder]);
      const text = `${folder} holds conversations, encrypted. Connect, and they are back here.`;
      await give(text, "Connect…");
      await opened;
      await open(remoteName, authority, mountInfo, [folder]);
      assert.deepEqual(happened, [`asked ${text}`, `closed ${text}`, "ran forge.setUpReplica"]);
    });

  it("offers the lines of the volume", async () => {
    const opened = open("dev-container", "dev-container+a", OVERLAY);
    await give(CONTAINER, ON_VOLUME);
    const question = "Keep the conversations of this container on a volume?";
    await optionsOf(question);
    await give(question);
    await opened;
    assert.equal(happened.at(-1), `closed ${question}`);
  });

  const silent: readonly (readonly [title: string, remoteName: string, mountInfo: string])[] = [
    ["on a volume", "dev-container", TEMPORARY + OVERLAY],
    ["on a server in the browser", "localhost:8080", OVERLAY],
  ];
  for (const [title, remoteName, mountInfo] of silent)
    it(`is not said ${title}`, async () => {
      await open(remoteName, "a", mountInfo);
      assert.deepEqual([happened, memory.size], [[], 0]);
    });

  it("is not said where conversations are kept on several machines", async () => {
    mkdirSync(join(temporary.path, "replica"));
    writeFileSync(join(temporary.path, "replica", "setup.json"), "{}");
    await open("dev-container", "dev-container+a", OVERLAY);
    assert.deepEqual([happened, memory.size], [[], 0]);
  });
});
