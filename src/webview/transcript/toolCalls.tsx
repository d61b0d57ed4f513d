/** Tool calls of an answer, one line each until unfolded. A call that needs approval shows all that would happen. */
import { computed } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ApprovalAnswer } from "../../protocol/toHost.ts";
import type { ApprovalView, ToolCallCard, ToolCallDetail } from "../../protocol/toolCallView.ts";
import type { MessageRow } from "../../protocol/toView.ts";
import { callKey } from "../state/state.ts";
import { words } from "../words/words.ts";
import { Icon } from "../controls/icon.tsx";
import { CallProblems } from "./callProblems.tsx";
import { CallSources } from "./callSources.tsx";
import { textWithMessageLinks } from "../answer/messageLink.tsx";
import { useStore } from "../state/useStore.ts";
import { reviewParts } from "../answer/reviewParts.ts";
import { isolatedText } from "../answer/visibleText.tsx";

type CallingRow = Pick<MessageRow, "rowId" | "state" | "pendingRecovery" | "calls">;

export function ToolCalls({ row }: { readonly row: CallingRow }) {
  return (
    <div class="calls" role="list" aria-label={words.calls}>
      {row.calls.map((call) => (
        <div key={call.callId} class="call" role="listitem" data-call-id={call.callId} data-state={call.state}>
          <CallLine row={row} call={call} />
          {call.sources === undefined ? null : <CallSources sources={call.sources} />}
          {call.problems === undefined ? null : <CallProblems row={row} call={call} problems={call.problems} />}
          {call.question === null ? null : <ApprovalQuestion row={row} call={call} question={call.question} />}
        </div>
      ))}
    </div>
  );
}

interface CallProps {
  readonly row: CallingRow;
  readonly call: ToolCallCard;
}

function CallLine({ row, call }: CallProps) {
  const store = useStore();
  const key = callKey(row.rowId, call.callId);
  const open = useMemo(() => computed(() => store.state.value.openRows.has(key)), [store, key]).value;
  /** The reader has just unfolded it, and its content has yet to be scrolled into view. */
  const needsScroll = useRef(false);
  const toggle = (): void => {
    needsScroll.current = !open;
    if (!open) store.post({ kind: "openCall", rowId: row.rowId, callId: call.callId, whole: false });
    store.dispatch({ kind: "toggledRow", rowId: key });
  };
  const state = stateWords(row, call);
  return (
    <>
      <button type="button" class="call-line" aria-expanded={open} onClick={toggle}>
        <Icon name={open ? "chevronDown" : "chevronRight"} />
        <span class="call-title">{isolatedText(call.title)}</span>
        <span class="call-state">
          {state}
          {state === "" || call.time === "" ? "" : " · "}
          <span class="call-time">{call.time}</span>
        </span>
      </button>
      {open ? <Detail row={row} call={call} needsScroll={needsScroll} /> : null}
    </>
  );
}

function stateWords(row: CallingRow, { state }: ToolCallCard): string {
  if (state === "waiting" && row.pendingRecovery !== null) return words.callStates.notRun;
  // Interrupted by a crash, not by the user; the answer has continued since.
  if (state === "interrupted" && row.state !== "cancelled") return words.callStates.unknown;
  return words.callStates[state];
}

function Detail({ row, call, needsScroll }: CallProps & { readonly needsScroll: { current: boolean } }) {
  const store = useStore();
  const key = callKey(row.rowId, call.callId);
  const detail = useMemo(() => computed(() => store.state.value.callDetails.get(key) ?? null), [store, key]).value;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (detail === null || !needsScroll.current) return;
    needsScroll.current = false;
    box.current?.scrollIntoView({ block: "nearest" });
  }, [detail]);
  if (detail === null) return <p class="call-detail meta">{words.loadingCall}</p>;
  return (
    <div class="call-detail" ref={box}>
      <DetailPart label={words.callInput} text={detail.input} />
      <DetailPart label={words.callResult} text={detail.result} linked />
      {detail.isCut ? <ShowAll row={row} call={call} detail={detail} /> : null}
    </div>
  );
}

interface PartProps {
  readonly label: string;
  readonly text: string;
  /** Messages referred to are links. */
  readonly linked?: boolean;
}

function DetailPart({ label, text, linked = false }: PartProps) {
  return (
    <>
      <p class="meta">{label}</p>
      {text === "" ? (
        <p class="meta">{words.callNoResult}</p>
      ) : (
        <pre role="group" aria-label={label} tabIndex={0}>
          {linked ? textWithMessageLinks(text) : isolatedText(text)}
        </pre>
      )}
    </>
  );
}

/** Requests the whole content, once: what is too long for a page stays cut. */
function ShowAll({ row, call, detail }: CallProps & { readonly detail: ToolCallDetail }) {
  const store = useStore();
  const [requestedDetail, setAsked] = useState<ToolCallDetail | null>(null);
  return (
    <button
      type="button"
      class="button quiet"
      disabled={requestedDetail === detail}
      onClick={() => {
        setAsked(detail);
        store.post({ kind: "openCall", rowId: row.rowId, callId: call.callId, whole: true });
      }}
    >
      {words.showAll}
    </button>
  );
}

/**
 * The action, and the possible answers. One click decides; allowing needs the whole text to have been in sight,
 * and until then scrolls on in it.
 */
function ApprovalQuestion({ row, call, question }: CallProps & { readonly question: ApprovalView }) {
  const store = useStore();
  const [decided, setDecided] = useState<ApprovalView | null>(null);
  const box = useRef<HTMLPreElement>(null);
  const hintId = useId();
  const wasSeen = useSeenToEnd(box, question);
  const choice = (answer: ApprovalAnswer, label: string, className: string, hint?: string) => {
    const isTooEarly = answer !== "deny" && answer !== "never" && !wasSeen;
    return (
      <button
        key={answer}
        type="button"
        class={className}
        title={hint}
        disabled={decided === question}
        aria-disabled={isTooEarly || undefined}
        aria-describedby={isTooEarly ? hintId : undefined}
        onClick={() => {
          if (isTooEarly) {
            box.current?.scrollBy(0, box.current.clientHeight / 2);
            box.current?.focus({ preventScroll: true });
            return;
          }
          setDecided(question);
          store.post({ kind: "approve", rowId: row.rowId, callId: call.callId, answer });
        }}
      >
        {label}
      </button>
    );
  };
  const hints = question.canRefuse === true ? words.permitHints : words.allowHints;
  const longer = question.scopes.filter((scope) => scope !== "once");
  return (
    <div class="question" role="group" aria-label={words.mayRun(call.title, question.folder)}>
      {question.folder === "" ? null : (
        <p class="meta">
          {words.inFolder} <bdi class="question-folder">{isolatedText(question.folder)}</bdi>
        </p>
      )}
      {question.detail === "" ? null : question.look === "words" ? (
        <p>{isolatedText(question.detail)}</p>
      ) : (
        <pre ref={box} role="group" aria-label={words.callInput} tabIndex={0}>
          {question.look === "diff" ? <Diff text={question.detail} /> : <Reviewed text={question.detail} />}
        </pre>
      )}
      {question.note === undefined ? null : <p class="meta">{question.note}</p>}
      {wasSeen ? null : (
        <p id={hintId} class="meta">
          {words.readToEnd}
        </p>
      )}
      <div class="actions">
        {choice("once", words.allow.once, "button", hints.once)}
        {choice("deny", words.deny, "button quiet")}
      </div>
      {longer.length === 0 && question.canRefuse !== true ? null : (
        <div class="actions">
          {longer.map((scope) => choice(scope, words.allow[scope], "text-button", hints[scope]))}
          {question.canRefuse === true ? choice("never", words.refuse, "text-button", words.refuseHint) : null}
        </div>
      )}
    </div>
  );
}

/** True once the end of the box was in sight for this question. */
function useSeenToEnd(box: { readonly current: HTMLElement | null }, question: ApprovalView): boolean {
  const [seen, setSeen] = useState<ApprovalView | null>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) {
      setSeen(question);
      return;
    }
    const look = (): void => {
      // One pixel: heights are rounded.
      const isAtEnd = current.scrollTop + current.clientHeight >= current.scrollHeight - 1;
      if (current.clientHeight > 0 && isAtEnd) setSeen(question);
    };
    look();
    current.addEventListener("scroll", look);
    const sizes = new ResizeObserver(look);
    sizes.observe(current);
    return () => {
      current.removeEventListener("scroll", look);
      sizes.disconnect();
    };
  }, [box, question]);
  return seen === question;
}

/** Text with runs of blanks and of empty lines as their count. */
function Reviewed({ text }: { readonly text: string }) {
  return (
    <>
      {reviewParts(text).map((part, index) =>
        part.kind === "text" ? (
          <Fragment key={index}>{isolatedText(part.text)}</Fragment>
        ) : (
          <span key={index} class="hidden-characters">
            {part.kind === "lines" ? words.emptyLines(part.count) : words.blanks(part.count)}
          </span>
        ),
      )}
    </>
  );
}

/** In the colours of the editor's diffs. */
function Diff({ text }: { readonly text: string }) {
  return (
    <>
      {text.split("\n").map((line, index) => (
        <span key={index} class={DIFF_LOOKS[line.charAt(0)] ?? "diff-line"}>
          <Reviewed text={line} />
        </span>
      ))}
    </>
  );
}

const DIFF_LOOKS: Readonly<Record<string, string>> = {
  "+": "diff-line added",
  "-": "diff-line removed",
  "@": "diff-line muted",
};
