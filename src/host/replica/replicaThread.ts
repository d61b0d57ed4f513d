/** Host side of the thread that replicates: gives orders, and answers its calls. */

import path from "node:path";
import { Worker } from "node:worker_threads";
import { Cancellation, type CancelSignal } from "../../core/cancellation.ts";
import type { ConversationId } from "../../core/ids.ts";
import type { ConversationBusy, ReplicatedConversation } from "../../core/replica/conversationReplica.ts";
import type { ListedObject, LogReplica } from "../../core/replica/logReplica.ts";
import { err, invariant } from "../../core/result.ts";
import type {
  Announce,
  FromReplica,
  HostAnswers,
  HostCall,
  HostCallKind,
  Order,
  OrderKind,
  ReplicaStart,
  ThreadAnswers,
  ThreadOrders,
  ToReplica,
} from "./replicaProtocol.ts";

export interface ReplicaThreadServices {
  readonly place: LogReplica;
  /** `undefined`: it is not open here. */
  readonly openConversation: (id: ConversationId) => ReplicatedConversation | undefined;
  /** For conversations that it is ordered to work on. */
  readonly announce?: Announce;
  /** The thread ended by itself; no order is answered any more. */
  readonly ended: (detail: string) => void;
}

interface GivenOrder {
  readonly done: (answer: ThreadAnswers[OrderKind]) => void;
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
}

const BUSY: ConversationBusy = { code: "CONVERSATION_BUSY" };
/** Messages that were read are soon garbage. */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 16 };

export class ReplicaThread {
  readonly #services: ReplicaThreadServices;
  readonly #worker: Worker;
  readonly #orders = new Map<number, GivenOrder>();
  readonly #calls = new Map<number, Cancellation>();
  #lastId = 0;
  #isOver = false;

  constructor(start: ReplicaStart, services: ReplicaThreadServices) {
    this.#services = services;
    const file = path.join(start.dist, "replicaWorker.cjs");
    this.#worker = new Worker(file, { workerData: start, resourceLimits: THREAD_MEMORY });
    this.#worker.on("message", (message: FromReplica) => {
      this.#receive(message);
    });
    let failure: string | undefined;
    this.#worker.once("error", (error: unknown) => {
      failure = String(error);
    });
    // Until then it may write.
    this.#worker.once("exit", (code) => {
      this.#end(failure ?? `the thread ended with code ${String(code)}`);
    });
  }

  order<Kind extends OrderKind>(
    of: Kind,
    order: ThreadOrders[Kind],
    onProgress?: (done: number, all: number) => void,
    cancel?: CancelSignal,
  ): Promise<ThreadAnswers[Kind]> {
    const id = ++this.#lastId;
    const stop = (): void => {
      this.#post({ kind: "cancel", id });
    };
    return new Promise((resolve) => {
      const done = (answer: ThreadAnswers[OrderKind]): void => {
        cancel?.removeEventListener("abort", stop);
        resolve(answer as ThreadAnswers[Kind]); // the thread answers each order in its own form
      };
      if (this.#isOver) {
        done(DIED);
        return;
      }
      this.#orders.set(id, { done, onProgress });
      cancel?.addEventListener("abort", stop);
      this.#post({ kind: "order", id, order: { of, ...order } as Order });
      if (cancel?.aborted === true) stop();
    });
  }

  /** A conversation was changed or closed here. */
  noteChanged(conversation: ConversationId): void {
    this.#post({ kind: "changed", conversation });
  }

  async end(): Promise<void> {
    this.#isOver = true;
    for (const call of this.#calls.values()) call.abort();
    await this.#worker.terminate();
    for (const { done } of [...this.#orders.values()]) done(err({ code: "CANCELLED" }));
    this.#orders.clear();
  }

  #post(message: ToReplica): void {
    if (!this.#isOver) this.#worker.postMessage(message);
  }

  #receive(message: FromReplica): void {
    if (this.#isOver) return;
    switch (message.kind) {
      case "call":
        void this.#answer(message.id, message.call);
        return;
      case "cancelCall":
        this.#calls.get(message.id)?.abort();
        return;
      case "progress":
        this.#orders.get(message.id)?.onProgress?.(message.done, message.all);
        return;
      case "done": {
        const order = this.#orders.get(message.id);
        this.#orders.delete(message.id);
        order?.done(message.answer);
      }
    }
  }

  async #answer(id: number, call: HostCall): Promise<void> {
    const cancel = new Cancellation();
    this.#calls.set(id, cancel);
    const answer = await this.#call(id, call, cancel);
    this.#calls.delete(id);
    this.#post({ kind: "answer", id, answer });
  }

  #call(id: number, call: HostCall, cancel: CancelSignal): Promise<HostAnswers[HostCallKind]> {
    if (call.of === "announce") {
      const { announce } = this.#services;
      invariant(announce !== undefined, "whoever has a thread work announces for it");
      return announce(call.conversation, call.object);
    }
    if ("conversation" in call) return callFile(this.#services.openConversation(call.conversation), call);
    const { place } = this.#services;
    const onPage = (objects: readonly ListedObject[]): void => {
      this.#post({ kind: "page", id, objects });
    };
    switch (call.of) {
      case "put":
        return place.put(call.name, call.bytes, cancel);
      case "get":
        return place.get(call.name, cancel);
      case "list":
        return place.list(call.prefix, onPage, cancel);
      case "delete":
        return place.delete(call.name, cancel);
    }
  }

  #end(detail: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const { done } of [...this.#orders.values()]) done(DIED);
    this.#orders.clear();
    this.#services.ended(detail);
  }
}

function callFile(
  file: ReplicatedConversation | undefined,
  call: Exclude<Extract<HostCall, { conversation: ConversationId }>, { of: "announce" }>,
): Promise<HostAnswers[HostCallKind]> {
  if (file === undefined) return Promise.resolve(err(BUSY));
  switch (call.of) {
    case "readIndex":
      return file.readIndex(call.from);
    case "read":
      return file.read(call.from);
    case "commit":
      return file.commit(call.records, call.at);
    case "erase":
      return file.erase(call.ids);
  }
}

const DIED = err({ code: "STORAGE_FAILED", reason: "workerDied", detail: "the thread that replicates ended" } as const);
