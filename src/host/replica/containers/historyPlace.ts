/** Where the conversations of a window lie, and how long they stay there, by the kind of the remote machine. */

import { mountOf } from "../../../adapters/node/mountInfo.ts";

export type HistoryPlace =
  /** Deleted with the container. `isDefined`: a `devcontainer.json` describes it. */
  | { readonly kind: "container"; readonly isDefined: boolean }
  /** Deleted with the codespace; `outlivesRebuild`: not with its container. */
  | { readonly kind: "codespace"; readonly outlivesRebuild: boolean }
  | { readonly kind: "wsl" }
  /** Stays on that machine. */
  | { readonly kind: "host" };

/** A folder that a rebuild of the container leaves as it is. */
export interface OutlivingFolder {
  readonly path: string;
  readonly kind: "volume" | "codespace";
}

/** Mounted by the lines that Forge offers for `devcontainer.json`. */
export const VOLUME_FOLDER = "/forge-conversations";
/** A codespace keeps it until it is deleted itself, unlike volumes, which a full rebuild deletes. */
const CODESPACE_FOLDER = "/workspaces";

/** Kinds of file systems that are gone with the container, or when it stops. */
const PASSING: ReadonlySet<string> = new Set(["overlay", "tmpfs", "ramfs"]);

/**
 * `remoteName` is the editor's, `folder` that of the conversations, without links. `undefined`: on this machine, on a
 * mount that a rebuild leaves as it is, or nobody knows.
 */
export function historyPlace(
  remoteName: string | undefined,
  folder: string,
  mountInfo: string,
): HistoryPlace | undefined {
  const mount = mountOf(folder, mountInfo);
  const isLost = mount === undefined || mount.point === "/" || PASSING.has(mount.type);
  switch (remoteName) {
    case "dev-container":
      return isLost ? { kind: "container", isDefined: true } : undefined;
    case "attached-container":
    case "k8s-container":
      return isLost ? { kind: "container", isDefined: false } : undefined;
    case "codespaces":
      return { kind: "codespace", outlivesRebuild: !isLost };
    case "wsl":
      return { kind: "wsl" };
    case "ssh-remote":
    case "tunnel":
      // Several services lead into their containers by such a connection.
      return mount?.type === "overlay" ? { kind: "container", isDefined: false } : { kind: "host" };
    default:
      return undefined;
  }
}

/** Places for conversations that the container of this window offers. */
export interface ContainerOffer {
  readonly folder?: OutlivingFolder;
  /** A volume can be added to its `devcontainer.json`. */
  readonly canAddVolume: boolean;
}

export function containerOffer(remoteName: string | undefined, mountInfo: string): ContainerOffer {
  const folder = outlivingFolder(remoteName, mountInfo);
  return folder === undefined ? { canAddVolume: remoteName === "dev-container" } : { folder, canAddVolume: false };
}

export function outlivingFolder(remoteName: string | undefined, mountInfo: string): OutlivingFolder | undefined {
  if (mountOf(VOLUME_FOLDER, mountInfo)?.point === VOLUME_FOLDER) return { path: VOLUME_FOLDER, kind: "volume" };
  const isKept = remoteName === "codespaces" && mountOf(CODESPACE_FOLDER, mountInfo)?.point === CODESPACE_FOLDER;
  return isKept ? { path: `${CODESPACE_FOLDER}/.forge-conversations`, kind: "codespace" } : undefined;
}
