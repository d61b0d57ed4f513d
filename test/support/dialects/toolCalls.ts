/** Two calls in every form in which servers send the pieces of calls. */

import { chatStream, delta, end, rightAnswer, type DialectCase } from "./dialectCase.ts";

/** A call, with its arguments cut into pieces. */
export interface CutCall {
  readonly id: string;
  readonly name: string;
  readonly pieces: readonly string[];
}

/** Lists of pieces of `delta.tool_calls`, one list for each event. */
export type CallDialect = (calls: readonly CutCall[]) => readonly (readonly object[])[];

const each =
  (write: (call: CutCall, number: number) => readonly object[]): CallDialect =>
  (calls) =>
    calls.flatMap((call, number) => write(call, number).map((piece) => [piece]));

const joined = ({ pieces }: CutCall): string => pieces.join("");

/** The whole so far, in each piece. */
const growing = ({ pieces }: CutCall): readonly string[] => pieces.map((_, last) => pieces.slice(0, last + 1).join(""));

const fn = (name: string | null | undefined, args: unknown): object => ({
  ...(name === undefined ? {} : { name }),
  arguments: args,
});

/** By name: the service, and the reports of the form. */
export const CALL_DIALECTS: Readonly<Record<string, { service: string; source: string; write: CallDialect }>> = {
  "id and name first, then pieces": {
    service: "OpenAI",
    source: "",
    write: each(({ id, name, pieces }, index) => [
      { index, id, type: "function", function: fn(name, "") },
      ...pieces.map((piece) => ({ index, function: fn(undefined, piece) })),
    ]),
  },
  "the first piece with the name": {
    service: "llama.cpp",
    source: "req_llm#801",
    write: each(({ id, name, pieces }, index) =>
      pieces.map((piece, at) =>
        at === 0 ? { index, id, function: fn(name, piece) } : { index, function: fn(undefined, piece) },
      ),
    ),
  },
  "null for what is known": {
    service: "vLLM",
    source: "huggingface.js#1512",
    write: each(({ id, name, pieces }, index) => [
      { index, id, type: "function", function: fn(name, null) },
      ...pieces.map((piece) => ({ index, id: null, type: null, function: fn(null, piece) })),
    ]),
  },
  "empty texts for what is known": {
    service: "GLM",
    source: "",
    write: each(({ id, name, pieces }, index) => [
      { index, id, function: fn(name, "") },
      ...pieces.map((piece) => ({ index, id: "", function: fn("", piece) })),
    ]),
  },
  "id and name in each piece": {
    service: "Qwen",
    source: "",
    write: each(({ id, name, pieces }, index) => pieces.map((piece) => ({ index, id, function: fn(name, piece) }))),
  },
  "id in each piece": {
    service: "SGLang",
    source: "",
    write: each(({ id, name, pieces }, index) => [
      { index, id, function: fn(name, "") },
      ...pieces.map((piece) => ({ index, id, function: fn(undefined, piece) })),
    ]),
  },
  "the whole so far in each piece": {
    service: "LiteLLM",
    source: "hermes-agent#35718",
    write: each((call, index) =>
      growing(call).map((piece) => ({ index, id: call.id, function: fn(call.name, piece) })),
    ),
  },
  "the whole so far, named once, and again at the end": {
    service: "gateway",
    source: "hermes-agent#35718",
    write: each((call, index) => [
      ...growing(call).map((piece, at) => ({
        index,
        ...(at === 0 ? { id: call.id } : {}),
        function: fn(at === 0 ? call.name : undefined, piece),
      })),
      { index, function: fn(undefined, joined(call)) },
    ]),
  },
  "an empty object first": {
    service: "vLLM",
    source: "ogx#5462",
    write: each(({ id, name, pieces }, index) => [
      { index, id, function: fn(name, "{}") },
      ...pieces.map((piece) => ({ index, function: fn(undefined, piece) })),
    ]),
  },
  "an empty object first, and ids in each piece": {
    service: "gateway",
    source: "ogx#5462",
    write: each(({ id, name, pieces }, index) => [
      { index, id, function: fn(name, {}) },
      ...pieces.map((piece) => ({ index, id, function: fn(undefined, piece) })),
    ]),
  },
  "going on under the next index": {
    service: "Nebius",
    source: "dirac#215",
    write: (calls) => {
      let index = 0;
      return calls.flatMap(({ id, name, pieces }) =>
        pieces.map((piece, at) => [
          at === 0 ? { index: index++, id, function: fn(name, piece) } : { index: index++, function: fn(null, piece) },
        ]),
      );
    },
  },
  "no index, with ids, alternating": {
    service: "gateway",
    source: "term-llm#314",
    write: (calls) => [
      ...calls.map(({ id, name }) => [{ id, function: fn(name, "") }]),
      ...alternating(calls).map(({ id, piece }) => [{ id, function: fn(undefined, piece) }]),
    ],
  },
  "all with index 0 and different ids, alternating": {
    service: "gateway",
    source: "maka#1976",
    write: (calls) => [
      ...calls.map(({ id, name }) => [{ index: 0, id, function: fn(name, "") }]),
      ...alternating(calls).map(({ id, piece }) => [{ index: 0, id, function: fn(undefined, piece) }]),
    ],
  },
  "indices, alternating": {
    service: "OpenAI",
    source: "Qwen-Agent#943",
    write: (calls) => [
      calls.map(({ id, name }, index) => ({ index, id, function: fn(name, "") })),
      ...alternating(calls).map(({ number, piece }) => [{ index: number, function: fn(undefined, piece) }]),
    ],
  },
  "no index, ids once": {
    service: "Gemini",
    source: "openai-python#3246",
    write: each(({ id, name, pieces }) => [
      { id, type: "function", function: fn(name, "") },
      ...pieces.map((piece) => ({ function: fn(undefined, piece) })),
    ]),
  },
  "no index, no ids, whole calls": {
    service: "Gemini",
    source: "agentao#117",
    write: each((call) => [{ function: fn(call.name, joined(call)) }]),
  },
  "whole calls in one event": {
    service: "Mistral",
    source: "",
    write: (calls) => [calls.map((call) => ({ id: call.id, function: fn(call.name, joined(call)) }))],
  },
  "whole calls, all with index 0": {
    service: "Ollama",
    source: "smolagents#1958",
    write: each((call) => [{ index: 0, id: call.id, function: fn(call.name, joined(call)) }]),
  },
  "an index that is text": {
    service: "gateway",
    source: "",
    write: each(({ id, name, pieces }, index) => [
      { index: String(index), id, function: fn(name, "") },
      ...pieces.map((piece) => ({ index: String(index), function: fn(undefined, piece) })),
    ]),
  },
  "arguments as an object": {
    service: "Ollama",
    source: "dify-official-plugins#1973",
    write: each((call, index) => [{ index, id: call.id, function: fn(call.name, JSON.parse(joined(call))) }]),
  },
  "another id with each piece": {
    service: "gateway",
    source: "",
    write: each(({ id, name, pieces }, index) => [
      { index, id: `${id}-0`, function: fn(name, "") },
      ...pieces.map((piece, at) => ({ index, id: `${id}-${String(at + 1)}`, function: fn(undefined, piece) })),
    ]),
  },
  "the name in two pieces": {
    service: "Switchyard",
    source: "Switchyard#785",
    write: each(({ id, name, pieces }, index) => [
      { index, id, function: fn(name.slice(0, 3), "") },
      { index, function: fn(name.slice(3), "") },
      ...pieces.map((piece) => ({ index, function: fn(undefined, piece) })),
    ]),
  },
  "the id before the name": {
    service: "DeepSeek",
    source: "",
    write: each(({ id, name, pieces }, index) => [
      { index, id, function: {} },
      { index, function: { name } },
      ...pieces.map((piece) => ({ index, function: fn(undefined, piece) })),
    ]),
  },
  "a piece of nothing under the next index": {
    service: "Kimi",
    source: "",
    write: (calls) => [
      ...each((call, index) => [
        { index, id: `functions.${call.name}:${String(index)}`, function: fn(call.name, "") },
        ...call.pieces.map((piece) => ({ index, function: fn(undefined, piece) })),
      ])(calls),
      [{ index: calls.length, function: fn(undefined, "") }],
    ],
  },
};

/** The pieces of all calls in turn. */
function alternating(calls: readonly CutCall[]): readonly { id: string; number: number; piece: string }[] {
  const most = Math.max(...calls.map(({ pieces }) => pieces.length));
  return Array.from({ length: most }, (_, at) =>
    calls.flatMap(({ id, pieces }, number) => {
      const piece = pieces[at];
      return piece === undefined ? [] : [{ id, number, piece }];
    }),
  ).flat();
}

const READ: CutCall = { id: "call_a", name: "read_file", pieces: ['{"pa', 'th":"a', '.ts"}'] };
const LIST: CutCall = { id: "call_b", name: "list_files", pieces: ['{"path":', '"src","deep":true', "}"] };

const CALLS = [
  { name: "read_file", input: { path: "a.ts" } },
  { name: "list_files", input: { path: "src", deep: true } },
];

export function callStream(write: CallDialect, calls: readonly CutCall[], finish = "tool_calls"): string {
  return chatStream(...write(calls).map((pieces) => delta({ tool_calls: pieces })), end(finish));
}

const dialects: readonly DialectCase[] = Object.entries(CALL_DIALECTS).flatMap(([title, { service, source, write }]) =>
  [1, 2].map((count) => ({
    kind: "toolCalls",
    service,
    source,
    title: `${title}, ${String(count)}`,
    protocol: "chat" as const,
    wire: [{ body: callStream(write, [READ, LIST].slice(0, count), count === 1 ? "stop" : "tool_calls") }],
    right: rightAnswer({ toolCalls: CALLS.slice(0, count) }),
  })),
);

const chat = (
  title: string,
  service: string,
  source: string,
  body: string,
  calls = CALLS.slice(0, 1),
): DialectCase => ({
  kind: "toolCalls",
  service,
  source,
  title,
  protocol: "chat",
  wire: [{ body }],
  right: rightAnswer({ toolCalls: calls }),
});

const called = { name: "read_file", arguments: '{"path":"a.ts"}' };

export const toolCalls: readonly DialectCase[] = [
  ...dialects,
  chat(
    "function_call of the time before lists",
    "OneAPI",
    "open-interpreter#315",
    chatStream(
      delta({ function_call: { name: "read_file", arguments: "" } }),
      delta({ function_call: { arguments: '{"path":' } }),
      delta({ function_call: { arguments: '"a.ts"}' } }),
      end("function_call"),
    ),
  ),
  chat(
    "a whole call with the finish reason",
    "Gemini",
    "",
    chatStream(delta({ role: "assistant", tool_calls: [{ index: 0, id: "a", function: called }] }, "stop")),
  ),
  chat(
    "without a finish reason, with the end marker",
    "gateway",
    "",
    chatStream(delta({ tool_calls: [{ index: 0, id: "a", function: called }] })),
  ),
  chat(
    "in a message instead of a delta",
    "gateway",
    "",
    chatStream({
      choices: [{ message: { tool_calls: [{ id: "a", function: called }] }, finish_reason: "tool_calls" }],
    }),
  ),
  chat(
    "arguments that nest what they began with",
    "OpenAI",
    "",
    chatStream(
      delta({ tool_calls: [{ index: 0, id: "a", function: { name: "read_file", arguments: '{"a":' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: "}" } }] }),
      end("tool_calls"),
    ),
    [{ name: "read_file", input: { a: { a: 1 } } as never }],
  ),
  chat(
    "arguments as JSON inside of JSON",
    "gateway",
    "",
    chatStream(
      delta({
        tool_calls: [{ index: 0, id: "a", function: { name: "read_file", arguments: '"{\\"path\\":\\"a.ts\\"}"' } }],
      }),
      end("tool_calls"),
    ),
  ),
  {
    kind: "toolCalls",
    service: "Ollama",
    source: "",
    title: "arguments as an object, repeated in the last line",
    protocol: "ollama",
    wire: [
      {
        body: [
          {
            message: {
              content: "",
              tool_calls: [{ id: "x", function: { name: "read_file", arguments: { path: "a.ts" } } }],
            },
          },
          {
            message: {
              content: "",
              tool_calls: [{ id: "x", function: { name: "read_file", arguments: { path: "a.ts" } } }],
            },
            done: true,
            done_reason: "stop",
          },
        ]
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(""),
      },
    ],
    right: rightAnswer({
      toolCalls: CALLS.slice(0, 1),
      usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
    }),
  },
];
