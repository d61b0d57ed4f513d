/** Access to the place that is set up. Its adapters load when it is opened. */

import type { CancelSignal } from "../../core/cancellation.ts";
import type { Clock } from "../../core/clock.ts";
import {
  type LogReplica,
  replicaFailed,
  type ReplicaFailed,
  type ReplicaResult,
} from "../../core/replica/logReplica.ts";
import { parseName, type KeyId } from "../../core/replica/objectNames.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { editorFetch } from "../editor/editorFetch.ts";
import type { Secrets } from "../editor/secrets.ts";
import type { BucketPlace, ReplicaPlace, ReplicaSetup } from "./replicaSetup.ts";

type BucketSecrets = Pick<Secrets, "bucketKeys">;

/** Fails with `denied` if this machine has no access key of the bucket. */
export type OpenPlace = (
  place: ReplicaPlace,
  secrets: BucketSecrets,
  clock: Clock,
  /** Absent while it is set up. */
  marker?: string,
) => Promise<Result<LogReplica, ReplicaFailed>>;

export const openPlace: OpenPlace = async (place, secrets, clock, marker) => {
  if (place.kind === "bucket") return openBucket(place, secrets, clock);
  const { ReplicaFolder } = await import("../../adapters/node/replica/replicaFolder.ts");
  return ok(new ReplicaFolder(place.path, { clock, ...(marker === undefined ? {} : { marker }) }));
};

async function openBucket(
  place: BucketPlace,
  secrets: BucketSecrets,
  clock: Clock,
): Promise<Result<LogReplica, ReplicaFailed>> {
  const keys = await secrets.bucketKeys(place, place.accessKeyId);
  if (keys === undefined) {
    return err(replicaFailed("denied", `The secret storage has no secret of the access key ${place.accessKeyId}.`));
  }
  const { S3Replica } = await import("../../adapters/s3/s3Replica.ts");
  return ok(new S3Replica(place, keys, { clock, fetch: editorFetch }));
}

/**
 * The place of a setup. The object that marks a folder is another one after another machine changed a secret: then any
 * that holds the same root marks it.
 */
export async function openReplicaPlace(
  { place, root, marker }: Pick<ReplicaSetup, "place" | "root" | "marker">,
  secrets: BucketSecrets,
  clock: Clock,
  cancel: CancelSignal,
  open: OpenPlace = openPlace,
): Promise<ReplicaResult<LogReplica>> {
  const opened = await open(place, secrets, clock, marker);
  if (!opened.ok || place.kind === "bucket") return opened;
  const listed = await opened.value.list("root/", () => undefined, cancel);
  if (listed.ok || listed.error.code !== "REPLICA_FAILED" || listed.error.reason !== "missing") return opened;
  const unmarked = await open(place, secrets, clock);
  const other = unmarked.ok ? await rootObject(unmarked.value, root, cancel) : undefined;
  return other === undefined ? opened : open(place, secrets, clock, other);
}

async function rootObject(place: LogReplica, root: KeyId, cancel: CancelSignal): Promise<string | undefined> {
  const names: string[] = [];
  const listed = await place.list(
    "root/",
    (page) => {
      for (const { name } of page) {
        const parsed = parseName(name);
        if (parsed?.kind === "root" && parsed.root === root) names.push(name);
      }
    },
    cancel,
  );
  return listed.ok ? names.sort()[0] : undefined;
}
