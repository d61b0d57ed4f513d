import { effect, useComputed } from "@preact/signals";
import { closeContext } from "./state/navigation.ts";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AppState } from "./state/state.ts";
import { words } from "./words/words.ts";
import { BannerView } from "./controls/banner.tsx";
import { setMenuContext } from "./composer/menuContext.ts";
import { Composer } from "./composer/composer.tsx";
import { isImeComposition } from "./composer/imeComposition.ts";
import { ContextPage } from "./context/contextPage.tsx";
import { EmptyState, OfflineBanner, UnreachableServers } from "./transcript/emptyState.tsx";
import { FindBar } from "./find/findBar.tsx";
import { Transcript } from "./transcript/transcript.tsx";
import { useStore } from "./state/useStore.ts";

/** The whole page. Not redrawn when a row changes. */
export function App() {
  const store = useStore();
  const { banner, activity, title } = store.status.value;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || isImeComposition(event)) return;
    if (closeContext(store) || store.stop()) event.preventDefault();
  };
  return (
    <main class="page" onKeyDown={onKeyDown} onContextMenu={setMenuContext}>
      <h1 class="spoken-only">{title === "" ? words.conversation : title}</h1>
      <FindBar />
      <MainContent />
      {banner === null ? null : (
        <BannerView banner={banner} lasting={activity === "blocked" || activity === "readOnly"} />
      )}
      <Composer />
      <LiveRegion />
    </main>
  );
}

/** Content between the search bar and the composer. */
function MainContent() {
  const store = useStore();
  const middle = useComputed(() => mainContentOf(store.state.value)).value;
  const context = useComputed(() => store.state.value.context).value;
  switch (middle) {
    case "context":
      return context === null ? null : <ContextPage context={context} />;
    case "opening":
      return <div class="opening muted">{words.opening}</div>;
    case "blocked":
      return <div class="opening" />;
    case "empty":
      return (
        <>
          <EmptyState />
          <UnreachableServers />
        </>
      );
    case "transcript":
      return (
        <>
          <CurrentTranscript />
          <UnreachableServers />
          {store.status.value.connection.kind === "offline" ? <OfflineBanner /> : null}
        </>
      );
  }
}

function mainContentOf({ context, phase, rows, hasOlder, status: { activity } }: AppState) {
  const isEmpty = rows.length === 0 && !hasOlder;
  if (context !== null) return "context";
  if (phase === "waiting" || (isEmpty && activity === "loading")) return "opening";
  if (isEmpty && (activity === "blocked" || activity === "readOnly")) return "blocked";
  return isEmpty && activity !== "summarizing" ? "empty" : "transcript";
}

function CurrentTranscript() {
  const store = useStore();
  const state = store.state.value;
  return <Transcript key={state.conversationId} store={store} state={state} />;
}

/** Live region for screen readers. Texts between two renders are announced together: only what is rendered is heard. */
function LiveRegion() {
  const store = useStore();
  const undrawn = useRef<string[]>([]);
  const drawn = useRef("");
  const [times, draw] = useState(0);
  useLayoutEffect(
    () =>
      effect(() => {
        const { text } = store.announcement.value;
        if (text === "") return; // nothing to announce yet
        undrawn.current.push(text);
        draw((count) => count + 1);
      }),
    [store],
  );
  if (undrawn.current.length > 0) drawn.current = joinAnnouncements(undrawn.current.splice(0));
  return (
    <div class="spoken-only" aria-live="polite" aria-atomic="true" data-live="">
      {/* A new element each time: the same text in the same place would not be announced again. */}
      <span key={times}>{drawn.current}</span>
    </div>
  );
}

/** Joins texts; one that is contained in another is announced once. */
function joinAnnouncements(texts: readonly string[]): string {
  const says = (whole: string, part: string): boolean => ` ${whole} `.includes(` ${part} `);
  const once = [...new Set(texts)];
  return once.filter((text) => !once.some((other) => other !== text && says(other, text))).join(" ");
}
