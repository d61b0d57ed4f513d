import { useRef, useState } from "preact/hooks";
import type { SummaryDetail, SummaryOriginals } from "../../protocol/summaryView.ts";
import { postSummaryAction } from "../state/navigation.ts";
import { words } from "../words/words.ts";
import { Markdown } from "../answer/markdown.tsx";
import { Original } from "./summaryOriginal.tsx";
import type { SummaryProps } from "./summaryProps.ts";
import { UnverifiedMarksContext } from "./unverifiedMark.tsx";
import { nextIndex } from "../a11y/rovingTabindex.ts";
import { useStore } from "../state/useStore.ts";
import { visibleText } from "../answer/visibleText.tsx";

type TabName = "summary" | "facts" | "unverified" | "originals" | "versions";

interface Tab {
  readonly name: TabName;
  readonly label: string;
}

/** Content of a summary, one tab at a time. Arrow keys, Home and End move between tabs. */
export function SummaryTabs({ row, detail }: SummaryProps) {
  const store = useStore();
  const [wanted, setWanted] = useState<TabName>("summary");
  const list = useRef<HTMLDivElement>(null);
  const tabs = tabsOf(row.messageCount, detail);
  const shown = tabs.some(({ name }) => name === wanted) ? wanted : "summary";
  const { summaryId } = row;
  const originals = store.state.value.summaryOriginals.get(summaryId) ?? null;
  const choose = (name: TabName): void => {
    setWanted(name);
    if (name === "originals" && originals === null) postSummaryAction(store, summaryId, { what: "originals", from: 0 });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ name }) => name === shown);
    const next = tabs[nextIndex(event, at, tabs.length) ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    choose(next.name);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  const id = (what: string): string => `${row.rowId}-${what}`;
  return (
    <>
      <div ref={list} class="tabs" role="tablist" aria-label={words.summaryTabs} onKeyDown={onKeyDown}>
        {tabs.map(({ name, label }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={id(name)}
            data-tab={name}
            aria-selected={name === shown}
            aria-controls={id("panel")}
            tabIndex={name === shown ? 0 : -1}
            onClick={() => {
              choose(name);
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <div id={id("panel")} class="card-body bidi" role="tabpanel" aria-labelledby={id(shown)} tabIndex={0}>
        {detail === null ? (
          <p class="muted">{words.loadingSummary}</p>
        ) : shown === "summary" ? (
          <Notes text={detail.notes} />
        ) : shown === "facts" ? (
          <Facts detail={detail} />
        ) : shown === "unverified" ? (
          <Unverified detail={detail} />
        ) : shown === "versions" ? (
          <Versions detail={detail} summaryId={summaryId} />
        ) : (
          <Originals originals={originals} summaryId={summaryId} />
        )}
      </div>
    </>
  );
}

function tabsOf(messageCount: number, detail: SummaryDetail | null): readonly Tab[] {
  const summary: Tab = { name: "summary", label: words.summaryTab };
  const originals: Tab = { name: "originals", label: `${words.originalsTab} ${String(messageCount)}` };
  if (detail === null) return [summary, originals];
  const facts = detail.facts.reduce((sum, each) => sum + each.facts.length, 0);
  const unverified = detail.unverified.length;
  return [
    summary,
    { name: "facts", label: `${words.factsTab} ${String(facts)}` },
    ...(unverified === 0
      ? []
      : [{ name: "unverified", label: `${words.unverifiedTab} ${String(unverified)}` } as const]),
    originals,
    ...(detail.versions.length < 2
      ? []
      : [{ name: "versions", label: `${words.versionsTab} ${String(detail.versions.length)}` } as const]),
  ];
}

function Notes({ text }: { readonly text: string }) {
  return (
    <UnverifiedMarksContext.Provider value>
      <div class="markdown">
        <Markdown text={text} />
      </div>
    </UnverifiedMarksContext.Provider>
  );
}

function Facts({ detail }: { readonly detail: SummaryDetail }) {
  if (detail.facts.length === 0) return <p class="muted">{words.noFacts}</p>;
  return (
    <>
      <p class="muted">{words.factsIntro}</p>
      {detail.facts.map(({ title, facts }) => (
        <div key={title} class="facts">
          <h3>{title}</h3>
          <ul dir="auto">
            {facts.map((fact, index) => (
              <li key={index}>{visibleText(fact)}</li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

function Unverified({ detail }: { readonly detail: SummaryDetail }) {
  return (
    <div class="facts">
      <p class="muted">{words.unverifiedIntro}</p>
      <ul dir="auto">
        {detail.unverified.map((text) => (
          <li key={text}>
            <span class="unverified">{visibleText(text)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Originals({
  originals,
  summaryId,
}: {
  readonly originals: SummaryOriginals | null;
  readonly summaryId: number;
}) {
  const store = useStore();
  if (originals === null) return <p class="muted">{words.older}</p>;
  const { messages, total } = originals;
  return (
    <>
      <p class="muted">{words.originalsIntro}</p>
      {messages.map((original) => (
        <Original key={original.messageId} original={original} />
      ))}
      {messages.length < total ? (
        <button
          type="button"
          class="text-button"
          onClick={() => {
            postSummaryAction(store, summaryId, { what: "originals", from: messages.length });
          }}
        >
          {words.moreOriginals(total - messages.length)}
        </button>
      ) : null}
    </>
  );
}

function Versions({ detail, summaryId }: { readonly detail: SummaryDetail; readonly summaryId: number }) {
  const store = useStore();
  return (
    <ul class="versions">
      {detail.versions.map((version) => (
        <li key={version.summaryId}>
          <span class={version.isShown ? "shown-version" : undefined}>{version.label}</span>
          {version.isShown || store.isReadOnly.value ? null : (
            <span class="actions">
              <button
                type="button"
                class="text-button"
                onClick={() => {
                  postSummaryAction(store, version.summaryId, { what: "use" });
                }}
              >
                {words.versionUse}
              </button>
              <button
                type="button"
                class="text-button"
                onClick={() => {
                  postSummaryAction(store, summaryId, { what: "compare", version: version.summaryId });
                }}
              >
                {words.versionCompare}
              </button>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
