/** The command "Keep Conversations on Several Machines…": sets it up, or shows its state and what can be done. */

import * as vscode from "vscode";
import { readMountInfo } from "../../../adapters/node/mountInfo.ts";
import type { Clock } from "../../../core/clock.ts";
import type { SecretKey } from "../../../core/replica/replicaRoot.ts";
import type { Conversations } from "../../conversations/conversations.ts";
import { showWarning } from "../../editor/boxes/messages.ts";
import type { CommandFocus } from "../../editor/commandFocus.ts";
import type { ForgeFolders } from "../../editor/forgeFolders.ts";
import type { Secrets } from "../../editor/secrets.ts";
import type { ReadOnlyDocuments } from "../../view/readOnlyDocuments.ts";
import { explainReplica } from "../../words/explainReplica.ts";
import { openPlace, type OpenPlace } from "../openReplicaPlace.ts";
import { type ContainerOffer, containerOffer } from "../containers/historyPlace.ts";
import type { ReplicaControl } from "../replicaControl.ts";
import { showReplicaMenu } from "./replicaMenu.ts";
import type { ReplicaServices } from "../replicaServices.ts";
import { slowKeyIn } from "../slowKey.ts";
import { ReplicaSetupFile } from "../replicaSetup.ts";
import { setUpReplica } from "./setUpReplica.ts";
import { localize } from "../../../protocol/localize.ts";

export class ReplicaCommands {
  readonly #services: ReplicaServices;

  constructor(
    folders: ForgeFolders,
    secrets: Secrets,
    clock: Clock,
    control: ReplicaControl,
    conversations: Pick<Conversations, "list">,
    documents: Pick<ReadOnlyDocuments, "show">,
    keyboard: CommandFocus,
    open: OpenPlace = openPlace,
    secretKey: SecretKey = slowKeyIn(folders.dist),
    offer: () => Promise<ContainerOffer> = offerHere,
  ) {
    const setups = new ReplicaSetupFile(folders.storage);
    this.#services = {
      setups,
      secrets,
      clock,
      control,
      conversations,
      documents,
      keyboard,
      open,
      secretKey,
      containerOffer: offer,
    };
  }

  async run(): Promise<void> {
    const setup = await this.#services.setups.read();
    if (setup.ok) {
      if (setup.value === undefined) await setUpReplica(this.#services);
      else await showReplicaMenu(this.#services, setup.value);
      return;
    }
    const again = localize("Set Up Again");
    const isDamaged = setup.error.reason === "damaged";
    const text = explainReplica(setup.error, { kind: "folder", name: "" }, "running");
    const answer = await showWarning(text, ...(isDamaged ? [again] : []));
    if (answer === again && isDamaged) await setUpReplica(this.#services);
    else this.#services.keyboard.afterPrompt();
  }
}

async function offerHere(): Promise<ContainerOffer> {
  return containerOffer(vscode.env.remoteName, await readMountInfo());
}
