import assert from "node:assert/strict";
import { guardedProvider } from "../../../../src/core/stream/guardedProvider.ts";
import type { ForgeError } from "../../../../src/core/errors.ts";
import { toolCallId } from "../../../../src/core/ids.ts";
import type { Provider } from "../../../../src/core/stream/provider.ts";
import type { Row } from "../../../../src/protocol/toView.ts";
import { breaking, saying, scriptedProvider, type ScriptedAnswer } from "../../../support/models/scriptedProvider.ts";
import { openSession, type SessionSetup } from "../../../support/session/openSession.ts";
import { realClock } from "../../../support/clocks.ts";

function limited(retryAfterMs: number): ForgeError {
  return { code: "RATE_LIMITED", provider: "scripted", detail: "Slow.", retryAfterMs };
}

/** A clock that stands at one second. */
const STOPPED = { clock: { nowMs: () => 1_000, after: () => () => undefined } };

function seen(row: Row): readonly unknown[] {
  if (row.kind === "message") return [row.role, row.text];
  if (row.kind === "hidden") return ["hidden", row.messageId];
  return row.kind === "notice" ? ["notice", row.actions.map(({ label }) => label)] : [row.kind];
}

describe("a service that asks to wait", () => {
  it("E:402 offers to edit the question, which puts it back into the box and hides it", async () => {
    const { session, rows } = await openSession(
      scriptedProvider(breaking(limited(3_600_000)), saying("Fine.")),
      undefined,
      undefined,
      STOPPED,
    );
    await session.send("1", "Why so fast?");
    const before = rows().map(seen);
    const { retryAtMs } = session;
    await session.editQuestion();
    assert.deepEqual(before, [
      ["user", "Why so fast?"],
      ["notice", ["Retry", "Switch model", "Edit"]],
    ]);
    assert.equal(retryAtMs, 3_601_000);
    assert.deepEqual(rows().map(seen), [["hidden", 0]]);
    assert.equal(session.composer.document.text, "Why so fast?");
    await session.send("2", "Why so slow?");
    assert.deepEqual(rows().map(seen), [
      ["user", "Why so slow?"],
      ["assistant", "Fine."],
    ]);
    assert.equal(session.retryAtMs, undefined);
  });

  it("E:402 cancels a retry that is waited for, and puts the question back into the box", async () => {
    const provider = guardedProvider(scriptedProvider(breaking(limited(29_000))), realClock);
    let editing: Promise<void> | undefined;
    const waits: (number | undefined)[] = [];
    const { session, rows } = await openSession(
      provider,
      undefined,
      (body) => {
        if (body.kind !== "rowChanged" || body.row.kind !== "message" || body.row.retryAtMs === undefined) return;
        waits.push(body.row.retryAtMs);
        editing ??= session.editQuestion();
      },
      STOPPED,
    );
    await session.send("1", "Why so fast?");
    await editing;
    assert.deepEqual(waits, [30_000]);
    assert.deepEqual([session.composer.document.text, session.activity], ["Why so fast?", "idle"]);
    assert.deepEqual(rows().map(seen), [["hidden", 0]]);
  });

  it("L6 says that the model is being loaded, since when, and sends the message when it is there", async () => {
    const loading = breaking({ code: "SERVICE_UNAVAILABLE", provider: "scripted", reason: "loading", detail: "" });
    const clock = {
      ...realClock,
      after: (ms: number, then: () => void) => realClock.after(ms === 1_000 ? 0 : ms, then),
    };
    const waits: string[] = [];
    const { session, rows } = await openSession(
      guardedProvider(scriptedProvider(loading, loading, saying("Fine.")), clock),
      undefined,
      (body) => {
        if (body.kind !== "rowChanged" || body.row.kind !== "message" || body.row.stateText === "") return;
        waits.push(body.row.stateText);
      },
    );
    await session.send("1", "Well?");
    assert.deepEqual(
      waits.map((text) => text.replace(/since .+(?=\. Your)/, "since then")),
      [
        "The model is being loaded. Your message is sent as soon as it is there.",
        "The model has been loading since then. Your message is sent as soon as it is there.",
      ],
    );
    assert.deepEqual(rows().map(seen), [
      ["user", "Well?"],
      ["assistant", "Fine."],
    ]);
  });

  describe("29.3 a local model", () => {
    const reading = (readTokens: number): ScriptedAnswer =>
      async function* (beat) {
        yield { kind: "reading", freshTokens: 3_712, readTokens: 0 };
        await beat();
        yield { kind: "reading", freshTokens: 3_712, readTokens, perSecond: 322 };
        await beat();
        yield { kind: "toolCallStart", callId: toolCallId("c"), name: "read_file" };
        await beat();
        yield { kind: "text", text: "Fine." };
        yield { kind: "done", stopReason: "endTurn" };
      };
    const speed = { reads: { tokens: 500, perSecond: 337.5 }, writes: { tokens: 50, perSecond: 34 } };
    /** The words under the answer, each time they change. */
    const waitsOf = async (provider: Provider, setup: SessionSetup): Promise<readonly string[]> => {
      const waits: string[] = [];
      const { session } = await openSession(
        provider,
        undefined,
        (body) => {
          if (body.kind !== "rowChanged" || body.row.kind !== "message" || body.row.state !== "streaming") return;
          if (waits.at(-1) !== body.row.stateText) waits.push(body.row.stateText);
        },
        setup,
      );
      await session.send("1", "Well?");
      return waits;
    };

    it("says what is read and how long it takes, until it answers or calls a tool", async () => {
      assert.deepEqual(await waitsOf(scriptedProvider(reading(2_100)), { speed }), [
        "Reading 3,712 tokens, about 11 s.",
        "Reading 2,100 of 3,712 tokens, about 5 s.",
        "",
      ]);
      assert.deepEqual(await waitsOf(scriptedProvider(reading(3_712)), {}), ["Reading 3.7k tokens.", ""]);
    });

    it("says with its first answer how fast it is and what window it has, also after a reload", async () => {
      const told = /Local model: 34 tokens a second, window [\d,]+$/;
      const metas = (rows: readonly Row[]): readonly boolean[] =>
        rows.flatMap((row) => (row.kind === "message" && row.role === "assistant" ? [told.test(row.meta)] : []));
      const { session, rows, disk } = await openSession(
        scriptedProvider(saying("One."), saying("Two.")),
        undefined,
        undefined,
        { speed },
      );
      await session.send("1", "Well?");
      await session.send("2", "And?");
      assert.deepEqual(metas(rows()), [true, false]);
      const again = await openSession(scriptedProvider(), disk, undefined, { speed });
      assert.deepEqual(metas(again.rows()), [true, false]);
      const elsewhere = await openSession(scriptedProvider(), disk);
      assert.deepEqual(metas(elsewhere.rows()), [false, false], "where no server has told its speed");
    });
  });

  it("L6 is asked once more with less when it has a smaller window than it said, and not twice", async () => {
    const tooLong = (windowTokens: number): ForgeError => {
      return { code: "SERVICE_UNAVAILABLE", provider: "scripted", reason: "contextOverflow", detail: "", windowTokens };
    };
    const provider = scriptedProvider(
      breaking(tooLong(4_096)),
      saying("Fine."),
      ...[1, 2].map(() => breaking(tooLong(9))),
    );
    const { session, rows } = await openSession(provider);
    await session.send("1", "Well?");
    assert.deepEqual(rows().map(seen), [
      ["user", "Well?"],
      ["assistant", "Fine."],
    ]);
    await session.send("2", "And?");
    assert.deepEqual(rows().map(seen).slice(2), [
      ["user", "And?"],
      ["notice", ["Summarize", "Switch model"]],
    ]);
    assert.equal(provider.requests.length, 4);
  });

  it("E:402 does not take back a question that has an answer", async () => {
    const { session, rows } = await openSession(scriptedProvider(saying("Fine.")));
    await session.send("1", "Well?");
    await session.editQuestion();
    assert.deepEqual(rows().map(seen), [
      ["user", "Well?"],
      ["assistant", "Fine."],
    ]);
    assert.equal(session.composer.document.text, "");
  });
});
