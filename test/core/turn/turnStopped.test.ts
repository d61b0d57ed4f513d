import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { Approvals } from "../../../src/core/tools/approvals.ts";
import { fakeTool, hanging } from "../../support/editor/fakeTools.ts";
import { calling, saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";
import { orphansIn, resultsIn, turnWorld } from "../../support/session/turnRun.ts";

describe("a stopped turn", () => {
  const first = { id: "a", name: "quick", input: {} };
  const second = { id: "b", name: "slow", input: {} };
  const third = { id: "c", name: "quick", input: {} };

  it("ends within 100 ms during a tool that ignores cancellation, with a result for every call", async () => {
    const slow = hanging();
    const world = await turnWorld({
      provider: scriptedProvider(calling("I look.", first, second, third)),
      tools: [fakeTool("quick"), fakeTool("slow", { run: slow.run })],
    });
    const stop = new AbortController();
    let stoppedAtMs = Infinity;
    const events = await world.run(stop.signal, ({ kind }) => {
      if (kind !== "callEnded") return;
      void setTimeout(20).then(() => {
        stoppedAtMs = performance.now();
        stop.abort();
      });
    });
    assert.ok(performance.now() - stoppedAtMs < 100);
    assert.ok(slow.ended());
    const end = events.at(-1);
    assert.ok(end?.kind === "cancelled" && end.record?.entry.state === "cancelled");
    assert.deepEqual(
      resultsIn(world.messages()).map(([, outcome]) => outcome),
      ["ok", "interrupted", "interrupted"],
    );
    assert.match(resultsIn(world.messages())[1]?.[2] ?? "", /not known/);
    assert.match(resultsIn(world.messages())[2]?.[2] ?? "", /was not run/);
    assert.deepEqual(world.disk.journal, []);
  });

  it("has the result that a tool had reached before it was stopped", async () => {
    const stop = new AbortController();
    const edit = fakeTool("slow", {
      run: (_inputJson, _cancel, reached) => {
        reached?.({ outcome: "ok", text: "a.ts is changed." });
        setImmediate(() => {
          stop.abort();
        });
        return new Promise(() => undefined);
      },
    });
    const world = await turnWorld({ provider: scriptedProvider(calling("", second, first)), tools: [edit] });
    assert.equal((await world.run(stop.signal)).at(-1)?.kind, "cancelled");
    assert.deepEqual(
      resultsIn(world.messages()).map(([, outcome, text]) => [outcome, outcome === "ok" ? text : ""]),
      [
        ["ok", "a.ts is changed."],
        ["interrupted", ""],
      ],
    );
    assert.deepEqual(world.disk.journal, []);
  });

  it("runs nothing if it is stopped while the user is asked", async () => {
    const quick = fakeTool("quick", { effect: "runs" });
    const stop = new AbortController();
    const approvals: Approvals = {
      isAutomatic: () => false,
      ask: () => {
        void setTimeout(5).then(() => {
          stop.abort();
        });
        return new Promise(() => undefined);
      },
    };
    const world = await turnWorld({ provider: scriptedProvider(calling("", first)), tools: [quick], approvals });
    assert.equal((await world.run(stop.signal)).at(-1)?.kind, "cancelled");
    assert.deepEqual(quick.ran, []);
    assert.deepEqual(orphansIn(world.messages()), []);
  });

  it("retains the batch for the user's decision if the conversation is closing", async () => {
    const stop = new AbortController();
    const slow = hanging();
    const tools = [fakeTool("quick"), fakeTool("slow", { run: slow.run })];
    const provider = scriptedProvider(calling("", first, second), saying("Done."));
    const world = await turnWorld({ provider, tools, isClosing: true });
    const events = await world.run(stop.signal, ({ kind }) => {
      if (kind === "callEnded") setImmediate(() => setImmediate(() => stop.abort()));
    });
    const end = events.at(-1);
    assert.ok(end?.kind === "failed" && end.isPendingRecovery);
    assert.equal(world.messages().length, 1);

    const later = await turnWorld({ provider, tools, disk: world.disk });
    assert.deepEqual(
      later.deps.toolJournal.batch?.calls.map(({ state }) => state),
      ["done", "unknown"],
    );
    assert.equal((await later.run()).at(-1)?.kind, "completed");
    assert.deepEqual(
      resultsIn(later.messages()).map(([, outcome]) => outcome),
      ["ok", "interrupted"],
    );
  });
});
