import assert from "node:assert/strict";
import type { StorageFailed } from "../../../src/core/errors.ts";
import { recoverToolBatches } from "../../../src/core/journal/toolBatch.ts";
import { err } from "../../../src/core/result.ts";
import type { Approvals } from "../../../src/core/tools/approvals.ts";
import type { TurnEvent } from "../../../src/core/turn/turnEvent.ts";
import { fakeTool } from "../../support/editor/fakeTools.ts";
import { calling, saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";
import { orphansIn, resultsIn, turnWorld } from "../../support/session/turnRun.ts";

const kinds = (events: readonly TurnEvent[]): readonly string[] => events.map(({ kind }) => kind);
const terminal = new Set(["completed", "cancelled", "failed"]);
const diskFull: StorageFailed = { code: "STORAGE_FAILED", reason: "diskFull", detail: "" };
const asking = (answer: "allowed" | "denied"): Approvals => ({
  isAutomatic: () => false,
  ask: () => Promise.resolve(answer),
});

describe("runTurn with tools", () => {
  it("alternates answers and tool calls until the model is done", async () => {
    const read = fakeTool("read");
    const provider = scriptedProvider(
      calling("I look.", { id: "a", name: "read", input: { p: 1 } }, { id: "b", name: "read", input: { p: 2 } }),
      calling("", { id: "a", name: "read", input: { p: 3 } }),
      saying("Done."),
    );
    const world = await turnWorld({ provider, tools: [read] });
    const events = await world.run();
    assert.deepEqual(read.ran, ['{"p":1}', '{"p":2}', '{"p":3}']);
    const batch = ["callStarted", "callEnded"];
    assert.deepEqual(kinds(events), [
      ...["stepStarted", "delta", "callWritten", "callWritten", "batchBegun", ...batch, ...batch, "roundEnded"],
      ...["stepStarted", "callWritten", "batchBegun", ...batch, "roundEnded"],
      ...["stepStarted", "delta", "completed"],
    ]);
    assert.deepEqual(
      world.messages().map(({ role }) => role),
      ["user", "assistant", "user", "assistant", "user", "assistant"],
    );
    assert.deepEqual(resultsIn(world.messages()), [
      ["a", "ok", 'ran {"p":1}'],
      ["b", "ok", 'ran {"p":2}'],
      ["a", "ok", 'ran {"p":3}'],
    ]);
    assert.deepEqual(world.disk.journal, []);
    assert.deepEqual(
      provider.requests.map((messages) => messages.length),
      [1, 3, 5],
    );
    const { entries } = world.deps.conversation.history;
    assert.deepEqual(
      entries.map(({ turn, batch: of }) => [turn, of]),
      [
        [0, undefined],
        [0, 1],
        [0, 1],
        [0, 3],
        [0, 3],
        [0, undefined],
      ],
    );
  });

  it("stores a call before its tool runs and a result before it is reported", async () => {
    const states: string[] = [];
    const look = (what: string): void => {
      const [batch] = recoverToolBatches(world.disk.journal);
      states.push(`${what} ${batch?.calls.map(({ state }) => state).join(" ") ?? "none"}`);
    };
    const read = fakeTool("read", {
      run: () => {
        look("run");
        return Promise.resolve({ outcome: "ok", text: "x" });
      },
    });
    const world = await turnWorld({
      provider: scriptedProvider(calling("", { id: "a", name: "read", input: {} }), saying("Done.")),
      tools: [read],
    });
    await world.run(undefined, ({ kind }) => {
      if (["batchBegun", "callEnded", "roundEnded"].includes(kind)) look(kind);
    });
    assert.deepEqual(states, ["batchBegun notStarted", "run unknown", "callEnded done", "roundEnded none"]);
  });

  it("returns an error to the model for an unknown tool, an invalid input or a tool that throws", async () => {
    const strict = fakeTool("strict", { describe: () => Promise.resolve(err("path is missing")) });
    const broken = fakeTool("broken", { run: () => Promise.reject(new Error("no such luck")) });
    const provider = scriptedProvider(
      calling(
        "",
        { id: "a", name: "strict", input: {} },
        { id: "b", name: "nowhere", input: {} },
        { id: "c", name: "strict", input: '{"path":"src/' },
        { id: "d", name: "strict", input: "[1]" },
        { id: "e", name: "broken", input: "" },
      ),
      saying("I see."),
    );
    const world = await turnWorld({ provider, tools: [strict, broken] });
    assert.equal((await world.run()).at(-1)?.kind, "completed");
    const results = resultsIn(world.messages());
    assert.deepEqual(
      results.map(([, outcome]) => outcome),
      ["error", "error", "error", "error", "error"],
    );
    const texts = results.map(([, , text]) => text);
    assert.equal(texts[0], "path is missing");
    assert.match(texts[1] ?? "", /no tool "nowhere".*strict, broken/);
    assert.match(texts[2] ?? "", /not valid JSON/);
    assert.match(texts[3] ?? "", /JSON object/);
    assert.match(texts[4] ?? "", /The tool failed: no such luck/);
    assert.deepEqual([strict.ran, broken.ran], [[], ["{}"]], "nothing at all is an input without fields");
  });

  it("runs a call that the user allows and returns a denial to the model otherwise", async () => {
    for (const answer of ["allowed", "denied"] as const) {
      const edit = fakeTool("edit", { effect: "writes" });
      const provider = scriptedProvider(calling("", { id: "a", name: "edit", input: {} }), saying("Well."));
      const world = await turnWorld({ provider, tools: [edit], approvals: asking(answer) });
      await world.run();
      assert.equal(edit.ran.length, answer === "allowed" ? 1 : 0);
      const [, outcome] = resultsIn(world.messages())[0] ?? [];
      assert.equal(outcome, answer === "allowed" ? "ok" : "denied");
    }
  });

  it("records calls of an answer cut off at its token limit as interrupted without running them", async () => {
    const read = fakeTool("read");
    const provider = scriptedProvider(async function* () {
      for await (const event of calling("I look.", { id: "a", name: "read", input: '{"p":' })(() =>
        Promise.resolve(),
      )) {
        yield event.kind === "done" ? { kind: "done", stopReason: "maxTokens" } : event;
      }
    });
    const world = await turnWorld({ provider, tools: [read] });
    assert.equal((await world.run()).at(-1)?.kind, "completed");
    assert.deepEqual(read.ran, []);
    assert.deepEqual(orphansIn(world.messages()), []);
    assert.equal(resultsIn(world.messages())[0]?.[1], "interrupted");
  });

  it("assigns unique ids to calls with a duplicate or empty id", async () => {
    const read = fakeTool("read");
    const same = ["x", "x", ""].map((id, p) => ({ id, name: "read", input: { p } }));
    const world = await turnWorld({ provider: scriptedProvider(calling("", ...same), saying("ok")), tools: [read] });
    await world.run();
    assert.deepEqual(resultsIn(world.messages()), [
      ["x", "ok", 'ran {"p":0}'],
      ["x_2", "ok", 'ran {"p":1}'],
      ["call", "ok", 'ran {"p":2}'],
    ]);
  });

  it("pauses after the maximum number of rounds and continues in the next run", async () => {
    const read = fakeTool("read");
    const again = (p: number) => calling("", { id: "a", name: "read", input: { p } });
    const provider = scriptedProvider(again(1), again(2), again(3), saying("Done."));
    const world = await turnWorld({ provider, tools: [read], maxRounds: 2 });
    assert.deepEqual((await world.run()).at(-1), { kind: "completed", paused: "rounds", rounds: 2 });
    assert.equal(world.messages().length, 5);
    assert.equal((await world.run()).at(-1)?.kind, "completed");
    assert.equal(read.ran.length, 3);
    assert.equal(world.messages().length, 8);
  });

  it("warns a model that repeats a call with the same result, then pauses the turn", async () => {
    const same = calling("", { id: "a", name: "read", input: { b: 1, a: 2 } });
    const reordered = calling("", { id: "a", name: "read", input: { a: 2, b: 1 } });
    const read = fakeTool("read", { run: () => Promise.resolve({ outcome: "ok", text: "same" }) });
    const provider = scriptedProvider(same, reordered, same, same, saying("never"));
    const world = await turnWorld({ provider, tools: [read] });
    assert.deepEqual((await world.run()).at(-1), { kind: "completed", paused: "repeats", rounds: 4 });
    const texts = resultsIn(world.messages()).map(([, , text]) => text);
    assert.deepEqual(texts.slice(0, 2), ["same", "same"]);
    assert.match(texts[2] ?? "", /^same\n\n\[This same call has given this same result 3 times/);
  });

  it("L2 warns a model that goes in a circle of several calls, also of such as change something", async () => {
    const circle = calling(
      "",
      { id: "a", name: "edit", input: { edit: 1 } },
      { id: "b", name: "test", input: {} },
      { id: "c", name: "edit", input: { edit: 2 } },
    );
    const same = (): Promise<{ readonly outcome: "ok"; readonly text: string }> =>
      Promise.resolve({ outcome: "ok", text: "same" });
    const tools = [fakeTool("edit", { effect: "writes", run: same }), fakeTool("test", { effect: "runs", run: same })];
    const provider = scriptedProvider(circle, circle, circle, circle, saying("never"));
    const world = await turnWorld({ provider, tools });
    assert.deepEqual((await world.run()).at(-1), { kind: "completed", paused: "repeats", rounds: 4 });
    const texts = resultsIn(world.messages()).map(([, , text]) => text);
    assert.deepEqual(
      texts.map((text) => text.includes("3 times")),
      [false, false, false, false, false, false, false, false, true, true, true, true],
    );
  });

  it("does not treat a failing test run after every edit as repetition", async () => {
    const round = (edit: number) =>
      calling("", { id: "e", name: "edit", input: { edit } }, { id: "t", name: "test", input: {} });
    const test = fakeTool("test", { effect: "runs", run: () => Promise.resolve({ outcome: "ok", text: "1 failed" }) });
    const tools = [fakeTool("edit", { effect: "writes" }), test];
    const provider = scriptedProvider(round(1), round(2), round(3), round(4), round(5), saying("Done."));
    const world = await turnWorld({ provider, tools });
    assert.deepEqual(kinds(await world.run()).at(-1), "completed");
    assert.equal(test.ran.length, 5);
    assert.ok(resultsIn(world.messages()).every(([, , text]) => !text.includes("3 times")));
  });

  it("ends in exactly one terminal event whichever commit fails, and the conversation can continue", async () => {
    for (let failing = 0; ; failing++) {
      const edit = fakeTool("edit", { effect: "writes" });
      const calls = calling("I do.", { id: "a", name: "edit", input: {} }, { id: "b", name: "edit", input: {} });
      const world = await turnWorld({ provider: scriptedProvider(calls, saying("Done.")), tools: [edit] });
      let commits = 0;
      const commit = world.store.commit.bind(world.store);
      world.store.commit = (writes) => {
        if (commits++ === failing + 1) world.store.failNext = diskFull;
        return commit(writes);
      };
      const events = await world.run();
      const ends = events.filter(({ kind }) => terminal.has(kind));
      assert.deepEqual([ends.length, events.at(-1)], [1, ends[0]]);
      const started = edit.ran.length;
      const told = events.filter(({ kind }) => kind === "callEnded").length;
      assert.ok(told <= started);
      assert.deepEqual(orphansIn(world.messages()), []);
      if (ends[0]?.kind === "completed") return;

      const later = await turnWorld({ provider: scriptedProvider(saying("Later.")), tools: [edit], disk: world.disk });
      const known = later.deps.toolJournal.batch?.calls.filter(({ state }) => state === "done").length ?? 2;
      assert.ok(known >= told, `commit ${failing}: ${told} results were told, ${known} are known`);
      const unstarted = later.deps.toolJournal.batch?.calls.filter(({ state }) => state === "notStarted").length ?? 0;
      assert.ok(unstarted <= 2 - started, `commit ${failing}: what ran is known to have been started`);
    }
  });
});
