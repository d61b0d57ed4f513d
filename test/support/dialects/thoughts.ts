/** Thinking in the text, between the tags of each model. */

import { chatStream, delta, end, rightAnswer, type DialectCase, type Protocol } from "./dialectCase.ts";

interface Thought {
  readonly title: string;
  readonly service: string;
  readonly source?: string;
  readonly pieces: readonly string[];
  readonly thinking?: string;
  readonly text?: string;
}

const THOUGHTS: readonly Thought[] = [
  {
    title: "<think>",
    service: "DeepSeek",
    source: "Roo-Code#8989",
    pieces: ["<think>\nsecret plan", "\n</think>\n\nAnswer"],
  },
  { title: "<think> cut in the middle", service: "Qwen", pieces: ["<th", "ink>secret ", "plan</thi", "nk>\nAnswer"] },
  { title: "<think> sign by sign", service: "llama.cpp", pieces: Array.from("<think>secret plan</think>Answer") },
  {
    title: "<thinking>",
    service: "CLIProxyAPI",
    source: "copilot-helper#7",
    pieces: ["<thinking>secret plan</thinking>", "Answer"],
  },
  { title: "<thought>", service: "Gemini", pieces: ["<thought>secret plan</thought>Answer"] },
  { title: "<reasoning>", service: "Nous", pieces: ["<reasoning>\nsecret plan\n</reasoning>\nAnswer"] },
  { title: "<seed:think>", service: "Seed", pieces: ["<seed:think>secret ", "plan</seed:think>Answer"] },
  {
    title: "<mm:think>",
    service: "MiniMax",
    source: "GoModel#1041",
    pieces: ["<mm:think>secret plan</mm:think>Answer"],
  },
  { title: "◁think▷", service: "Kimi", pieces: ["◁thi", "nk▷secret plan◁/think▷", "Answer"] },
  { title: "[THINK]", service: "Mistral", pieces: ["[THINK]secret plan[/THI", "NK]Answer"] },
  {
    title: "channels",
    service: "gpt-oss",
    pieces: ["<|channel|>analysis<|message|>secret plan", "<|end|><|start|>assistant<|channel|>final<|message|>Answer"],
  },
  {
    title: "channels without an end",
    service: "gpt-oss",
    pieces: ["<|channel|>analysis<|mess", "age|>secret plan<|channel|>final<|mess", "age|>Answer"],
  },
  {
    title: "a channel of the answer alone",
    service: "gpt-oss",
    thinking: "",
    pieces: ["<|channel|>final<|message|>Answer"],
  },
  {
    title: "<|START_THINKING|>",
    service: "Cohere",
    pieces: ["<|START_THINKING|>secret plan<|END_THINKING|><|START_RESPONSE|>Answer"],
  },
  { title: "blank lines first", service: "GLM", pieces: ["\n\n", "<think>secret plan</think>\n\nAnswer"] },
  { title: "capitals", service: "gateway", source: "LibreChat#13405", pieces: ["<Think>secret plan</Think>Answer"] },
  { title: "empty thinking", service: "Qwen", thinking: "", pieces: ["<think>\n\n</think>\n\nAnswer"] },
  {
    title: "two thoughts",
    service: "DeepSeek",
    pieces: ["<think>secret </think><think>", "plan</think>Answer"],
    thinking: "secretplan",
  },
  {
    title: "no closing tag",
    service: "MiniMax",
    source: "deer-flow#3218",
    pieces: ["<think>secret", " plan"],
    text: "",
  },
  {
    title: "no opening tag",
    service: "llama.cpp",
    source: "LifeOS#568",
    pieces: ["secret", " plan</thi", "nk>Answer"],
  },
  {
    title: "no opening tag, on lines of its own",
    service: "vLLM",
    pieces: ["secret plan\n", "</think>\n\n", "Answer"],
  },
  {
    title: "a closing tag alone",
    service: "GLM",
    source: "qwen-code#6033",
    thinking: "",
    pieces: ["</think>\n\n", "Answer"],
  },
  {
    title: "a closing tag spoken of in thinking",
    service: "DeepSeek",
    pieces: ["<think>I end with `</think>` now</think>Answer"],
    thinking: "I end with `</think>` now",
  },
  ...[
    "Use `<think>draft</think>` as the example.",
    "The tag <think> opens, and </think> closes.",
    "```html\n<think>\nx\n</think>\n```",
    "Close it with `</think>`.",
    "Write </think> at the end",
    "<thinker>a</thinker>",
    "[THINKING about it]",
    "a < b, <th> and <",
    "  indented",
  ].map((text) => ({
    title: `text: ${text}`,
    service: "all",
    source: "LifeOS#568",
    pieces: [text],
    thinking: "",
    text,
  })),
];

const NO_USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

/** Pieces of text as a stream of the protocol. */
export function textStream(protocol: Protocol, pieces: readonly string[]): string {
  if (protocol === "chat") return chatStream(...pieces.map((content) => delta({ content })), end("stop"));
  const lines = [...pieces.map((content) => ({ message: { content } })), { message: { content: "" }, done: true }];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

export const thoughts: readonly DialectCase[] = [
  ...THOUGHTS.flatMap(({ title, service, source = "", pieces, thinking = "secret plan", text = "Answer" }) =>
    (["chat", "ollama"] as const).map((protocol) => ({
      kind: "thoughts",
      service,
      source,
      title,
      protocol,
      wire: [{ body: textStream(protocol, pieces) }],
      right: rightAnswer({ text, thinking, usage: protocol === "chat" ? undefined : NO_USAGE }),
    })),
  ),
  {
    kind: "thoughts",
    service: "GLM",
    source: "qwen-code#6033",
    title: "a field for thinking, and a closing tag left in the text",
    protocol: "chat",
    wire: [
      {
        body: chatStream(
          delta({ reasoning_content: "secret plan" }),
          delta({ content: "</think>\n" }),
          delta({ content: "\nAnswer" }),
          end("stop"),
        ),
      },
    ],
    right: rightAnswer({ thinking: "secret plan", text: "Answer" }),
  },
  {
    kind: "thoughts",
    service: "Kimi",
    source: "",
    title: "before a call, without a closing tag",
    protocol: "chat",
    wire: [
      {
        body: chatStream(
          delta({ content: "<think>secret plan" }),
          delta({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: '{"a":1}' } }] }),
          end("tool_calls"),
        ),
      },
    ],
    right: rightAnswer({ thinking: "secret plan", toolCalls: [{ name: "f", input: { a: 1 } }] }),
  },
  {
    kind: "thoughts",
    service: "vLLM",
    source: "",
    title: "in an answer that is not streamed",
    protocol: "chat",
    wire: [
      {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          choices: [{ message: { content: "<think>secret plan</think>Answer" }, finish_reason: "stop" }],
        }),
      },
    ],
    right: rightAnswer({ thinking: "secret plan", text: "Answer" }),
  },
];
