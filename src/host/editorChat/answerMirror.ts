/**
 * Mirrors one turn of Forge's chat into the editor's. It consumes the messages to the page, so here, too, nothing is
 * shown before it is on disk.
 */

import type * as vscode from "vscode";
import type { ToolCallCard } from "../../protocol/toolCallView.ts";
import type { MessageRow, Row, ToViewBody } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";

/** The part of `vscode.ChatResponseStream` that is used. */
export type EditorChatStream = Pick<vscode.ChatResponseStream, "markdown" | "progress" | "button">;

export const OPEN_FORGE: vscode.Command = { command: "forge.chat.focus", title: localize("Open in Forge") };

const SHOW_QUESTION: vscode.Command = { command: "forge.showQuestion", title: localize("Show the question") };

export class AnswerMirror {
  readonly #stream: EditorChatStream;
  /** Written characters of each answer's text, by row id. */
  readonly #written = new Map<string, number>();
  #hasText = false;
  #problem: string | undefined;

  constructor(stream: EditorChatStream) {
    this.#stream = stream;
  }

  /** The failure of the turn, as text for the user; `undefined` while there is none. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Consumes a message to the page. */
  consume(body: ToViewBody): void {
    switch (body.kind) {
      case "rowsAdded":
        for (const row of body.rows) this.#added(row);
        return;
      case "delta":
        if (body.part === "text") this.#write(body.rowId, body.text);
        else if (!this.#hasText) this.#stream.progress(localize("Thinking"));
        return;
      case "rowChanged":
        this.#changed(body.rowId, body.row);
        return;
      case "call":
        this.#call(body.call);
        return;
      default:
        return;
    }
  }

  #added(row: Row): void {
    if (row.kind === "notice" && row.actions.some(({ command }) => command === "useSummary")) this.#ask(row.text);
    else if (row.kind === "notice") this.#problem = row.text;
    else if (row.kind === "summary") this.#stream.progress(localize("Earlier messages are summarized"));
    else if (row.kind === "message" && row.role === "assistant") {
      if (this.#hasText) this.#stream.markdown("\n\n");
      this.#written.set(row.rowId, 0);
      this.#writeRest(row.rowId, row);
    }
  }

  #changed(rowId: string, row: Row): void {
    if (row.kind !== "message" || !this.#written.has(rowId)) return;
    this.#writeRest(rowId, row);
    this.#written.set(row.rowId, this.#written.get(rowId) ?? 0);
    if (row.state === "complete") this.#problem = row.stateText === "" ? undefined : row.stateText;
    else if (row.state !== "streaming") this.#problem = row.problem?.text ?? row.stateText;
    else if (row.stateText !== "") this.#stream.progress(row.stateText);
  }

  /** Writes text that was received with the row instead of as deltas. */
  #writeRest(rowId: string, { text }: MessageRow): void {
    const writeRest = text.slice(this.#written.get(rowId) ?? 0);
    if (writeRest !== "") this.#write(rowId, writeRest);
  }

  #write(rowId: string, text: string): void {
    const written = this.#written.get(rowId);
    if (written === undefined) return;
    this.#written.set(rowId, written + text.length);
    this.#hasText = true;
    this.#stream.markdown(text);
  }

  #call({ state, title }: ToolCallCard): void {
    if (state === "running") this.#stream.progress(title);
    else if (state === "asking") this.#ask(title);
  }

  /** It can only be answered in Forge's own chat. */
  #ask(question: string): void {
    this.#stream.progress(localize("Forge asks in its own chat: {0}", question));
    this.#stream.button(SHOW_QUESTION);
  }
}
