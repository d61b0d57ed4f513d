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
};
const HABITS: CompactionPreferences = { automatic: true, background: true, ask: false };

/** What happened before, as the host tells it. */
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
    check("gives up what is being prepared and is no longer needed", [begun], {}, "discard");
    check("gives up what is ready and is no longer needed", [ready], {}, "discard");
  });

  describe("from 70 % on", () => {
    check("prepares while the user reads", [], { stage: "prepare" }, "prepare");
    check("prepares while an answer is written", [], { stage: "prepare", at: "busy" }, "prepare");
    check("never prepares two", [begun], { stage: "prepare" }, "rest");
    check("keeps what is ready until it is due", [ready], { stage: "prepare" }, "rest");
    check("prepares nothing when the user does not want it", [], { stage: "prepare" }, "rest", { background: false });
    check("prepares what the user will be asked about", [], { stage: "prepare" }, "prepare", { ask: true });
    check("does nothing by itself where the user wants that", [], { stage: "prepare" }, "rest", { automatic: false });
    check("gives up what is being prepared then", [begun], { stage: "prepare" }, "discard", { automatic: false });
  });

  describe("from 80 % on", () => {
    const stage = "apply";
    check("applies what is ready", [ready], { stage }, "apply");
    check("applies what is ready before the next request", [ready], { stage, at: "turn" }, "apply");
    check("changes nothing under an answer that is being written", [ready], { stage, at: "busy" }, "rest");
    check("begins what was not prepared, and keeps nobody waiting", [], { stage, at: "turn" }, "prepare");
    check("does not wait for it as long as the request fits", [begun], { stage, at: "turn" }, "rest");
    check("runs before the next request without a background", [], { stage, at: "turn" }, "run", { background: false });
    check("leaves the user alone between requests without one", [], { stage }, "rest", { background: false });
    check("asks before it applies", [ready], { stage }, "offer", { ask: true });
    check("applies what the user agreed to", [ready, (s) => s.noteAccepted()], { stage }, "apply", { ask: true });
    check("asks not under an answer", [ready], { stage, at: "busy" }, "rest", { ask: true });
    check("asks before it writes without a background", [], { stage }, "offer", { ask: true, background: false });
    const agreed: Told = (schedule) => {
      schedule.noteAccepted();
    };
    check("writes then what the user agreed to", [agreed], { stage }, "run", { ask: true, background: false });
  });

  describe("when the next request does not fit", () => {
    const now = { stage: "apply", fits: false, at: "turn" } as const;
    check("waits for what is being prepared", [begun], now, "wait");
    check("applies what is ready", [ready], now, "apply");
    check("runs", [], now, "run");
    check("runs although a try failed", [failed(2)], now, "run");
    check("asks first", [], now, "offer", { ask: true });
    check("asks although the user said no", [(s) => s.noteDeclined(500)], now, "offer", { ask: true });
    check("goes on without a model after three failures", [failed(3)], now, "extract");
    check("asks no more when the user agreed", [(s) => s.noteAccepted()], now, "run", { ask: true });
    check("leaves it to the user where nothing is to happen by itself", [], now, "rest", { automatic: false });
    check("applies what is ready at a stage that knows no summaries", [ready], { ...now, stage: "none" }, "apply");
  });

  describe("with what was prepared for the moment when nothing fits", () => {
    const kept: Told = (schedule) => {
      schedule.notePreparing();
      schedule.noteReady({ isForOverflow: true });
    };
    check("keeps it while the request fits", [kept], { stage: "apply", at: "turn" }, "rest");
    check("applies it then", [kept], { stage: "apply", at: "turn", fits: false }, "apply");
    check("applies it when the strategy is due", [kept], { stage: "apply", isPlanned: () => true }, "apply");
    check(
      "goes on counting failures where no model was asked",
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
    check("pauses", [failed(1)], { stage, nowMs: 14_999 }, "rest");
    check("tries again", [failed(1)], { stage, nowMs: 15_000 }, "prepare");
    check("pauses twice as long after the second", [failed(2)], { stage, nowMs: 29_999 }, "rest");
    check("tries again then", [failed(2)], { stage, nowMs: 30_000 }, "prepare");
    check("waits as long as the service asks for", [failed(1, 60_000)], { stage, nowMs: 59_999 }, "rest");
    check("stops after three", [failed(3)], { stage, nowMs: 1e12 }, "rest");
    check("begins anew when the user acts", [failed(3), (s) => s.noteUserActed()], { stage }, "prepare");
    check(
      "begins to count anew after a success",
      [failed(2), ready, (s) => s.noteEnded(), failed(1)],
      { stage, nowMs: 15_000 },
      "prepare",
    );
  });

  describe("after a no", () => {
    const now = { stage: "apply" } as const;
    const declined: Told = (schedule) => {
      schedule.noteDeclined(800);
    };
    check("does not ask again at once", [ready, declined], { ...now, usedTokens: 849 }, "rest", { ask: true });
    check("asks again when 5 % more is in use", [ready, declined], { ...now, usedTokens: 850 }, "offer", { ask: true });
    check("prepares nothing at once", [declined], { ...now, usedTokens: 849 }, "rest");
    check("prepares again when 5 % more is in use", [declined], { ...now, usedTokens: 850 }, "prepare");
  });

  describe("when there was nothing to summarize", () => {
    const nothing: Told = (schedule) => {
      schedule.noteNothingToDo({ usedTokens: 800 });
    };
    check("rests until the conversation goes on", [nothing], { stage: "apply", usedTokens: 800 }, "rest");
    check("looks again then", [nothing], { stage: "apply", usedTokens: 801 }, "prepare");
  });

  it("says when it has stopped", () => {
    const schedule = new CompactionSchedule();
    const seen = [0, 1, 2, 3].map((time) => {
      if (time > 0) schedule.noteFailed(0);
      return schedule.isStopped;
    });
    assert.deepEqual(seen, [false, false, false, true]);
  });
});
