/** Reads out the conversation, for screen readers, in order. Words come before the question about them. */
import type { ToolCallCard } from "../../protocol/toolCallView.ts";
import type { MessageRow, Row, ToViewBody } from "../../protocol/toView.ts";
import { type AppState, streamingRow } from "../state/state.ts";
import { textBefore } from "../transcript/joinedRows.ts";
import { words } from "../words/words.ts";
import { AnswerReader } from "./answerReader.ts";
import { LiveQueue, type Timer } from "./liveQueue.ts";

export interface HostChange {
  readonly before: AppState;
  readonly after: AppState;
  readonly message: ToViewBody;
}

const firstWaitMs = 8_000;
const laterWaitMs = 30_000;

export class ReadOut {
  readonly #timer: Timer;
  readonly #queue: LiveQueue;
  /** Reader of the row that is streamed. */
  #reading: { rowId: string; reader: AnswerReader } | null = null;
  /** An answer was begun whose end was not said. */
  #isAnswering = false;
  /** Streamed text that was not read yet. */
  #added = "";
  #cancelWait: (() => void) | null = null;
  #state: AppState | null = null;

  /** `show` gets the text of the live region. */
  constructor(timer: Timer, show: (text: string) => void) {
    this.#timer = timer;
    this.#queue = new LiveQueue(timer, show);
  }

  /** Says what answers an act of the user, at every setting. */
  say(text: string): void {
    this.#queue.add(text);
  }

  hostChanged(change: HostChange): void {
    const { before, after, message } = change;
    this.#state = after;
    if (after.readOut.amount === "off") {
      this.#reading = null;
      this.#isAnswering = false;
      this.#stopWaiting();
      return;
    }
    if (message.kind === "snapshot") this.#afterSnapshot(after);
    else if (message.kind === "rowChanged") this.#afterRowChange(change, message.rowId);
    else for (const text of this.#textsFor(before, after, message)) this.#queue.add(text);
    const isStreaming = after.status.activity === "streaming";
    if (isStreaming && !this.#isAnswering) {
      this.#isAnswering = true;
      this.#waitFrom(firstWaitMs);
    } else if (!isStreaming && before.status.activity === "streaming") this.#complete(after.rows);
  }

  #textsFor(before: AppState, after: AppState, message: ToViewBody): readonly string[] {
    switch (message.kind) {
      case "delta":
        this.#waitFrom(firstWaitMs);
        if (message.part === "text" && after.readOut.amount === "all") this.#readSoon(message.rowId, message.text);
        return [];
      case "composer":
        if (message.sent === undefined || after.readOut.silent.includes("sent")) return [];
        return [message.sent === "queued" ? words.spokenQueued : words.spokenSent];
      case "call":
        this.#waitFrom(firstWaitMs);
        if (message.call.problems !== undefined) return [this.#rest(after.rows), problemWords(message.call)];
        if (message.call.state !== "asking") return [];
        return [this.#rest(after.rows), after.readOut.silent.includes("question") ? "" : questionWords(message.call)];
      case "rowsAdded":
        if (message.rows.some((row) => row.kind === "message" && row.role === "user")) this.#complete(before.rows);
        return message.rows.flatMap((row) => {
          if (row.kind === "notice") return [row.text];
          return row.kind === "summary" ? [words.spokenSummaryAdded(row.messageCount)] : [];
        });
      case "status": {
        const { banner, activity } = after.status;
        const isOther = banner?.text !== before.status.banner?.text;
        const begins = activity === "summarizing" && before.status.activity !== "summarizing";
        return [...(isOther ? [banner?.text ?? ""] : []), ...(begins ? [words.summarizing] : [])];
      }
      default:
        return [];
    }
  }

  /** The streamed row has become a message, or ended otherwise. */
  #afterRowChange({ before, after }: HostChange, rowId: string): void {
    if (rowId !== streamingRow(before.rows)?.rowId) return;
    const grown = streamingRow(after.rows);
    if (grown !== null) {
      if (grown.retryAtMs !== undefined) this.#queue.add(grown.stateText);
      return;
    }
    const row = before.rows.findLast((candidate) => candidate.rowId === rowId);
    const ended = after.rows.findLast((candidate) => candidate.kind === "message");
    const text = ended?.kind === "message" && ended.text !== "" ? ended : row;
    this.#queue.add(text?.kind === "message" ? this.#restOf(rowId, text) : "");
    this.#reading = null;
  }

  /** Text that stood there before is not read out. */
  #afterSnapshot({ rows, status }: AppState): void {
    this.#reading = null;
    this.#isAnswering = status.activity === "streaming";
    this.#stopWaiting();
    const row = streamingRow(rows);
    if (row === null) return;
    const reader = new AnswerReader();
    const text = textBefore(rows, row) + row.text;
    reader.grow(text, text);
    this.#reading = { rowId: row.rowId, reader };
  }

  /** In a task of its own: parsing long text must not add to that of drawing it. */
  #readSoon(rowId: string, added: string): void {
    const isWaiting = this.#added !== "";
    this.#added += added;
    if (isWaiting) return;
    this.#timer.after(0, () => {
      const row = this.#state?.rows.findLast((candidate) => candidate.rowId === rowId);
      const grown = this.#added;
      this.#added = "";
      if (row?.kind !== "message" || row.state !== "streaming") return;
      const before = this.#textBefore(row);
      this.#queue.add(this.#readerOf(rowId, before).grow(before + row.text, grown));
    });
  }

  #rest(rows: readonly Row[]): string {
    const row = streamingRow(rows);
    return row === null ? "" : this.#restOf(row.rowId, row);
  }

  #restOf(rowId: string, row: MessageRow): string {
    if (this.#state?.readOut.amount !== "all") return "";
    const before = this.#textBefore(row);
    return this.#readerOf(rowId, before).finish(before + row.text);
  }

  #textBefore(row: MessageRow): string {
    return textBefore(this.#state?.rows ?? [], row);
  }

  /** The sentence in which `before` was cut is read as a whole, with its end. */
  #readerOf(rowId: string, before: string): AnswerReader {
    if (this.#reading?.rowId !== rowId) {
      this.#reading = { rowId, reader: new AnswerReader() };
      if (before !== "") this.#reading.reader.grow(before, before);
    }
    return this.#reading.reader;
  }

  /** The whole answer has ended, with all its rounds of tools. */
  #complete(rows: readonly Row[]): void {
    this.#stopWaiting();
    if (!this.#isAnswering) return;
    this.#isAnswering = false;
    const row = rows.findLast((candidate) => candidate.kind === "message" && candidate.role === "assistant");
    if (row?.kind !== "message" || (row.state === "complete" && row.stateText === "")) {
      if (this.#state?.readOut.silent.includes("complete") !== true) this.#queue.add(words.spokenComplete);
    } else this.#queue.add(`${row.stateText} ${row.problem?.text ?? ""}`.trim());
  }

  /** Says that nothing has come for a while, and again while it lasts. */
  #waitFrom(delayMs: number): void {
    this.#stopWaiting();
    if (!this.#isAnswering) return;
    this.#cancelWait = this.#timer.after(delayMs, () => {
      const state = this.#state;
      if (state !== null && !state.readOut.silent.includes("waiting")) this.#queue.add(waitWords(state.rows));
      this.#waitFrom(laterWaitMs);
    });
  }

  #stopWaiting(): void {
    this.#cancelWait?.();
    this.#cancelWait = null;
  }
}

/** The question, with its folder and the command itself, where the title is only its beginning. */
function questionWords({ title, question }: ToolCallCard): string {
  const asked = words.spokenQuestion(title, question?.folder ?? "");
  if (question?.look !== "code" || question.detail === "" || title.includes(question.detail)) return asked;
  return `${asked} ${question.detail}`;
}

/** Words on the problems that an edit added: "Edit src/a.ts (+1 −1): 2 new problems." */
function problemWords({ title, problems }: ToolCallCard): string {
  return problems === undefined ? "" : `${title}: ${words.newProblems(problems.listed.length + problems.more)}.`;
}

/** Empty while the user is asked: they are who is waited for. */
function waitWords(rows: readonly Row[]): string {
  const row = streamingRow(rows);
  const call = row?.calls.findLast(({ state }) => state === "running" || state === "asking");
  if (call?.state === "asking") return "";
  if (call !== undefined) return words.spokenStillRunning(call.title);
  if (row?.text === "" && row.stateText !== "") return row.stateText;
  return row !== null && row.thinking !== "" && row.text === "" ? words.spokenStillThinking : words.spokenStillWaiting;
}
