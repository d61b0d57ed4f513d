import path from "node:path";
import { Worker } from "node:worker_threads";
import type { SecretCost, SecretKey } from "../../core/replica/replicaRoot.ts";

/** Data that the thread is started with. */
export interface SecretOrder {
  readonly secret: string;
  readonly salt: Uint8Array;
  readonly cost: SecretCost;
}

/** Makes each key in a thread of its own, from `dist`, the folder of the shipped files. */
export function slowKeyIn(dist: string): SecretKey {
  return (secret, salt, cost) => {
    const order: SecretOrder = { secret, salt, cost };
    const thread = new Worker(path.join(dist, "secretWorker.cjs"), { workerData: order });
    return new Promise((resolve, reject) => {
      thread.once("message", (key: Uint8Array) => {
        resolve(key);
      });
      thread.once("error", reject);
      thread.once("exit", (code) => {
        reject(new Error(`the thread ended with code ${String(code)}`)); // without effect once there is a key
      });
    });
  };
}
