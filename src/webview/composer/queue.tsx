/** Queued messages, above the composer; each can be edited in place or removed. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { QueuedView } from "../../protocol/composerDocument.ts";
import { directionClass } from "../answer/rightToLeft.ts";
import { words } from "../words/words.ts";
import { isImeComposition } from "./imeComposition.ts";
import { IconButton } from "../controls/iconButton.tsx";
import { useStore } from "../state/useStore.ts";
import { visibleText } from "../answer/visibleText.tsx";

export function Queue() {
  const store = useStore();
  const { items, isHeld } = store.queue.value;
  if (items.length === 0) return null;
  return (
    <div class="queue" role="group" aria-label={words.queue}>
      {isHeld ? (
        <div class="queue-held meta">
          {words.queueHeld(items.length)}
          <button
            type="button"
            class="button quiet"
            onClick={() => {
              store.post({ kind: "queueSend" });
            }}
          >
            {words.queueSend}
          </button>
        </div>
      ) : null}
      {items.map((item) => (
        <Queued key={item.queueId} item={item} />
      ))}
    </div>
  );
}

function Queued({ item }: { readonly item: QueuedView }) {
  const store = useStore();
  const [isEditing, setEditing] = useState(false);
  const { queueId } = item;
  /** The user ended the edit or removed the message. */
  const hasEnded = useRef(false);
  const edit = (on: boolean): void => {
    store.post({ kind: "queueEdit", queueId, on });
    hasEnded.current = !on;
    setEditing(on);
  };
  return (
    <div class="queued" data-queue-id={queueId}>
      {isEditing ? (
        <Editor
          item={item}
          hasEnded={hasEnded}
          done={() => {
            edit(false);
          }}
        />
      ) : (
        <>
          <span class="words" tabIndex={0}>
            {words.queued}: <bdi>{visibleText(item.text)}</bdi>
          </span>
          <IconButton
            icon="edit"
            label={words.queueEdit}
            onPress={() => {
              edit(true);
            }}
          />
        </>
      )}
      <IconButton
        icon="close"
        label={words.queueRemove}
        onPress={() => {
          hasEnded.current = true;
          store.post({ kind: "queueRemove", queueId });
        }}
      />
    </div>
  );
}

interface EditorProps {
  readonly item: QueuedView;
  readonly hasEnded: { readonly current: boolean };
  readonly done: () => void;
}

/** The host saves each change: what is typed here is as safe as a draft. */
function Editor({ item, hasEnded, done }: EditorProps) {
  const store = useStore();
  const [text, setText] = useState(item.text);
  const field = useRef<HTMLTextAreaElement>(null);
  const latest = useRef(item.text);
  useEffect(() => {
    field.current?.focus();
    const { conversationId } = store.state.peek();
    // A message sent just when its edit began is gone; what was typed since goes to the composer.
    return () => {
      const { conversationId: now } = store.state.peek();
      const composer = store.composer.peek();
      const isLost = !hasEnded.current && latest.current !== item.text && now === conversationId;
      if (isLost) store.typed([composer.text, latest.current].filter((part) => part !== "").join("\n"));
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const ends = event.key === "Escape" || (event.key === "Enter" && !event.shiftKey);
    if (!ends || isImeComposition(event)) return;
    event.preventDefault();
    event.stopPropagation(); // Escape ends the edit without stopping the answer
    done();
  };
  return (
    <>
      <textarea
        ref={field}
        rows={1}
        class={directionClass(text)}
        aria-label={words.queueEdit}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          latest.current = event.currentTarget.value;
          store.post({ kind: "queueText", queueId: item.queueId, text: event.currentTarget.value });
        }}
        onKeyDown={onKeyDown}
      />
      <button type="button" class="text-button" onClick={done}>
        {words.queueDone}
      </button>
    </>
  );
}
