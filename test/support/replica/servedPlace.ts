/** A bucket on the tests' server, with faults. */

import type { ReplicaFailure } from "../../../src/core/replica/logReplica.ts";
import { Gate, type LastingFault, type PutFault, type TestedPlace } from "./replicaFaults.ts";
import { s3Access, s3Clock } from "./s3Access.ts";
import { failure, S3Server } from "./s3Server.ts";

export interface ServedPlace extends TestedPlace {
  readonly server: S3Server;
}

/** Pauses of the client are over at once, so a put that must not get there is dropped at each attempt. */
const ATTEMPTS: Readonly<Record<PutFault, number>> = { dropped: 5, answerLost: 1, doubled: 1, half: 5 };

export async function servedPlace(ignoresIfNoneMatch: boolean): Promise<ServedPlace> {
  const clock = s3Clock();
  const server = await S3Server.start({ nowMs: () => clock.nowMs(), ignoresIfNoneMatch });
  return {
    server,
    open: () => s3Access(server, clock),
    refusesSecond: !ignoresIfNoneMatch,
    remove: () => server.stop(),
    faults: {
      fault: (fault) => {
        for (let attempt = 0; attempt < ATTEMPTS[fault]; attempt++) server.putFaults.push(fault);
      },
      hold: () => {
        const gate = new Gate();
        server.putFaults.push(gate);
        return gate;
      },
      lag: () => {
        server.listed = [...server.objects].map(([key, { length }]) => [key, length]);
        return () => {
          server.listed = undefined;
        };
      },
    },
  };
}

function answering(title: string, reason: ReplicaFailure, status: number, code: string): LastingFault<ServedPlace> {
  return {
    title,
    reason,
    begin: ({ server }) => {
      server.answers = () => failure(status, code);
      return () => {
        server.answers = undefined;
      };
    },
  };
}

function keyThatIs(title: string, reason: ReplicaFailure, keyIs: S3Server["keyIs"]): LastingFault<ServedPlace> {
  return {
    title,
    reason,
    begin: ({ server }) => {
      server.keyIs = keyIs;
      return () => {
        server.keyIs = undefined;
      };
    },
  };
}

export const S3_FAULTS: readonly LastingFault<ServedPlace>[] = [
  answering("SlowDown", "busy", 503, "SlowDown"),
  answering("an error of the store", "unreachable", 500, "InternalError"),
  answering("a quota", "full", 403, "QuotaExceeded"),
  answering("a bucket that is gone", "missing", 404, "NoSuchBucket"),
  keyThatIs("a key that is deleted", "denied", "InvalidAccessKeyId"),
  keyThatIs("rights that were taken away", "denied", "AccessDenied"),
  keyThatIs("a key that was valid once", "expired", "ExpiredToken"),
  {
    title: "a clock that is an hour late",
    reason: "wrongClock",
    begin: ({ server }: ServedPlace) => {
      server.clockIsAheadMs = 3_600_000;
      return () => {
        server.clockIsAheadMs = 0;
      };
    },
  },
];
