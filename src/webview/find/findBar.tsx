/** Search bar above the conversation. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { closeContext } from "../state/navigation.ts";
import { words } from "../words/words.ts";
import { isImeComposition } from "../composer/imeComposition.ts";
import { findCount, type FindResult } from "./find.ts";
import { FindHighlights } from "./findHighlights.ts";
import { Icon, type IconName } from "../controls/icon.tsx";
import { useStore } from "../state/useStore.ts";

/** Renders nothing while the search is closed. */
export function FindBar() {
  const { find } = useStore();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isFindKey = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === "f";
      if (!isFindKey || isImeComposition(event)) return;
      event.preventDefault();
      find.open();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener("keydown", onKeyDown);
    };
  }, [find]);
  return find.opened.value === 0 ? null : <OpenFindBar />;
}

function OpenFindBar() {
  const store = useStore();
  const { find } = store;
  const box = useRef<HTMLInputElement>(null);
  const opened = find.opened.value;
  // Before it is painted: what is typed right after its shortcut belongs here.
  useLayoutEffect(() => {
    closeContext(store); // it covers the rows with the hits
    box.current?.focus();
    box.current?.select();
  }, [opened]);
  useFindHighlights();
  const close = (): void => {
    const rowId = find.place.peek()?.rowId ?? null;
    find.close();
    const row = rowId === null ? null : document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(rowId)}"]`);
    if (row === null) document.querySelector<HTMLTextAreaElement>("textarea")?.focus();
    else row.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isImeComposition(event)) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target === box.current) find.go(event.shiftKey ? -1 : 1);
    else if (event.key === "F3") find.go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const hasHits = (find.result.value?.hits.length ?? 0) > 0;
  return (
    <div class="find" role="search" aria-label={words.find} onKeyDown={onKeyDown}>
      <div class="find-line">
        <input
          ref={box}
          type="text"
          class="find-box"
          aria-label={words.find}
          placeholder={words.findPlaceholder}
          spellcheck={false}
          maxLength={2000}
          value={find.query.value}
          onInput={(event) => {
            find.typed(event.currentTarget.value);
          }}
        />
        <span class="find-count meta" role="status">
          {countWords(find.query.value, find.result.value)}
        </span>
        <FindButton icon="arrowUp" label={words.findPrevious} enabled={hasHits} onPress={() => find.go(-1)} />
        <FindButton icon="arrowDown" label={words.findNext} enabled={hasHits} onPress={() => find.go(1)} />
        <FindButton
          icon="conversation"
          label={words.findEverywhere}
          enabled
          onPress={() => store.post({ kind: "findEverywhere", query: find.query.value })}
        />
        <FindButton icon="close" label={words.findClose} enabled onPress={close} />
      </div>
      <HiddenHit />
    </div>
  );
}

function countWords(query: string, result: FindResult | null): string {
  if (query.trim() === "") return "";
  if (result === null) return words.finding;
  return result.hits.length === 0 ? words.findNothing : findCount(result);
}

interface FindButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly enabled: boolean;
  readonly onPress: () => void;
}

function FindButton({ icon, label, enabled, onPress }: FindButtonProps) {
  return (
    <button type="button" class="icon-button" title={label} aria-label={label} disabled={!enabled} onClick={onPress}>
      <Icon name={icon} />
    </button>
  );
}

/** A hit that no row shows, such as one in an answer that was asked again. */
function HiddenHit() {
  const store = useStore();
  const hit = store.find.hit.value;
  const place = store.find.place.value;
  if (hit === null || place?.rowId !== null) return null;
  return (
    <div class="find-hidden">
      <p>
        <span class="muted">{words.findHidden(hit.messageId)}</span> {hit.excerpt}
      </p>
      <button
        type="button"
        class="button quiet"
        onClick={() => {
          store.post({ kind: "openMessage", messageId: hit.messageId });
        }}
      >
        {words.findOpen}
      </button>
    </div>
  );
}

/** Highlights the words in the mounted rows, and again whenever those change. */
function useFindHighlights(): void {
  const { find } = useStore();
  const place = find.place.value;
  const found = find.foundWords.value;
  const marks = useRef<FindHighlights>(undefined);
  useEffect(() => {
    const made = new FindHighlights(document);
    marks.current = made;
    return () => {
      made.end();
    };
  }, []);
  useEffect(() => {
    marks.current?.show(found, place?.rowId ?? null);
  }, [found, place]);
}
