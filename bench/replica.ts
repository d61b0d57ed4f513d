/** Replication of conversations: what it loses, how much it puts, and how long it takes. */

import type { BenchOptions, BenchReport } from "../scripts/benchmark.ts";
import { deltaCommits } from "./support/replica/deltaCommits.ts";
import { firstSync } from "./support/replica/firstSync.ts";
import { idleRequests } from "./support/replica/idleRequests.ts";
import { protocolFigures } from "./support/replica/protocol.ts";
import { bucketAccess, inBucket, inFolder, inMemory, onServer } from "./support/replica/scheduledPlaces.ts";
import { runSchedules, type ScheduleFigures } from "./support/replica/schedules.ts";
import { generatedTalk, sizesOf } from "./support/replica/sizes.ts";
import { transcriptsIn } from "./support/replica/transcripts.ts";

export async function run({ full, s3, data }: BenchOptions): Promise<BenchReport> {
  const access = s3 === undefined ? undefined : bucketAccess(s3);
  const onAdapters = full ? 200 : 20;
  const model = await runSchedules(full ? 10_000 : 1_000, inMemory);
  const folder = await runSchedules(onAdapters, inFolder);
  const bucket = await runSchedules(onAdapters, access === undefined ? onServer : () => inBucket(access));
  const sizes = await sizesOf(data === undefined ? [generatedTalk()] : await transcriptsIn(data));
  const idle = await idleRequests(full ? 5_000 : 100);
  const first = await firstSync(full ? 100 : 5);
  const deltas = await deltaCommits(full ? 20 : 3);
  return {
    figures: {
      ...model,
      ...named("folder", folder),
      ...named("s3", bucket),
      ...sizes,
      ...idle,
      ...first,
      ...deltas,
      ...protocolFigures(full),
    },
  };
}

function named(name: string, figures: ScheduleFigures): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(figures).map(([figure, value]: [string, number]) => [
      `${name}${figure.charAt(0).toUpperCase()}${figure.slice(1)}`,
      value,
    ]),
  );
}
