import assert from "node:assert/strict";
import { toolCallId } from "../../../src/core/ids.ts";
import { type Message } from "../../../src/core/message.ts";
import { withWireCallIds } from "../../../src/adapters/http/callIds.ts";

describe("withWireCallIds", () => {
  const batch = (...ids: readonly string[]): readonly Message[] => [
    {
      role: "assistant",
      parts: ids.map((id) => ({ kind: "toolCall", callId: toolCallId(id), name: "f", inputJson: "{}" })),
    },
    { role: "user", parts: ids.map((id) => ({ kind: "toolResult", callId: toolCallId(id), outcome: "ok", text: "" })) },
  ];
  const check = (messages: readonly Message[], expected: readonly (readonly string[])[]): void => {
    const ids = withWireCallIds(messages).map(({ parts }) =>
      parts.flatMap((part) => ("callId" in part ? [part.callId] : [])),
    );
    assert.deepEqual(ids, expected);
  };
  it("leaves valid, distinct ids unchanged", () => {
    check(batch("toolu_1", "call-2"), [
      ["toolu_1", "call-2"],
      ["toolu_1", "call-2"],
    ]);
  });
  it("replaces and shortens names of tools that services do not accept", () => {
    const named = (name: string): Message => {
      return { role: "assistant", parts: [{ kind: "toolCall", callId: toolCallId("a"), name, inputJson: "{}" }] };
    };
    const names = ["read_file", "mcp-x", "web.run", "a tool ж", "", "n".repeat(65)];
    const sent = withWireCallIds(names.map(named)).flatMap(({ parts }) => parts);
    assert.deepEqual(
      sent.map((part) => part.kind === "toolCall" && part.name),
      ["read_file", "mcp-x", "web_run", "a_tool__", "tool", "n".repeat(64)],
    );
  });
  it("numbers thousands of calls that reuse an id", () => {
    const many = Array.from({ length: 20_000 }, () => batch("call_0")).flat();
    const ids = withWireCallIds(many).flatMap(({ parts }) => parts.map((part) => "callId" in part && part.callId));
    assert.deepEqual(ids.slice(-4), ["call_0_19999", "call_0_19999", "call_0_20000", "call_0_20000"]);
  });
  it("assigns distinct ids to calls that reuse an id in a later batch", () => {
    check(
      [...batch("call_0"), ...batch("call_0"), ...batch("call_0")],
      [["call_0"], ["call_0"], ["call_0_2"], ["call_0_2"], ["call_0_3"], ["call_0_3"]],
    );
  });
  it("avoids ids that already exist", () => {
    check([...batch("a", "a_2"), ...batch("a")], [["a", "a_2"], ["a", "a_2"], ["a_3"], ["a_3"]]);
  });
  it("replaces characters that services do not accept", () => {
    check(batch("functions.read:0", ""), [
      ["functions_read_0", "call"],
      ["functions_read_0", "call"],
    ]);
  });
  it("shortens ids that are too long, deterministically and without collisions", () => {
    const ids = ["a", "b", "a:", "a_"].map((end) => `chatcmpl-tool-${"0".repeat(32)}${end}`);
    const longest = "c".repeat(40);
    const sent = (given: readonly Message[]): readonly string[] =>
      withWireCallIds(given).flatMap(({ parts }) => parts.flatMap((part) => ("callId" in part ? [part.callId] : [])));
    const first = sent(batch(...ids, longest));
    assert.deepEqual(first.slice(0, 5), first.slice(5), "calls and results");
    assert.deepEqual([new Set(first).size, first[4]], [5, longest]);
    const later = sent([...batch(...ids, longest), ...batch(...ids, longest)]);
    assert.deepEqual(later.slice(0, 10), first);
    assert.equal(new Set(later).size, 10);
    for (const id of later) assert.match(id, /^[\w-]{1,40}$/);
  });
  it("creates ids of nine letters and digits, deterministically, for a service that accepts no others", () => {
    const sent = (given: readonly Message[]): readonly string[] =>
      withWireCallIds(given, "nine").flatMap(({ parts }) =>
        parts.flatMap((part) => (part.kind === "toolCall" ? [part.callId] : [])),
      );
    const [, hashed = ""] = sent(batch("D681PevKs", "call_0"));
    const ids = ["D681PevKs", "call_0", "toolu_01A", "", hashed];
    const once = sent(batch(...ids));
    const twice = sent([...batch(...ids), ...batch(...ids)]);
    assert.deepEqual([once[0], once[1], twice.slice(0, 5)], ["D681PevKs", hashed, once]);
    assert.equal(new Set(twice).size, 10);
    for (const id of twice) assert.match(id, /^[a-zA-Z0-9]{9}$/);
  });
});
