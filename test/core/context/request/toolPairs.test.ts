/** Providers reject a call without a result and the reverse, so neither is sent after a loss of messages. */
import assert from "node:assert/strict";
import { withPairedToolCalls } from "../../../../src/core/context/request/toolPairs.ts";
import { toolCallId } from "../../../../src/core/ids.ts";
import { textMessage, type Message, type Part } from "../../../../src/core/message.ts";

const result = (id: string): Part => ({ kind: "toolResult", callId: toolCallId(id), outcome: "ok", text: `of ${id}` });
const calls = (...ids: readonly string[]): Message => ({
  role: "assistant",
  parts: ids.map((id) => ({ kind: "toolCall", callId: toolCallId(id), name: "read_file", inputJson: "{}" })),
});
const results = (...ids: readonly string[]): Message => ({ role: "user", parts: ids.map(result) });
const lost = (id: string): Part => ({
  kind: "attachment",
  label: "Result of a tool whose call is lost",
  text: `of ${id}`,
});

describe("tool calls and their results", () => {
  it("are sent unchanged when every one is paired", () => {
    const messages = [calls("a", "b"), results("b"), results("a"), textMessage("assistant", "Done."), calls("a")];
    const sent = withPairedToolCalls([...messages, results("a")]);
    assert.deepEqual(sent, [...messages, results("a")]);
    assert.equal(sent[1], messages[1]);
  });

  it("are sent with the text of an unpaired result as an attachment", () => {
    const said = textMessage("assistant", "This message could not be read.");
    assert.deepEqual(withPairedToolCalls([said, results("a", "b"), calls("c"), results("c", "a")]), [
      said,
      { role: "user", parts: [lost("a"), lost("b")] },
      calls("c"),
      { role: "user", parts: [result("c"), lost("a")] },
    ]);
  });
});
