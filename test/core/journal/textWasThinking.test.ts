import assert from "node:assert/strict";
import { MessageBuilder } from "../../../src/core/journal/messageBuilder.ts";
import { contentEvent, rowContents } from "../../../src/core/journal/stepContent.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";

describe("§5 text whose end alone marks it as thinking", () => {
  it("is thinking in the message, also after a restart", () => {
    const events: readonly StreamEvent[] = [
      { kind: "text", text: "secret plan\n" },
      { kind: "textWasThinking" },
      { kind: "text", text: "Answer" },
    ];
    const builder = new MessageBuilder();
    for (const row of rowContents(events)) {
      const event = contentEvent(row);
      assert.ok(event);
      builder.add(event, 0);
    }
    assert.deepEqual(builder.message(), {
      role: "assistant",
      parts: [
        { kind: "thinking", text: "secret plan" },
        { kind: "text", text: "Answer" },
      ],
    });
  });
});
