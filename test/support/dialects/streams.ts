/** Right answers under a wrong flag, or in a stream that is odd. */

import { chatStream, delta, end, rightAnswer, type DialectCase, type Protocol } from "./dialectCase.ts";
import { textStream } from "./thoughts.ts";

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

/** A Messages stream with thinking whose signature comes in `signatures`. */
function messagesStream(signatures: readonly string[]): string {
  return [
    event("message_start", { message: { id: "m", usage: { input_tokens: 7, output_tokens: 1 } } }),
    event("content_block_start", { index: 0, content_block: { type: "thinking", thinking: "", signature: "" } }),
    event("content_block_delta", { index: 0, delta: { type: "thinking_delta", thinking: "Hm." } }),
    ...signatures.map((signature) =>
      event("content_block_delta", { index: 0, delta: { type: "signature_delta", signature } }),
    ),
    event("content_block_stop", { index: 0 }),
    event("content_block_start", { index: 1, content_block: { type: "text", text: "" } }),
    event("content_block_delta", { index: 1, delta: { type: "text_delta", text: "Ye" } }),
    event("content_block_delta", { index: 1, delta: { type: "text_delta", text: "s. 😀" } }),
    event("content_block_stop", { index: 1 }),
    event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } }),
    event("message_stop", {}),
  ].join("");
}

const message = { type: "message", id: "i", content: [{ type: "output_text", text: "Yes. 😀" }] };
const RESPONSES = [
  event("response.output_item.added", { output_index: 0, item: { type: "message", id: "i", content: [] } }),
  event("response.output_text.delta", { output_index: 0, item_id: "i", delta: "Yes." }),
  event("response.output_text.delta", { output_index: 0, item_id: "i", delta: " 😀" }),
  event("response.output_item.done", { output_index: 0, item: message }),
  event("response.completed", {
    response: { status: "completed", output: [message], usage: { input_tokens: 7, output_tokens: 5 } },
  }),
].join("");

const STREAMS: Readonly<Record<Protocol, string>> = {
  chat: chatStream(delta({ content: "Yes." }), delta({ content: " 😀" }), end("stop")),
  ollama: textStream("ollama", ["Yes.", " 😀"]),
  messages: messagesStream(["sig"]),
  responses: RESPONSES,
};

const ZERO = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
const SOME = { ...ZERO, inputTokens: 7, outputTokens: 5 };

const RIGHT = {
  chat: rightAnswer({ text: "Yes. 😀" }),
  ollama: rightAnswer({ text: "Yes. 😀", usage: ZERO }),
  messages: rightAnswer({ text: "Yes. 😀", thinking: "Hm.", signatures: ["sig"], usage: SOME }),
  responses: rightAnswer({ text: "Yes. 😀", usage: SOME }),
} as const;

const PROTOCOLS = ["chat", "ollama", "messages", "responses"] as const;
const TYPES = ["application/json", "application/json; charset=utf-8", "text/plain", "text/html", ""];

const labelled: readonly DialectCase[] = PROTOCOLS.flatMap((protocol) =>
  TYPES.map((type) => ({
    kind: "streams",
    service: "gateway",
    source: "sub2api#2826",
    title: `${protocol} under ${type === "" ? "no content type" : type}`,
    protocol,
    wire: [{ headers: type === "" ? {} : { "content-type": type }, body: STREAMS[protocol] }],
    right: RIGHT[protocol],
  })),
);

const odd: readonly DialectCase[] = (["chat", "messages", "responses"] as const).flatMap((protocol) =>
  Object.entries({
    "line ends of Windows": STREAMS[protocol].replaceAll("\n", "\r\n"),
    "signs of life first, under the wrong type": `: ping\n\n: ping\n\n${STREAMS[protocol]}`,
    "a blank before": `\n\n${STREAMS[protocol]}`,
  }).map(([title, body]) => ({
    kind: "streams",
    service: "gateway",
    source: "openclaw#97454",
    title: `${protocol}: ${title}`,
    protocol,
    wire: [{ headers: { "content-type": "application/json" }, body }],
    right: RIGHT[protocol],
  })),
);

export const streams: readonly DialectCase[] = [
  ...labelled,
  ...odd,
  ...[
    ["s", "ig"],
    ["s", "sig"],
    ["sig", "sig"],
    ["", "sig"],
  ].map((signatures) => ({
    kind: "streams",
    service: "Anthropic",
    source: "pydantic-ai#7777",
    title: `a signature as ${JSON.stringify(signatures)}`,
    protocol: "messages" as const,
    wire: [{ body: messagesStream(signatures) }],
    right: RIGHT.messages,
  })),
  {
    kind: "streams",
    service: "DeepSeek",
    source: "",
    title: "only thinking",
    protocol: "chat",
    wire: [{ body: chatStream(delta({ reasoning_content: "Hm." }), end("stop")) }],
    right: rightAnswer({ thinking: "Hm." }),
  },
];
