import assert from "node:assert/strict";
import {
  containerOffer,
  historyPlace,
  type HistoryPlace,
  type OutlivingFolder,
} from "../../../../src/host/replica/containers/historyPlace.ts";

const FOLDER = "/home/vscode/.vscode-server/data/User/globalStorage/forge-chat.forge";
const mounted = (point: string, type: string): string => `40 1 0:3 / ${point} rw,relatime - ${type} source rw\n`;
const OVERLAY = mounted("/", "overlay");
const DISK = mounted("/", "ext4");
const ON_VOLUME = OVERLAY + mounted("/home/vscode/.vscode-server", "ext4");
const IN_MEMORY = OVERLAY + mounted("/home/vscode", "tmpfs");
const UNKNOWN = "";

describe("where the history of a window lies", () => {
  const defined: HistoryPlace = { kind: "container", isDefined: true };
  const other: HistoryPlace = { kind: "container", isDefined: false };
  const cases: readonly (readonly [
    title: string,
    remoteName: string | undefined,
    mountInfo: string,
    place: HistoryPlace | undefined,
  ])[] = [
    ["a local window", undefined, DISK, undefined],
    ["a local window in a container", undefined, OVERLAY, undefined],
    ["a dev container", "dev-container", OVERLAY, defined],
    ["a dev container whose file system is another", "dev-container", DISK, defined],
    ["a dev container of Windows", "dev-container", UNKNOWN, defined],
    ["a dev container with the server's folder on a volume", "dev-container", ON_VOLUME, undefined],
    ["a dev container with the home folder in memory", "dev-container", IN_MEMORY, defined],
    ["a container that was attached to", "attached-container", OVERLAY, other],
    ["a container that was attached to, on a volume", "attached-container", ON_VOLUME, undefined],
    ["a container of Kubernetes", "k8s-container", OVERLAY, other],
    ["a codespace", "codespaces", OVERLAY, { kind: "codespace", outlivesRebuild: false }],
    ["a codespace, on a volume", "codespaces", ON_VOLUME, { kind: "codespace", outlivesRebuild: true }],
    ["WSL", "wsl", DISK, { kind: "wsl" }],
    ["a host over SSH", "ssh-remote", DISK, { kind: "host" }],
    ["a host over SSH that is no Linux", "ssh-remote", UNKNOWN, { kind: "host" }],
    ["a container over SSH", "ssh-remote", OVERLAY, other],
    ["a container over SSH, on a volume", "ssh-remote", ON_VOLUME, { kind: "host" }],
    ["a tunnel", "tunnel", DISK, { kind: "host" }],
    ["a server in the browser", "localhost:8080", OVERLAY, undefined],
    ["a remote of another extension", "amlext", DISK, undefined],
  ];
  for (const [title, remoteName, mountInfo, place] of cases)
    it(`is known of ${title}`, () => {
      assert.deepEqual(historyPlace(remoteName, FOLDER, mountInfo), place);
    });
});

describe("a folder that outlives a rebuild", () => {
  const volume: OutlivingFolder = { path: "/forge-conversations", kind: "volume" };
  const codespace: OutlivingFolder = { path: "/workspaces/.forge-conversations", kind: "codespace" };
  const MOUNTED = OVERLAY + mounted("/forge-conversations", "ext4");
  const WORKSPACES = OVERLAY + mounted("/workspaces", "ext4");
  const cases: readonly (readonly [
    title: string,
    remoteName: string | undefined,
    mountInfo: string,
    folder: OutlivingFolder | undefined,
  ])[] = [
    ["is the volume", "dev-container", MOUNTED, volume],
    ["is the volume, over another connection, too", "attached-container", MOUNTED, volume],
    ["is a folder of the codespace", "codespaces", WORKSPACES, codespace],
    ["is the volume before a folder of the codespace", "codespaces", MOUNTED + WORKSPACES, volume],
    ["is not the workspaces of a dev container", "dev-container", WORKSPACES, undefined],
    ["is not below what is no mount in a codespace", "codespaces", OVERLAY, undefined],
    ["is not there", "dev-container", OVERLAY, undefined],
    ["is not known", undefined, UNKNOWN, undefined],
  ];
  for (const [title, remoteName, mountInfo, folder] of cases)
    it(title, () => {
      const canAddVolume = folder === undefined && remoteName === "dev-container";
      assert.deepEqual(containerOffer(remoteName, mountInfo), { ...(folder && { folder }), canAddVolume });
    });
});
