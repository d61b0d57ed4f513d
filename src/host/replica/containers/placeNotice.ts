/**
 * Says once where the conversations of a remote window lie and when they go, and offers what keeps them. Where a volume
 * or a folder with them outlived the container, it offers to connect.
 */

import { existsSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { readMountInfo, withoutLinks } from "../../../adapters/node/mountInfo.ts";
import { localize } from "../../../protocol/localize.ts";
import { showInformation, showWarning } from "../../editor/boxes/messages.ts";
import type { UserStorage } from "../../editor/userStorage.ts";
import { historyPlace, type HistoryPlace, type OutlivingFolder, outlivingFolder } from "./historyPlace.ts";
import { keepOnVolume } from "./keepOnVolume.ts";

/** In the editor's global state, which is on the user's own machine and outlives containers. */
const SAID = "forge.historyPlacesSaid";
const MOST_SAID = 200;

/** Facts about this window that decide which message is shown. */
interface Found {
  readonly place: HistoryPlace | undefined;
  /** May hold conversations of an earlier container. */
  readonly folder: OutlivingFolder | undefined;
  readonly holdsConversations: boolean;
}

/** Does nothing once conversations are kept on several machines. */
export async function tellWhereHistoryLies(
  { storage }: { readonly storage: string },
  memory: UserStorage,
  mountInfo: () => Promise<string> = readMountInfo,
  hasReplica: (folder: string) => boolean = (folder) => existsSync(path.join(folder, "root")),
): Promise<void> {
  if (existsSync(path.join(storage, "replica", "setup.json"))) return;
  const found = await find(storage, await mountInfo(), hasReplica);
  const id = idOf(found);
  if (id === undefined || saidIn(memory).includes(id)) return;
  await memory.update(SAID, [...saidIn(memory), id].slice(-MOST_SAID));
  await tell(found);
}

async function find(storage: string, mountInfo: string, hasReplica: (folder: string) => boolean): Promise<Found> {
  const { remoteName } = vscode.env;
  const folder = outlivingFolder(remoteName, mountInfo);
  return {
    place: historyPlace(remoteName, await withoutLinks(storage), mountInfo),
    folder,
    holdsConversations: folder !== undefined && hasReplica(folder.path),
  };
}

/** Of the message. To connect is offered anew in each container, whose name is its own. */
function idOf({ place, folder, holdsConversations }: Found): string | undefined {
  const authority = vscode.workspace.workspaceFolders?.[0]?.uri.authority ?? "";
  const machine = authority === "" ? `${vscode.env.remoteName ?? ""}+${hostname()}` : authority;
  if (holdsConversations) return ["connect", hostname(), machine].join(" ");
  if (folder?.kind === "volume") return ["volume", machine].join(" ");
  return place && [place.kind, machine].join(" ");
}

async function tell({ place, folder, holdsConversations }: Found): Promise<void> {
  const [connect, keepThere] = [localize("Connect…"), localize("Keep Them There…")];
  const [onVolume, onMachines] = [localize("Keep on a Volume…"), localize("Keep on Several Machines…")];
  let answer: string | undefined;
  if (holdsConversations && folder !== undefined) {
    const text = localize("{0} holds conversations, encrypted. Connect, and they are back here.", folder.path);
    answer = await showInformation(text, connect);
  } else if (folder?.kind === "volume") {
    const text = localize(
      "This container has a volume for conversations now, {0}, which rebuilds leave as it is. Nothing is kept there yet.",
      folder.path,
    );
    answer = await showInformation(text, keepThere);
  } else if (place?.kind === "container" && place.isDefined) {
    answer = await showWarning(textOf(place), onVolume, onMachines);
  } else if (place !== undefined) {
    const show = place.kind === "container" || place.kind === "codespace" ? showWarning : showInformation;
    answer = await show(textOf(place), onMachines);
  }
  if (answer === onVolume) await keepOnVolume();
  else if (answer !== undefined) await vscode.commands.executeCommand("forge.setUpReplica");
}

function textOf(place: HistoryPlace): string {
  switch (place.kind) {
    case "container":
      return localize(
        "The conversations of this window lie in its container. When it is rebuilt or deleted they are lost, unless they are kept elsewhere, too.",
      );
    case "codespace":
      return place.outlivesRebuild
        ? localize(
            "The conversations of this window lie in its codespace. When it is deleted they are lost, unless they are kept elsewhere, too.",
          )
        : localize(
            "The conversations of this window lie in its codespace. When the codespace is deleted or its container rebuilt they are lost, unless they are kept elsewhere, too.",
          );
    case "wsl":
      return localize(
        "The conversations of this window lie in WSL. They stay there, and windows outside of it do not show them, unless they are kept on several machines.",
      );
    case "host":
      return localize(
        "The conversations of this window lie on {0}. They stay there, and windows on other machines do not show them, unless they are kept on several machines.",
        hostname(),
      );
  }
}

function saidIn(memory: UserStorage): readonly string[] {
  const stored = memory.get(SAID);
  return Array.isArray(stored) ? stored.filter((each) => typeof each === "string") : [];
}
