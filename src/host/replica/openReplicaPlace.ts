/** Access to the place that is set up. Its adapters load when it is opened. */

import type { CancelSignal } from "../../core/cancellation.ts";
import type { Cancelled, StorageFailed } from "../../core/errors.ts";
import type { Clock } from "../../core/clock.ts";
import {
  type LogReplica,
  replicaFailed,
  type ReplicaFailed,
  type ReplicaResult,
} from "../../core/replica/logReplica.ts";
import { parseName, type KeyId } from "../../core/replica/objectNames.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";
import { editorFetch } from "../editor/editorFetch.ts";
import type { Secrets } from "../editor/secrets.ts";
import type { BucketPlace, ReplicaPlace, ReplicaSetup } from "./replicaSetup.ts";

type BucketSecrets = Pick<Secrets, "bucketKeys">;

export interface OpenedPlace {
  readonly objects: LogReplica;
  /** Names of what is there and cannot be a replica's, which lists of objects leave out. */
  foreignNames(cancel: CancelSignal): Promise<Result<readonly string[], ReplicaFailed | StorageFailed | Cancelled>>;
}

/** Fails with `denied` if this machine has no access key of the bucket. */
export type OpenPlace = (
  place: ReplicaPlace,
  secrets: BucketSecrets,
  clock: Clock,
  /** Absent while it is set up. */
  marker?: string,
) => Promise<Result<OpenedPlace, ReplicaFailed>>;

export const openPlace: OpenPlace = async (place, secrets, clock, marker) => {
  if (place.kind === "bucket") return openBucket(place, secrets, clock);
  const { ReplicaFolder } = await import("../../adapters/node/replica/replicaFolder.ts");
  const { foreignFiles } = await import("../../adapters/node/replica/foreignFiles.ts");
  return ok({
    objects: new ReplicaFolder(place.path, { clock, ...(marker === undefined ? {} : { marker }) }),
    foreignNames: () => foreignFiles(place.path),
  });
};

async function openBucket(
  place: BucketPlace,
  secrets: BucketSecrets,
  clock: Clock,
): Promise<Result<OpenedPlace, ReplicaFailed>> {
  const keys = await secrets.bucketKeys(place, place.accessKeyId);
  if (keys === undefined) {
    return err(
      replicaFailed("denied", localize("This machine has no secret of the access key {0}.", place.accessKeyId)),
    );
  }
  const { S3Replica } = await import("../../adapters/s3/s3Replica.ts");
  const objects = new S3Replica(place, keys, { clock, fetch: editorFetch });
  return ok({ objects, foreignNames: (cancel) => objects.foreignNames(cancel) });
}

/**
 * The place of a setup. The object that marks a folder is another one after another machine changed a secret: then any
 * that holds the same root, or the next, marks it.
 */
export async function openReplicaPlace(
  { place, root, marker, next }: Pick<ReplicaSetup, "place" | "root" | "marker" | "next">,
  secrets: BucketSecrets,
  clock: Clock,
  cancel: CancelSignal,
  open: OpenPlace = openPlace,
): Promise<ReplicaResult<LogReplica>> {
  const opened = await open(place, secrets, clock, marker);
  if (!opened.ok) return opened;
  const { objects } = opened.value;
  if (place.kind === "bucket" || !(await isMissing(objects, cancel))) return ok(objects);
  const unmarked = await open(place, secrets, clock);
  const roots = next === undefined ? [root] : [root, next.root];
  const other = unmarked.ok ? await rootObject(unmarked.value.objects, roots, cancel) : undefined;
  if (other === undefined) return ok(objects);
  const marked = await open(place, secrets, clock, other);
  return marked.ok ? ok(marked.value.objects) : marked;
}

async function isMissing(objects: LogReplica, cancel: CancelSignal): Promise<boolean> {
  const listed = await objects.list("root/", () => undefined, cancel);
  return !listed.ok && listed.error.code === "REPLICA_FAILED" && listed.error.reason === "missing";
}

async function rootObject(
  place: LogReplica,
  roots: readonly KeyId[],
  cancel: CancelSignal,
): Promise<string | undefined> {
  const names: string[] = [];
  const listed = await place.list(
    "root/",
    (page) => {
      for (const { name } of page) {
        const parsed = parseName(name);
        if (parsed?.kind === "root" && roots.includes(parsed.root)) names.push(name);
      }
    },
    cancel,
  );
  return listed.ok ? names.sort()[0] : undefined;
}
