import { ok } from "../../core/result.ts";
import { Emitter } from "../background/emitter.ts";
import type { ReplicaControl } from "./replicaControl.ts";

/** Keeps conversations on this machine alone. */
export const OFF_REPLICA: ReplicaControl = {
  status: { state: "off", conversations: 0, waiting: 0, setAside: [] },
  onDidChange: new Emitter<void>().event,
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  checkNow: () => Promise.resolve(),
  verify: () => Promise.resolve(ok({ objects: 0, bytes: 0, conversations: 0, damaged: [], missing: [], writers: [] })),
  moveKeys: () => Promise.resolve(ok(undefined)),
  leave: () => Promise.resolve(),
};
