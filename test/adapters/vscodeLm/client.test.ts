import assert from "node:assert/strict";
import { createEditorProvider } from "../../../src/adapters/vscodeLm/client.ts";
import { toForgeError } from "../../../src/adapters/vscodeLm/errors.ts";
import { modelId } from "../../../src/core/ids.ts";
import { textMessage } from "../../../src/core/message.ts";
import { explain } from "../../../src/host/words/explain.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import { realClock } from "../../support/clocks.ts";
import { fakeEditor, textPart, toolCallPart, type FakeAnswer } from "../../support/editor/fakeEditor.ts";
import { list, text } from "../../servers/wireJson.ts";
import { ask, nameOf, NEVER, prepared, type Received } from "../../support/models/providerRequests.ts";
import { EVERYTHING } from "../../support/models/wireHistories.ts";

const MODEL = modelId("local/small");

describe("VS Code language model provider", () => {
  const answered = (answer: FakeAnswer, model = MODEL): Promise<Received> =>
    ask(guardedProvider(createEditorProvider(fakeEditor(["small", "large"], answer).api), realClock), model);

  async function* good(): AsyncGenerator {
    await Promise.resolve();
    yield textPart("Hello");
    yield { unknown: "kind of part" };
    yield textPart("");
    yield textPart(", you.");
  }

  it("streams text and completes when the stream ends", async () => {
    const { text, end, usage } = await answered(good);
    assert.deepEqual([text, nameOf(end), usage], ["Hello, you.", "endTurn", undefined]);
  });
  it("is labelled with the editor's name in error messages", () => {
    const { label } = createEditorProvider(fakeEditor([], good).api);
    const error = { code: "SERVICE_UNAVAILABLE", provider: "editor", reason: "cutOff", detail: "" } as const;
    assert.equal(
      explain(error, label).text,
      "The connection to Visual Studio Code ended before the answer did. Nothing is lost.",
    );
  });
  it("delivers complete tool calls", async () => {
    const { toolCalls, end } = await answered(async function* () {
      await Promise.resolve();
      yield toolCallPart("c1", "read", { path: "a" });
    });
    assert.deepEqual([toolCalls, nameOf(end)], [[{ id: "c1", name: "read", inputJson: '{"path":"a"}' }], "toolUse"]);
  });
  it("identifies a model by vendor and id", async () => {
    assert.equal(nameOf((await answered(good, modelId("local/gone"))).end), "MODEL_UNKNOWN");
    const listed = await createEditorProvider(fakeEditor(["small"], good).api).listModels(NEVER);
    const limits = { contextWindow: 32_000 + 8_192, maxOutput: 8_192 };
    assert.deepEqual(listed, { ok: true, value: [{ id: MODEL, label: "SMALL (local)", limits }] });
  });
  it("preserves the text of an interrupted answer", async () => {
    const { text, end } = await answered(async function* () {
      yield textPart("Half");
      throw await Promise.resolve(new Error("socket"));
    });
    assert.deepEqual([text, nameOf(end)], ["Half", "serverError"]);
  });
  it("cancels the editor's request immediately", async () => {
    const user = new AbortController();
    let cancelled = false;
    const hanging: FakeAnswer = async function* (token) {
      yield textPart("a");
      await new Promise<void>((resolve) => {
        token.onCancellationRequested(() => {
          cancelled = true;
          resolve();
        });
        setImmediate(() => {
          user.abort();
        });
      });
    };
    const provider = guardedProvider(createEditorProvider(fakeEditor(["small"], hanging).api), realClock);
    const { text, end } = await ask(provider, MODEL, prepared("Hi"), user.signal);
    assert.deepEqual([text, nameOf(end), cancelled], ["a", "CANCELLED", true]);
  });
  it("sends alternating roles, instructions first and a user message last", async () => {
    const editor = fakeEditor(["small"], good);
    await ask(
      guardedProvider(createEditorProvider(editor.api), realClock),
      MODEL,
      prepared(EVERYTHING.messages, "Be brief."),
    );
    const sent = (editor.requests[0]?.messages ?? []).map((message) => [
      text(message, "role"),
      ...list(message, "content").map((part) => (typeof part === "object" ? part?.constructor.name : "")),
    ]);
    assert.deepEqual(sent, [
      ["user", "TextPart", "TextPart", "TextPart", "TextPart", "DataPart"],
      ["assistant", "TextPart", "ToolCallPart", "ToolCallPart"],
      ["user", "ToolResultPart", "ToolResultPart", "TextPart"],
      ["assistant", "TextPart", "TextPart"],
      ["user", "TextPart"],
    ]);
  });
  it("sends no empty message", async () => {
    const editor = fakeEditor(["small"], good);
    const messages = [textMessage("user", "a"), textMessage("assistant", ""), textMessage("user", "b")];
    await ask(guardedProvider(createEditorProvider(editor.api), realClock), MODEL, prepared(messages));
    assert.equal(editor.requests[0]?.messages.length, 1);
  });

  describe("errors", () => {
    const check = (properties: object, expected: string): void => {
      assert.equal(nameOf({ error: toForgeError(Object.assign(new Error("said"), properties), MODEL) }), expected);
    };
    it("are classified by the editor's error codes", () => {
      check({ code: "NoPermissions" }, "CONSENT_NEEDED");
      check({ code: "NotFound" }, "MODEL_UNKNOWN");
      check({ code: "Blocked" }, "RATE_LIMITED");
      check({ name: "Canceled" }, "CANCELLED");
    });
    it("are classified by their message when there is no code", () => {
      check({ message: "Message exceeds token limit." }, "contextOverflow");
      check({ cause: new Error("You have exceeded your premium request quota") }, "RATE_LIMITED");
      check({ message: "Response got filtered" }, "REFUSED");
      check({}, "serverError");
    });
  });
});
