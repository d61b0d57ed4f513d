import assert from "node:assert/strict";
import {
  CompactionSchedule,
  type CompactionPreferences,
  type CompactionState,
  type CompactionMove,
} from "../../../../src/core/summary/schedule/compactionSchedule.ts";

const IDLE: CompactionState = {
  isPlanned: () => false,
  at: "idle",
  stage: "none",
  fits: true,
  usedTokens: 500,
  budgetTokens: 1_000,
  nowMs: 0,
  hasOneSlot: false,
  isQuiet: true,
  hasNotesToWrite: false,
};
const HABITS: CompactionPreferences = { automatic: true, background: true, ask: false };

/** An earlier event, reported as the host reports it. */
type Told = (schedule: CompactionSchedule) => void;
const begun: Told = (schedule) => {
  schedule.notePreparing();
};
const ready: Told = (schedule) => {
  schedule.notePreparing();
  schedule.noteReady();
};
const failed =
  (times: number, retryAfterMs?: number): Told =>
  (schedule) => {
    for (let time = 0; time < times; time++) schedule.noteFailed(0, retryAfterMs);
  };

describe("CompactionSchedule", () => {
  const check = (
    title: string,
    told: readonly Told[],
    now: Partial<CompactionState>,
    expected: CompactionMove,
    habits: Partial<CompactionPreferences> = {},
  ): void => {
    it(title, () => {
      const schedule = new CompactionSchedule();
      for (const tell of told) tell(schedule);
      const decided = (): CompactionMove => schedule.decide({ ...IDLE, ...now }, { ...HABITS, ...habits });
      assert.equal(decided(), expected);
      assert.equal(decided(), expected, "asking changes nothing");
    });
  };

  describe("while nothing is due", () => {
    check("rests below 70 %", [], {}, "rest");
    check("discards a running preparation that is no longer needed", [begun], {}, "discard");
    check("discards a ready summary that is no longer needed", [ready], {}, "discard");
  });

  describe("from 70 % on", () => {
    check("prepares while the user reads", [], { stage: "prepare" }, "prepare");
    check("prepares while an answer is streaming", [], { stage: "prepare", at: "busy" }, "prepare");
    check("starts no second preparation", [begun], { stage: "prepare" }, "rest");
    check("retains a ready summary until it is due", [ready], { stage: "prepare" }, "rest");
    check("prepares nothing if background work is off", [], { stage: "prepare" }, "rest", { background: false });
    check("prepares before the user is asked", [], { stage: "prepare" }, "prepare", { ask: true });
    check("rests if automatic compaction is off", [], { stage: "prepare" }, "rest", { automatic: false });
    check("discards a running preparation if automatic compaction is off", [begun], { stage: "prepare" }, "discard", {
      automatic: false,
    });
  });

  describe("L5 with notes that were put off", () => {
    const hasNotesToWrite = true;
    const renewing: Told = (schedule) => {
      schedule.noteRenewing();
    };
    check("writes them while nothing runs", [], { hasNotesToWrite }, "renew");
    check("does not while an answer is streaming", [], { hasNotesToWrite, at: "busy" }, "rest");
    check("does not before a request", [], { hasNotesToWrite, at: "turn" }, "rest");
    check(
      "does not while the user types on one slot",
      [],
      { hasNotesToWrite, hasOneSlot: true, isQuiet: false },
      "rest",
    );
    check("does after the pause on one slot", [], { hasNotesToWrite, hasOneSlot: true }, "renew");
    check("goes on beside a request", [renewing], { hasNotesToWrite, at: "turn" }, "rest");
    check(
      "makes way for a request on one slot",
      [renewing],
      { hasNotesToWrite, at: "turn", hasOneSlot: true },
      "discard",
    );
    check("makes way for what a request waits for", [renewing], { at: "turn", fits: false }, "discard");
    check("prepares what is due first", [], { hasNotesToWrite, stage: "prepare" }, "prepare");
    check("writes none if background work is off", [], { hasNotesToWrite }, "rest", { background: false });
    check("writes none after three failures", [failed(3)], { hasNotesToWrite }, "rest");
  });

  describe("L4 on a server with one slot", () => {
    const hasOneSlot = true;
    const stage = "prepare";
    check("prepares while the user reads", [], { stage, hasOneSlot }, "prepare");
    check("prepares nothing while the user types", [], { stage, hasOneSlot, isQuiet: false }, "rest");
    check("prepares nothing while an answer is streaming", [], { stage, hasOneSlot, at: "busy" }, "rest");
    check("prepares nothing before a request", [], { stage, hasOneSlot, at: "turn" }, "rest");
    check("goes on with a preparation while the user types", [begun], { stage, hasOneSlot, isQuiet: false }, "rest");
    check("discards a preparation before a request", [begun], { stage, hasOneSlot, at: "turn" }, "discard");
    check(
      "does so, too, where the request does not fit",
      [begun],
      { stage, hasOneSlot, at: "turn", fits: false },
      "discard",
    );
    check("makes room without the model then", [], { stage: "apply", hasOneSlot, at: "turn", fits: false }, "extract");
    check("uses a ready summary for it", [ready], { stage: "apply", hasOneSlot, at: "turn", fits: false }, "apply");
    check("asks the user first who wants that", [], { stage, hasOneSlot, at: "turn", fits: false }, "offer", {
      ask: true,
    });
    check("has the user wait who wants nothing ahead", [], { stage, hasOneSlot, at: "turn", fits: false }, "run", {
      background: false,
    });
    check("types do not matter with more slots", [], { stage, isQuiet: false }, "prepare");
  });

  describe("from 80 % on", () => {
    const stage = "apply";
    check("applies a ready summary", [ready], { stage }, "apply");
    check("applies a ready summary before the next request", [ready], { stage, at: "turn" }, "apply");
    check("changes nothing while an answer is streaming", [ready], { stage, at: "busy" }, "rest");
    check("starts a missing preparation without delaying the request", [], { stage, at: "turn" }, "prepare");
    check("does not wait for a preparation while the request fits", [begun], { stage, at: "turn" }, "rest");
    check("runs before the next request if background work is off", [], { stage, at: "turn" }, "run", {
      background: false,
    });
    check("rests between requests if background work is off", [], { stage }, "rest", { background: false });
    check("asks before it applies", [ready], { stage }, "offer", { ask: true });
    check("applies a summary that the user accepted", [ready, (s) => s.noteAccepted()], { stage }, "apply", {
      ask: true,
    });
    check("does not ask while an answer is streaming", [ready], { stage, at: "busy" }, "rest", { ask: true });
    check("asks before it runs if background work is off", [], { stage }, "offer", { ask: true, background: false });
    const agreed: Told = (schedule) => {
      schedule.noteAccepted();
    };
    check("runs after the user accepts if background work is off", [agreed], { stage }, "run", {
      ask: true,
      background: false,
    });
  });

  describe("when the next request does not fit", () => {
    const now = { stage: "apply", fits: false, at: "turn" } as const;
    check("waits for a running preparation", [begun], now, "wait");
    check("applies a ready summary", [ready], now, "apply");
    check("runs a summary at once", [], now, "run");
    check("runs despite earlier failures", [failed(2)], now, "run");
    check("asks first", [], now, "offer", { ask: true });
    check("asks again although the user declined", [(s) => s.noteDeclined(500)], now, "offer", { ask: true });
    check("continues without a model after three failures", [failed(3)], now, "extract");
    check("runs without asking again after the user accepts", [(s) => s.noteAccepted()], now, "run", { ask: true });
    check("rests if automatic compaction is off", [], now, "rest", { automatic: false });
    check("applies a ready summary at a stage without summaries", [ready], { ...now, stage: "none" }, "apply");
  });

  describe("with a summary prepared for an overflow", () => {
    const kept: Told = (schedule) => {
      schedule.notePreparing();
      schedule.noteReady({ isForOverflow: true });
    };
    check("retains it while the request fits", [kept], { stage: "apply", at: "turn" }, "rest");
    check("applies it when the request does not fit", [kept], { stage: "apply", at: "turn", fits: false }, "apply");
    check("applies it when the strategies would summarize", [kept], { stage: "apply", isPlanned: () => true }, "apply");
    check(
      "does not reset the failure count after a summary without a model",
      [
        failed(3),
        (schedule) => {
          schedule.noteReady({ isByModel: false });
          schedule.noteEnded();
        },
      ],
      { stage: "apply", nowMs: 1e12 },
      "rest",
    );
  });

  describe("after failures", () => {
    const stage = "apply";
    check("pauses for 15 seconds after the first", [failed(1)], { stage, nowMs: 14_999 }, "rest");
    check("tries again after 15 seconds", [failed(1)], { stage, nowMs: 15_000 }, "prepare");
    check("pauses twice as long after the second", [failed(2)], { stage, nowMs: 29_999 }, "rest");
    check("tries again after 30 seconds", [failed(2)], { stage, nowMs: 30_000 }, "prepare");
    check("waits for the retry delay of the service", [failed(1, 60_000)], { stage, nowMs: 59_999 }, "rest");
    check("stops after three", [failed(3)], { stage, nowMs: 1e12 }, "rest");
    check("starts again when the user acts", [failed(3), (s) => s.noteUserActed()], { stage }, "prepare");
    check(
      "resets the failure count after a success",
      [failed(2), ready, (s) => s.noteEnded(), failed(1)],
      { stage, nowMs: 15_000 },
      "prepare",
    );
  });

  describe("after the user declines", () => {
    const now = { stage: "apply" } as const;
    const declined: Told = (schedule) => {
      schedule.noteDeclined(800);
    };
    check("does not ask again at once", [ready, declined], { ...now, usedTokens: 849 }, "rest", { ask: true });
    check("asks again after usage grows by 5 %", [ready, declined], { ...now, usedTokens: 850 }, "offer", {
      ask: true,
    });
    check("does not prepare again at once", [declined], { ...now, usedTokens: 849 }, "rest");
    check("prepares again after usage grows by 5 %", [declined], { ...now, usedTokens: 850 }, "prepare");
  });

  describe("when there was nothing to summarize", () => {
    const nothing: Told = (schedule) => {
      schedule.noteNothingToDo({ usedTokens: 800 });
    };
    check("rests until the conversation grows", [nothing], { stage: "apply", usedTokens: 800 }, "rest");
    check("prepares after the conversation grows", [nothing], { stage: "apply", usedTokens: 801 }, "prepare");
  });

  it("reports that it stopped after three failures", () => {
    const schedule = new CompactionSchedule();
    const seen = [0, 1, 2, 3].map((time) => {
      if (time > 0) schedule.noteFailed(0);
      return schedule.isStopped;
    });
    assert.deepEqual(seen, [false, false, false, true]);
  });
});
