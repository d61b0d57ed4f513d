/** Asks where conversations are to be kept, tries the place, opens or makes its root, and begins after a consent. */

import { hostname } from "node:os";
import { objectCipher } from "../../../adapters/node/objectCipher.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Cancelled, StorageFailed } from "../../../core/errors.ts";
import type { ReplicaFailed, ReplicaResult } from "../../../core/replica/logReplica.ts";
import { createRoot, type RootKey, type RootServices } from "../../../core/replica/replicaRoot.ts";
import { hexOf } from "../../../core/replica/smallTexts.ts";
import { ok, type Result } from "../../../core/result.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import { withDelayedProgress } from "../../editor/boxes/delayedProgress.ts";
import { showInformation, showWarning } from "../../editor/boxes/messages.ts";
import { explainReplica } from "../../words/explainReplica.ts";
import { formatBytes } from "../../words/modelStoreTexts.ts";
import { askText } from "./askText.ts";
import { showBucketPolicy } from "./bucketPolicy.ts";
import type { OpenedPlace } from "../openReplicaPlace.ts";
import { type CheckedPlace, checkPlace, type PlaceFailure } from "./placeCheck.ts";
import { askForPlace, type ChosenPlace } from "./placeQuestions.ts";
import { followFirstSending } from "./firstSending.ts";
import { markedRoot, type MarkedRoot, rootServices, type ReplicaServices, whileStopped } from "../replicaServices.ts";
import { machineName, type ReplicaPlace, type ReplicaSetup } from "../replicaSetup.ts";
import { askForNewSecrets, askForSecret, type NewSecrets } from "./secretQuestions.ts";
import { namedPlace } from "../statusTexts.ts";
import { warnOf } from "./warnOf.ts";

interface TriedPlace extends ChosenPlace {
  readonly opened: OpenedPlace;
  readonly checked: CheckedPlace;
}

/** `new`: made once the user agrees. */
type ChosenRoot =
  { readonly kind: "new"; readonly secrets: NewSecrets } | { readonly kind: "opened"; readonly root: RootKey };

const PROBE_DIGITS = 16;
const NEVER: CancelSignal = new AbortController().signal;

/** `before`: what is set up, which stays if the user dismisses a question. */
export async function setUpReplica(services: ReplicaServices, before?: ReplicaSetup): Promise<void> {
  const setup = await askForSetup(services, before);
  services.keyboard.afterPrompt();
  if (setup === undefined) return;
  const { tried, root, machine } = setup;
  const done = await begin(services, tried, root, machine);
  if (!done.ok) {
    warnOf(done.error, tried.place, "setUp");
    return;
  }
  followFirstSending(services.control);
  const { name } = namedPlace(tried.place);
  if (done.value.hasOtherRoots) {
    void showWarning(
      localize(
        "Conversations are kept in {0} now. It is also used with another passphrase, perhaps by somebody else or by mistake: neither side can read the other's conversations.",
        name,
      ),
    );
  } else {
    void showInformation(
      localize(
        "Conversations are kept in {0} now. That goes on in the background: Forge: Keep Conversations on Several Machines… shows how far it is.",
        name,
      ),
    );
  }
}

async function askForSetup(
  services: ReplicaServices,
  before: ReplicaSetup | undefined,
): Promise<{ readonly tried: TriedPlace; readonly root: ChosenRoot; readonly machine: string } | undefined> {
  const tried = await askForFitPlace(services, before?.place);
  if (tried === undefined) return undefined;
  const machine = await askForMachine(before?.machine ?? hostname());
  if (machine === undefined) return undefined;
  const root = await askForRoot(services, tried);
  if (root === undefined) return undefined;
  return (await agrees(services, tried)) ? { tried, root, machine: machineName(machine) } : undefined;
}

/** Asks again, with what was entered, while the place cannot be used. */
async function askForFitPlace(
  services: ReplicaServices,
  before: ReplicaPlace | undefined,
): Promise<TriedPlace | undefined> {
  const chosen = await askForPlace(before, await services.containerOffer());
  if (chosen === undefined) return undefined;
  const { place } = chosen;
  const named = namedPlace(place);
  const title = localize("Checking what can be done in {0}…", named.name);
  const tried = await withDelayedProgress(title, (cancel) => tryPlace(services, chosen, cancel));
  if (tried.ok) return tried.value;
  if (tried.error.code === "CANCELLED") return undefined;
  const [again, policy] = [localize("Try Again"), localize("Show Bucket Policy")];
  const isDenied = tried.error.code === "REPLICA_FAILED" && tried.error.reason === "denied" && place.kind === "bucket";
  const text = explainReplica(tried.error, named, "setUp");
  const answer = await showWarning(text, ...(isDenied ? [again, policy] : [again]));
  if (answer === policy && place.kind === "bucket") await showBucketPolicy(services.documents, place, "all");
  return answer === again ? askForFitPlace(services, place) : undefined;
}

async function tryPlace(
  { secrets, clock, open }: ReplicaServices,
  chosen: ChosenPlace,
  cancel: CancelSignal,
): Promise<Result<TriedPlace, PlaceFailure>> {
  const { place, keys } = chosen;
  const entered = keys === undefined ? secrets : { bucketKeys: () => Promise.resolve(keys) };
  const opened = await open(place, entered, clock);
  if (!opened.ok) return opened;
  const random = hexOf(objectCipher.newKey()).slice(0, PROBE_DIGITS);
  const checked = await checkPlace(opened.value, random, clock, cancel);
  return checked.ok ? ok({ ...chosen, opened: opened.value, checked: checked.value }) : checked;
}

export function askForMachine(before: string): Promise<string | undefined> {
  return askText({
    title: localize("Forge: Name of This Machine"),
    prompt: localize("Your other machines show it, as in “continued on {0}”", machineName(before)),
    value: machineName(before),
    refusal: (text) => (machineName(text) === "" ? localize("Enter a name, such as “laptop”.") : undefined),
  });
}

async function askForRoot(
  services: ReplicaServices,
  { place, opened, checked }: TriedPlace,
): Promise<ChosenRoot | undefined> {
  if (checked.state === "empty") {
    const secrets = await askForNewSecrets();
    return secrets && { kind: "new", secrets };
  }
  const root = await askForSecret(namedPlace(place), rootServices(services, opened.objects, NEVER));
  if (root?.ok === false) warnOf(root.error, place, "setUp");
  return root?.ok === true ? { kind: "opened", root: root.value } : undefined;
}

/** Shows what will be sent before any of it is. */
async function agrees(
  { conversations }: Pick<ReplicaServices, "conversations">,
  { place, checked }: TriedPlace,
): Promise<boolean> {
  const listed = await conversations.list();
  const size = formatBytes(listed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  const { name } = namedPlace(place);
  const question =
    listed.length === 0
      ? localize("Keep the conversations to come in {0}?", name)
      : plural(
          listed.length,
          "Send the conversation ({1}) to {2}?",
          "Send {0} conversations ({1}) to {2}?",
          size,
          name,
        );
  const sentences = [
    localize(
      "All is encrypted on this machine before it leaves. {0} can see the number, the size and the time of what is put there, and what belongs to one conversation; no title, no word and no path.",
      name,
    ),
    checked.state === "replica" ? localize("The conversations that are there come to this machine.") : "",
    listed.length === 0 ? "" : localize("The size is that of the files here; less is sent."),
    checked.refusesSecond
      ? ""
      : localize(
          "This store lets a second write replace the first, so whoever has the access key could overwrite what is there. Nothing of Forge depends on it; versioning there helps.",
        ),
    checked.deletesAll
      ? ""
      : localize(
          "The access key may delete keys alone. Erasing works; what is there is not packed into fewer objects.",
        ),
  ];
  const begin = localize("Begin");
  const detail = sentences.filter((sentence) => sentence !== "").join("\n\n");
  return (await showInformation(question, { modal: true, detail }, begin)) === begin;
}

async function begin(
  services: ReplicaServices,
  { place, keys, opened, checked }: TriedPlace,
  chosen: ChosenRoot,
  machine: string,
): Promise<Result<{ readonly hasOtherRoots: boolean }, ReplicaFailed | StorageFailed | Cancelled>> {
  const { secrets, setups, clock } = services;
  const made = await withDelayedProgress(localize("Setting up…"), (cancel) =>
    rootIn(rootServices(services, opened.objects, cancel), chosen),
  );
  if (!made.ok) return made;
  const { key, root, marker, hasOtherRoots } = made.value;
  if (keys !== undefined && place.kind === "bucket") await secrets.saveBucketKeys(place, keys);
  await secrets.saveRootKey(key);
  const { refusesSecond, deletesAll } = checked;
  const sinceMs = clock.nowMs();
  const setup: ReplicaSetup = { place, root, marker, machine, refusesSecond, deletesAll, sinceMs };
  const written = await whileStopped(services, async () => {
    const result = await setups.write(setup);
    if (result.ok) await secrets.forgetReplica({ root, ...(place.kind === "bucket" ? { bucket: place } : {}) });
    return result;
  });
  return written.ok ? ok({ hasOtherRoots }) : written;
}

async function rootIn(services: RootServices, chosen: ChosenRoot): Promise<ReplicaResult<MarkedRoot>> {
  const made = chosen.kind === "opened" ? ok(chosen.root) : await createRoot(services, chosen.secrets);
  return made.ok ? markedRoot(services, made.value) : made;
}
