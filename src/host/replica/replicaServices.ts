/** Services of the commands about the replica, and access to what is set up. */

import { objectCipher } from "../../adapters/node/objectCipher.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import type { Clock } from "../../core/clock.ts";
import type { Cancelled } from "../../core/errors.ts";
import type { LogReplica, ReplicaFailed, ReplicaResult } from "../../core/replica/logReplica.ts";
import {
  type RootGone,
  type RootKey,
  type RootServices,
  type SecretKey,
  secretObjects,
} from "../../core/replica/replicaRoot.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import type { Secrets } from "../editor/secrets.ts";
import type { ReadOnlyDocuments } from "../view/readOnlyDocuments.ts";
import type { ContainerOffer } from "./containers/historyPlace.ts";
import { notListed } from "./notListed.ts";
import { openReplicaPlace, type OpenPlace } from "./openReplicaPlace.ts";
import type { ReplicaControl } from "./replicaControl.ts";
import type { ReplicaSetup, ReplicaSetupFile, RootInPlace } from "./replicaSetup.ts";

export interface ReplicaServices {
  readonly setups: ReplicaSetupFile;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly control: ReplicaControl;
  readonly conversations: Pick<Conversations, "list">;
  readonly documents: Pick<ReadOnlyDocuments, "show">;
  readonly keyboard: CommandFocus;
  readonly open: OpenPlace;
  readonly secretKey: SecretKey;
  readonly containerOffer: () => Promise<ContainerOffer>;
}

export function rootServices(
  { secretKey }: Pick<ReplicaServices, "secretKey">,
  place: LogReplica,
  cancel: CancelSignal,
): RootServices {
  return { place, cipher: objectCipher, secretKey, cancel };
}

export interface MarkedRoot extends RootInPlace {
  readonly key: RootKey;
  /** The place has roots that other secrets open. */
  readonly hasOtherRoots: boolean;
}

/** A root with the object that marks its place. */
export async function markedRoot(services: RootServices, key: RootKey): Promise<ReplicaResult<MarkedRoot>> {
  const objects = await secretObjects(services);
  if (!objects.ok) return objects;
  const own = objects.value.filter(({ root }) => root === key.id);
  // Passphrases change more often.
  const marker = (own.find(({ kind }) => kind === "recovery") ?? own[0])?.name;
  if (marker === undefined) return err(notListed());
  return ok({ key, root: key.id, marker, hasOtherRoots: own.length < objects.value.length });
}

export interface OpenedRoot {
  readonly root: RootKey;
  readonly services: RootServices;
}

type PlaceServices = Pick<ReplicaServices, "secrets" | "clock" | "open">;

/** The place that is set up, if it is there now. What marks it may be deleted in it: run while replication is stopped. */
export async function placeOf(
  { secrets, clock, open }: PlaceServices,
  setup: ReplicaSetup,
  cancel: CancelSignal,
): Promise<ReplicaResult<LogReplica>> {
  const place = await openReplicaPlace(setup, secrets, clock, cancel, open);
  if (!place.ok) return place;
  const listed = await place.value.list("root/", () => undefined, cancel);
  if (!listed.ok) return listed;
  const unmarked = await open(setup.place, secrets, clock);
  return unmarked.ok ? ok(unmarked.value.objects) : unmarked;
}

/** As {@link placeOf}, with the root key. */
export async function openSetup(
  services: PlaceServices & Pick<ReplicaServices, "secretKey">,
  setup: ReplicaSetup,
  cancel: CancelSignal,
): Promise<Result<OpenedRoot, ReplicaFailed | RootGone | Cancelled>> {
  const root = await services.secrets.rootKey(setup.root);
  if (root === undefined) return err({ code: "ROOT_GONE" });
  const place = await placeOf(services, setup, cancel);
  return place.ok ? ok({ root, services: rootServices(services, place.value, cancel) }) : place;
}

/** Runs `work` while replication is stopped; it goes on afterwards with what is set up then. */
export async function whileStopped<T>(
  { control }: Pick<ReplicaServices, "control">,
  work: () => Promise<T>,
): Promise<T> {
  await control.stop();
  try {
    return await work();
  } finally {
    await control.start();
  }
}
