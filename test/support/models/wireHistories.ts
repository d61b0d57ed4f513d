/** Conversations for tests of wire encoders. */

import fc from "fast-check";
import { toolCallId } from "../../../src/core/ids.ts";
import { textMessage, type Message, type Part } from "../../../src/core/message.ts";
import { openAiSignature } from "../../../src/adapters/http/signatures.ts";
import type { WireContext } from "../../../src/core/stream/provider.ts";

/** Every kind of message part, including effects of model switches and interruptions. */
export const EVERYTHING: WireContext = {
  systemPrompt: "Be brief.",
  tools: [
    {
      name: "read_file",
      description: "Reads a file.",
      inputSchemaJson: '{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}',
    },
  ],
  messages: [
    textMessage("system", "[Earlier conversation summary]\nThe user prefers tabs."),
    {
      role: "user",
      parts: [
        { kind: "text", text: "What is in this?" },
        { kind: "attachment", label: 'src/"a".ts', uri: "file:///a.ts", text: "const a = 1;" },
        { kind: "image", mediaType: "image/png", dataBase64: "iVBORw0KGgo=" },
      ],
    },
    {
      role: "assistant",
      parts: [
        { kind: "thinking", text: "I should read it.", signature: "sig-1" },
        { kind: "thinking", text: "", signature: "redacted:ENCRYPTED" },
        { kind: "thinking", text: "unsigned" },
        { kind: "text", text: "Let me look." },
        { kind: "toolCall", callId: toolCallId("call:0"), name: "read_file", inputJson: '{"path":"a.ts"}' },
        { kind: "toolCall", callId: toolCallId("call:1"), name: "read_file", inputJson: '{"path":' },
      ],
    },
    {
      role: "user",
      parts: [
        { kind: "toolResult", callId: toolCallId("call:0"), outcome: "ok", text: "const a = 1;" },
        { kind: "toolResult", callId: toolCallId("call:1"), outcome: "interrupted", text: "" },
      ],
    },
    textMessage("user", "And now?"),
    textMessage("assistant", "It holds "),
    {
      role: "assistant",
      parts: [
        { kind: "text", text: "a constant." },
        { kind: "thinking", text: "cut", signature: "sig-2" },
      ],
    },
  ],
};

const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 12 }), fc.constantFrom("", " ", "\n", "</attachment>"));

const callIds = fc.uniqueArray(fc.constantFrom("call_0", "call_1", "functions.f:0", "toolu_1", "ж"), {
  minLength: 1,
  maxLength: 3,
});

const userPart = fc.oneof<fc.Arbitrary<Part>[]>(
  text.map((words) => ({ kind: "text", text: words })),
  fc.record({ kind: fc.constant("attachment" as const), label: text, text }),
  fc.constantFrom("image/png", "image/tiff").map((mediaType) => ({ kind: "image", mediaType, dataBase64: "AAAA" })),
);

const answerPart = fc.oneof<fc.Arbitrary<Part>[]>(
  text.map((words) => ({ kind: "text", text: words })),
  text.map((words) => ({ kind: "thinking", text: words })),
  text.map((words) => ({ kind: "thinking", text: words, signature: "sig" })),
  fc.constant({ kind: "thinking", text: "", signature: "redacted:X" }),
  text.map((words) => ({
    kind: "thinking",
    text: words,
    signature: openAiSignature({ id: "rs_1", encrypted: "sealed-1" }),
  })),
);

const batch = fc
  .record({
    said: fc.array(answerPart, { maxLength: 2 }),
    ids: callIds,
    inputJson: fc.constantFrom("", "{", "{}", "[1]", '{"a":1}'),
    besides: fc.array(userPart, { maxLength: 1 }),
  })
  .map(({ said, ids, inputJson, besides }): readonly Message[] => {
    const calls = ids.map((id): Part => ({ kind: "toolCall", callId: toolCallId(id), name: "f", inputJson }));
    const results = ids.map((id): Part => ({
      kind: "toolResult",
      callId: toolCallId(id),
      outcome: "ok",
      text: "result",
    }));
    return [
      { role: "assistant", parts: [...said, ...calls] },
      { role: "user", parts: [...besides, ...results] },
    ];
  });

const piece = fc.oneof<fc.Arbitrary<readonly Message[]>[]>(
  fc.array(userPart, { maxLength: 3 }).map((parts) => [{ role: "user", parts }]),
  fc.array(answerPart, { maxLength: 3 }).map((parts) => [{ role: "assistant", parts }]),
  text.map((words) => [textMessage("system", `[Earlier conversation summary]\n${words}`)]),
  batch,
);

/** Any conversation with complete tool batches and at least one non-empty message. */
export const anyConversation: fc.Arbitrary<WireContext> = fc
  .record({
    before: fc.array(piece, { maxLength: 6 }),
    after: fc.array(piece, { maxLength: 3 }),
    systemPrompt: fc.constantFrom("", "Be brief."),
  })
  .map(({ before, after, systemPrompt }) => ({
    systemPrompt,
    tools: [],
    messages: [...before.flat(), textMessage("user", "Question?"), ...after.flat()],
  }));
