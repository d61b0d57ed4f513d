/** Answers and framings that every provider must read alike. */

import type { Answer, Framing } from "../servers/script.ts";

const WEATHER = { id: "call_weather_1", name: "get_weather", inputJson: '{"city":"Zürich 🌦️","days":[1,2,3]}' };

/** Whole answers, by what they are about. */
export const WHOLE_ANSWERS = {
  "plain text": { text: "A clamp keeps a value between two others." },
  "text of many scripts": { text: "naïve – 日本語テスト – مرحبا – 👩‍👩‍👧‍👦 – ‮bidi‬ – e\u0301 – \u2028 end", chunkChars: 1 },
  "text that looks like the wire": {
    text: 'data: [DONE]\n\nevent: message_stop\r\ndata: {"type":"error"}\n\n: ping\n',
  },
  "a long answer": { text: "All work and no play makes Jack a dull boy.\n".repeat(200), chunkChars: 97 },
  "thinking before text": { thinking: "The user wants a clamp. Let me see …", text: "Use Math.min." },
  "one tool call": { toolCalls: [WEATHER] },
  "text and two tool calls": {
    text: "I will look both up.",
    toolCalls: [WEATHER, { id: "call_weather_2", name: "get_weather", inputJson: '{"city":"Ōsaka"}' }],
    chunkChars: 3,
  },
  "cut at the limit": { text: "It goes on and", stop: "maxTokens" },
  refused: { text: "I cannot help with that.", stop: "refusal" },
  "cached and reasoned": {
    text: "Seven.",
    usage: { inputTokens: 1_200, outputTokens: 90, cacheReadTokens: 1_000, cacheWriteTokens: 150, reasoningTokens: 70 },
  },
  "everything at once": {
    thinking: "Ich denke, 考える, 🤔 …",
    text: "Übrigens: 答えは **7** です 🎉\n\n```ts\nconst x = 7;\n```\n",
    toolCalls: [WEATHER],
    usage: { inputTokens: 50, outputTokens: 40, cacheReadTokens: 20, cacheWriteTokens: 0, reasoningTokens: 9 },
    chunkChars: 2,
  },
} as const satisfies Record<string, Answer>;

/** Ways for the same bytes of meaning to travel. */
export const FRAMINGS = {
  CRLF: { newline: "\r\n" },
  "comments between events": { comments: true },
  "CRLF, comments, pieces of 5 bytes": { newline: "\r\n", comments: true, pieceBytes: 5 },
  "one byte at a time": { pieceBytes: 1 },
  "pieces of 3 bytes": { pieceBytes: 3 },
  "pieces of 1,000 bytes": { pieceBytes: 1_000 },
  slowly: { delayMs: 4, firstDelayMs: 30 },
  "slowly, with keep-alive signals": { firstDelayMs: 300, keepAliveMs: 50 },
} as const satisfies Record<string, Framing>;
