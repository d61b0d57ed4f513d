/** Parts of a long summary are written side by side, and extracts stand in for notes that take long. */

import assert from "node:assert/strict";
import type { PreparedContext } from "../../../../src/core/context/request/preparedContext.ts";
import type { CancelSignal } from "../../../../src/core/cancellation.ts";
import type { StreamOptions } from "../../../../src/core/stream/provider.ts";
import type { StreamEvent } from "../../../../src/core/stream/streamEvent.ts";
import type { Message } from "../../../../src/core/message.ts";
import { summariesForNow } from "../../../../src/core/summary/schedule/notesLater.ts";
import {
  prepareCompaction,
  runCompaction,
  type CompactionDeps,
} from "../../../../src/host/session/summaries/compaction.ts";
import { ScriptedModel, type Script } from "../../../support/models/scriptedModel.ts";
import { TalkSession } from "../../../support/session/talkSession.ts";
import { temperament } from "../../../support/session/temperaments.ts";
import { plantedSession } from "../../../support/texts/talk/plantedSession.ts";
import { seededRandom } from "../../../support/texts/plantedSecrets.ts";

const NEVER = new AbortController().signal;
const FAILING: Script = (_, index) =>
  index === 1
    ? { error: { code: "SERVICE_UNAVAILABLE", provider: "scripted", reason: "overloaded", detail: "" } }
    : "waitsForCancel";

/** Ends its answers in an order of its own. */
class UnevenModel extends ScriptedModel {
  mostLive = 0;
  #live = 0;
  readonly #random: () => number;

  constructor(script: Script, seed: number) {
    super(script);
    this.#random = seededRandom(seed);
  }

  override async *stream(
    prepared: PreparedContext,
    options: StreamOptions,
    cancel: CancelSignal,
  ): AsyncGenerator<StreamEvent> {
    this.mostLive = Math.max(this.mostLive, ++this.#live);
    try {
      for (let left = Math.floor(5_000 * (1 + this.#random())); left > 0; left--) await new Promise(setImmediate);
      yield* super.stream(prepared, options, cancel);
    } finally {
      this.#live--;
    }
  }
}

async function longTalk(summarizer: ScriptedModel): Promise<TalkSession> {
  const talk = new TalkSession({
    ...{ policy: "pipeline", contextWindow: 120_000, maxOutput: 20_000, summarizerWindow: 120_000 },
    summarizer,
  });
  const turns = plantedSession({ seed: 3, scale: 3 });
  while (talk.manager.usage().percentage() < 90) {
    const { messages } = turns.next().value;
    for (const message of messages) if (isText(message)) await talk.add(message);
  }
  return talk;
}

function isText({ parts }: Message): boolean {
  return parts.every(({ kind }) => kind === "text");
}

async function madeWith(seed: number, parallelCalls: number): Promise<{ talk: TalkSession; model: UnevenModel }> {
  const model = new UnevenModel(temperament("good", 1), seed);
  const talk = await longTalk(model);
  const deps: CompactionDeps = { ...talk.compactionDeps(), parallelCalls };
  const done = await runCompaction({ trigger: "manual" }, deps, NEVER);
  assert.ok(done.ok && done.value !== undefined);
  return { talk, model };
}

describe("the parts of a long summary", function () {
  this.timeout(60_000);

  it("are written side by side, and the same is stored whichever ends first", async () => {
    const one = await madeWith(1, 3);
    const other = await madeWith(2, 3);
    assert.deepEqual([one.model.mostLive, other.model.mostLive], [3, 3]);
    const storedIn = ({ talk }: typeof one): unknown => [
      talk.manager.history.summaries.map((summary) => ({ ...summary, createdAtMs: 0 })),
      talk.manager.history.spending.receipts.map((receipt) => ({ ...receipt, durationMs: 0, atMs: 0 })),
    ];
    assert.deepEqual(storedIn(one), storedIn(other));
    assert.ok(one.talk.manager.history.summaries.length > 3);
  });

  it("are written one after the other where one call is allowed", async () => {
    assert.equal((await madeWith(1, 1)).model.mostLive, 1);
  });

  it("all end with the first failure, which is told", async () => {
    const model = new UnevenModel(FAILING, 1);
    const talk = await longTalk(model);
    const deps: CompactionDeps = { ...talk.compactionDeps(), parallelCalls: 4 };
    const done = await runCompaction({ trigger: "manual" }, deps, NEVER);
    assert.ok(!done.ok);
    assert.equal(done.error.code, "SERVICE_UNAVAILABLE");
    assert.equal(talk.manager.history.summaries.length, 0);
  });

  it("report progress that only grows, up to the end, and count the parts whichever is done first", async () => {
    const told: number[][] = [];
    for (const order of [5, 7]) {
      const talk = await longTalk(new UnevenModel(temperament("good", 1), order));
      const shares: number[] = [];
      const parts: number[] = [];
      const all = new Set<number>();
      const deps: CompactionDeps = {
        ...talk.compactionDeps(),
        parallelCalls: 3,
        onEvent: (event) => {
          if (event.kind !== "summarizationProgress") return;
          shares.push(event.share);
          parts.push(event.partsDone);
          all.add(event.parts);
        },
      };
      assert.ok((await runCompaction({ trigger: "manual" }, deps, NEVER)).ok);
      for (const figures of [shares, parts])
        assert.deepEqual(
          figures,
          figures.toSorted((a, b) => a - b),
        );
      const [total = 0] = all;
      assert.ok((shares.at(-1) ?? 0) > 0.99, String(shares.at(-1)));
      assert.deepEqual([all.size, total > 3, parts.at(-1)], [1, true, total]);
      told.push([...new Set(parts)]);
    }
    assert.deepEqual(told[0], told[1]);
    assert.deepEqual(
      told[0],
      Array.from(told[0] ?? [], (_, done) => done),
    );
  });
});

describe("notes that take long", function () {
  this.timeout(60_000);

  it("are put off while somebody waits, and replace the extract", async () => {
    const model = new UnevenModel(temperament("good", 1), 1);
    const talk = await longTalk(model);
    const deps: CompactionDeps = { ...talk.compactionDeps(), parallelCalls: 4 };
    const atOnce = await runCompaction({ trigger: "manual" }, { ...deps, isAwaited: true }, NEVER);
    assert.ok(atOnce.ok);
    assert.deepEqual([atOnce.value?.model, atOnce.value?.calls, model.asked.length], ["extract", 0, 0]);
    const renew = summariesForNow(talk.manager);
    assert.deepEqual(renew, atOnce.value?.summaries);
    const later = await runCompaction({ trigger: "background", renew }, deps, NEVER);
    assert.ok(later.ok);
    assert.deepEqual([later.value?.model, model.mostLive], ["talk-small", 4]);
    assert.deepEqual(summariesForNow(talk.manager), []);
  });

  it("are waited for by nobody in the background", async () => {
    const talk = await longTalk(new UnevenModel(temperament("good", 1), 1));
    const prepared = await prepareCompaction({ trigger: "background" }, talk.compactionDeps(), NEVER);
    assert.ok(prepared.ok);
    assert.deepEqual([...new Set(prepared.value?.made.map(({ generatedBy }) => generatedBy))], ["talk-small"]);
  });
});
