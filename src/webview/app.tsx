import { useComputed } from "@preact/signals";
import { closeContext } from "./state/navigation.ts";
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

/** Live region for screen readers. A new element each time: the same text in the same place would not be announced. */
function LiveRegion() {
  const { text, number } = useStore().liveText.value;
  return (
    <div class="spoken-only" aria-live="polite" aria-atomic="true" data-live="">
      {text === "" ? null : <span key={number}>{text}</span>}
    </div>
  );
}
