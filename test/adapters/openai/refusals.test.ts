import assert from "node:assert/strict";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import { textMessage, type Message } from "../../../src/core/message.ts";
import type { Provider, StreamOptions } from "../../../src/core/stream/provider.ts";
import { imageText } from "../../../src/adapters/http/pictures.ts";
import { startOpenAiServer } from "../../servers/openaiServer.ts";
import { list, member } from "../../servers/wireJson.ts";
import { ask, nameOf, prepared } from "../../support/models/providerRequests.ts";

const MODEL = { id: "hosted", contextWindow: 8_192, maxOutput: 2_048 };
const PICTURE: Message = {
  role: "user",
  parts: [
    { kind: "text", text: "What is it?" },
    { kind: "image", mediaType: "image/png", dataBase64: "iVBORw0KGgo=" },
  ],
};

/** Asks twice, the first request being refused with `refusal`. Returns the bodies of the three requests. */
async function refused(
  refusal: { readonly status: number; readonly message: string },
  messages: readonly Message[],
  wishes: Pick<StreamOptions, "reasoningEffort"> = {},
): Promise<readonly unknown[]> {
  const server = await startOpenAiServer({ dialect: "vllm", models: [MODEL] });
  server.script({ times: 1, fault: { kind: "status", ...refusal } });
  const hosted = createOpenAiProvider({ name: "openaiCompatible", label: "Hosted", baseUrl: server.url });
  const provider: Provider = {
    ...hosted,
    stream: (question, options, cancel) => hosted.stream(question, { ...options, ...wishes }, cancel),
  };
  const question = prepared(messages, "Be brief.");
  const first = await ask(provider, modelId(MODEL.id), question);
  const second = await ask(provider, modelId(MODEL.id), question);
  const bodies = server.requests.map(({ body }) => body);
  await server.close();
  assert.deepEqual([nameOf(first.end), nameOf(second.end), bodies.length], ["endTurn", "endTurn", 3], refusal.message);
  return bodies;
}

describe("a model with limited abilities", () => {
  it("is asked again without images that it does not accept", async () => {
    const inWords = `What is it?\n\n${imageText("image/png")}`;
    for (const [status, message] of [
      [500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"],
      [500, 'Failed to parse messages: Unsupported content part type: "image_url"; messages = ...'],
      [400, "hosted is not a multimodal model"],
      [400, "At most 0 image(s) may be provided in one request."],
      [400, "Failed to deserialize the JSON body: messages[1]: unknown variant `image_url`, expected `text`"],
      [400, "Invalid content type. image_url is only supported by certain models."],
      [400, "messages[1].content must be a string"],
      [400, "This model does not support images."],
      [404, "No endpoints found that support image input"],
    ] as const) {
      const bodies = await refused({ status, message }, [PICTURE]);
      const said = bodies.map((body) => member(list(body, "messages")[1], "content"));
      assert.deepEqual([Array.isArray(said[0]), ...said.slice(1)], [true, inWords, inWords]);
    }
  });

  it("is sent system text as a user message if it accepts no system role", async () => {
    for (const message of ["System role not supported", "Developer instruction is not enabled for models/hosted"]) {
      const bodies = await refused({ status: 400, message }, [textMessage("user", "Hello")]);
      const inWords = [{ role: "user", content: "Be brief.\n\nHello" }];
      assert.deepEqual(
        bodies.slice(1).map((body) => list(body, "messages")),
        [inWords, inWords],
      );
    }
  });

  it("is asked for no longer an answer than it can write", async () => {
    for (const message of [
      "Invalid max_tokens value, the valid range of max_tokens is [1, 300]",
      "max_tokens is too large: 500. This model supports at most 300 completion tokens, whereas you provided 500.",
      "`max_tokens` must be less than or equal to `300`, the maximum value for `max_tokens` is less than the `context_window`",
    ]) {
      const bodies = await refused({ status: 400, message }, [textMessage("user", "Hello")]);
      assert.deepEqual(
        bodies.map((body) => member(body, "max_tokens")),
        [500, 300, 300],
      );
    }
  });

  it("is asked with thinking when it requires it", async () => {
    for (const message of [
      "Budget 0 is invalid. This model only works in thinking mode.",
      "Reasoning is mandatory for this endpoint and cannot be disabled.",
    ]) {
      const bodies = await refused({ status: 400, message }, [textMessage("user", "Hello")], {
        reasoningEffort: "none",
      });
      assert.deepEqual(
        bodies.map((body) => member(body, "reasoning_effort")),
        ["none", undefined, undefined],
      );
    }
  });
});
