/** What the user is told of a switch before it is done. */

import assert from "node:assert/strict";
import type { SwitchPreview } from "../../../src/core/context/request/switchPreview.ts";
import { modelId } from "../../../src/core/ids.ts";
import { modelNotice, previewText } from "../../../src/host/transcript/modelNotice.ts";
import { TestConversation } from "../../support/session/conversation.ts";
import { runSync } from "../../../src/core/cooperativeTask.ts";

const shrinking = { kind: "shrinking", oldBudget: 129_200, newBudget: 30_000 } as const;
const expanding = { kind: "expanding", oldBudget: 30_000, newBudget: 129_200 } as const;
const figures = { tokensBefore: 61_000, tokensAfter: 24_000, calls: 2 };
const fits = { ...figures, outcome: { kind: "fits" } } as const;
const summarized = { ...figures, outcome: { kind: "summarized" } } as const;

describe("previewText", () => {
  const check = (title: string, preview: SwitchPreview, expected: string): void => {
    it(title, () => {
      assert.equal(previewText(preview), expected);
    });
  };
  check(
    "says how much will be left, by how many calls",
    { ...summarized, adaptation: { ...shrinking, needsSummarization: true } },
    "Will be summarized: 61k → 24k tokens, about 2 calls",
  );
  check(
    "counts one call as one",
    { ...summarized, calls: 1, adaptation: { ...shrinking, needsSummarization: true } },
    "Will be summarized: 61k → 24k tokens, about 1 call",
  );
  check(
    "says that everything fits a smaller window",
    { ...fits, adaptation: { ...shrinking, needsSummarization: false } },
    "Everything fits as it is",
  );
  check(
    "says what returns",
    { ...fits, adaptation: { ...expanding, canRestore: 12 } },
    "12 messages return as originals",
  );
  check(
    "counts one message as one",
    { ...fits, adaptation: { ...expanding, canRestore: 1 } },
    "1 message returns as the original",
  );
  check(
    "says nothing of a return of nothing",
    { ...fits, adaptation: { ...expanding, canRestore: 0 } },
    "Everything fits as it is",
  );
  check(
    "says that a larger window, too, may be too small",
    { ...summarized, adaptation: { ...expanding, canRestore: 0 } },
    "Will be summarized: 61k → 24k tokens, about 2 calls",
  );
  check(
    "says that nobody would summarize it",
    {
      ...figures,
      adaptation: { ...shrinking, needsSummarization: true },
      outcome: { kind: "stuck", excessTokens: 31_000 },
    },
    "Does not fit: 31k tokens too many, and nothing is summarized automatically",
  );
  check("says that nothing changes", { ...fits, adaptation: { kind: "noChange" } }, "Everything fits as it is");

  it("says why it cannot be, by the figures of a real conversation", () => {
    const conversation = new TestConversation({ model: "large" }).play("u5000 a5000");
    const words = previewText(runSync(conversation.manager.previewModelSwitch(modelId("small"))));
    assert.equal(words, "Cannot fit: 10k are always sent, 3.9k are possible");
  });

  it("says what comes true", () => {
    const conversation = new TestConversation({ model: "large" }).play("30*200/200");
    const preview = runSync(conversation.manager.previewModelSwitch(modelId("small")));
    assert.match(previewText(preview), /^Will be summarized: 12k → [\d.]+k tokens, about 1 call$/);
    const record = { kind: "model", provider: "anthropic", model: modelId("small"), atMs: 7 } as const;
    const { text } = modelNotice(record, preview);
    assert.equal(text, `Model: small. ${previewText(preview)}.`);
  });
});
