/** Spec §4: the proof that a request fits, the messages it reads, and messages that may not enter the history. */

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { excerptText } from "../../../../src/core/context/request/excerpts.ts";
import { promptContext } from "../../../../src/core/context/request/promptContext.ts";
import { withPairedToolCalls } from "../../../../src/core/context/request/toolPairs.ts";
import { messageId, modelId, toolCallId } from "../../../../src/core/ids.ts";
import { textMessage, textOf, type Message } from "../../../../src/core/message.ts";
import { counts, TestConversation } from "../../../support/session/conversation.ts";

describe("§4 PreparedContext", () => {
  it("is constructed only by prepare() and for one-off prompts", () => {
    const source = path.resolve(import.meta.dirname, "../../../../src");
    const makers = globSync("**/*.{ts,tsx}", { cwd: source }).filter((file) =>
      /\bnew PreparedContext\(/.test(readFileSync(path.join(source, file), "utf8")),
    );
    const expected = ["core/context/request/preparedContext.ts", "core/context/request/promptContext.ts"];
    assert.deepEqual(makers.map((file) => file.replaceAll("\\", "/")).toSorted(), expected);
  });

  it("§4.5 CX-T7 sends a summary as a system message with its header", async () => {
    const read = await new TestConversation().play("4*100/100 S0-3:70").ready().apiMessages();
    assert.deepEqual(read, {
      ok: true,
      value: [
        textMessage("system", "[Earlier conversation summary]\n\nsummary 0 of 0 to 4"),
        ...["user 4", "assistant 5", "user 6", "assistant 7"].map((text) =>
          textMessage(text.startsWith("u") ? "user" : "assistant", text),
        ),
      ],
    });
  });

  it("throws when it is read after the conversation has changed", () => {
    const changes = ["u5", "pin0", "hide0-0", "S0-3:70", "model:large"];
    for (const change of changes) {
      const conversation = new TestConversation().play("4*100/100");
      const prepared = conversation.ready();
      conversation.play(change);
      assert.throws(() => prepared.apiMessages(), /before the conversation changes/, change);
    }
  });

  it("is readable after a change that no request depends on", async () => {
    const conversation = new TestConversation().play("4*100/100");
    const prepared = conversation.ready();
    conversation.store({ kind: "title", title: "A title", by: "automatic", atMs: 0 });
    assert.ok((await prepared.apiMessages()).ok);
  });

  it("retains its usage and segments when the conversation continues", () => {
    const conversation = new TestConversation().play("2*100/100");
    const prepared = conversation.ready();
    conversation.play("u50");
    conversation.ready();
    assert.deepEqual([prepared.segments.length, prepared.usage().usedTokens], [4, 416]);
  });

  it("has excerpts of every kind of part in the message of a tool result", async () => {
    const conversation = new TestConversation().play("u10 t20:30");
    const parts = [
      { kind: "toolResult", callId: toolCallId("call-1-0"), outcome: "ok", text: "r".repeat(9_000) },
      { kind: "text", text: "é".repeat(9_000) },
      { kind: "image", mediaType: "image/png", dataBase64: "A".repeat(9_000) },
      { kind: "attachment", label: "log", text: "a".repeat(9_000) },
    ] as const;
    const meta = { state: "complete", createdAtMs: 1, tokens: counts(20_000), batch: messageId(1) } as const;
    conversation.store(conversation.manager.record({ role: "user", parts }, meta));
    assert.equal(conversation.sent(), "0 1 2 3~");
    const read = await conversation.ready().apiMessages();
    const sent = read.ok ? (read.value.at(-1)?.parts ?? []) : [];
    assert.deepEqual(
      sent.map(({ kind }) => kind),
      ["toolResult", "text", "text", "attachment"],
    );
    const texts = sent.map((part) => ("text" in part ? part.text : ""));
    assert.ok(texts.every((text) => text !== "") && new TextEncoder().encode(texts.join("")).length <= 243);
  });

  it("has excerpts no larger than counted", async () => {
    const conversation = new TestConversation().play("u10 t20:3800,300,3800");
    const prepared = conversation.ready();
    const read = await prepared.apiMessages();
    assert.ok(read.ok);
    const [first, second, third] = read.value
      .slice(2)
      .map(({ parts }) => (parts[0]?.kind === "toolResult" ? parts[0].text : ""));
    assert.match(first ?? "", /^word word .*\n… 3,800 tokens kept in the history, ask `recall_history` …\n.*word $/s);
    assert.equal(second, "word ".repeat(300));
    const most = prepared.segments.flatMap((segment) => (segment.kind === "excerpt" ? [segment.contentTokens] : []));
    assert.deepEqual(most, [243, 243]);
    assert.ok([first, third].every((text) => new TextEncoder().encode(text).length <= 243));
  });
});

describe("§4.1 excerptText", () => {
  const check = (title: string, text: string, bytes: number, expected: string): void => {
    it(title, () => {
      assert.equal(excerptText(text, bytes, "<->"), expected);
    });
  };
  check("returns a text that is short enough", "0123456789", 10, "0123456789");
  check("retains head and tail", "0123456789abcdef", 9, "012<->def");
  check("does not split a character", "ééééééééééé", 10, "éé<->é");
  check("does not split a surrogate pair", "😀😀😀😀😀😀", 15, "😀<->😀😀");
  check("retains a lone surrogate", "\ud800".repeat(9), 12, "\ud800<->\ud800\ud800");
  check("returns an ellipsis when nothing fits", "0123456789", 2, "…");
});

describe("§1 withPairedToolCalls", () => {
  const call = (...ids: readonly string[]): Message => ({
    role: "assistant",
    parts: ids.map((id) => ({ kind: "toolCall", callId: toolCallId(id), name: "read", inputJson: "{}" })),
  });
  const result = (outcome: "ok" | "interrupted", ...ids: readonly string[]): Message => ({
    role: "user",
    parts: ids.map((id) => {
      const text = outcome === "ok" ? "done" : "Interrupted: there is no result.";
      return { kind: "toolResult", callId: toolCallId(id), outcome, text };
    }),
  });
  const check = (title: string, messages: readonly Message[], expected: readonly Message[]): void => {
    it(title, () => {
      assert.deepEqual(withPairedToolCalls(messages), expected);
    });
  };
  const hello = textMessage("user", "hello");
  const whole = [hello, call("a", "b"), result("ok", "a"), result("ok", "b"), hello];
  check("returns complete batches unchanged", whole, whole);
  check(
    "adds an interrupted result for a call at the end",
    [hello, call("a")],
    [hello, call("a"), result("interrupted", "a")],
  );
  check(
    "adds an interrupted result before the next message",
    [call("a"), hello],
    [call("a"), result("interrupted", "a"), hello],
  );
  check(
    "adds interrupted results for those calls of a batch that have none",
    [call("a", "b", "c"), result("ok", "b"), hello],
    [call("a", "b", "c"), result("ok", "b"), result("interrupted", "a", "c"), hello],
  );
  check(
    "adds an interrupted result before the next batch",
    [call("a"), call("b"), result("ok", "b")],
    [call("a"), result("interrupted", "a"), call("b"), result("ok", "b")],
  );
});

describe("§4.1 admit", () => {
  const meta = { state: "complete", createdAtMs: 1 } as const;

  it("makes a record of a message that fits", () => {
    const conversation = new TestConversation().play("u10 t20:30");
    const admitted = conversation.manager.admit(textMessage("user", "hi"), { ...meta, tokens: counts(3_888) });
    assert.deepEqual(admitted.ok && admitted.value.entry, {
      id: 3,
      role: "user",
      turn: 3,
      ...meta,
      tokens: counts(3_888),
    });
  });

  it("rejects a message that does not fit even alone, with its size", () => {
    const conversation = new TestConversation();
    const refused = conversation.manager.admit(textMessage("user", "hi"), { ...meta, tokens: counts(3_889) });
    const parts = [{ kind: "message", label: "this message", tokens: 3_893 }];
    const error = { code: "RECENT_TOO_LARGE", requiredTokens: 3_893, budgetTokens: 3_892, messageCount: 1, parts };
    assert.deepEqual(refused, { ok: false, error });
  });

  it("assigns each message its turn and tool batch", () => {
    const { history } = new TestConversation().play("a5 u10 t20:30,30 a5 t20:30 u5").manager;
    const places = history.entries.map(
      ({ turn, batch }) => `${String(turn)}${batch === undefined ? "" : `/${String(batch)}`}`,
    );
    assert.deepEqual(places, ["0", "1", "1/2", "1/2", "1/2", "1", "1/6", "1/6", "8"]);
  });
});

describe("§4 promptContext", () => {
  const limits = { contextWindow: 8_192, maxOutput: 4_096 };
  const messages = [textMessage("user", "Summarize this.")];

  it("returns a prepared context for a prompt that fits", async () => {
    const made = promptContext({
      model: modelId("m"),
      limits,
      systemPrompt: "Be brief.",
      systemTokens: counts(3),
      messages,
      tokens: [counts(4)],
    });
    assert.ok(made.ok);
    const { systemPrompt, tools, segments, revision } = made.value;
    const read = await made.value.apiMessages();
    assert.deepEqual(
      { systemPrompt, tools, segments, revision, read: read.ok && read.value.map(textOf) },
      {
        systemPrompt: "Be brief.",
        tools: [],
        segments: [{ kind: "original", id: 0, tokens: 8 }],
        revision: 0,
        read: ["Summarize this."],
      },
    );
    assert.equal(made.value.usage().formatCompact(), "15 / 3.9k (0%)");
  });

  it("returns an error with the tokens of each part for a prompt that does not fit", () => {
    const made = promptContext({
      model: modelId("m"),
      limits,
      systemPrompt: "x".repeat(1_000),
      messages,
      tokens: [counts(1_000)],
    });
    assert.deepEqual(made.ok ? [] : made.error.parts.map(({ kind, tokens }) => [kind, tokens]), [
      ["system", 3_004],
      ["message", 1_004],
    ]);
  });
});
