import assert from "node:assert/strict";
import { MessageBuilder } from "../../../src/core/journal/messageBuilder.ts";
import type { ContentEvent } from "../../../src/core/journal/stepContent.ts";

describe("MessageBuilder", () => {
  const cases: Readonly<Record<string, readonly [readonly ContentEvent[], readonly object[]]>> = {
    "joins thinking up to its signature into one part": [
      [
        { kind: "thinking", text: "Let me " },
        { kind: "thinking", text: "see." },
        { kind: "thinkingSignature", signature: "A" },
        { kind: "text", text: "Yes." },
      ],
      [
        { kind: "thinking", text: "Let me see.", signature: "A" },
        { kind: "text", text: "Yes." },
      ],
    ],
    "gives consecutive signatures separate thinking parts without text": [
      [
        { kind: "thinking", text: "Let me see." },
        { kind: "thinkingSignature", signature: "A" },
        { kind: "thinkingSignature", signature: "B" },
        { kind: "thinkingSignature", signature: "C" },
        { kind: "thinking", text: "Hm." },
        { kind: "thinkingSignature", signature: "D" },
      ],
      [
        { kind: "thinking", text: "Let me see.", signature: "A" },
        { kind: "thinking", text: "", signature: "B" },
        { kind: "thinking", text: "", signature: "C" },
        { kind: "thinking", text: "Hm.", signature: "D" },
      ],
    ],
  };
  for (const [name, [events, parts]] of Object.entries(cases)) {
    it(name, () => {
      const builder = new MessageBuilder();
      for (const event of events) builder.add(event, 0);
      assert.deepEqual(builder.message(), { role: "assistant", parts });
    });
  }
});
