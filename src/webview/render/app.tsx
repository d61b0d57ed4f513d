import { leaveContext } from "../otherPages.ts";
import { words } from "../words.ts";
import { BannerView } from "./banner.tsx";
import { Composer } from "./composer.tsx";
import { isComposing } from "./composing.ts";
import { ContextPage } from "./contextPage.tsx";
import { EmptyState, OfflineBanner } from "./emptyState.tsx";
import { FindBar } from "./findBar.tsx";
import { Transcript } from "./transcript.tsx";
import { useServices, useStore } from "./useStore.ts";

/** The whole page: the conversation, what is wrong with it, and the composer. */
export function App() {
  const services = useServices();
  const { store } = services;
  const state = store.state.value;
  const { banner, connection, activity, title } = state.status;
  const empty = state.rows.length === 0 && !state.hasOlder;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || isComposing(event)) return;
    if (leaveContext(store) || store.stop()) event.preventDefault();
  };
  return (
    <main class="page" onKeyDown={onKeyDown}>
      <h1 class="spoken-only">{title === "" ? words.conversation : title}</h1>
      <FindBar />
      {state.context !== null ? (
        <ContextPage context={state.context} />
      ) : state.phase === "waiting" || (empty && activity === "loading") ? (
        <div class="opening muted">{words.opening}</div>
      ) : empty && (activity === "blocked" || activity === "readOnly") ? (
        <div class="opening" />
      ) : empty && activity !== "summarizing" ? (
        <EmptyState />
      ) : (
        <Transcript key={state.conversationId} services={services} state={state} />
      )}
      {connection.kind === "offline" && !empty && state.context === null ? <OfflineBanner /> : null}
      {banner === null ? null : (
        <BannerView banner={banner} lasting={activity === "blocked" || activity === "readOnly"} />
      )}
      <Composer />
      <LiveRegion />
    </main>
  );
}

/** What a screen reader is told: whole sentences, one after the other, when it has time. */
function LiveRegion() {
  const store = useStore();
  return (
    <div class="spoken-only" aria-live="polite" aria-atomic="true" data-live="">
      {store.spoken.value.text}
    </div>
  );
}
