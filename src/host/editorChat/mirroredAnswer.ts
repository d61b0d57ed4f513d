/**
 * One turn of Forge's chat, written into the editor's own as it happens. It hears what the view is told, so what it shows
 * is on disk before it is shown, too.
 */

import type { ToolCallCard } from "../../protocol/toolCallView.ts";
import type { MessageRow, Row, ToViewBody } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";

/** Where the answer is written. */
export interface AnswerPage {
  /** Markdown, to be put behind what is there. */
  readonly write: (markdown: string) => void;
  /** A line that says what goes on; the next one takes its place. */
  readonly progress: (line: string) => void;
  /** A call waits for the user's word, which can be given in Forge's chat only. */
  readonly asks: (title: string) => void;
}

/** The listener of one turn. */
export class MirroredAnswer {
  readonly #page: AnswerPage;
  /** How much of the text of each answer is written, by row. */
  readonly #written = new Map<string, number>();
  #hasText = false;
  #problem: string | undefined;

  constructor(page: AnswerPage) {
    this.#page = page;
  }

  /** What went wrong, in words for the user; `undefined` while nothing did. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Takes what the view is told. */
  take(body: ToViewBody): void {
    switch (body.kind) {
      case "rowsAdded":
        for (const row of body.rows) this.#added(row);
        return;
      case "delta":
        if (body.part === "text") this.#write(body.rowId, body.text);
        else if (!this.#hasText) this.#page.progress(localize("Thinking"));
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
    if (row.kind === "notice") this.#problem = row.text;
    else if (row.kind === "summary") this.#page.progress(localize("Earlier messages are summarized"));
    else if (row.kind === "message" && row.role === "assistant") {
      if (this.#hasText) this.#page.write("\n\n");
      this.#written.set(row.rowId, 0);
      this.#rest(row.rowId, row);
    }
  }

  #changed(rowId: string, row: Row): void {
    if (row.kind !== "message" || !this.#written.has(rowId)) return;
    this.#rest(rowId, row);
    this.#written.set(row.rowId, this.#written.get(rowId) ?? 0);
    if (row.state === "complete") this.#problem = undefined;
    else if (row.state !== "streaming") this.#problem = row.problem?.text ?? row.stateText;
    else if (row.stateText !== "") this.#page.progress(row.stateText);
  }

  /** What came with the row, and not piece by piece. */
  #rest(rowId: string, { text }: MessageRow): void {
    const rest = text.slice(this.#written.get(rowId) ?? 0);
    if (rest !== "") this.#write(rowId, rest);
  }

  #write(rowId: string, text: string): void {
    const written = this.#written.get(rowId);
    if (written === undefined) return;
    this.#written.set(rowId, written + text.length);
    this.#hasText = true;
    this.#page.write(text);
  }

  #call({ state, title }: ToolCallCard): void {
    if (state === "running") this.#page.progress(title);
    else if (state === "asking") this.#page.asks(title);
  }
}
