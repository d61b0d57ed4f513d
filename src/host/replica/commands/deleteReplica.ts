/** Stops, and deletes all objects of the replica; those that hold its root last, so that the rest can be found again. */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Cancelled } from "../../../core/errors.ts";
import type { LogReplica, ReplicaFailed, ReplicaResult } from "../../../core/replica/logReplica.ts";
import { isProbeName, parseName } from "../../../core/replica/objectNames.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { CANCELLED } from "../../../core/errors.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import { showInformation, showWarning } from "../../editor/boxes/messages.ts";
import { explainReplica } from "../../words/explainReplica.ts";
import { placeOf, type ReplicaServices } from "../replicaServices.ts";
import type { ReplicaSetup } from "../replicaSetup.ts";
import { namedPlace } from "../statusTexts.ts";
import { warnOf } from "./warnOf.ts";

/** Requests at once. */
const CONCURRENCY = 4;
/** Other machines may put something meanwhile, and lists may lag. */
const PASSES = 3;

/** Keeps everything here and there. Failures are shown. */
export async function stopReplica(
  { setups, secrets, control }: ReplicaServices,
  setup: ReplicaSetup,
): Promise<boolean> {
  await control.stop();
  const deleted = await setups.delete();
  if (deleted.ok) await secrets.forgetReplica();
  else {
    warnOf(deleted.error, setup.place, "running");
    await control.start();
  }
  return deleted.ok;
}

export async function stopAndDelete(services: ReplicaServices, setup: ReplicaSetup): Promise<void> {
  const { name } = namedPlace(setup.place);
  const stop = localize("Stop and Delete");
  const answer = await showWarning(
    localize("Delete all conversations in {0}?", name),
    {
      modal: true,
      detail: localize(
        "What is on this machine and on your other machines stays. Stop it on those first: they would put theirs there again. Copies that the place makes of its own (versions, trash, backups) are out of reach.",
      ),
    },
    stop,
  );
  services.keyboard.afterPrompt();
  if (answer !== stop) return;
  // Before its keys are forgotten.
  const opened = await placeOf(services, setup, NEVER);
  if (!opened.ok) {
    warnOf(opened.error, setup.place, "running");
    return;
  }
  if (await stopReplica(services, setup)) await deleteAll(opened.value, setup);
}

const NEVER: CancelSignal = new AbortController().signal;

async function deleteAll(objects: LogReplica, setup: ReplicaSetup): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: localize("Deleting what is in {0}", namedPlace(setup.place).name),
    cancellable: true,
  };
  const done = await vscode.window.withProgress(options, (progress, token) => {
    const cancel = new AbortController();
    token.onCancellationRequested(() => {
      cancel.abort();
    });
    return deleteObjects(
      objects,
      (count, all) => {
        progress.report({ message: localize("{0} of {1}", count, all), increment: 100 / all });
      },
      cancel.signal,
    );
  });
  if (done.ok) {
    const text = plural(
      done.value,
      "Stopped, and 1 object was deleted there.",
      "Stopped, and {0} objects were deleted there.",
    );
    void showInformation(text);
    return;
  }
  const rest = localize("Delete the Rest");
  const why =
    done.error.code === "CANCELLED" ? "" : `${explainReplica(done.error, namedPlace(setup.place), "running")} `;
  const text = localize("It is stopped. Not everything there is deleted yet; what is left is encrypted.");
  if ((await showWarning(`${why}${text}`, rest)) === rest) await deleteAll(objects, setup);
}

/** Returns how many were deleted. Objects of others stay. */
export async function deleteObjects(
  objects: LogReplica,
  progress: (done: number, all: number) => void,
  cancel: CancelSignal,
): Promise<Result<number, ReplicaFailed | Cancelled>> {
  let done = 0;
  for (let pass = 1; pass <= PASSES; pass++) {
    const names = await namesIn(objects, cancel);
    if (!names.ok) return names;
    const { contents, roots } = names.value;
    const all = done + contents.length + roots.length;
    if (all === done) break;
    for (const some of [...groupsOf(contents), ...groupsOf(roots)]) {
      if (cancel.aborted) return err(CANCELLED);
      for (const deleted of await Promise.all(some.map((name) => objects.delete(name, cancel)))) {
        if (!deleted.ok) return deleted;
        progress(++done, all);
      }
    }
  }
  return ok(done);
}

async function namesIn(
  objects: LogReplica,
  cancel: CancelSignal,
): Promise<ReplicaResult<{ readonly contents: readonly string[]; readonly roots: readonly string[] }>> {
  const [contents, roots]: [string[], string[]] = [[], []];
  const listed = await objects.list(
    "",
    (page) => {
      for (const { name } of page) {
        const parsed = parseName(name);
        if (parsed?.kind === "root") roots.push(name);
        else if (parsed !== undefined || isProbeName(name)) contents.push(name);
      }
    },
    cancel,
  );
  return listed.ok ? ok({ contents: contents.sort(), roots: roots.sort() }) : listed;
}

function groupsOf(names: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(names.length / CONCURRENCY);
  return Array.from({ length: count }, (_none, at) => names.slice(at * CONCURRENCY, (at + 1) * CONCURRENCY));
}
