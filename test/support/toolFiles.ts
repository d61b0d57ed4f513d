/** Files as other tools write them, made up: a question and an answer after the other. */

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const START_MS = Date.parse("2026-03-02T10:00:00Z");

function timeOf(index: number): string {
  return new Date(START_MS + index * 60_000).toISOString();
}

const isQuestion = (index: number): boolean => index % 2 === 0;

function claudeCode(id: string, texts: readonly string[]): string {
  const lines = texts.map((content, index) => {
    const role = isQuestion(index) ? "user" : "assistant";
    const said = isQuestion(index) ? content : [{ type: "text", text: content }];
    return JSON.stringify({
      ...{ type: role, uuid: `${id}-${index}`, parentUuid: index === 0 ? null : `${id}-${index - 1}` },
      ...{ sessionId: id, cwd: "/home/somebody/tides", timestamp: timeOf(index) },
      message: { role, content: said, ...(isQuestion(index) ? {} : { id: `m${index}`, model: "a-model" }) },
    });
  });
  return `${lines.join("\n")}\n`;
}

function codex(id: string, texts: readonly string[]): string {
  const records = texts.map((text, index) => ({
    ...{ timestamp: timeOf(index), type: "response_item" },
    payload: {
      ...{ type: "message", role: isQuestion(index) ? "user" : "assistant" },
      content: [{ type: isQuestion(index) ? "input_text" : "output_text", text }],
    },
  }));
  const meta = { timestamp: timeOf(0), type: "session_meta", payload: { id, cwd: "/home/somebody/harbour" } };
  return [meta, ...records].map((record) => `${JSON.stringify(record)}\n`).join("");
}

function geminiCli(id: string, texts: readonly string[]): string {
  const messages = texts.map((content, index) => ({
    ...{ id: `${id}-${index}`, timestamp: timeOf(index), type: isQuestion(index) ? "user" : "gemini", content },
  }));
  return JSON.stringify({ sessionId: id, projectHash: "abc", startTime: timeOf(0), messages }, null, 2);
}

function cline(_id: string, texts: readonly string[]): string {
  const messages = texts.map((text, index) => ({
    ...{ role: isQuestion(index) ? "user" : "assistant", content: [{ type: "text", text }] },
    ts: START_MS + index * 60_000,
  }));
  return JSON.stringify(messages);
}

const WRITERS = { claudeCode, codex, geminiCli, cline } as const;

/** Writes a conversation, with the folders of `file`. */
export function writeToolFile(file: string, tool: keyof typeof WRITERS, id: string, ...texts: readonly string[]): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, WRITERS[tool](id, texts));
}
