import fc from "fast-check";
import type { RacedEvent } from "../../support/session/racedEvent.ts";
import type { RacedAnswer } from "../../support/session/racedModel.ts";
import { RacedSession } from "../../support/session/racedSession.ts";
import { isThorough } from "../../support/runOptions.ts";

const SEQUENCES = isThorough ? 1_000 : 250;

const one = (...kinds: readonly ("send" | "draft" | "stop" | "switch" | "retry" | "release" | "crash" | "close")[]) =>
  fc.constantFrom(...kinds).map((kind): RacedEvent => ({ kind }));

/** User events in random order; weights leave enough waits and approvals for turns to progress, and enough others to disturb them. */
const event: fc.Arbitrary<RacedEvent> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("resend") }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant("wait"), turns: fc.nat(14) }) },
  { weight: 5, arbitrary: one("send") },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("approve"),
      answer: fc.constantFrom("once", "once", "once", "deny", "conversation", "always"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("tools"), what: fc.constantFrom("none", "all", "all", "askAgain") }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reload") }) },
  { weight: 3, arbitrary: one("draft", "stop", "switch", "switch", "retry", "release") },
  { weight: 3, arbitrary: one("crash", "crash", "close") },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("recover"),
      choice: fc.constantFrom("keep", "continue", "askAgain", "resume", "discard"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("queue"), what: fc.constantFrom("edit", "done", "change", "remove") }),
  },
);

const answer: fc.Arbitrary<RacedAnswer> = fc.record({
  pieces: fc.nat(3),
  calls: fc.constantFrom(0, 0, 1, 2, 3),
  end: fc.constantFrom("done", "done", "done", "done", "failed", "silent"),
});

describe(`conversation under ${SEQUENCES} random sequences of events`, function () {
  this.timeout(300_000);

  it("never has two live requests, gets stuck, or loses or duplicates typed text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(answer, { minLength: 1, maxLength: 8 }),
        fc.array(event, { minLength: 5, maxLength: 60, size: "max" }),
        async (answers, events) => {
          const raced = await RacedSession.open(answers);
          for (const each of events) await raced.happen(each);
          await raced.settle();
        },
      ),
      { seed: 20_261_122, numRuns: SEQUENCES, endOnFailure: false },
    );
  });
});
