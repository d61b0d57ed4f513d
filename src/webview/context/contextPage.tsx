import { useLayoutEffect, useRef } from "preact/hooks";
import type { ContextPart, ContextView } from "../../protocol/contextView.ts";
import { postContextAction, closeContext } from "../state/navigation.ts";
import { words } from "../words/words.ts";
import { ContextPartLine } from "./contextPart.tsx";
import { Icon } from "../controls/icon.tsx";
import { IconButton } from "../controls/iconButton.tsx";
import { SummaryProgress } from "../summary/summaryProgress.tsx";
import { useStore } from "../state/useStore.ts";

/** What the next request contains. Replaces the transcript, but not the composer, whose text is counted. */
export function ContextPage({ context }: { readonly context: ContextView }) {
  const store = useStore();
  const { activity, progress } = store.status.value;
  const isAwaited = activity === "summarizing";
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <section class="context" aria-labelledby="context-heading">
      <header class="context-head">
        <IconButton
          icon="back"
          label={words.contextBack}
          onPress={() => {
            closeContext(store);
          }}
        />
        <h2 id="context-heading" ref={heading} tabIndex={-1}>
          {words.context}
        </h2>
      </header>
      <div class="context-body">
        <RequestTarget context={context} />
        <ContextBar context={context} />
        <div class="context-figures">
          <span>{context.figure}</span>
          <span class="meta">{context.certainty}</span>
        </div>
        {context.note === "" ? null : <p class="context-note">{context.note}</p>}
        <ul class="context-parts">
          {context.parts.map((part) => (
            <ContextPartLine key={part.kind} part={part} />
          ))}
        </ul>
        <p class="meta">{context.reserve}</p>
        {isAwaited || progress !== null ? <SummaryProgress progress={progress} /> : null}
        {isAwaited ? null : <PageActions />}
        {context.totals.length === 0 ? null : (
          <div class="context-totals">
            <h3>{words.contextTotals}</h3>
            {context.totals.map((line) => (
              <p key={line} class="meta">
                {line}
              </p>
            ))}
          </div>
        )}
      </div>
    </section>
  );
}

/** Model and strategy; each opens a picker to preview another. */
function RequestTarget({ context }: { readonly context: ContextView }) {
  const store = useStore();
  const { modelLabel, strategyLabel, inUse } = context;
  return (
    <div class="context-receiver">
      <p>
        {inUse === null ? words.contextNext : words.contextTrial}{" "}
        <button
          type="button"
          class="receiver-choice"
          aria-label={words.contextLookAtModel(modelLabel)}
          title={words.contextLookAtModel(modelLabel)}
          onClick={() => {
            postContextAction(store, { what: "tryModel" });
          }}
        >
          {modelLabel}
          <Icon name="chevronDown" />
        </button>
      </p>
      <p class="meta">
        {words.contextStrategy}{" "}
        <button
          type="button"
          class="receiver-choice"
          aria-label={words.contextLookAtStrategy(strategyLabel)}
          title={words.contextLookAtStrategy(strategyLabel)}
          onClick={() => {
            postContextAction(store, { what: "tryStrategy" });
          }}
        >
          {strategyLabel}
          <Icon name="chevronDown" />
        </button>
      </p>
      {inUse === null ? null : (
        <div class="context-trial">
          <p>{words.contextOnlyLooking(inUse)}</p>
          <div class="actions">
            <button
              type="button"
              class="button"
              onClick={() => {
                postContextAction(store, { what: "tryNothing" });
              }}
            >
              {words.contextLeaveTrial}
            </button>
            <button
              type="button"
              class="button quiet"
              onClick={() => {
                postContextAction(store, { what: "useTrial" });
              }}
            >
              {words.contextUseTrial}
            </button>
          </div>
        </div>
      )}
    </div>
  );
}

/** The parts in proportion, in the colours of the meter. */
function ContextBar({ context }: { readonly context: ContextView }) {
  const width = ({ tokens }: ContextPart) => ({
    width: `${String((100 * tokens) / Math.max(1, context.barTokens))}%`,
  });
  return (
    <div class="context-bar" role="img" aria-label={words.contextBar(context.figure)}>
      {context.parts.map((part) =>
        part.kind === "free" || part.tokens === 0 ? null : (
          <div key={part.kind} class={`fill-${part.kind}`} style={width(part)} title={`${part.label}: ${part.share}`} />
        ),
      )}
    </div>
  );
}

function PageActions() {
  const store = useStore();
  return (
    <div class="actions">
      <button
        type="button"
        class="button"
        onClick={() => {
          store.command("summarize");
        }}
      >
        {words.contextSummarize}
      </button>
      <button
        type="button"
        class="button quiet"
        title={words.contextRequestHint}
        onClick={() => {
          postContextAction(store, { what: "request" });
        }}
      >
        {words.contextRequest}
      </button>
      <button
        type="button"
        class="button quiet"
        title={words.contextMoreHint}
        onClick={() => {
          postContextAction(store, { what: "menu" });
        }}
      >
        {words.contextMore}
      </button>
    </div>
  );
}
