import assert from "node:assert/strict";
import fc from "fast-check";
import { PlayedHost } from "../../browser/support/playedHost.ts";

type Step = "type" | "send" | "hear" | "tell" | "snapshot" | "switch" | "take" | "refuse" | "lose" | "reload";

const steps = fc.array(
  fc.oneof(
    ...(
      [
        ["type", 6],
        ["send", 2],
        ["hear", 5],
        ["tell", 5],
        ["snapshot", 2],
        ["take", 2],
        ["refuse", 1],
        ["switch", 1],
        ["lose", 1],
        ["reload", 1],
      ] as const
    ).map(([step, weight]) => ({ weight, arbitrary: fc.constant<Step>(step) })),
  ),
  { maxLength: 60 },
);

/** Opens a conversation, runs the steps and delivers all messages. Returns the typed words, all different. */
function play(host: PlayedHost, done: readonly Step[]): readonly string[] {
  const typed: string[] = [];
  let opened = 0;
  host.switchTo("conversation-0");
  host.arrive();
  const acts: Readonly<Record<Step, () => void>> = {
    type: () => {
      typed.push(`word${String(typed.length)}.`);
      host.store.typed(`${host.text}${typed.at(-1) ?? ""}`);
    },
    send: () => {
      if (!host.isSending) host.store.send();
    },
    hear: () => host.hear(),
    tell: () => host.tell(),
    snapshot: () => {
      host.snapshot();
    },
    switch: () => {
      host.switchTo(`conversation-${String(++opened)}`);
    },
    take: () => {
      host.decide(true);
    },
    refuse: () => {
      host.decide(false);
    },
    lose: () => {
      host.lose();
    },
    reload: () => {
      host.reload();
      host.arrive();
    },
  };
  for (const step of done) acts[step]();
  host.snapshot(); // a lost message is noticed when the next one arrives
  host.arrive();
  host.decide(true);
  host.arrive();
  return typed;
}

describe("composer text while page and host messages cross", () => {
  it("is always in the composer, a draft or a sent message, and is sent at most once", () => {
    fc.assert(
      fc.property(steps, (done) => {
        const host = new PlayedHost();
        const typed = play(host, done);
        const kept = [host.text, ...[...host.composers.values()].map(({ text }) => text), ...host.sent].join(" ");
        const lost = typed.filter((word) => !kept.includes(word));
        const twice = typed.filter((word) => host.sent.filter((text) => text.includes(word)).length > 1);
        assert.deepEqual({ lost, twice }, { lost: [], twice: [] });
        assert.equal(host.draftOf(host.open) ?? "", host.text);
      }),
      {
        numRuns: 2_000,
        examples: [
          [["type", "send", "hear", "hear", "snapshot", "refuse"]],
          [["snapshot", "lose", "type", "send", "hear", "hear", "switch", "type", "tell", "tell", "tell", "send"]],
          [["switch", "lose", "lose", "type", "hear"]],
          [["switch", "lose", "lose", "type", "send", "hear", "hear"]],
          [["type", "hear", "send", "hear", "reload", "hear", "tell", "take", "tell", "send"]],
          [["type", "hear", "send", "hear", "take", "lose", "type", "hear", "tell", "hear", "tell", "send"]],
        ],
      },
    );
  });

  it("is not overwritten by a snapshot that the host made before it received the text", () => {
    const host = new PlayedHost();
    host.switchTo("a");
    host.arrive();
    host.snapshot();
    host.store.typed("half a thought");
    host.tell();
    assert.equal(host.text, "half a thought");
    host.arrive();
    assert.deepEqual([host.text, host.draftOf("a")], ["half a thought", "half a thought"]);
  });

  it("moves to the conversation that is being opened when typed during the switch", () => {
    const host = new PlayedHost();
    host.switchTo("a");
    host.arrive();
    host.switchTo("b");
    host.store.typed("late");
    host.arrive();
    assert.deepEqual([host.text, host.draftOf("a"), host.draftOf("b")], ["late", undefined, "late"]);
  });

  it("is not sent to another conversation when the host switches before the send", () => {
    const host = new PlayedHost();
    host.switchTo("a");
    host.arrive();
    host.store.typed("for a only");
    host.hear();
    host.switchTo("b");
    host.store.send();
    host.arrive();
    assert.deepEqual([host.sent, host.draftOf("a")], [[], "for a only"]);
  });

  it("is sent after pending dropped files are read, as it was at the time of sending", async () => {
    const host = new PlayedHost();
    host.switchTo("a");
    host.arrive();
    let end = (): void => undefined;
    host.store.addPendingRead(new Promise<void>((resolve) => (end = resolve)));
    host.store.typed("what is it?");
    host.store.send();
    host.store.typed("what is it? And");
    host.arrive();
    host.decide(true);
    assert.deepEqual(host.sent, []);
    end();
    await new Promise(setImmediate);
    host.arrive();
    host.decide(true);
    host.arrive();
    assert.deepEqual([host.sent, host.text], [["what is it?"], "And"]);
  });

  it("is sent when a dropped file cannot be read, and stays in the draft until then", async () => {
    const host = new PlayedHost();
    host.switchTo("a");
    host.arrive();
    let fail = (): void => undefined;
    const read = new Promise<void>((_, reject) => (fail = reject));
    host.store.addPendingRead(read);
    const text = "very long ".repeat(6_000);
    host.store.typed(text);
    host.store.send();
    host.arrive();
    assert.equal(host.draftOf("a") === text, true);
    fail();
    await assert.rejects(read);
    await new Promise(setImmediate);
    host.arrive();
    host.decide(true);
    host.arrive();
    assert.deepEqual([host.sent, host.draftOf("a"), host.text], [[text], "", ""]);
  });

  it("is appended to the earlier draft when typed in a reloaded page before its first snapshot", () => {
    const host = new PlayedHost();
    host.switchTo("a");
    host.arrive();
    host.store.typed("before");
    host.reload();
    host.store.typed("behind");
    host.arrive();
    assert.deepEqual([host.text, host.draftOf("a")], ["before\nbehind", "before\nbehind"]);
  });

  it("survives several page reloads before the first snapshot", () => {
    const host = new PlayedHost();
    host.switchTo("a");
    host.arrive();
    host.store.typed("before");
    host.reload();
    for (const word of [" early", " late"]) {
      host.store.typed(`${host.text}${word}`);
      host.reload(true);
    }
    host.arrive();
    assert.deepEqual([host.text, host.draftOf("a")], ["before\n early late", "before\n early late"]);
  });
});
