/** The state of replication, and all that can be done with it once it is set up. */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Cancelled, StorageFailed } from "../../../core/errors.ts";
import { omit } from "../../../core/omit.ts";
import type { ReplicaFailed } from "../../../core/replica/logReplica.ts";
import { changeSecret, type RootKey, type RootServices, type SecretKind } from "../../../core/replica/replicaRoot.ts";
import type { Result } from "../../../core/result.ts";
import { localize } from "../../../protocol/localize.ts";
import { withDelayedProgress } from "../../editor/boxes/delayedProgress.ts";
import { inList } from "../../editor/boxes/inList.ts";
import { showInformation, showWarning } from "../../editor/boxes/messages.ts";
import { needsMending } from "../../words/explainReplica.ts";
import { formatDate } from "../../words/formatting.ts";
import { type DeletionRights, showBucketPolicy } from "./bucketPolicy.ts";
import { stopAndDelete, stopReplica } from "./deleteReplica.ts";
import { goOnLockingOut, lockOut } from "./lockOut.ts";
import { markedRoot, openSetup, type ReplicaServices, rootServices, whileStopped } from "../replicaServices.ts";
import { machineName, type ReplicaSetup } from "../replicaSetup.ts";
import { askForNewPassphrase, askForSecret, giveRecoveryCode } from "./secretQuestions.ts";
import { askForMachine, setUpReplica } from "./setUpReplica.ts";
import { namedPlace, problemText, statusLine } from "../statusTexts.ts";
import { showWriters, verifyReplica } from "./verifyReplica.ts";
import { warnOf } from "./warnOf.ts";

type Act = (services: ReplicaServices, setup: ReplicaSetup) => Promise<void>;
type MenuItem = vscode.QuickPickItem & { readonly act?: Act };

const NEVER: CancelSignal = new AbortController().signal;
const MOST_SET_ASIDE = 3;

export async function showReplicaMenu(services: ReplicaServices, setup: ReplicaSetup): Promise<void> {
  const items: MenuItem[] = [
    ...stateItems(services, setup),
    { label: localize("What to do"), kind: vscode.QuickPickItemKind.Separator },
    ...mendingItems(services, setup),
    ...usualItems(setup),
  ];
  const picked = await vscode.window.showQuickPick(inList(items), {
    title: localize("Forge: Conversations on Several Machines"),
    placeHolder: namedPlace(setup.place).name,
    matchOnDescription: true,
  });
  if (picked?.act === undefined) services.keyboard.afterPrompt();
  else await picked.act(services, setup);
}

function stateItems({ control, clock }: ReplicaServices, setup: ReplicaSetup): readonly MenuItem[] {
  const { status } = control;
  const problem = problemText(status, namedPlace(setup.place));
  const isWrong = status.problem !== undefined && needsMending(status.problem);
  const icon = isWrong ? "warning" : status.state === "working" ? "sync" : "check";
  const setAside = status.setAside.slice(0, MOST_SET_ASIDE).map((text) => ({ label: `$(question) ${text}` }));
  return [
    {
      label: `$(${icon}) ${statusLine(status, clock.nowMs())}`,
      ...(problem === undefined ? {} : { detail: problem, act: showProblem }),
    },
    ...setAside,
    { label: `$(device-desktop) ${setup.machine}`, description: localize("since {0}", formatDate(setup.sinceMs)) },
    ...(setup.refusesSecond
      ? []
      : [{ label: `$(info) ${localize("Whoever has the access key could overwrite what is there")}` }]),
  ];
}

function mendingItems({ control }: ReplicaServices, { next }: ReplicaSetup): readonly MenuItem[] {
  const { problem } = control.status;
  const again: MenuItem = {
    label: `$(key) ${localize("Enter the Passphrase")}`,
    description: localize("the one that is valid there now"),
    act: enterSecret,
  };
  const goOn: MenuItem = {
    label: `$(shield) ${localize("Go On Taking Access Away")}`,
    description: localize("it has not come to its end"),
    act: goOnLockingOut,
  };
  if (next !== undefined) return [goOn];
  return problem?.code === "ROOT_GONE" ? [again] : [];
}

function usualItems({ place, machine, next }: ReplicaSetup): readonly MenuItem[] {
  // Another root, while keys lie under two, would leave some under one that nobody goes on from.
  const ofRoot: readonly MenuItem[] = [
    { label: `$(key) ${localize("Change Passphrase…")}`, act: changePassphrase },
    { label: `$(lock) ${localize("New Recovery Code…")}`, act: changeRecoveryCode },
    { label: `$(shield) ${localize("Take Away a Lost Machine's Access…")}`, act: lockOut },
    {
      label: `$(settings-gear) ${localize("Set Up Again…")}`,
      description: localize("another place or access key"),
      act: setUpReplica,
    },
  ];
  const policy: MenuItem = { label: `$(json) ${localize("Show Bucket Policy")}`, act: choosePolicy };
  return [
    { label: `$(sync) ${localize("Check Now")}`, act: checkNow },
    {
      label: `$(verified) ${localize("Verify Everything…")}`,
      description: localize("reads all that is there"),
      act: verifyReplica,
    },
    { label: `$(organization) ${localize("Who Writes")}`, act: showWriters },
    ...(next === undefined ? ofRoot : []),
    ...(place.kind === "bucket" ? [policy] : []),
    { label: `$(edit) ${localize("Rename This Machine…")}`, description: machine, act: rename },
    {
      label: `$(debug-stop) ${localize("Stop")}`,
      description: localize("keeps everything here and there"),
      act: stop,
    },
    { label: `$(trash) ${localize("Stop and Delete Everything There…")}`, act: stopAndDelete },
  ];
}

const checkNow: Act = async ({ control, clock, keyboard }, { place }) => {
  keyboard.afterPrompt();
  await withDelayedProgress(localize("Checking…"), () => control.checkNow());
  const { status } = control;
  const problem = problemText(status, namedPlace(place));
  void showInformation(problem ?? `${statusLine(status, clock.nowMs())}.`);
};

/** A list shows one line of it. */
const showProblem: Act = ({ control, keyboard }, { place }) => {
  keyboard.afterPrompt();
  const problem = problemText(control.status, namedPlace(place));
  if (problem !== undefined) void showWarning(problem);
  return Promise.resolve();
};

const changePassphrase: Act = async (services, setup) => {
  const passphrase = await askForNewPassphrase();
  services.keyboard.afterPrompt();
  if (passphrase === undefined) return;
  if (await putSecret(services, setup, "passphrase", passphrase)) {
    void showInformation(
      localize(
        "The passphrase is changed. Your machines go on without it; whoever sets up another enters the new one.",
      ),
    );
  }
};

const changeRecoveryCode: Act = async (services, setup) => {
  const code = await giveRecoveryCode();
  services.keyboard.afterPrompt();
  if (code === undefined) return;
  if (await putSecret(services, setup, "recovery", code)) {
    void showInformation(localize("The new recovery code is valid, and the old one opens nothing any more."));
  }
};

/** Failures are shown. */
async function putSecret(
  services: ReplicaServices,
  setup: ReplicaSetup,
  kind: SecretKind,
  secret: string,
): Promise<boolean> {
  const put = await whileStopped(services, () =>
    withDelayedProgress(localize("Changing…"), async (cancel) => {
      const opened = await openSetup(services, setup, cancel);
      if (!opened.ok) return opened;
      const { root, services: ofRoot } = opened.value;
      const changed = await changeSecret(ofRoot, root, kind, secret);
      return changed.ok ? saveMarked(services, setup, ofRoot, root) : changed;
    }),
  );
  if (!put.ok) warnOf(put.error, setup.place, "running");
  return put.ok;
}

/** Saves by which object the place is known now. */
async function saveMarked(
  { setups }: ReplicaServices,
  setup: ReplicaSetup,
  ofRoot: RootServices,
  key: RootKey,
): Promise<Result<void, ReplicaFailed | StorageFailed | Cancelled>> {
  const marked = await markedRoot(ofRoot, key);
  if (!marked.ok) return marked;
  const { root, marker } = marked.value;
  return setups.write({ ...setup, root, marker });
}

/** After another machine made a new root, or the secret storage forgot the key. */
const enterSecret: Act = async (services, setup) => {
  const { open, secrets, clock, keyboard } = services;
  const { place } = setup;
  const opened = await open(place, secrets, clock);
  const ofRoot = opened.ok ? rootServices(services, opened.value.objects, NEVER) : undefined;
  const root = ofRoot && (await askForSecret(namedPlace(place), ofRoot));
  keyboard.afterPrompt();
  if (!opened.ok) warnOf(opened.error, place, "running");
  if (root?.ok === false) warnOf(root.error, place, "running");
  if (ofRoot === undefined || root?.ok !== true) return;
  await secrets.saveRootKey(root.value);
  const saved = await whileStopped(services, () => saveMarked(services, omit(setup, "next"), ofRoot, root.value));
  if (!saved.ok) warnOf(saved.error, place, "running");
};

const choosePolicy: Act = async ({ documents, keyboard }, { place }) => {
  const items: (vscode.QuickPickItem & { readonly rights: DeletionRights })[] = [
    { label: localize("Create, read, list, delete"), rights: "all" },
    {
      label: localize("Create, read, list, delete keys alone"),
      detail: localize("Whoever has the access key cannot delete content. Erasing works; nothing is packed."),
      rights: "keys",
    },
  ];
  const picked = await vscode.window.showQuickPick(inList(items), { title: localize("Forge: Bucket Policy") });
  if (picked === undefined) keyboard.afterPrompt();
  else if (place.kind === "bucket") await showBucketPolicy(documents, place, picked.rights);
};

const rename: Act = async (services, setup) => {
  const entered = await askForMachine(setup.machine);
  services.keyboard.afterPrompt();
  if (entered === undefined) return;
  const machine = machineName(entered);
  const written = await whileStopped(services, () => services.setups.write({ ...setup, machine }));
  if (!written.ok) warnOf(written.error, setup.place, "running");
};

const stop: Act = async (services, setup) => {
  services.keyboard.afterPrompt();
  if (!(await stopReplica(services, setup))) return;
  const { name } = namedPlace(setup.place);
  void showInformation(
    localize("Stopped. Your conversations are on this machine, and what was sent is still in {0}, encrypted.", name),
  );
};
