import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import type { ForgeError } from "../../../src/core/errors.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { fakeTool } from "../../support/editor/fakeTools.ts";
import { openSession, type OpenedSession } from "../../support/session/openSession.ts";
import {
  breaking,
  calling,
  saying,
  scriptedProvider,
  type ScriptedAnswer,
} from "../../support/models/scriptedProvider.ts";
import { shortSegment } from "../../support/session/shortSegment.ts";

const SETUP = { tools: [fakeTool("look")], model: "small" } as const;
const ACTS = ["say", "edit", "retry", "continue", "choose", "hide", "show", "pin", "summarize", "decide"] as const;
const ENDS = ["answers", "fails", "breaks", "calls"] as const;

interface Act {
  readonly kind: (typeof ACTS)[number];
  /** Index of a message or version, modulo the number of those present. */
  readonly at: number;
  /** How the next request ends. */
  readonly end: (typeof ENDS)[number];
}

/** A broken answer to the second version of a question is saved while the first one is shown. */
const KEPT_IN_ANOTHER_VERSION: Act[] = [
  { kind: "say", at: 0, end: "answers" },
  { kind: "edit", at: 0, end: "breaks" },
  { kind: "choose", at: 7, end: "answers" },
  { kind: "decide", at: 26, end: "answers" },
  { kind: "say", at: 0, end: "answers" },
  { kind: "hide", at: 0, end: "answers" },
  { kind: "say", at: 0, end: "answers" },
];

const busy: ForgeError = { code: "SERVICE_UNAVAILABLE", provider: "scripted", reason: "overloaded", detail: "" };

/** Ends the next request as `end` says, and answers all others. */
class ToldModel {
  end: Act["end"] = "answers";
  #asked = 0;

  readonly provider: Provider = {
    ...scriptedProvider(),
    stream: (_prepared, { purpose }) => {
      const end = purpose === "summary" ? "answers" : this.end;
      if (purpose !== "summary") this.end = "answers";
      return this.#answerOf(end)(() => Promise.resolve());
    },
  };

  #answerOf(end: Act["end"]): ScriptedAnswer {
    const text = `Answer ${String(++this.#asked)}, ${"and so on, ".repeat(this.#asked % 20)}`;
    if (end === "fails") return breaking(busy);
    if (end === "breaks") return breaking(busy, text);
    if (end === "calls") return calling(text, { id: String(this.#asked), name: "look", input: {} });
    return saying(text);
  }
}

/** Segments of the next request, in short. */
function sent({ session }: OpenedSession): string {
  const prepared = session.opened.manager.prepare();
  return prepared.kind === "ready" ? prepared.context.segments.map(shortSegment).join(" ") : prepared.kind;
}

/** Visible rows, without ages and the reasons of failed answers. */
function seen({ rows }: OpenedSession): readonly unknown[] {
  return rows().flatMap((row) => {
    if (row.kind === "notice") return [];
    return [row.kind === "message" ? { ...row, stateText: "", problem: null } : row];
  });
}

async function take({ kind, at, end }: Act, { session, rows }: OpenedSession, model: ToldModel): Promise<unknown> {
  const { actions, summaries, recoverable } = session;
  const of = (what: "message" | "hidden"): number => {
    const ids = rows().flatMap((row) => (row.kind === what && /^\w+-\d+$/.test(row.rowId) ? [row.messageId] : []));
    return Number(ids[at % ids.length] ?? Infinity);
  };
  model.end = end;
  switch (kind) {
    case "say":
      return session.send(String(Math.random()), `Question? ${"Of this, too. ".repeat(at % 30)}`);
    case "edit":
      return actions.edit(of("message"), "In other words?", () => undefined);
    case "retry":
      return actions.retry(of("message"));
    case "continue":
      return session.retry();
    case "choose":
      return actions.showSiblingBranch(of("message"), at % 2 === 0 ? 1 : -1);
    case "hide":
      return actions.setHidden(of("message"), true);
    case "show":
      return actions.setHidden(of("hidden"), false);
    case "pin":
      return actions.setPinned(of("message"), at % 2 === 0);
    case "summarize":
      return summaries.summarizeNow();
    case "decide": {
      const choice = (["keep", "continue", "askAgain"] as const)[at % 3] ?? "keep";
      return recoverable[0] === undefined ? undefined : session.recover(recoverable[0].stepId, choice);
    }
  }
}

describe("conversation after random edits, retries, hiding and summaries", () => {
  it("shows and sends the same after a restart", async () => {
    const kind = fc.oneof(
      { weight: 3, arbitrary: fc.constant("say" as const) },
      { weight: 7, arbitrary: fc.constantFrom(...ACTS) },
    );
    const act: fc.Arbitrary<Act> = fc.record({ kind, at: fc.nat(60), end: fc.constantFrom("answers", ...ENDS) });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async (taken) => {
        const model = new ToldModel();
        const live = await openSession(model.provider, undefined, undefined, SETUP);
        for (const each of taken) await take(each, live, model);
        const again = await openSession(model.provider, structuredClone(live.disk), undefined, SETUP);
        assert.deepEqual(seen(again), seen(live));
        assert.equal(sent(again), sent(live));
      }),
      { numRuns: 100, seed: 7, examples: [[KEPT_IN_ANOTHER_VERSION]] },
    );
  });
});
