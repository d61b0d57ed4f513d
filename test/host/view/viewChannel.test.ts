import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Clock } from "../../../src/core/clock.ts";
import { ViewChannel } from "../../../src/host/view/viewChannel.ts";
import type { ToView, ToViewBody } from "../../../src/protocol/toView.ts";

function channel(): { send: (body: ToViewBody) => void; frame: () => void; posted: ToView[]; waiting: () => number } {
  const posted: ToView[] = [];
  let timers: (() => void)[] = [];
  const clock: Clock = {
    nowMs: () => 0,
    after: (_delayMs, callback) => {
      timers.push(callback);
      return () => {
        timers = timers.filter((timer) => timer !== callback);
      };
    },
  };
  const view = new ViewChannel((message) => posted.push(message), clock);
  return {
    send: (body) => {
      view.send(body);
    },
    frame: () => {
      for (const timer of timers.splice(0)) timer();
    },
    posted,
    waiting: () => timers.length,
  };
}

const delta = (text: string, part: "text" | "thinking" = "text"): ToViewBody => ({
  kind: "delta",
  rowId: "r",
  part,
  text,
});

describe("ViewChannel", () => {
  it("joins the text deltas of a frame into one message", () => {
    const { send, frame, posted } = channel();
    send(delta("a"));
    send(delta("b"));
    assert.deepEqual(posted, []);
    frame();
    assert.deepEqual(posted, [{ seq: 1, ...delta("ab") }]);
  });

  it("sends text of different parts separately and in order", () => {
    const { send, frame, posted } = channel();
    send(delta("hm", "thinking"));
    send(delta("a"));
    frame();
    assert.deepEqual(posted, [
      { seq: 1, ...delta("hm", "thinking") },
      { seq: 2, ...delta("a") },
    ]);
  });

  it("sends other messages immediately, after the pending text", () => {
    const { send, posted, waiting } = channel();
    send(delta("a"));
    send({ kind: "rowRemoved", rowId: "r" });
    assert.deepEqual(posted, [
      { seq: 1, ...delta("a") },
      { seq: 2, kind: "rowRemoved", rowId: "r" },
    ]);
    assert.equal(waiting(), 0);
  });
});
