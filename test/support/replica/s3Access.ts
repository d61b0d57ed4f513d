import { S3Replica } from "../../../src/adapters/s3/s3Replica.ts";
import type { S3Place } from "../../../src/adapters/s3/place.ts";
import type { S3Keys } from "../../../src/adapters/s3/requests.ts";
import { ImpatientClock } from "../clocks.ts";
import { KEYS, type S3Server } from "./s3Server.ts";

/** Shorter than the shortest silence that ends a request, longer than the longest pause. */
const BETWEEN_MS = 25_000;
export const STARTED_MS = Date.UTC(2026, 10, 28, 12);

export function s3Clock(): ImpatientClock {
  return new ImpatientClock(STARTED_MS, BETWEEN_MS);
}

export function s3Place(url: string, more: Partial<S3Place> = {}): S3Place {
  return { endpoint: url, region: "eu-house-1", bucket: "forge", prefix: "ann's/house + 1", bucketIn: "path", ...more };
}

/** Access to the tests' server, whose clock is this one. */
export function s3Access(
  server: Pick<S3Server, "url">,
  clock: ImpatientClock,
  {
    place = {},
    keys = KEYS,
    fetch,
  }: {
    readonly place?: Partial<S3Place>;
    readonly keys?: S3Keys;
    readonly fetch?: typeof globalThis.fetch;
  } = {},
): S3Replica {
  return new S3Replica(s3Place(server.url, place), keys, {
    clock,
    random: () => 0.5,
    ...(fetch === undefined ? {} : { fetch }),
  });
}
