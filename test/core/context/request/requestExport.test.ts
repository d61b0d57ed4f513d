import assert from "node:assert/strict";
import fc from "fast-check";
import { MessagesRequestWriter } from "../../../../src/adapters/anthropic/requestWriter.ts";
import { ChatRequestWriter } from "../../../../src/adapters/openai/chat/requestWriter.ts";
import {
  exportRequest,
  requestOutline,
  type RequestWriter,
} from "../../../../src/core/context/request/requestExport.ts";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import { messageId, toolCallId } from "../../../../src/core/ids.ts";
import { textMessage, type Message, type Part } from "../../../../src/core/message.ts";
import { wellFormed } from "../../../../src/core/wellFormed.ts";
import { refuseMessages } from "../../../servers/anthropicRules.ts";
import { refuseChat } from "../../../servers/openaiRules.ts";
import { list, member, text as textIn } from "../../../servers/wireJson.ts";
import { read } from "../../../support/foreignConversations.ts";
import { outlineOf, requestOf, requestTextOf, type Exported } from "../../../support/models/exportedRequest.ts";
import { counts, TestConversation } from "../../../support/session/conversation.ts";
import { contentsOf } from "../../../support/session/savedConversations.ts";

const WRITERS: readonly (readonly [string, () => RequestWriter])[] = [
  ["Anthropic", () => new MessagesRequestWriter()],
  ["OpenAI", () => new ChatRequestWriter()],
];
const SERVED = { id: "a-model", contextWindow: 1_000_000, maxOutput: 500 };

/** The names of tools are allowed, each called tool is defined, and nothing has half a character. */
function refuseNames(request: unknown, called: readonly unknown[], defined: readonly unknown[]): string | undefined {
  const names = defined.map((tool) => textIn(tool, "name"));
  if (new Set(names).size < names.length) return "tools: Tool names must be unique.";
  const wrong = [...called, ...defined].map((each) => textIn(each, "name")).find((name) => !/^[\w-]{1,64}$/.test(name));
  if (wrong !== undefined) return `name: String should match pattern: ${wrong}`;
  const unknown = called.find((call) => !names.includes(textIn(call, "name")));
  if (unknown !== undefined) return `Tool is not defined: ${textIn(unknown, "name")}`;
  return wellFormed(request) === request ? undefined : "str is not valid UTF-8: surrogates not allowed";
}

const isSupportedImage = (mediaType: string): boolean => /^image\/(?:jpeg|png|gif|webp)$/.test(mediaType);

/** Why the Messages API refuses the request. */
function refuseAnthropic(request: unknown): string | undefined {
  const blocks = list(request, "messages").flatMap((message) => list(message, "content"));
  const ofType = (type: string): readonly unknown[] => blocks.filter((block) => textIn(block, "type") === type);
  const results = ofType("tool_result").map((block) => textIn(block, "tool_use_id"));
  if (new Set(results).size < results.length) return "each tool_use must have a single result";
  if (ofType("thinking").length + ofType("redacted_thinking").length > 0)
    return "Invalid `signature` in `thinking` block";
  const isRefused = (block: unknown): boolean => !isSupportedImage(textIn(member(block, "source"), "media_type"));
  if (ofType("image").some(isRefused)) return "source.media_type: Input should be 'image/jpeg', …";
  return (
    refuseMessages({ ...(request as object), stream: true }, SERVED) ??
    refuseNames(request, ofType("tool_use"), list(request, "tools"))
  );
}

/** Why Chat Completions refuses the request. */
function refuseOpenAi(request: unknown): string | undefined {
  const messages = list(request, "messages");
  const calls = messages.flatMap((message) => list(message, "tool_calls"));
  const ids = calls.map((call) => textIn(call, "id"));
  if (new Set(ids).size < ids.length) return "Duplicate tool call ids";
  if (ids.some((id) => id === "" || id.length > 40)) return "string too long. Expected a string with maximum length 40";
  const parts = messages.flatMap((message) => list(message, "content"));
  const images = parts.filter((part) => textIn(part, "type") === "image_url");
  const isRefused = (part: unknown): boolean =>
    !isSupportedImage(/^data:(.+);base64,/.exec(textIn(member(part, "image_url"), "url"))?.[1] ?? "");
  if (images.some(isRefused)) return "unsupported image";
  if (messages.some((message) => textIn(message, "role") !== "user" && Array.isArray(member(message, "content"))))
    return "Invalid type for content";
  const defined = list(request, "tools").map((tool) => member(tool, "function"));
  const called = calls.map((call) => member(call, "function"));
  return (
    refuseChat({ ...(request as object), stream: true, max_completion_tokens: 1 }, SERVED, false)?.message ??
    refuseNames(request, called, defined)
  );
}

const words = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom("", " ", "\ud800", "\0", "High water?"),
);
const ids = fc.constantFrom("call_0", "functions.read:0", "", `toolu_${"x".repeat(60)}`).map(toolCallId);
const anyPart = fc.oneof<fc.Arbitrary<Part>[]>(
  words.map((text) => ({ kind: "text", text })),
  fc.record({ kind: fc.constant("attachment" as const), label: words, text: words }),
  fc.constantFrom("image/png", "image/tiff").map((mediaType) => ({ kind: "image", mediaType, dataBase64: "AAAA" })),
  fc.record({ kind: fc.constant("thinking" as const), text: words, signature: fc.constantFrom("s", "openai:a b") }),
);
const anyCall = fc.record({
  kind: fc.constant("toolCall" as const),
  callId: ids,
  name: fc.constantFrom("read_file", "web.run", "", "ж".repeat(70)),
  inputJson: fc.constantFrom("", "{", "[1]", '{"a":"\\ud800"}'),
});
const anyResult = fc.record({
  kind: fc.constant("toolResult" as const),
  callId: ids,
  outcome: fc.constantFrom("ok", "error", "interrupted"),
  text: words,
});
const message = fc.oneof<fc.Arbitrary<Message>[]>(
  fc.record({ role: fc.constant("user" as const), parts: fc.array(fc.oneof(anyPart, anyResult), { maxLength: 4 }) }),
  fc.record({ role: fc.constant("system" as const), parts: fc.array(anyPart, { maxLength: 2 }) }),
  fc
    .record({
      said: fc.array(fc.oneof(anyPart, anyResult), { maxLength: 2 }),
      calls: fc.uniqueArray(anyCall, { maxLength: 3, selector: ({ callId }) => callId }),
    })
    .map(({ said, calls }) => ({ role: "assistant", parts: [...said, ...calls] })),
);
/** Messages of any order and kind, on pages of any size; some answers without calls go on in the next message. */
const anyExported: fc.Arbitrary<readonly Exported[]> = fc
  .array(fc.record({ message, tokens: fc.constantFrom(9, 60_000), goesOn: fc.boolean() }), { maxLength: 12 })
  .map((all) =>
    all.map(({ message, tokens, goesOn }, index) => {
      const before = all[index - 1]?.message;
      const isOpen = before?.role === "assistant" && before.parts.every(({ kind }) => kind !== "toolCall");
      const isRest = goesOn && isOpen && message.role === "assistant";
      const continues = isRest ? { continues: messageId(index - 1) } : {};
      return { message, entry: { tokens: counts(tokens), ...continues } };
    }),
  );

describe("a conversation as a request", () => {
  for (const [name, writer] of WRITERS) {
    it(`is one that ${name}'s API takes, and has all that was said`, async () => {
      const tools = [{ name: "read_file", description: "Reads.", inputSchemaJson: "{}" }];
      await fc.assert(
        fc.asyncProperty(anyExported, async (messages) => {
          const request = await requestOf(messages, writer(), { tools });
          assert.equal((name === "OpenAI" ? refuseOpenAi : refuseAnthropic)(request), undefined);
          const whole = stringsIn(request).join("\n");
          for (const text of messages.flatMap((each) => each.message.parts.flatMap(saidIn)))
            assert.ok(whole.includes(text), `${JSON.stringify(text)} is in the request`);
          const pictures = messages.flatMap((each) => (each.message.role === "user" ? each.message.parts : []));
          assert.equal(
            whole.split("AAAA").length - 1,
            pictures.filter((part) => part.kind === "image" && part.mediaType === "image/png").length,
          );
        }),
        { numRuns: 400, seed: 34 },
      );
    });

    it(`in ${name}'s form has the visible messages in the original, and their summaries nowhere`, async () => {
      const conversation = new TestConversation().play("6*90/90 S0-7:60 hide8-9");
      const pieces: string[] = [];
      const outline = runSync(requestOutline(conversation.manager));
      const done = await exportRequest(outline, writer(), contentsOf(conversation), (piece) =>
        Promise.resolve(void pieces.push(piece)),
      );
      assert.deepEqual(done, { ok: true, value: undefined });
      const request: unknown = JSON.parse(pieces.join(""));
      const said = list(request, "messages").flatMap((each) => {
        const content = member(each, "content");
        return typeof content === "string" ? content : list(each, "content").map((block) => textIn(block, "text"));
      });
      const { history } = conversation.manager;
      const visible = history.entries.filter((entry) => history.isVisible(entry));
      assert.deepEqual(
        said.filter((text) => !text.startsWith("[The conversation ends here.")),
        visible.map(({ id }) =>
          conversation
            .message(id)
            .parts.map((part) => ("text" in part ? part.text : ""))
            .join(""),
        ),
      );
      assert.deepEqual([member(request, "model"), visible.length < history.length], ["small", true]);
    });

    it(`in ${name}'s form is read and written page by page, up to the first page that cannot be read`, async () => {
      const messages = Array.from({ length: 1_000 }, (_, at): Exported => ({
        message: textMessage(at % 2 === 0 ? "user" : "assistant", "word ".repeat(20)),
      }));
      const outline = outlineOf(messages);
      const error = { code: "STORAGE_FAILED", reason: "ioError", detail: "gone" } as const;
      const [asked, lengths]: [number[], number[]] = [[], []];
      const done = await exportRequest(
        outline,
        writer(),
        (page) => {
          asked.push(page.length);
          if (asked.length === 4) return Promise.resolve({ ok: false, error });
          return Promise.resolve({ ok: true, value: page.flatMap((id) => messages[id]?.message ?? []) });
        },
        (piece) => Promise.resolve(void lengths.push(piece.length)),
      );
      assert.deepEqual([done, asked, lengths.length], [{ ok: false, error }, [200, 200, 200, 200], 4]);
      assert.ok(Math.max(...lengths) < 200 * 200);
    });
  }

  it("is without what the user took out of requests", async () => {
    const parts: readonly Part[] = [
      { kind: "text", text: "Look." },
      { kind: "attachment", label: "a.ts", text: "secret" },
    ];
    const given: readonly Exported[] = [{ message: { role: "user", parts }, entry: { leftOut: [1] } }];
    const placeholder = '[The user has taken the attachment "a.ts" out of the conversation.]';
    assert.deepEqual(stringsIn(await requestOf(given, new ChatRequestWriter())).slice(-4), [
      "text",
      "Look.",
      "text",
      placeholder,
    ]);
  });

  it("names a model by its file, not by the path", () => {
    const conversation = new TestConversation({ model: "/home/ann/models/Smol.Q4_1.gguf" });
    assert.equal(runSync(requestOutline(conversation.manager)).head.model, "Smol Q4_1");
  });
});

describe("a conversation that was exported as a request", () => {
  const call = (id: string, inputJson: string): Part => ({
    kind: "toolCall",
    callId: toolCallId(id),
    name: "read_file",
    inputJson,
  });
  const result = (id: string, text: string): Part => ({
    kind: "toolResult",
    callId: toolCallId(id),
    outcome: "ok",
    text,
  });
  const messages: readonly Message[] = [
    {
      role: "user",
      parts: [
        { kind: "text", text: "What is in these?" },
        { kind: "attachment", label: 'src/"a".ts', text: "const a = 1;\n</attachment>" },
        { kind: "image", mediaType: "image/png", dataBase64: "iVBORw0KGgo=" },
      ],
    },
    { role: "assistant", parts: [{ kind: "text", text: "I look." }, call("c1", '{"path":"a.ts"}'), call("c2", "{}")] },
    { role: "user", parts: [result("c1", "const a = 1;"), result("c2", "")] },
    textMessage("assistant", "A constant."),
    textMessage("user", "And?"),
    textMessage("assistant", "No more."),
  ];
  for (const [name, writer] of WRITERS) {
    it(`in ${name}'s form is the same when it is imported`, async () => {
      const text = await requestTextOf(
        messages.map((message) => ({ message })),
        writer(),
        { systemPrompt: "Be brief." },
      );
      assert.deepEqual(read(text).short, [
        ["user 0", "attachment system: Be brief."],
        ["user 1", "text What is in these?", 'attachment src/"a".ts: const a = 1;\n</attachment>', "image image/png"],
        ["assistant 1 batch 2", "text I look.", 'call c1 read_file {"path":"a.ts"}', "call c2 read_file {}"],
        ["user 1 batch 2", "result c1 ok const a = 1;", "result c2 ok "],
        ["assistant 1", "text A constant."],
        ["user 5", "text And?"],
        ["assistant 5", "text No more."],
      ]);
    });
  }
});

/** Text that the chat shows of a part, but for white space, thinking and what has a form of its own. */
function saidIn(part: Part): readonly string[] {
  if (part.kind !== "text" && part.kind !== "toolResult") return [];
  const text = wellFormed(part.text);
  return text.trim() === "" ? [] : [text];
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
