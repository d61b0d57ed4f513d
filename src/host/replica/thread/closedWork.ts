/** Works on conversations that no window has open, each from its beginning to its end. */

import type { LogReplica } from "../../../core/replica/logReplica.ts";
import type { ReplicationFailed } from "../../../core/replica/conversationReplica.ts";
import { ok, type Result } from "../../../core/result.ts";
import type { ClosedOrder, WorkDone } from "../replicaProtocol.ts";
import type { ClosedConversations } from "./closedConversations.ts";
import { WorkedConversation, type WorkServices } from "./workedConversation.ts";

export class ClosedWork {
  readonly #closed: ClosedConversations;
  readonly #services: WorkServices;

  constructor(closed: ClosedConversations, services: WorkServices) {
    this.#closed = closed;
    this.#services = services;
  }

  async work({ id, names, restores, announced }: ClosedOrder): Promise<Result<WorkDone, ReplicationFailed>> {
    const file = this.#closed.file(id);
    let replica: WorkedConversation["replica"] | undefined;
    let listedCount = 0;
    // What was published is listed at once, what is taken when there is no more of it.
    const release = (): Promise<void> =>
      file.release(async () => {
        if (replica?.hasStored !== true || replica.hasTaken || replica.recordCount === listedCount) return;
        listedCount = replica.recordCount;
        await this.#closed.writeHeldListing(id, replica);
      });
    try {
      const place = releasing(this.#services.place, release);
      const opened = await WorkedConversation.open(file, names, { ...this.#services, place });
      if (!opened.ok) return opened;
      try {
        ({ replica } = opened.value);
        const done = await opened.value.work({ restores }, announced);
        if (!done.ok) return done;
        await release();
        if (replica.hasStored && replica.recordCount !== listedCount) await this.#closed.writeListing(id, replica);
        return ok(done.value);
      } finally {
        await opened.value.close();
      }
    } finally {
      await file.release();
    }
  }
}

/** The place, for which a closed conversation is let go before each call. */
function releasing(place: LogReplica, release: () => Promise<void>): LogReplica {
  const released = async <T>(call: () => Promise<T>): Promise<T> => {
    await release();
    return call();
  };
  return {
    put: (name, bytes, cancel) => released(() => place.put(name, bytes, cancel)),
    get: (name, cancel) => released(() => place.get(name, cancel)),
    list: (prefix, page, cancel) => released(() => place.list(prefix, page, cancel)),
    delete: (name, cancel) => released(() => place.delete(name, cancel)),
  };
}
