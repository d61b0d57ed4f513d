/** News in the place: those of other machines, of which each is taken once, and the own ones. */

import { objectCipher } from "../../../adapters/node/objectCipher.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { ObjectHash } from "../../../core/history/segmentInfo.ts";
import type { ConversationId } from "../../../core/ids.ts";
import type { LogReplica, ReplicaResult } from "../../../core/replica/logReplica.ts";
import { nameOf, type MachineId, type NewsName } from "../../../core/replica/objectNames.ts";
import { freshNews, outdatedNews, type FreshNews } from "../../../core/replica/placeScan.ts";
import { asciiBytes } from "../../../core/replica/smallTexts.ts";
import { WorkQueue } from "../../../core/workQueue.ts";

/** Content of objects whose name says everything. */
export const NO_CONTENT = asciiBytes("\n");

export class PlaceNews {
  readonly #place: LogReplica;
  readonly #own: MachineId;
  readonly #cancel: CancelSignal;
  readonly #announcing = new WorkQueue();
  #seen: ReadonlySet<string>;
  #ownNews: readonly NewsName[] = [];

  /** `seen`: names that were taken before. */
  constructor(place: LogReplica, own: MachineId, seen: ReadonlySet<string>, cancel: CancelSignal) {
    this.#place = place;
    this.#own = own;
    this.#seen = seen;
    this.#cancel = cancel;
  }

  get seen(): ReadonlySet<string> {
    return this.#seen;
  }

  hasGap(news: readonly NewsName[]): boolean {
    return freshNews(news, this.#seen, this.#own).hasGap;
  }

  /** `news` are all that are listed. */
  take(news: readonly NewsName[]): FreshNews["objects"] {
    const { objects } = freshNews(news, this.#seen, this.#own);
    this.#seen = new Set(news.map(({ name }) => name));
    this.#ownNews = news.filter(({ machine }) => machine === this.#own);
    return objects;
  }

  /** One at a time, so that numbers have no gaps. */
  announce(conversation: ConversationId, object: ObjectHash): Promise<ReplicaResult<unknown>> {
    return this.#announcing.run(async () => {
      const number = 1 + Math.max(-1, ...this.#ownNews.map((each) => each.number));
      const { length } = NO_CONTENT;
      const named = { machine: this.#own, number, conversation, object, length, hash: objectCipher.hashOf(NO_CONTENT) };
      const name = nameOf({ kind: "news", ...named });
      const put = await this.#place.put(name, NO_CONTENT, this.#cancel);
      if (!put.ok) return put;
      this.#ownNews = [...this.#ownNews, { kind: "news", name, ...named }];
      for (const old of outdatedNews(this.#ownNews, this.#own)) {
        // A place where they cannot be deleted keeps them.
        await this.#place.delete(old.name, this.#cancel);
        this.#ownNews = this.#ownNews.filter((each) => each.name !== old.name);
      }
      return put;
    });
  }
}
