/**
 * One turn: the model answers, its calls are run, it answers again, until it is done. Each answer and each batch of calls
 * is on the disk before it is shown and enters the history as a whole; the history never holds a call without a result.
 *
 *   streamedStep ──no calls──> terminal event
 *        │ calls: an open batch               ┌─ cancelled, failed: terminal event
 *        └──> toolRound ──entered──> streamedStep …  or, after many rounds or in a circle, `completed` with `paused`
 */

import { messageId } from "../ids.ts";
import type { CancelSignal } from "../cancellation.ts";
import { RepeatedCalls } from "./repeatedCalls.ts";
import { streamedStep } from "./streamedStep.ts";
import { toolRound } from "./toolRound.ts";
import type { TurnDeps, TurnRequest } from "./turnDeps.ts";
import type { TurnEvent } from "./turnEvent.ts";

/**
 * Answers `request.asked`, or resumes the batch that is open already, as after a crash. Aborting `cancel` ends the turn
 * in any state and saves what was received: in the history as cancelled, or, while the conversation is closing, in a
 * journal, as a crash would leave it.
 */
export async function* runTurn(request: TurnRequest, deps: TurnDeps, cancel: CancelSignal): AsyncGenerator<TurnEvent> {
  const repeated = new RepeatedCalls();
  let next = request;
  for (let rounds = 1; ; rounds++) {
    if (deps.toolJournal.batch === undefined) {
      const step = yield* streamedStep(next, deps, cancel);
      if (step.kind !== "calls") {
        yield step;
        return;
      }
    }
    const round = yield* toolRound(deps, repeated, cancel);
    if (round.kind !== "entered") {
      yield round;
      return;
    }
    yield { ...round, kind: "roundEnded" };
    if (repeated.isStuck || rounds >= deps.host.maxRounds) {
      yield { kind: "completed", paused: repeated.isStuck ? "repeats" : "rounds", rounds };
      return;
    }
    next = { asked: messageId(deps.conversation.history.length - 1) };
  }
}
