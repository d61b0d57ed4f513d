/**
 * A session with a small window: answers arrive at once, and each summary when the test releases it, or as its script
 * says.
 */

import assert from "node:assert/strict";
import type { ForgeError } from "../../../src/core/errors.ts";
import type { ModelAbilities } from "../../../src/core/models/modelRegistry.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { ok } from "../../../src/core/result.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";
import type { Connection } from "../../../src/host/connections/connections.ts";
import type { SessionView } from "../../../src/host/session/sessionView.ts";
import type { NoticeRow } from "../../../src/protocol/toView.ts";
import { ManualClock, settled } from "../clocks.ts";
import { memoryDisk, type MemoryDisk } from "../storage/memoryStore.ts";
import { openSession, type OpenedSession } from "./openSession.ts";

/** Response to a summary request. */
export type SummaryScript = "held" | "good" | ForgeError;

/** A retryable failure of the service. */
export const OVERLOADED: ForgeError = {
  code: "SERVICE_UNAVAILABLE",
  provider: "scripted",
  reason: "overloaded",
  detail: "",
};

const NOTES = "## Goal\nFaster orders.\n## Open items\n- none";

/** Answers questions, and summarizes by a script that a test may change at any time. */
export class HeldModel implements Provider {
  readonly name = "scripted";
  readonly label = "Scripted";
  script: SummaryScript = "good";
  /** Answer to every question. */
  answer = "Done as you said. ".repeat(30);
  /** `held`: until it is stopped. */
  answerScript: SummaryScript = "good";
  notes = NOTES;
  answers = 0;
  summaries = 0;
  /** Beginnings of summaries' requests that were to be read. */
  pieces = 0;
  /** Number of summaries that were being written when each question was asked. */
  readonly liveAtAnswers: number[] = [];
  live = 0;
  /** Largest number of concurrent summaries. */
  mostLive = 0;
  readonly #held: (() => void)[] = [];

  /** Number of summaries that wait for {@link release}. */
  get held(): number {
    return this.#held.length;
  }

  /** Releases the held summaries. */
  release(): void {
    for (const go of this.#held.splice(0)) go();
  }

  async *stream(...[prepared, options, cancel]: Parameters<Provider["stream"]>): AsyncGenerator<StreamEvent> {
    const usage = prepared.usage();
    assert.ok(usage.usedTokens <= usage.budgetTokens, "no request is over its budget");
    if (options.purpose !== "summary") {
      this.answers++;
      this.liveAtAnswers.push(this.live);
      if (this.answerScript === "held")
        await new Promise<void>((resolve) => {
          cancel.addEventListener("abort", () => {
            resolve();
          });
        });
      const error = cancel.aborted ? ({ code: "CANCELLED" } as const) : this.answerScript;
      if (typeof error === "object") {
        yield { kind: "failed", error };
        return;
      }
      yield { kind: "text", text: this.answer };
      yield { kind: "done", stopReason: "endTurn" };
      return;
    }
    if (options.maxOutputTokens === 1) {
      this.pieces++; // only read
      yield { kind: "done", stopReason: "maxTokens" };
      return;
    }
    this.summaries++;
    this.live++;
    this.mostLive = Math.max(this.mostLive, this.live);
    let isLive = true;
    const end = (): void => {
      if (isLive) this.live--;
      isLive = false;
    };
    cancel.addEventListener("abort", end);
    try {
      yield { kind: "text", text: this.notes.slice(0, 10) };
      if (this.script === "held") {
        await new Promise<void>((resolve) => {
          this.#held.push(resolve);
          cancel.addEventListener("abort", resolve);
        });
      }
      if (cancel.aborted) yield { kind: "failed", error: { code: "CANCELLED" } };
      else if (typeof this.script === "object") yield { kind: "failed", error: this.script };
      else {
        yield { kind: "text", text: this.notes.slice(10) };
        yield { kind: "done", stopReason: "endTurn" };
      }
    } finally {
      end();
    }
  }

  listModels(): ReturnType<Provider["listModels"]> {
    return Promise.resolve(ok([]));
  }
}

export interface SummarizedSession extends OpenedSession {
  readonly model: HeldModel;
  readonly clock: ManualClock;
  /** Sends a message of about `words` words. Resolves when it is answered or queued. */
  readonly say: (words?: number) => Promise<void>;
  /** Sends messages until `percent` of the budget or a summary is in use. */
  readonly fill: (percent: number) => Promise<void>;
  /** Lets everything run that needs no time. */
  readonly rest: () => Promise<void>;
  /** The notice that offers a summary, or that reports failed summaries. */
  readonly notice: (name: "offer" | "summaries") => NoticeRow | undefined;
  readonly activeSummaries: () => number;
}

export async function openSummarized(
  settings: Readonly<Record<string, unknown>> = {},
  disk: MemoryDisk = memoryDisk(),
  view?: SessionView,
  abilities: ModelAbilities = {},
  summarizer?: Connection,
): Promise<SummarizedSession> {
  const [model, clock] = [new HeldModel(), new ManualClock()];
  const options = {
    settings,
    model: "small",
    clock,
    abilities,
    ...(view && { view }),
    ...(summarizer && { summarizer }),
  };
  const opened = await openSession(model, disk, undefined, options);
  const { session, rows } = opened;
  const { manager } = session.opened;
  let sent = 0;
  const say = async (words = 60): Promise<void> => {
    const number = String(sent++);
    await session.send(
      `send-${number}`,
      `Question ${number}: ${"what of this, please? ".repeat(Math.ceil(words / 4))}`,
    );
  };
  const rest = async (): Promise<void> => {
    for (let turn = 0; turn < 1_000; turn++) await settled();
  };
  return {
    ...opened,
    model,
    clock,
    say,
    rest,
    fill: async (percent) => {
      const share = (): number => (manager.usage().usedTokens * 100) / manager.budgetTokens;
      const { length } = manager.history.spending.receipts;
      for (let turns = 0; share() < percent && manager.history.spending.receipts.length === length; turns++) {
        assert.ok(turns < 200, "it fills");
        await say();
      }
    },
    notice: (name) => rows().find((row): row is NoticeRow => row.kind === "notice" && row.rowId === `notice-${name}`),
    activeSummaries: () => manager.history.summaries.filter(({ state }) => state === "active").length,
  };
}
