import assert from "node:assert/strict";
import type { SwitchPreview } from "../../../src/core/context/request/switchPreview.ts";
import { modelId } from "../../../src/core/ids.ts";
import { modelNotice, previewText } from "../../../src/host/transcript/modelNotice.ts";
import { TestConversation } from "../../support/session/conversation.ts";
import { runSync } from "../../../src/core/cooperativeTask.ts";

const shrinking = { kind: "shrinking", oldBudget: 129_200, newBudget: 30_000 } as const;
const expanding = { kind: "expanding", oldBudget: 30_000, newBudget: 129_200 } as const;
const figures = { tokensBefore: 61_000, tokensAfter: 24_000, calls: 2 };
const fits = { ...figures, outcome: { kind: "fits", excerpts: 0 } } as const;
const summarized = { ...figures, outcome: { kind: "summarized" } } as const;

describe("previewText", () => {
  const check = (title: string, preview: SwitchPreview, expected: string): void => {
    it(title, () => {
      assert.equal(previewText(preview), expected);
    });
  };
  check(
    "states the token counts and the number of calls",
    { ...summarized, adaptation: { ...shrinking, needsSummarization: true } },
    "Will be summarized: 61k → 24k tokens, about 2 calls",
  );
  check(
    "uses the singular for one call",
    { ...summarized, calls: 1, adaptation: { ...shrinking, needsSummarization: true } },
    "Will be summarized: 61k → 24k tokens, about 1 call",
  );
  check(
    "states that everything fits a smaller window",
    { ...fits, adaptation: { ...shrinking, needsSummarization: false } },
    "Everything fits as it is",
  );
  check(
    "states how many originals return",
    { ...fits, adaptation: { ...expanding, canRestore: 12 } },
    "12 messages return as originals",
  );
  check(
    "promises no more calls than one compaction makes",
    { ...summarized, calls: 13, adaptation: { ...shrinking, needsSummarization: true } },
    "Will be summarized: 61k → 24k tokens, about 10 calls",
  );
  check(
    "uses the singular for one message",
    { ...fits, adaptation: { ...expanding, canRestore: 1 } },
    "1 message returns as the original",
  );
  check(
    "mentions no originals when none return",
    { ...fits, adaptation: { ...expanding, canRestore: 0 } },
    "Everything fits as it is",
  );
  check(
    "states a summary for a larger window that is still too small",
    { ...summarized, adaptation: { ...expanding, canRestore: 0 } },
    "Will be summarized: 61k → 24k tokens, about 2 calls",
  );
  check(
    "states that nothing is summarized automatically",
    {
      ...figures,
      adaptation: { ...shrinking, needsSummarization: true },
      outcome: { kind: "stuck", excessTokens: 31_000 },
    },
    "Does not fit: 31k tokens too many, and nothing is summarized automatically",
  );
  check(
    "states that everything fits when nothing changes",
    { ...fits, adaptation: { kind: "noChange" } },
    "Everything fits as it is",
  );

  it("states that only excerpts of messages larger than the window fit", () => {
    const conversation = new TestConversation({ model: "large" }).play("u5000 a5000");
    const words = previewText(runSync(conversation.manager.previewModelSwitch(modelId("small"))));
    assert.equal(words, "Fits, with excerpts of 2 messages that are too long");
  });

  it("matches the notice after the switch", () => {
    const conversation = new TestConversation({ model: "large" }).play("30*200/200");
    const preview = runSync(conversation.manager.previewModelSwitch(modelId("small")));
    assert.match(previewText(preview), /^Will be summarized: 12k → [\d.]+k tokens, about 1 call$/);
    const record = { kind: "model", provider: "anthropic", model: modelId("small"), atMs: 7 } as const;
    const { text } = modelNotice(record, preview);
    assert.equal(text, `Model: small. ${previewText(preview)}.`);
  });
});
