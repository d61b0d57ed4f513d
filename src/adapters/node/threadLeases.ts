/**
 * Leases of threads, which their process outlives: one that a thread held when it was ended would be held until the
 * process ends, as it is never taken from a live owner. Threads tell of each lease before they take it, and whoever has
 * ended them lets go of what they held. A broadcast, as a thread that was ended passes on nothing of its own threads.
 */

import { randomUUID } from "node:crypto";
import { BroadcastChannel, receiveMessageOnPort, type MessagePort } from "node:worker_threads";
import { releaseLeft, type LeaseWatcher } from "./lease.ts";

interface LeaseNote {
  readonly kind: "taking" | "over";
  readonly nonce: string;
  readonly file: string;
}

/** Thread side, of leases that are told of in this channel. */
export function tellOfLeases(channel: string): LeaseWatcher {
  const port = new BroadcastChannel(channel);
  port.onmessage = (): void => undefined; // what other threads tell would be kept until it is read
  port.unref();
  const tell = (kind: LeaseNote["kind"], file: string, nonce: string): void => {
    port.postMessage({ kind, nonce, file } satisfies LeaseNote);
  };
  return {
    taking: (file, nonce) => {
      tell("taking", file, nonce);
    },
    over: (file, nonce) => {
      tell("over", file, nonce);
    },
  };
}

/** Leases of a thread, and of those that it starts itself. */
export class ThreadLeases {
  readonly channel = `forge-leases-${randomUUID()}`;
  readonly #port = new BroadcastChannel(this.channel);
  /** Files by nonce. */
  readonly #held = new Map<string, string>();

  constructor() {
    this.#port.onmessage = ({ data }): void => {
      this.#note(data as LeaseNote); // only threads of Forge know the name of the channel
    };
    this.#port.unref();
  }

  /** Call once, when the threads have ended. */
  async release(): Promise<void> {
    const port = this.#port as unknown as MessagePort; // so Node's manual; its types lag behind
    for (let last = receiveMessageOnPort(port); last !== undefined; last = receiveMessageOnPort(port))
      this.#note(last.message as LeaseNote);
    this.#port.close();
    for (const [nonce, file] of this.#held) await releaseLeft(file, nonce);
    this.#held.clear();
  }

  #note({ kind, nonce, file }: LeaseNote): void {
    if (kind === "taking") this.#held.set(nonce, file);
    else this.#held.delete(nonce);
  }
}
