/** Thread side of the calls to the host: the place, and the conversation that the window has open. */

import type { CancelSignal } from "../../../core/cancellation.ts";
import type { ObjectHash } from "../../../core/history/segmentInfo.ts";
import type { ConversationId } from "../../../core/ids.ts";
import type { ReplicatedConversation } from "../../../core/replica/conversationReplica.ts";
import type { ListedObject, LogReplica, ReplicaResult } from "../../../core/replica/logReplica.ts";
import { ok } from "../../../core/result.ts";
import type { FromReplica, HostAnswers, HostCall, HostCallKind, HostCalls, ToReplica } from "../replicaProtocol.ts";

interface Waiting {
  readonly answered: (answer: HostAnswers[HostCallKind]) => void;
  readonly page?: (objects: readonly ListedObject[]) => void;
}

export class HostLink {
  readonly #post: (message: FromReplica) => void;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(post: (message: FromReplica) => void) {
    this.#post = post;
  }

  receive(message: Extract<ToReplica, { kind: "page" | "answer" }>): void {
    const waiting = this.#waiting.get(message.id);
    if (message.kind === "page") waiting?.page?.(message.objects);
    else {
      this.#waiting.delete(message.id);
      waiting?.answered(message.answer);
    }
  }

  readonly place: LogReplica = {
    put: (name, bytes, cancel) => this.#call("put", { name, bytes }, cancel),
    get: (name, cancel) => this.#call("get", { name }, cancel),
    list: (prefix, page, cancel) => this.#call("list", { prefix }, cancel, page),
    delete: (name, cancel) => this.#call("delete", { name }, cancel),
  };

  announce(conversation: ConversationId, object: ObjectHash): Promise<ReplicaResult<unknown>> {
    return this.#call("announce", { conversation, object });
  }

  openConversation(conversation: ConversationId): ReplicatedConversation {
    return {
      id: conversation,
      mayHaveSegments: () => Promise.resolve(ok(true)),
      readIndex: (from) => this.#call("readIndex", { conversation, from }),
      read: (from) => this.#call("read", { conversation, from }),
      commit: (records, at) => this.#call("commit", { conversation, records, ...(at === undefined ? {} : { at }) }),
      erase: (ids) => this.#call("erase", { conversation, ids }),
    };
  }

  #call<Kind extends HostCallKind>(
    of: Kind,
    call: HostCalls[Kind],
    cancel?: CancelSignal,
    page?: (objects: readonly ListedObject[]) => void,
  ): Promise<HostAnswers[Kind]> {
    const id = ++this.#lastId;
    const stop = (): void => {
      this.#post({ kind: "cancelCall", id });
    };
    return new Promise((resolve) => {
      const answered = (answer: HostAnswers[HostCallKind]): void => {
        cancel?.removeEventListener("abort", stop);
        resolve(answer as HostAnswers[Kind]); // the host answers each call in its own form
      };
      this.#waiting.set(id, { answered, ...(page === undefined ? {} : { page }) });
      cancel?.addEventListener("abort", stop);
      this.#post({ kind: "call", id, call: { of, ...call } as HostCall });
      if (cancel?.aborted === true) stop();
    });
  }
}
