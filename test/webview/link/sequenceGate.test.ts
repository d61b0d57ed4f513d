import assert from "node:assert/strict";
import type { ToHost } from "../../../src/protocol/toHost.ts";
import type { ToViewBody } from "../../../src/protocol/toView.ts";
import { Channel } from "../../../src/webview/link/channel.ts";
import { SequenceGate } from "../../../src/webview/link/channel.ts";
import { view } from "../../browser/support/viewBuilders.ts";

describe("SequenceGate", () => {
  const check = (
    messages: readonly (readonly ["snapshot" | "status", number])[],
    expected: readonly string[],
  ): void => {
    const gate = new SequenceGate();
    assert.deepEqual(
      messages.map(([kind, seq]) => gate.check({ kind, seq })),
      expected,
    );
  };
  it("drops messages before the first snapshot", () => {
    check(
      [
        ["status", 0],
        ["status", 1],
        ["snapshot", 2],
        ["status", 3],
      ],
      ["drop", "drop", "pass", "pass"],
    );
  });
  it("reports a gap once and drops messages until the next snapshot", () => {
    check(
      [
        ["snapshot", 0],
        ["status", 1],
        ["status", 3],
        ["status", 4],
        ["snapshot", 9],
        ["status", 10],
        ["status", 12],
      ],
      ["pass", "pass", "gap", "drop", "pass", "pass", "gap"],
    );
  });
  it("treats a repeated message as a gap", () => {
    check(
      [
        ["snapshot", 0],
        ["status", 1],
        ["status", 1],
      ],
      ["pass", "pass", "gap"],
    );
  });
});

describe("Channel", () => {
  function opened() {
    const posted: ToHost[] = [];
    const received: (readonly ToViewBody[])[] = [];
    const frames: (() => void)[] = [];
    const host = {
      postMessage: (message: ToHost) => void posted.push(message),
      getState: () => undefined,
      setState: () => undefined,
    };
    const channel = new Channel(host, (draw) => frames.push(draw), {
      receive: (messages) => received.push(messages),
      requestSnapshot: () => void posted.push({ kind: "ready", changes: 0 }),
    });
    return { posted, received, frames, channel };
  }
  it("delivers the messages of one frame together", () => {
    const { received, frames, channel } = opened();
    channel.accept({ kind: "snapshot", seq: 0, view: view([]) });
    channel.accept({ kind: "focusComposer", seq: 1 });
    assert.equal(frames.length, 1);
    frames[0]?.();
    assert.deepEqual(
      received.map((messages) => messages.map((message) => message.kind)),
      [["snapshot", "focusComposer"]],
    );
  });
  it("requests a snapshot at a gap and ignores invalid messages", () => {
    const { posted, channel } = opened();
    for (const data of [null, 7, "x", {}, { kind: "status" }, { seq: 1 }]) channel.accept(data);
    assert.deepEqual(posted, []);
    channel.accept({ kind: "snapshot", seq: 5, view: view([]) });
    channel.accept({ kind: "focusComposer", seq: 7 });
    assert.deepEqual(posted, [{ kind: "ready", changes: 0 }]);
  });
});
