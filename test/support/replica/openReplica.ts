/** Two machines with one conversation: here it is open, in a real file; the other machine is a model. */

import { objectCipher } from "../../../src/adapters/node/objectCipher.ts";
import { Cancellation } from "../../../src/core/cancellation.ts";
import {
  ConversationReplica,
  type ReplicaReport,
  type ReplicatedConversation,
  type ReplicationFailed,
} from "../../../src/core/replica/conversationReplica.ts";
import { ok, type Result } from "../../../src/core/result.ts";
import type { Session } from "../../../src/host/session/session.ts";
import { MemoryPlace, MemoryReplica } from "./memoryReplica.ts";
import { MemoryOutbox, ReplicatedMachine } from "./replicatedMachine.ts";

const KEY = objectCipher.newKey();
const KEYS = { newest: { id: "0123456789abcdef", key: KEY }, of: () => KEY };

export class OpenReplica {
  readonly laptop: ReplicatedMachine;
  readonly #place = new MemoryPlace();
  readonly #outbox = new MemoryOutbox();
  #replica: ConversationReplica | undefined;
  #starts = 0;

  constructor(name = "laptop") {
    this.laptop = new ReplicatedMachine("b", new MemoryReplica(this.#place), KEYS, name);
  }

  /** Publishes and takes for the open conversation. */
  async replicate({ replica }: Pick<Session, "replica">): Promise<Result<ReplicaReport, ReplicationFailed>> {
    this.#replica ??= await this.#started(replica);
    const published = await this.#replica.publish();
    return published.ok ? this.#replica.work() : published;
  }

  /** The next call of `replicate` is for a conversation that was opened again. */
  reopen(): void {
    this.#replica = undefined;
  }

  async #started(file: ReplicatedConversation): Promise<ConversationReplica> {
    const started = new ConversationReplica(
      file,
      { writer: String(++this.#starts).padEnd(16, "0"), machine: "desktop" },
      {
        place: new MemoryReplica(this.#place),
        cipher: objectCipher,
        keys: KEYS,
        outbox: this.#outbox,
        announce: () => Promise.resolve(ok(undefined)),
        isPacked: true,
        cancel: new Cancellation(),
      },
    );
    const opened = await started.open();
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    return started;
  }
}
