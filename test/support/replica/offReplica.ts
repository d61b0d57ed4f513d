import { ok } from "../../../src/core/result.ts";
import { Emitter } from "../../../src/host/background/emitter.ts";
import { OFF, type ReplicaControl } from "../../../src/host/replica/replicaControl.ts";

/** Keeps conversations on this machine alone. */
export const OFF_REPLICA: ReplicaControl = {
  status: OFF,
  onDidChange: new Emitter<void>().event,
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  checkNow: () => Promise.resolve(),
  verify: () => Promise.resolve(ok({ objects: 0, bytes: 0, conversations: 0, damaged: [], missing: [], writers: [] })),
  moveKeys: () => Promise.resolve(ok(undefined)),
};
