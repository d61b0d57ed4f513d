import { stripVTControlCharacters } from "node:util";

const LONGEST = 300;

/** One line for whoever has no more of a run: the error's first one, what was waited for, and the line of the test. */
export function failureLine(error: unknown): string {
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  const [first = "", ...others] = text.split("\n");
  const awaited = others.find((line) => /^\s*- waiting for /.test(line))?.replace(/^\s*- /, "") ?? "";
  const place = /\b(test\/\S+?\.ts:\d+)/.exec(error instanceof Error ? frameOf(error) : "")?.[1] ?? "";
  return [first, awaited, place]
    .map((part) => part.trim().slice(0, LONGEST))
    .filter((part) => part !== "")
    .join(" | ");
}

/** Frame of the test itself, else of its helpers. Lines of the message, which may name files, are none. */
function frameOf({ message, stack = "" }: Error): string {
  const frames = stack.split("\n").slice(message.split("\n").length);
  const own = frames.find((frame) => /\.(test|ui|browser)\.ts:\d/.test(frame));
  return own ?? frames.find((frame) => frame.includes("test/")) ?? "";
}
