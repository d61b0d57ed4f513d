/** Entry point of the thread that replicates. */

import { parentPort, workerData } from "node:worker_threads";
import { tellOfLeases } from "../../../adapters/node/threadLeases.ts";
import { nodeFileCalls } from "../../../adapters/sqlite/engine/shim/fileCalls.ts";
import { loadSqlJs } from "../../../adapters/sqlite/engine/sqlJsShim.ts";
import { loadTokenCounter } from "../../../adapters/tiktoken/rankFiles.ts";
import { Cancellation } from "../../../core/cancellation.ts";
import type { ConversationId } from "../../../core/ids.ts";
import type { Message, TokenCounts } from "../../../core/message.ts";
import type { ReplicatedConversation } from "../../../core/replica/conversationReplica.ts";
import { invariant } from "../../../core/result.ts";
import { ClosedConversations } from "./closedConversations.ts";
import { ClosedWork } from "./closedWork.ts";
import { HostLink } from "./hostLink.ts";
import {
  isReplicaStart,
  isToReplica,
  type Announce,
  type FromReplica,
  type Order,
  type OrderKind,
  type ReplicaStart,
  type ThreadAnswers,
} from "../replicaProtocol.ts";
import { ReplicaServer } from "./replicaServer.ts";
import { workServices } from "./workedConversation.ts";
import { verifyPlace } from "./verifyPlace.ts";

async function serveReplica(start: ReplicaStart): Promise<void> {
  const port = parentPort;
  invariant(port !== null, "replication is served by a thread");
  const post = (message: FromReplica): void => {
    port.postMessage(message);
  };
  const link = new HostLink(post);
  const shim = await loadSqlJs(`${start.dist}/sql-wasm-debug.js`, nodeFileCalls, { reservesLogs: false });
  const leases = tellOfLeases(start.leaseChannel);
  const closed = new ClosedConversations({ storage: start.storage, shim, countTokens: counting(start.dist), leases });
  const { place } = link;
  const openConversation = (id: ConversationId): ReplicatedConversation => link.openConversation(id);
  const server = new ReplicaServer(start, { place, closed, openConversation, leases });
  const announce: Announce = (id, object) => link.announce(id, object);
  const work = new ClosedWork(closed, workServices(start, { place, announce, leases }));
  const running = new Map<number, Cancellation>();

  const run = (id: number, order: Order): Promise<ThreadAnswers[OrderKind]> => {
    const cancel = new Cancellation();
    running.set(id, cancel);
    const onProgress = (done: number, all: number): void => {
      post({ kind: "progress", id, done, all });
    };
    switch (order.of) {
      case "check":
        return server.check(order, onProgress);
      case "verify":
        return verifyPlace({ place, root: start.root, cancel, onProgress });
      case "moveKeys":
        return server.moveKeys(order.next, cancel, onProgress);
      case "work":
        return work.work(order);
    }
  };

  port.on("message", (message: unknown) => {
    invariant(isToReplica(message), "only the host speaks to its threads");
    switch (message.kind) {
      case "order":
        // An unhandled rejection terminates the thread, which the host notices.
        void run(message.id, message.order).then((answer) => {
          running.delete(message.id);
          post({ kind: "done", id: message.id, answer });
        });
        return;
      case "cancel":
        running.get(message.id)?.abort();
        return;
      case "changed":
        server.noteChanged(message.conversation);
        return;
      case "page":
      case "answer":
        link.receive(message);
    }
  });
}

/** Loads the ranks when first called. */
function counting(dist: string): (message: Message) => Promise<TokenCounts> {
  let counter: ReturnType<typeof loadTokenCounter> | undefined;
  return async (message) => {
    const loaded = await (counter ??= loadTokenCounter(`${dist}/ranks`));
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error)); // Forge's own files are damaged
    return loaded.value.countMessage(message);
  };
}

invariant(isReplicaStart(workerData), "the thread is started by the host");
void serveReplica(workerData);
