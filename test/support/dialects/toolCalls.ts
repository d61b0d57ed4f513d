import { chatStream, delta, end, rightAnswer, type DialectCase } from "./dialectCase.ts";

export const toolCalls: readonly DialectCase[] = [
  {
    kind: "toolCalls",
    service: "OpenAI",
    source: "",
    title: "as documented",
    protocol: "chat",
    wire: [{ body: chatStream(delta({ content: "Yes." }), end("stop")) }],
    right: rightAnswer({ text: "Yes." }),
  },
];
