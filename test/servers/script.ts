/** Scripts for a local model server. Plain JSON, so that tests in other processes can send them. */

/** An answer of the model, independent of the protocol. */
export interface Answer {
  readonly thinking?: string;
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  readonly usage?: ScriptedUsage;
  readonly stop?: "endTurn" | "maxTokens" | "refusal" | "contextFull";
  /** Characters per piece of text, thinking and arguments; 12 by default. */
  readonly chunkChars?: number;
  /** Additional fields of Ollama's last line, such as durations. */
  readonly extra?: object;
  /** Adds an empty piece before each piece and after the last. */
  readonly emptyPieces?: boolean;
}

/** A tool call. Its arguments are streamed in pieces like text. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly inputJson: string;
  /** Additional fields of the service. */
  readonly extra?: object;
}

/** Billed tokens; `inputTokens` includes cached ones, as in Forge. Estimated from the request if absent. */
export interface ScriptedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
}

/** How the bytes of the stream are framed and timed. The content is unaffected. */
export interface Framing {
  readonly newline?: "\n" | "\r\n" | "\r";
  /** Adds a comment line before every event. */
  readonly comments?: boolean;
  /** Event names: before the data as the protocol has it (absent), omitted, or in a separate event. */
  readonly names?: "missing" | "parted";
  /** Sends every event that is not a piece of the answer twice. */
  readonly doubled?: boolean;
  /** Splits the stream into pieces of this many bytes, even within characters and lines. */
  readonly pieceBytes?: number;
  /** Delay before each event. */
  readonly delayMs?: number;
  /** Delay between the headers and the first event. */
  readonly firstDelayMs?: number;
  /** Interval of comments while waiting. */
  readonly keepAliveMs?: number;
}

/** A failure after `afterPieces` pieces of content. Events before the first piece are always sent. */
export type Fault =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly type?: string;
      readonly message?: string;
    }
  /** An HTML page instead of a stream, with status 200. */
  | { readonly kind: "html" }
  /** A JSON error instead of a stream, with status 200. */
  | { readonly kind: "jsonError"; readonly type: string; readonly message: string }
  | { readonly kind: "noHeaders" }
  /** The connection closes before any answer, as a kept-alive one may when reused. */
  | { readonly kind: "closed" }
  /** This response instead of an answer. */
  | { readonly kind: "raw"; readonly status: number; readonly contentType: string | null; readonly body: string }
  | { readonly kind: "errorEvent"; readonly afterPieces: number; readonly type: string; readonly message: string }
  | { readonly kind: "badJson"; readonly afterPieces: number }
  /** An event with this data is inserted, and the answer continues. */
  | { readonly kind: "odd"; readonly afterPieces: number; readonly data: string }
  | { readonly kind: "kill"; readonly afterPieces: number }
  /** The body ends properly, but without the protocol's end event. */
  | { readonly kind: "cleanEnd"; readonly afterPieces: number }
  /** The stream stalls with the connection open, with comments if `Framing.keepAliveMs` is set. */
  | { readonly kind: "stall"; readonly afterPieces: number }
  /** The stream stalls until `ModelServer.goOn`, then continues. */
  | { readonly kind: "pause"; readonly afterPieces: number }
  /** The body ends properly after `bytes` bytes. */
  | { readonly kind: "cutAtByte"; readonly bytes: number };

/** A rule for requests. The first one that matches applies. */
export interface Script {
  /** Matches requests whose last user text contains this. Absent: every request. */
  readonly match?: string;
  /** Number of requests it applies to; unlimited if absent. */
  readonly times?: number;
  readonly answer?: Answer;
  readonly fault?: Fault;
  readonly framing?: Framing;
}

/** Ordered scripts with their remaining `times`. */
export class ScriptBook {
  #entries: { readonly script: Script; left: number }[] = [];

  /** Adds scripts before the existing ones, in their own order. */
  add(scripts: readonly Script[]): void {
    this.#entries = [...scripts.map((script) => ({ script, left: script.times ?? Infinity })), ...this.#entries];
  }

  clear(): void {
    this.#entries = [];
  }

  /** Consumes and returns the script for a request; an empty one if none matches. */
  take(lastUserText: string): Script {
    const entry = this.#entries.find(({ script, left }) => left > 0 && lastUserText.includes(script.match ?? ""));
    if (entry === undefined) return {};
    entry.left--;
    return entry.script;
  }
}
