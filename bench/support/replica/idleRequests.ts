/** Requests of a check that finds nothing new, on a machine with thousands of conversations. */

import type { LogReplica } from "../../../src/core/replica/logReplica.ts";
import { DiskMachine } from "../../../test/support/replica/diskMachine.ts";
import { MemoryPlace, MemoryReplica } from "../../../test/support/replica/memoryReplica.ts";
import { checked, copyConversation, numbered, rootIn } from "./disks.ts";

export async function idleRequests(conversations: number): Promise<Readonly<Record<string, number>>> {
  const place = new CountedPlace(new MemoryReplica(new MemoryPlace()));
  const machine = await DiskMachine.create({ name: "desktop", root: await rootIn(place), place, hasMany: true });
  try {
    const [first, ...others] = Array.from({ length: conversations }, (_, at) => numbered(at + 1));
    if (first === undefined) throw new Error("there is one at least");
    await machine.ask(first, "How does it work?");
    copyConversation(machine, first, others);
    const began = performance.now();
    await checked(machine, "all");
    const settlingSeconds = (performance.now() - began) / 1_000;
    const requestsSettling = place.take();
    await checked(machine, "news");
    const idle = place.take();
    machine.restart();
    await checked(machine, "news");
    const started = place.take();
    await checked(machine, "all");
    return {
      [`requestsIdle${String(conversations)}`]: Math.max(idle, started),
      [`requestsFull${String(conversations)}`]: place.take(),
      requestsPerSettled: Math.round((10 * requestsSettling) / conversations) / 10,
      settlingSeconds: Math.round(10 * settlingSeconds) / 10,
    };
  } finally {
    machine.remove();
  }
}

/** Counts requests as a bucket has them: each page of a list is one. */
class CountedPlace implements LogReplica {
  readonly #place: LogReplica;
  #requests = 0;

  constructor(place: LogReplica) {
    this.#place = place;
  }

  /** Those since the last call. */
  take(): number {
    const taken = this.#requests;
    this.#requests = 0;
    return taken;
  }

  put(...args: Parameters<LogReplica["put"]>): ReturnType<LogReplica["put"]> {
    this.#requests++;
    return this.#place.put(...args);
  }

  get(...args: Parameters<LogReplica["get"]>): ReturnType<LogReplica["get"]> {
    this.#requests++;
    return this.#place.get(...args);
  }

  async list(...[prefix, page, cancel]: Parameters<LogReplica["list"]>): ReturnType<LogReplica["list"]> {
    let pages = 0;
    const done = await this.#place.list(
      prefix,
      (objects) => {
        pages++;
        page(objects);
      },
      cancel,
    );
    this.#requests += Math.max(1, pages);
    return done;
  }

  delete(...args: Parameters<LogReplica["delete"]>): ReturnType<LogReplica["delete"]> {
    this.#requests++;
    return this.#place.delete(...args);
  }
}
