/** Leg `s3`: the replica's contract on a real object store, as one server and as a cluster of which parts are killed. */

import assert from "node:assert/strict";
import { S3Replica } from "../../src/adapters/s3/s3Replica.ts";
import type { S3Place } from "../../src/adapters/s3/place.ts";
import type { Clock } from "../../src/core/clock.ts";
import type { LogReplica } from "../../src/core/replica/logReplica.ts";
import { bytesOf, forEach, got, listed, put, replicaCases } from "../../test/contracts/replica/logReplicaCases.ts";
import { realClock } from "../../test/support/clocks.ts";
import { NEVER_CANCELLED } from "../../test/support/replica/replicaFaults.ts";
import type { Checks } from "./checks.ts";
import type { Leg } from "./leg.ts";
import {
  BUCKET,
  buildSeaweed,
  makeBucket,
  noSeaweed,
  type ObjectStore,
  SEAWEED_VERSION,
  startCluster,
  startServer,
  STORE_KEYS,
  type StoreCluster,
} from "./seaweed.ts";

const NOT_RUN = ["AWS S3", "Cloudflare R2", "Backblaze B2", "MinIO", "Ceph"];

export const s3: Leg = {
  name: "s3",
  missing: ({ isNamed }) => noSeaweed(isNamed),
  async run(checks) {
    buildSeaweed();
    await onStore(checks, "one server", startServer, async (store) => {
      await contract(checks, "one server", store);
      await refusals(checks, store);
    });
    await onStore(checks, "cluster", startCluster, async (cluster) => {
      await contract(checks, "cluster", cluster);
      await kills(checks, cluster);
    });
    for (const name of NOT_RUN) checks.skip(name, "is not run here: it needs an account, or is not built here");
  },
};

async function onStore<Store extends ObjectStore>(
  checks: Checks,
  name: string,
  start: () => Promise<Store>,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  let store: Store | undefined;
  const hasStarted = await checks.check(`${name}: starts, and has a bucket`, async () => {
    store = await start();
    await makeBucket(store.url);
    return `SeaweedFS ${SEAWEED_VERSION}`;
  });
  try {
    if (hasStarted && store !== undefined) await work(store);
  } finally {
    await store?.stop();
  }
}

function access(url: string, place: Partial<S3Place> = {}, keys = STORE_KEYS, clock: Clock = realClock): LogReplica {
  const here: S3Place = { endpoint: url, region: "us-east-1", bucket: BUCKET, prefix: "", bucketIn: "path" };
  return new S3Replica({ ...here, ...place }, keys, { clock });
}

async function contract(checks: Checks, name: string, { url }: ObjectStore): Promise<void> {
  for (const [index, { title, run }] of replicaCases.entries()) {
    await checks.check(`${name}: ${title}`, async () => {
      await run({ open: () => access(url, { prefix: `contract/${index}` }), refusesSecond: true });
      return "";
    });
  }
}

/** The store's own words for what is wrong. */
async function refusals(checks: Checks, { url }: ObjectStore): Promise<void> {
  const hourAhead: Clock = { ...realClock, nowMs: () => Date.now() + 3_600_000 };
  const cases: readonly (readonly [title: string, replica: LogReplica, reason: string])[] = [
    ["a wrong secret", access(url, {}, { ...STORE_KEYS, secretAccessKey: "not it, and long enough" }), "wrongSecret"],
    ["an unknown key", access(url, {}, { ...STORE_KEYS, accessKeyId: "AKIANOBODY0000000000" }), "denied"],
    ["a clock an hour ahead", access(url, {}, STORE_KEYS, hourAhead), "wrongClock"],
    ["a bucket that is not there", access(url, { bucket: "nobodys" }), "missing"],
  ];
  for (const [title, replica, reason] of cases) {
    await checks.check(`one server: ${title} is ${reason}`, async () => {
      const result = await replica.list("", () => undefined, NEVER_CANCELLED);
      assert.ok(!result.ok && result.error.code === "REPLICA_FAILED", JSON.stringify(result));
      assert.equal(result.error.reason, reason, result.error.detail);
      return result.error.detail;
    });
  }
}

const OBJECTS = 400;

async function kills(checks: Checks, cluster: StoreCluster): Promise<void> {
  await checks.check("cluster: a volume server is killed in the middle, nothing is lost or overwritten", () =>
    written(cluster, "volume", {
      before: 100,
      kill: async () => {
        await cluster.volumes[0]?.kill();
      },
      repair: () => Promise.resolve(),
    }),
  );
  await checks.check("cluster: the gateway is killed in the middle, nothing is lost or overwritten", () =>
    written(cluster, "gateway", { before: 300, kill: cluster.killGateway, repair: cluster.startGateway }),
  );
}

interface Kill {
  /** Number of objects that are there when it comes. */
  readonly before: number;
  readonly kill: () => Promise<void>;
  readonly repair: () => Promise<void>;
}

/** Puts objects by two machines, of which both put each; kills a part in the middle; puts again what failed. */
async function written({ url }: ObjectStore, prefix: string, { before, kill, repair }: Kill): Promise<string> {
  const machines = [access(url, { prefix }), access(url, { prefix })];
  const names = Array.from({ length: OBJECTS }, (_, index) => `log/${index % 7}/${index}`);
  const bytes = (index: number): Uint8Array => bytesOf(index, 2_000 + ((index * 7_919) % 30_000));
  const promised = new Map<number, number>();
  const reasons = new Map<string, number>();
  let done = 0;
  let killed: Promise<void> | undefined;
  const putAll = async (indexes: readonly number[]): Promise<readonly number[]> => {
    const failed: number[] = [];
    await forEach(indexes, async (index) => {
      const results = await Promise.all(machines.map((machine) => put(machine, names[index] ?? "", bytes(index))));
      for (const result of results) {
        if (result.ok && result.value === "created") promised.set(index, (promised.get(index) ?? 0) + 1);
        const reason = result.ok ? result.value : "reason" in result.error ? result.error.reason : result.error.code;
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      if (results.some(({ ok }) => !ok)) failed.push(index);
      if (++done === before) killed = kill();
    });
    return failed;
  };
  let failed = await putAll(names.map((_, index) => index));
  await killed;
  const missed = failed.length;
  await repair();
  for (let round = 0; failed.length > 0 && round < 20; round++) failed = await putAll(failed);
  assert.deepEqual(failed, [], "some could not be put again");
  const reader = access(url, { prefix });
  await forEach([...names.entries()], async ([index, name]) => {
    assert.deepEqual(await got(reader, name), bytes(index), `${name} is not as it was put`);
  });
  const twice = [...promised.values()].filter((count) => count > 1).length;
  const forged = await put(reader, names[0] ?? "", bytesOf(OBJECTS, 2_000));
  assert.deepEqual(forged, { ok: true, value: "exists" });
  assert.deepEqual(await got(reader, names[0] ?? ""), bytes(0));
  const found = await listed(reader, "log/");
  assert.deepEqual(
    found.map(({ name, length }) => [name, length]),
    names.map((name, index) => [name, bytes(index).length] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  assert.equal(twice, 0, `${twice} were made twice`);
  const told = [...reasons].map(([reason, count]) => `${count} ${reason}`).join(", ");
  return `${OBJECTS} objects by two machines: ${told}; ${missed} put again after the kill, ${found.length} there`;
}
