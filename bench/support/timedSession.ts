/**
 * A session in virtual time: reading, typing, and waiting for answers and, if necessary, for summaries. Only people and
 * services take time; work of the machine takes none.
 */

import type { PreparedContext } from "../../src/core/context/request/preparedContext.ts";
import type { RequestOverhead } from "../../src/core/context/request/requestOverhead.ts";
import type { ContextPolicy } from "../../src/core/context/contextSettings.ts";
import type { CompactionReceipt } from "../../src/core/history/records.ts";
import type { CancelSignal } from "../../src/core/cancellation.ts";
import type { Provider, StreamOptions } from "../../src/core/stream/provider.ts";
import type { StreamEvent } from "../../src/core/stream/streamEvent.ts";
import type { Change } from "../../src/core/conversation/conversation.ts";
import type { Activity } from "../../src/host/background/exclusiveRun.ts";
import { readSettings } from "../../src/host/editor/settings.ts";
import type { SessionView } from "../../src/host/session/sessionView.ts";
import { CompactionDriver, type SummarizedRun } from "../../src/host/session/summaries/compactionDriver.ts";
import { ScriptedModel, type Script } from "../../test/support/models/scriptedModel.ts";
import { TalkSession } from "../../test/support/session/talkSession.ts";
import type { PlantedTurn } from "../../test/support/texts/talk/plantedSession.ts";
import { VirtualTime } from "./virtualTime.ts";

/** Pace of services and of hurried users. */
const PACE = {
  /** In tokens per second. */
  typing: 4,
  reading: 20,
  answering: 60,
  summarizing: 80,
  readingIn: 5_000,
  leastReadingMs: 1_500,
  mostReadingMs: 30_000,
  latencyMs: 1_200,
  /** Factor of a slow service. */
  slow: 6,
};

export interface TimedOptions {
  readonly policy: ContextPolicy;
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly summarizerWindow: number;
  readonly script: Script;
  readonly isSlow: boolean;
  /** Instructions and tools; absent: none. */
  readonly overhead?: RequestOverhead;
  /** Of the summarizer; absent: that of {@link PACE}. */
  readonly pace?: SummarizerPace;
}

/** Of the summarizer, before its first token and for each. */
export interface SummarizerPace {
  readonly firstTokenMs: number;
  readonly tokensPerSecond: number;
}

/** Tokens of requests, and of what came back. */
export interface Traffic {
  calls: number;
  inputTokens: number;
  outputTokens: number;
}

export interface TimedCompaction {
  readonly receipt: CompactionReceipt;
  readonly userWaited: boolean;
}

export class TimedSession {
  readonly talk: TalkSession;
  readonly compactions: TimedCompaction[] = [];
  /** Tokens of all requests, including those for summaries. */
  sentTokens = 0;
  /** Tokens that the requests would have had without summaries. */
  wholeTokens = 0;
  requests = 0;
  overBudget = 0;
  failedRequests = 0;
  readonly answers: Traffic = { calls: 0, inputTokens: 0, outputTokens: 0 };
  readonly summaries: Traffic = { calls: 0, inputTokens: 0, outputTokens: 0 };
  readonly #time = new VirtualTime();
  readonly #driver: CompactionDriver;
  readonly #run: Omit<SummarizedRun, "activity"> & { activity: Activity } = {
    activity: "idle",
    isReadOnly: false,
    isSummaryAwaited: false,
    runIfIdle: async (_, work) => {
      await work(new AbortController().signal);
      return true;
    },
  };
  /** Start time of the waiting request, if any. */
  #requestedAtMs: number | undefined;
  #overheadTokens = 0;

  constructor(options: TimedOptions) {
    const model = new SleepyModel(new ScriptedModel(options.script), this.#time, options, (asked, outputTokens) => {
      const { usedTokens, budgetTokens } = asked.usage();
      this.sentTokens += usedTokens;
      this.summaries.calls++;
      this.summaries.inputTokens += usedTokens;
      this.summaries.outputTokens += outputTokens;
      if (usedTokens > budgetTokens) this.overBudget++;
    });
    this.talk = new TalkSession({ ...options, summarizer: model });
    const { conversation } = this.talk;
    const { counter, registry, writers } = this.talk.compactionDeps();
    const settings = readSettings(() => undefined, {});
    const clock = { nowMs: () => this.#time.nowMs, after: () => () => undefined };
    conversation.setEffects([{ afterChange: this.#noteCompactions }]);
    this.#driver = new CompactionDriver(
      conversation,
      {
        connection: {
          providerName: "anthropic",
          provider: writers.small.provider ?? model,
          model: writers.main.model,
          isLanguageModel: true,
          why: "",
        },
      },
      this.#run,
      {
        clock,
        counter,
        registry,
        connections: {
          askIfRestarted: () => Promise.resolve(false),
          rememberChoice: () => undefined,
          resolve: () => Promise.reject(new Error("nothing is chosen elsewhere")),
          summarizer: (main) => Promise.resolve({ ...main, model: writers.small.model }),
          summarizerModel: () => writers.small.model,
          summarizerProvider: ({ providerName }) => providerName,
          summarizerProblem: () => "",
        },
        settings: { current: settings },
        view: QUIET_VIEW,
        log: { info: () => undefined },
        reportBug: (error) => {
          throw error;
        },
      },
      { showFailed: () => undefined, ask: () => Promise.resolve("no") },
    );
  }

  readonly #noteCompactions = ({ records }: Change): void => {
    for (const record of records) {
      if (record.kind !== "receipt") continue;
      const userWaited = this.#requestedAtMs !== undefined && this.#time.nowMs > this.#requestedAtMs;
      this.compactions.push({ receipt: record.receipt, userWaited });
    }
  };

  /** Runs one turn: typing, one step per tool call, and reading. */
  async turn({ messages }: PlantedTurn): Promise<void> {
    const { manager } = this.talk;
    for (const [index, message] of messages.entries()) {
      const isTyped = index === 0;
      if (isTyped) await this.#pass((this.talk.tokensOf(message) / PACE.typing) * 1_000);
      const isAnswered = message.role === "assistant";
      if (isAnswered) {
        await this.#request();
        const outputTokens = this.talk.tokensOf(message);
        this.answers.outputTokens += outputTokens;
        await this.#pass(PACE.latencyMs + (outputTokens / PACE.answering) * 1_000, "busy");
      }
      await this.talk.add(message);
    }
    await this.#look("idle");
    const last = messages.at(-1);
    const readMs = last === undefined ? 0 : (this.talk.tokensOf(last) / PACE.reading) * 1_000;
    await this.#pass(Math.min(PACE.mostReadingMs, Math.max(PACE.leastReadingMs, readMs)));
    this.#overheadTokens = manager.usage().parts?.system ?? 0;
  }

  async settle(): Promise<void> {
    const settled = this.#driver.close();
    await this.#until(settled);
  }

  /** Summarizes now, as on the user's command. */
  async compactNow(): Promise<Awaited<ReturnType<TalkSession["compact"]>>> {
    const done = this.talk.compact("manual");
    await this.#until(done);
    return done;
  }

  /**
   * Orders a summary as the user does. Returns the milliseconds until the next request can be sent, and until notes are
   * in the place of every extract that stood in for them.
   */
  async order(): Promise<{ readonly readyMs: number; readonly notesMs: number }> {
    const startMs = this.#time.nowMs;
    const ordered = this.#driver.order({ trigger: "manual" }, new AbortController().signal);
    await this.#until(ordered);
    await this.#until(this.#driver.beforeRequest(new AbortController().signal));
    const readyMs = this.#time.nowMs - startMs;
    await this.#look("idle");
    while (this.#driver.isPreparing) {
      await this.#machineRests();
      this.#time.advance(Infinity);
      await this.#machineRests();
      await this.#look("idle");
    }
    return { readyMs, notesMs: this.#time.nowMs - startMs };
  }

  /** Sends a request. Waits for room as the application does, and retries failures as a user would. */
  async #request(): Promise<void> {
    const { manager } = this.talk;
    const cancel = new AbortController().signal;
    this.#requestedAtMs = this.#time.nowMs;
    for (let attempt = 0; ; attempt++) {
      const ready = this.#driver.beforeRequest(cancel);
      await this.#until(ready);
      const room = await ready;
      if (room.ok) break;
      this.failedRequests++;
      if (attempt === MOST_RETRIES)
        throw new Error(`no room after ${String(attempt)} tries: ${JSON.stringify(room.error)}`);
    }
    this.#requestedAtMs = undefined;
    const prepared = manager.prepare();
    if (prepared.kind !== "ready") throw new Error(`a request goes out that is ${prepared.kind}`);
    const { usedTokens, budgetTokens } = prepared.context.usage();
    this.requests++;
    this.sentTokens += usedTokens;
    this.wholeTokens += this.#overheadTokens + this.talk.originalTokens;
    this.answers.calls++;
    this.answers.inputTokens += usedTokens;
    if (usedTokens > budgetTokens) this.overBudget++;
  }

  async #look(at: "idle" | "busy"): Promise<void> {
    this.#run.activity = at === "idle" ? "idle" : "streaming";
    await this.#driver.checkDue();
  }

  /** Lets time pass while the user or the model is busy. Background preparation continues. */
  async #pass(ms: number, at: "idle" | "busy" = "idle"): Promise<void> {
    const untilMs = this.#time.nowMs + ms;
    if (at === "busy") await this.#look("busy");
    for (;;) {
      await this.#machineRests();
      if (!this.#time.advance(untilMs)) return;
      await this.#machineRests();
      await this.#look(at);
    }
  }

  /** Lets time pass until `work` settles. */
  async #until(work: Promise<unknown>): Promise<void> {
    const ended: unknown[] = [];
    const isRunning = (): boolean => ended.length === 0;
    const done = work.finally(() => ended.push(work));
    while (isRunning()) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isRunning()) this.#time.advance(Infinity);
    }
    await done;
  }

  /** Resolves when preparation waits for a service or has ended. */
  async #machineRests(): Promise<void> {
    while (this.#driver.isPreparing && !this.#time.isAnyoneAsleep)
      await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Number of times a user presses Retry before giving up. */
const MOST_RETRIES = 5;

const QUIET_VIEW: SessionView = {
  post: () => undefined,
  refresh: () => undefined,
  update: () => undefined,
  afterChange: () => undefined,
  showBanner: () => undefined,
  showProgress: () => undefined,
};

/** A scripted model with delays. */
class SleepyModel implements Provider {
  readonly name = "scripted";
  readonly label = "Scripted";
  readonly #model: ScriptedModel;
  readonly #time: VirtualTime;
  readonly #options: Pick<TimedOptions, "isSlow" | "pace">;
  readonly #answered: (prepared: PreparedContext, outputTokens: number) => void;

  /** `answered` is called when a stream has ended, or was closed. */
  constructor(
    model: ScriptedModel,
    time: VirtualTime,
    options: Pick<TimedOptions, "isSlow" | "pace">,
    answered: (prepared: PreparedContext, outputTokens: number) => void,
  ) {
    this.#model = model;
    this.#time = time;
    this.#options = options;
    this.#answered = answered;
  }

  async *stream(prepared: PreparedContext, options: StreamOptions, cancel: CancelSignal): AsyncGenerator<StreamEvent> {
    const { pace } = this.#options;
    const readInMs = (prepared.usage().usedTokens / PACE.readingIn) * 1_000;
    let left = options.maxOutputTokens;
    try {
      await this.#take(pace?.firstTokenMs ?? PACE.latencyMs + readInMs);
      for await (const event of this.#model.stream(prepared, options, cancel)) {
        if (event.kind === "text") {
          const tokens = Math.min(left, event.text.length / UNITS_A_TOKEN);
          left -= tokens;
          await this.#take((tokens / (pace?.tokensPerSecond ?? PACE.summarizing)) * 1_000);
        }
        yield event;
      }
    } finally {
      this.#answered(prepared, options.maxOutputTokens - left);
    }
  }

  #take(ms: number): Promise<void> {
    return this.#time.sleep(this.#options.isSlow ? ms * PACE.slow : ms);
  }

  listModels(): ReturnType<Provider["listModels"]> {
    return this.#model.listModels();
  }
}

/** UTF-16 units of a token of an answer. */
const UNITS_A_TOKEN = 4;
