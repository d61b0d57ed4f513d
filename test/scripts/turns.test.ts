import assert from "node:assert/strict";
import { tasksAtOnce, Turns } from "../../scripts/testing/turns.ts";

/** Work that records its start and runs until `end` is called. */
function workIn(begun: string[], name: string): { readonly work: () => Promise<string>; readonly end: () => void } {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async (): Promise<string> => {
    begun.push(name);
    await ended;
    return name;
  };
  return { work, end: () => end() };
}

describe("Turns", () => {
  it("starts work in the order of the requests, at most two at a time", async () => {
    const turns = new Turns();
    const begun: string[] = [];
    const pieces = ["a", "b", "c", "d"].map((name) => workIn(begun, name));
    const outcomes = pieces.map(({ work }) => turns.take(work));
    await Promise.resolve();
    assert.deepEqual(begun, ["a", "b"]);
    pieces[1]?.end();
    assert.equal(await outcomes[1], "b");
    await Promise.resolve();
    assert.deepEqual(begun, ["a", "b", "c"]);
    for (const { end } of pieces) end();
    assert.deepEqual(await Promise.all(outcomes), ["a", "b", "c", "d"]);
    assert.deepEqual(begun, ["a", "b", "c", "d"]);
  });

  it("runs exclusive work alone, before all other waiting work", async () => {
    const turns = new Turns();
    const begun: string[] = [];
    const [first, second, waiting, alone] = ["first", "second", "waiting", "alone"].map((name) => workIn(begun, name));
    assert.ok(first && second && waiting && alone);
    const outcomes = [turns.take(first.work), turns.take(second.work), turns.take(waiting.work)];
    const last = turns.takeAlone(alone.work);
    first.end();
    await outcomes[0];
    assert.deepEqual(begun, ["first", "second"]);
    second.end();
    await outcomes[1];
    await Promise.resolve();
    assert.deepEqual(begun, ["first", "second", "alone"]);
    alone.end();
    waiting.end();
    assert.deepEqual(await Promise.all([last, ...outcomes]), ["alone", "first", "second", "waiting"]);
  });

  it("runs as many at a time as the machine has cores, from two to four", async () => {
    for (const [cores, atOnce] of [
      [1, 2],
      [2, 2],
      [3, 3],
      [16, 4],
    ] as const) {
      const turns = new Turns(tasksAtOnce(cores));
      const begun: string[] = [];
      const pieces = Array.from({ length: 6 }, (_, number) => workIn(begun, String(number)));
      const outcomes = pieces.map(({ work }) => turns.take(work));
      await Promise.resolve();
      assert.equal(begun.length, atOnce, `${cores} cores`);
      for (const { end } of pieces) end();
      await Promise.all(outcomes);
    }
  });

  it("continues after failed work", async () => {
    const turns = new Turns();
    const failing = Array.from({ length: 2 }, () => turns.take(() => Promise.reject(new Error("no"))));
    const good = turns.take(() => "yes");
    for (const outcome of failing) await assert.rejects(outcome, /^Error: no$/);
    assert.equal(await good, "yes");
  });
});
