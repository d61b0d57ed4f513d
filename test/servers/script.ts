/** What a local model server is told to answer. Plain JSON, so that a test in another process can say it too. */

/** An answer of the model, before it is put into a protocol. */
export interface Answer {
  readonly thinking?: string;
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  readonly usage?: ScriptedUsage;
  readonly stop?: "endTurn" | "maxTokens" | "refusal" | "contextFull";
  /** Characters in each piece of text, thinking and arguments; 12 by default. */
  readonly chunkChars?: number;
  /** An empty piece before each one and behind the last. */
  readonly emptyPieces?: boolean;
}

/** A tool call; its arguments are cut into pieces like text. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly inputJson: string;
  /** What a service says with it beside that. */
  readonly extra?: object;
}

/** What is billed, in Forge's meaning: `inputTokens` holds the cached ones. Left out: estimated from the request. */
export interface ScriptedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
}

/** How the bytes travel; content is the same for all of them. */
export interface Framing {
  readonly newline?: "\n" | "\r\n" | "\r";
  /** A comment line before every event. */
  readonly comments?: boolean;
  /** Whether events are named before what they say: left out, as the protocol has it; else not at all, or in an event of its own. */
  readonly names?: "missing" | "parted";
  /** Everything that is no piece of the answer is sent twice. */
  readonly doubled?: boolean;
  /** Cuts the whole stream into pieces of so many bytes, through characters and lines alike. */
  readonly pieceBytes?: number;
  /** Wait before each event. */
  readonly delayMs?: number;
  /** Wait before the first event, after the headers. */
  readonly firstDelayMs?: number;
  /** Comments every so often while waiting. */
  readonly keepAliveMs?: number;
}

/** What goes wrong. `afterPieces` counts the pieces of content that are sent before; what precedes the first is always sent. */
export type Fault =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly type?: string;
      readonly message?: string;
    }
  /** A page instead of a stream, with status 200. */
  | { readonly kind: "html" }
  /** An error in JSON instead of a stream, with status 200. */
  | { readonly kind: "jsonError"; readonly type: string; readonly message: string }
  | { readonly kind: "noHeaders" }
  /** The connection is closed before any answer, as one that was kept may be just when it is used again. */
  | { readonly kind: "closed" }
  /** Whatever this is, in place of an answer. */
  | { readonly kind: "raw"; readonly status: number; readonly contentType: string | null; readonly body: string }
  | { readonly kind: "errorEvent"; readonly afterPieces: number; readonly type: string; readonly message: string }
  | { readonly kind: "badJson"; readonly afterPieces: number }
  /** An event of this content comes in between; the answer goes on behind it. */
  | { readonly kind: "odd"; readonly afterPieces: number; readonly data: string }
  /** The socket is destroyed. */
  | { readonly kind: "kill"; readonly afterPieces: number }
  /** The body ends properly, without what the protocol ends with. */
  | { readonly kind: "cleanEnd"; readonly afterPieces: number }
  /** Silence, with the connection open; with comments if `Framing.keepAliveMs` says so. */
  | { readonly kind: "stall"; readonly afterPieces: number }
  /** Silence until `ModelServer.runSlice`; the answer goes on behind it. */
  | { readonly kind: "pause"; readonly afterPieces: number }
  /** The body ends properly after so many bytes. */
  | { readonly kind: "cutAtByte"; readonly bytes: number };

/** A rule: the first one that fits a request decides about it. */
export interface Script {
  /** Fits requests whose last user text holds this; left out: every request. */
  readonly match?: string;
  /** How often it fits; left out: for ever. */
  readonly times?: number;
  readonly answer?: Answer;
  readonly fault?: Fault;
  readonly framing?: Framing;
}

/** Rules in order, each used up by its `times`. */
export class ScriptBook {
  #entries: { readonly script: Script; left: number }[] = [];

  /** Puts rules in front of those that are there, in their own order. */
  add(scripts: readonly Script[]): void {
    this.#entries = [...scripts.map((script) => ({ script, left: script.times ?? Infinity })), ...this.#entries];
  }

  /** Forgets all rules. */
  clear(): void {
    this.#entries = [];
  }

  /** The rule for a request, which is counted; an empty one where none fits. */
  take(lastUserText: string): Script {
    const entry = this.#entries.find(({ script, left }) => left > 0 && lastUserText.includes(script.match ?? ""));
    if (entry === undefined) return {};
    entry.left--;
    return entry.script;
  }
}
