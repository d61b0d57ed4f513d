import { useRef } from "preact/hooks";
import type { Action, MessageRow, Row } from "../../protocol/toView.ts";
import { hasRightToLeft } from "../answer/rightToLeft.ts";
import { words } from "../words/words.ts";
import { Actions } from "../controls/banner.tsx";
import { Countdown } from "../controls/countdown.tsx";
import { RecoveryChoices } from "../controls/recoveryChoices.tsx";
import { Icon } from "../controls/icon.tsx";
import { LongText } from "../answer/longText.tsx";
import { Markdown } from "../answer/markdown.tsx";
import { BranchSwitch, PinMark } from "./messageMarks.tsx";
import { MessageToolbar } from "./messageToolbar.tsx";
import { UserMessage } from "./userMessage.tsx";
import { useStore } from "../state/useStore.ts";
import { ToolCalls } from "./toolCalls.tsx";

interface MessageProps {
  readonly row: MessageRow;
  /** The last row of an answer that was continued; else `row`. */
  readonly end: MessageRow;
  /** The reader unfolded the thinking. */
  readonly open: boolean;
  /** It {@link canRetry}, and no message follows it. */
  readonly newest: boolean;
  /** The reader is editing it. */
  readonly edited: boolean;
  /** It is not sent, and the next one is. */
  readonly endsUnsent: boolean;
}

export function Message({ row, end, open, newest, edited, endsUnsent }: MessageProps) {
  const isBidi = hasRightToLeft(row.text, row.state === "streaming");
  return (
    <div
      class={`row message ${row.role}${sentClasses[row.sent]}${isBidi ? " bidi" : ""}`}
      role="article"
      tabIndex={-1}
      aria-labelledby={`heading-${row.rowId}`}
      data-row-id={row.rowId}
      data-message-id={row.messageId}
      data-role={row.role}
      data-state={row.state}
      data-stop-reason={row.stopReason ?? undefined}
      data-sent={row.sent}
      data-vscode-context={menuContext(row)}
    >
      <h2 id={`heading-${row.rowId}`} class="spoken-only">
        {[roleWords[row.role], words.sentWords[row.sent]].filter((text) => text !== "").join(", ")}
      </h2>
      {row.role === "assistant" ? (
        <Answer row={row} end={end} open={open} newest={newest} />
      ) : (
        <UserMessage row={row} edited={edited} open={open} />
      )}
      {row.sent === "excerpt" ? <p class="meta">{words.sentExcerpt}</p> : null}
      {endsUnsent ? <p class="meta unsent-above">{words.unsentAbove}</p> : null}
    </div>
  );
}

const sentClasses: Readonly<Record<MessageRow["sent"], string>> = {
  original: "",
  excerpt: "",
  summary: " summarized",
  notSent: " not-sent",
};

/** Context for the editor's own menu on a row, passed to the command that is chosen there. */
function menuContext({ messageId }: MessageRow): string | undefined {
  return /^\d+$/.test(messageId) ? JSON.stringify({ forgeRow: "message", forgeMessage: Number(messageId) }) : undefined;
}

const roleWords: Readonly<Record<MessageRow["role"], string>> = {
  user: words.you,
  assistant: words.answer,
  system: words.note,
};

function Answer({ row, end, open, newest }: Omit<MessageProps, "edited" | "endsUnsent">) {
  const hasGrown = useRef(false);
  hasGrown.current ||= row.state === "streaming";
  const streaming = row.state === "streaming";
  // While tools run, no text is being written: the line of the call says what is awaited.
  const writing = streaming && row.calls.length === 0;
  return (
    <>
      {row.thinking === "" ? null : <Thinking row={row} open={open} />}
      <div class={row.pendingRecovery === null ? undefined : "undecided"}>
        <div class={`markdown${hasGrown.current ? " grown" : ""}${writing ? " growing" : ""}`}>
          {streaming && row.text === "" && row.calls.length === 0 ? (
            <Waiting />
          ) : (
            <Markdown text={row.text} growing={streaming} />
          )}
        </div>
        {row.calls.length === 0 ? null : <ToolCalls row={end} />}
        {endsWell(row) ? null : <Ending row={end} newest={newest} />}
      </div>
      {row.meta === "" && !row.pinned && row.branch === null ? null : (
        <div class="meta marks">
          {row.meta === "" ? null : <span title={row.modelPath}>{row.meta}</span>}
          {row.pinned ? <PinMark row={row} /> : null}
          {row.branch === null ? null : <BranchSwitch row={row} />}
        </div>
      )}
      <MessageToolbar row={row} edit={never} />
    </>
  );
}

/** Answers cannot be edited. */
function never(): void {
  throw new Error("an answer was to be edited");
}

function Waiting() {
  const store = useStore();
  return <p class="muted">{words.waitingFor(store.status.value.model.label)}</p>;
}

/** Reasoning of the model, one line until unfolded. */
function Thinking({ row, open }: Pick<MessageProps, "row" | "open">) {
  const store = useStore();
  const thinkingNow = row.state === "streaming" && row.text === "" && row.calls.length === 0;
  return (
    <div class="thinking">
      <button
        type="button"
        class="fold"
        aria-expanded={open}
        onClick={() => {
          store.dispatch({ kind: "toggledRow", rowId: row.rowId });
        }}
      >
        <Icon name={open ? "chevronDown" : "chevronRight"} />
        {thinkingNow ? words.thinking : row.thinkingMs === null ? words.thought : words.thoughtFor(row.thinkingMs)}
      </button>
      {open ? (
        <div class="thoughts bidi" dir="auto">
          <LongText text={row.thinking} />
        </div>
      ) : null}
    </div>
  );
}

/** Whether the end needs no comment, as with most answers. */
function endsWell({ problem, state, stateText, pendingRecovery }: MessageRow): boolean {
  return problem === null && stateText === "" && endingWords[state] === "" && pendingRecovery === null;
}

/** The answer ended badly; it can be retried, or continued, while no message follows it. */
export function canRetry(row: Row): boolean {
  return row.kind === "message" && (row.state === "cancelled" || row.state === "failed" || isCut(row));
}

/** The model stopped before it was done, and can go on. */
function isCut({ state, stopReason }: MessageRow): boolean {
  return state === "complete" && stopReason !== null && stopReason !== "endTurn" && stopReason !== "refusal";
}

/** How the answer ended, if not well, and what can be done. */
function Ending({ row, newest }: Pick<MessageProps, "row" | "newest">) {
  const store = useStore();
  const text = row.stateText === "" ? endingWords[row.state] : row.stateText;
  if (row.problem !== null) {
    return (
      <div class={`ending tone-${row.problem.tone}`}>
        <p>
          <Icon name={row.problem.tone} />
          {row.problem.text}
        </p>
        {row.pendingRecovery === null ? (
          <Actions actions={row.problem.actions} leading />
        ) : (
          <RecoveryChoices row={row} />
        )}
      </div>
    );
  }
  if (text === "" && row.pendingRecovery === null) return null;
  if (row.state === "streaming" && row.retryAtMs !== undefined) {
    return <RetryWait text={text} atMs={row.retryAtMs} />;
  }
  const again = newest && !store.isReadOnly.value;
  return (
    <div class="ending">
      {text === "" ? null : <p class="meta">{text}</p>}
      {row.pendingRecovery !== null ? (
        <RecoveryChoices row={row} />
      ) : again ? (
        <Actions actions={[retryActionFor(row)]} leading={false} />
      ) : null}
    </div>
  );
}

/** The service is asked again at `atMs`, unless the user cancels that. */
function RetryWait({ text, atMs }: { readonly text: string; readonly atMs: number }) {
  const store = useStore();
  return (
    <div class="ending">
      <p class="meta">{text}</p>
      <Countdown atMs={atMs} />
      <div class="actions">
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            store.stop();
          }}
        >
          {words.stopWaiting}
        </button>
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            store.command("editQuestion");
          }}
        >
          {words.editQuestion}
        </button>
      </div>
    </div>
  );
}

/** Asks the last question again; the answer that it had is hidden and retained. */
const RETRY: Action = { label: words.retry, command: "retry" };
/** Continues from the results of the tools, which are not run again. */
const CONTINUE: Action = { label: words.continueAnswer, command: "retry" };
/** Goes on in the same answer. */
const CONTINUE_TEXT: Action = { label: words.continueAnswer, command: "continueAnswer" };

function retryActionFor(row: MessageRow): Action {
  if (isCut(row)) return CONTINUE_TEXT;
  return row.calls.length === 0 ? RETRY : CONTINUE;
}

const endingWords: Readonly<Record<MessageRow["state"], string>> = {
  streaming: "",
  complete: "",
  interrupted: words.interrupted,
  cancelled: words.stopped,
  failed: "",
};
