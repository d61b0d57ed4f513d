/** Places for the schedules, with faults as each can have them. */

import { randomUUID } from "node:crypto";
import { S3Replica } from "../../../src/adapters/s3/s3Replica.ts";
import {
  type ListedObject,
  type LogReplica,
  replicaFailed,
  type ReplicaResult,
} from "../../../src/core/replica/logReplica.ts";
import { err, ok } from "../../../src/core/result.ts";
import { realClock } from "../../../test/support/clocks.ts";
import { FOLDER_FAULTS, folderPlace } from "../../../test/support/replica/folderPlace.ts";
import { MEMORY_FAULTS, memoryPlace } from "../../../test/support/replica/memoryPlace.ts";
import {
  type LastingFault,
  NEVER_CANCELLED,
  type PutFault,
  type TestedPlace,
} from "../../../test/support/replica/replicaFaults.ts";
import { S3_FAULTS, servedPlace } from "../../../test/support/replica/servedPlace.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface ScheduledPlace {
  /** A machine's own access. */
  open(): LogReplica;
  /** Of the next put. */
  fault(fault: PutFault): void;
  /** Listings are those of now until the returned function is called. */
  lag(): () => void;
  /** Each begins a fault of every call, and returns what ends it. */
  readonly lasting: readonly (() => () => void)[];
  /** The next answer ends in the middle, where answers can. */
  cutAnswer(): void;
  /** Those of puts and answers to come. */
  endFaults(): void;
  remove(): void | Promise<void>;
}

export function inMemory(): ScheduledPlace {
  const tested = memoryPlace(true);
  return scheduled(tested, MEMORY_FAULTS, tested.place.putFaults);
}

export function inFolder(): ScheduledPlace {
  const tested = folderPlace();
  return scheduled(tested, FOLDER_FAULTS, tested.folder.putFaults);
}

/** On the tests' server. Every second one ignores the condition. */
export async function onServer(seed: number): Promise<ScheduledPlace> {
  const tested = await servedPlace(seed % 2 === 1);
  const { server } = tested;
  const daysWrong = (days: number): LastingFault<typeof tested> => ({
    title: "a clock that is days wrong",
    reason: "wrongClock",
    begin: () => {
      server.clockIsAheadMs = days * DAY_MS;
      return () => {
        server.clockIsAheadMs = 0;
      };
    },
  });
  const place = scheduled(tested, [...S3_FAULTS, daysWrong(3), daysWrong(-40)], server.putFaults);
  return {
    ...place,
    cutAnswer: () => server.getFaults.push("cut", "cutWithoutLength", "closed"),
    endFaults: () => {
      place.endFaults();
      server.getFaults.length = 0;
    },
  };
}

function scheduled<Place extends TestedPlace>(
  place: Place,
  lasting: readonly LastingFault<Place>[],
  putFaults: unknown[],
): ScheduledPlace {
  return {
    open: place.open,
    fault: place.faults.fault,
    lag: place.faults.lag,
    lasting: lasting.map(
      ({ begin }) =>
        () =>
          begin(place),
    ),
    cutAnswer: () => undefined,
    endFaults: () => {
      putFaults.length = 0;
    },
    remove: place.remove,
  };
}

/**
 * A bucket of a real store, and a new prefix in it, all of which is deleted afterwards. Its faults are on the way there: a
 * real store puts an object whole or not at all.
 */
export function inBucket(access: BucketAccess): ScheduledPlace {
  const { accessKeyId, secretAccessKey, ...place } = access;
  const prefix = `forge-bench-${randomUUID()}`;
  const store = new S3Replica({ ...place, prefix }, { accessKeyId, secretAccessKey }, { clock: realClock });
  const faults: PutFault[] = [];
  let listed: Promise<readonly ListedObject[]> | undefined;
  let isAway = false;
  const unless = <T>(call: () => Promise<ReplicaResult<T>>): Promise<ReplicaResult<T>> =>
    isAway ? Promise.resolve(err(LOST)) : call();
  const onTheWay: LogReplica = {
    put: (name, bytes, cancel) =>
      unless(async () => {
        const fault = faults.shift();
        if (fault === "dropped" || fault === "half") return err(LOST);
        if (fault === "doubled") await store.put(name, bytes, cancel);
        const done = await store.put(name, bytes, cancel);
        return fault === "answerLost" ? err(LOST) : done;
      }),
    get: (name, cancel) => unless(() => store.get(name, cancel)),
    list: (prefixOf, page, cancel) =>
      unless(async () => {
        if (listed === undefined) return store.list(prefixOf, page, cancel);
        page((await listed).filter(({ name }) => name.startsWith(prefixOf)));
        return ok(undefined);
      }),
    delete: (name, cancel) => unless(() => store.delete(name, cancel)),
  };
  return {
    open: () => onTheWay,
    fault: (fault) => faults.push(fault),
    lag: () => {
      listed = allIn(store);
      return () => {
        listed = undefined;
      };
    },
    lasting: [
      () => {
        isAway = true;
        return () => {
          isAway = false;
        };
      },
    ],
    cutAnswer: () => undefined,
    endFaults: () => {
      faults.length = 0;
    },
    remove: async () => {
      for (const { name } of await allIn(store)) await store.delete(name, NEVER_CANCELLED);
    },
  };
}

const LOST = replicaFailed("unreachable", "lost on the way");

async function allIn(store: LogReplica): Promise<readonly ListedObject[]> {
  const objects: ListedObject[] = [];
  const done = await store.list("", (page) => objects.push(...page), NEVER_CANCELLED);
  if (!done.ok) throw new Error(JSON.stringify(done.error));
  return objects;
}

export interface BucketAccess {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly bucketIn: "path";
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** `url`: the endpoint, and the bucket as the last part of its path. The keys are those of this run alone. */
export function bucketAccess(url: string): BucketAccess {
  const { FORGE_BENCH_S3_KEY: accessKeyId, FORGE_BENCH_S3_SECRET: secretAccessKey } = process.env;
  const bucket = URL.canParse(url) ? new URL(url).pathname.split("/").at(-1) : undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined || bucket === undefined || bucket === "")
    throw new Error(
      "usage: FORGE_BENCH_S3_KEY=… FORGE_BENCH_S3_SECRET=… [FORGE_BENCH_S3_REGION=…] npm run bench -- replica --s3 https://HOST/BUCKET",
    );
  const region = process.env["FORGE_BENCH_S3_REGION"] ?? "us-east-1";
  const endpoint = url.slice(0, url.lastIndexOf("/"));
  return { endpoint, bucket, region, bucketIn: "path", accessKeyId, secretAccessKey };
}
