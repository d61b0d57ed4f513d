/** The other conversations that a call quotes: each opens there, and can be left out from now on. */
import { computed } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { CallSource } from "../../protocol/toolCallView.ts";
import { ConversationLink } from "../answer/messageLink.tsx";
import { isolatedText } from "../answer/visibleText.tsx";
import { Icon } from "../controls/icon.tsx";
import { useStore } from "../state/useStore.ts";
import { words } from "../words/words.ts";

export function CallSources({ sources }: { readonly sources: readonly CallSource[] }) {
  const store = useStore();
  const ids = sources.map(({ conversationId }) => conversationId).join(" ");
  useEffect(() => {
    store.post({ kind: "recallSources", conversationIds: ids.split(" ") });
  }, [store, ids]);
  return (
    <div class="sources">
      <p class="meta">{words.sources}</p>
      <ul aria-label={words.sources}>
        {sources.map((source) => (
          <SourceLine key={source.conversationId} source={source} />
        ))}
      </ul>
    </div>
  );
}

function SourceLine({ source }: { readonly source: CallSource }) {
  const store = useStore();
  const { conversationId, title, date, count, messageId } = source;
  const state = useMemo(
    () => computed(() => store.state.value.sourceStates.get(conversationId)),
    [store, conversationId],
  ).value;
  /** The reader has just changed it, and hears when that is done. */
  const isChanged = useRef(false);
  useEffect(() => {
    if (!isChanged.current || state === undefined) return;
    isChanged.current = false;
    store.announce(state === "leftOut" ? words.isLeftOut(title) : words.isFound(title));
  }, [state]);
  const isLeftOut = state === "leftOut";
  const label = isLeftOut ? words.findAgain : words.leaveOut;
  return (
    <li>
      <Icon name="quote" />
      <div class="source">
        <ConversationLink place={{ conversationId, messageId }}>{isolatedText(title)}</ConversationLink>
        <span class="meta">
          {date === "" ? null : `${date} · `}
          {words.passages(count)}
          {isLeftOut ? ` · ${words.leftOut}` : null}
        </span>
        {state === undefined || state === "gone" ? null : (
          <button
            type="button"
            class="text-button"
            aria-label={words.ofSource(label, title)}
            title={isLeftOut ? words.findAgainHint : words.leaveOutHint}
            onClick={() => {
              isChanged.current = true;
              store.post({ kind: "leaveOut", conversationId, isLeftOut: !isLeftOut });
            }}
          >
            {label}
          </button>
        )}
      </div>
    </li>
  );
}
