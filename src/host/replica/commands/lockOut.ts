/**
 * Takes away the access of a machine that has the root key: a new root is made, and the keys move under it. The setup names
 * the next root from before the first key moves until the last has, so that a kill or a lost network is gone on from.
 */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Cancelled, StorageFailed } from "../../../core/errors.ts";
import type { KeyId } from "../../../core/replica/objectNames.ts";
import type { ReplicaFailed } from "../../../core/replica/logReplica.ts";
import { createRoot, type RootGone, type RootServices, secretObjects } from "../../../core/replica/replicaRoot.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { localize } from "../../../protocol/localize.ts";
import { showInformation, showWarning } from "../../editor/boxes/messages.ts";
import { explainReplica } from "../../words/explainReplica.ts";
import { markedRoot, openSetup, type ReplicaServices, whileStopped } from "../replicaServices.ts";
import type { ReplicaSetup } from "../replicaSetup.ts";
import { askForNewSecrets, type NewSecrets } from "./secretQuestions.ts";
import { namedPlace } from "../statusTexts.ts";

type LockOutResult = Result<void, ReplicaFailed | StorageFailed | RootGone | Cancelled>;

export async function lockOut(services: ReplicaServices, setup: ReplicaSetup): Promise<void> {
  const secrets = (await confirmLockOut(setup)) ? await askForNewSecrets() : undefined;
  services.keyboard.afterPrompt();
  if (secrets !== undefined) await run(services, setup, (cancel) => beginMove(services, setup, secrets, cancel));
}

/** After one that did not come to its end. */
export async function goOnLockingOut(services: ReplicaServices, setup: ReplicaSetup): Promise<void> {
  await run(services, setup, (cancel) => finishMove(services, setup, cancel));
}

async function confirmLockOut({ place }: ReplicaSetup): Promise<boolean> {
  const sentences = [
    localize(
      "A new passphrase and a new recovery code are made, and all keys move under them. Your other machines ask for the new passphrase once; the lost one reads nothing that is written from then on.",
    ),
    localize("What that machine has already stays on it."),
    place.kind === "bucket"
      ? localize("Revoke its access key at the store, too: with that it could still put and delete objects.")
      : localize("Take it out of whatever synchronizes the folder, too: it could still change files there."),
  ];
  const take = localize("Take Access Away");
  const question = localize("Take away a lost machine's access?");
  return (await showWarning(question, { modal: true, detail: sentences.join("\n\n") }, take)) === take;
}

async function run(
  services: ReplicaServices,
  { place }: ReplicaSetup,
  work: (cancel: CancelSignal) => Promise<LockOutResult>,
): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: localize("Moving the keys…"),
    cancellable: true,
  };
  const done = await vscode.window.withProgress(options, (_, token) => {
    const cancel = new AbortController();
    token.onCancellationRequested(() => {
      cancel.abort();
    });
    return work(cancel.signal);
  });
  if (done.ok) {
    void showInformation(
      localize(
        "Done: whoever has the old passphrase or the old key alone reads nothing new. Enter the new passphrase on your other machines.",
      ),
    );
    return;
  }
  const goOn = localize("Go On");
  const why = done.error.code === "CANCELLED" ? "" : `${explainReplica(done.error, namedPlace(place), "running")} `;
  const text = `${why}${localize("The access is not taken away yet.")}`;
  if ((await showWarning(text, goOn)) !== goOn) return;
  const latest = await services.setups.read();
  if (latest.ok && latest.value?.next !== undefined) await goOnLockingOut(services, latest.value);
}

async function beginMove(
  services: ReplicaServices,
  setup: ReplicaSetup,
  newSecrets: NewSecrets,
  cancel: CancelSignal,
): Promise<LockOutResult> {
  const opened = await openSetup(services, setup, cancel);
  if (!opened.ok) return opened;
  const made = await createRoot(opened.value.services, newSecrets);
  if (!made.ok) return made;
  const next = await markedRoot(opened.value.services, made.value);
  if (!next.ok) return next;
  const { root, marker, key } = next.value;
  await services.secrets.saveRootKey(key);
  const moving = { ...setup, next: { root, marker } };
  const written = await services.setups.write(moving);
  return written.ok ? finishMove(services, moving, cancel) : written;
}

async function finishMove(
  services: ReplicaServices,
  setup: ReplicaSetup,
  cancel: CancelSignal,
): Promise<LockOutResult> {
  const { secrets, control, setups } = services;
  const { next, ...before } = setup;
  const key = next && (await secrets.rootKey(next.root));
  if (next === undefined || key === undefined) return err({ code: "ROOT_GONE" });
  const moved = await control.moveKeys(key, cancel);
  if (!moved.ok) return moved;
  return whileStopped(services, async () => {
    const opened = await openSetup(services, setup, cancel);
    if (!opened.ok) return opened;
    const deleted = await deleteRoot(opened.value.services, setup.root);
    if (!deleted.ok) return deleted;
    const written = await setups.write({ ...before, ...next });
    if (written.ok) await secrets.forgetRootKey(setup.root);
    return written;
  });
}

async function deleteRoot(services: RootServices, root: KeyId): Promise<LockOutResult> {
  const objects = await secretObjects(services);
  if (!objects.ok) return objects;
  for (const { name, root: of } of objects.value) {
    const deleted = of === root ? await services.place.delete(name, services.cancel) : ok(undefined);
    if (!deleted.ok) return deleted;
  }
  return ok(undefined);
}
