import assert from "node:assert/strict";
import { modelId, messageId } from "../../../src/core/ids.ts";
import type { HistoryEntry } from "../../../src/core/message.ts";
import type { Summary } from "../../../src/core/history/summaries/summary.ts";
import type { Connection } from "../../../src/host/connections/connections.ts";
import { cutBanner } from "../../../src/host/connections/cutBanner.ts";
import { modelNotice } from "../../../src/host/transcript/modelNotice.ts";
import { messageRow } from "../../../src/host/transcript/rows.ts";
import { summaryMeta } from "../../../src/host/transcript/summaryMeta.ts";
import { modelView } from "../../../src/host/view/sessionStatus.ts";
import { explain } from "../../../src/host/words/explain.ts";

const path = modelId("/home/ann/models/Smol.Q4_1.gguf");

describe("a model that its server names by a path", () => {
  const row = (model: string) => {
    const entry = {
      id: messageId(1),
      role: "assistant",
      state: "complete",
      createdAtMs: 0,
      tokens: { o200k: 7 },
      model,
    };
    const options = { sent: "original" as const, nowMs: 0, pinned: false, branch: null };
    const message = { role: "assistant", parts: [{ kind: "text", text: "Yes." }] } as const;
    const { meta, modelPath } = messageRow(entry as unknown as HistoryEntry, message, options);
    return { meta, modelPath };
  };
  const connected = (model: string) =>
    modelView({ isLanguageModel: true, model, provider: { label: "tides" } } as unknown as Connection);

  it("L6 is named by its file under an answer and at the composer; the path is in the tooltip", () => {
    assert.deepEqual(
      [row(path), row("gpt-6-luna")],
      [
        { meta: "Smol Q4_1 · 7 tokens", modelPath: path },
        { meta: "gpt-6-luna · 7 tokens", modelPath: undefined },
      ],
    );
    assert.deepEqual(
      [connected(path), connected("gpt-6-luna")],
      [
        { label: "Smol Q4_1", providerLabel: "tides", path },
        { label: "gpt-6-luna", providerLabel: "tides" },
      ],
    );
  });

  it("L6 is named by its file in notices, failures and under summaries", () => {
    const summary = { id: 0, generatedBy: path, createdAtMs: 0 } as unknown as Summary;
    const texts = [
      modelNotice({ kind: "model", provider: "openaiCompatible", model: path, atMs: 0 }).text,
      explain({ code: "MODEL_UNKNOWN", provider: "openaiCompatible", model: path }, "tides").text,
      ...(["window", "prompt"] as const).map(
        (of) => cutBanner({ model: path, of, wantedTokens: 2, givenTokens: 1 }).text,
      ),
      summaryMeta(summary, []),
    ];
    assert.deepEqual(
      texts.map((text) => [text.includes("Smol Q4_1"), text.includes("/home")]),
      texts.map(() => [true, false]),
    );
  });
});
