/**
 * Toolbar at the upper edge of a message, or of the viewport if the message begins above it, while the pointer or the
 * keyboard focus is on the message; its last button opens a menu. Only the active message has one, so that the others
 * cost nothing.
 */
import { computed } from "@preact/signals";
import { useMemo, useRef, useState } from "preact/hooks";
import type { MessageAction } from "../../protocol/toHost.ts";
import type { MessageRow } from "../../protocol/toView.ts";
import { words } from "../words/words.ts";
import { IconButton } from "../controls/iconButton.tsx";
import { Menu, type MenuItem } from "../controls/menu.tsx";
import { useRovingTabindex } from "../a11y/rovingTabindex.ts";
import { appendQuotation } from "../composer/insertText.ts";
import { useStore } from "../state/useStore.ts";

interface MessageToolsProps {
  readonly row: MessageRow;
  readonly edit: () => void;
}

/** Renders nothing unless the message is active. */
export function MessageToolbar({ row, edit }: MessageToolsProps) {
  const store = useStore();
  const isShown = useMemo(
    () => computed(() => [store.activeRowId.value, store.focusedRowId.value].includes(row.rowId)),
    [store, row.rowId],
  ).value;
  return isShown && row.state !== "streaming" && row.pendingRecovery === null ? <Bar row={row} edit={edit} /> : null;
}

function Bar({ row, edit }: MessageToolsProps) {
  const store = useStore();
  const [isOpen, setOpen] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  const { stop, onKeyDown, onFocusIn } = useRovingTabindex(4);
  const tabIndex = (place: number): 0 | -1 => (place === stop ? 0 : -1);
  const isBusy = store.status.value.activity !== "idle";
  const isUser = row.role === "user";
  const act = (what: MessageAction): void => {
    store.post({ kind: "messageAction", messageId: Number(row.messageId), act: what });
  };
  const article = (): HTMLElement | null => bar.current?.closest("article,[role=article]") ?? null;
  const items: readonly MenuItem[] = [
    { label: words.copyText, run: () => store.copy(shownText(article())) },
    { label: words.copyMarkdown, run: () => store.copy(row.text) },
    { label: words.quote, run: () => appendQuotation(store, selectedTextIn(article()) ?? row.text) },
    ...(isUser ? [{ label: words.editMessage, run: edit, isDisabled: isBusy }] : []),
    { label: isUser ? words.answerAgain : words.anotherAnswer, run: () => act("retry"), isDisabled: isBusy },
    { label: words.withAnotherModel, run: () => act("retryWithModel"), isDisabled: isBusy },
    {
      label: row.pinned ? words.unpin : words.pin,
      hint: row.pinned ? words.unpinHint : words.pinHint,
      run: () => act(row.pinned ? "unpin" : "pin"),
      isDisabled: isBusy,
    },
    { label: words.forkHere, hint: words.forkHint, run: () => act("fork") },
    { label: words.restoreFiles, hint: words.restoreFilesHint, run: () => act("restoreFiles"), isDisabled: isBusy },
    { label: words.summarizeHere, run: () => act("summarize"), isDisabled: isBusy },
    { label: words.hide, hint: words.hideHint, run: () => act("hide"), isDisabled: isBusy },
    { label: words.eraseMessage, hint: words.eraseMessageHint, run: () => act("erase"), isDisabled: isBusy },
  ];
  return (
    <div class="tools-track">
      <div
        ref={bar}
        class="message-tools"
        role="toolbar"
        aria-label={words.messageTools}
        onKeyDown={onKeyDown}
        onFocusIn={onFocusIn}
      >
        <IconButton icon="copy" label={words.copy} tabIndex={tabIndex(0)} onPress={() => store.copy(row.text)} />
        <IconButton
          icon="quote"
          label={words.quote}
          tabIndex={tabIndex(1)}
          onPress={() => appendQuotation(store, selectedTextIn(article()) ?? row.text)}
        />
        {isUser ? (
          <IconButton
            icon="edit"
            label={words.editMessage}
            tabIndex={tabIndex(2)}
            isDisabled={isBusy}
            disabledReason={words.notWhileBusy}
            onPress={edit}
          />
        ) : (
          <IconButton
            icon="refresh"
            label={words.anotherAnswer}
            tabIndex={tabIndex(2)}
            isDisabled={isBusy}
            disabledReason={words.notWhileBusy}
            onPress={() => act("retry")}
          />
        )}
        <IconButton
          buttonRef={more}
          icon="more"
          label={words.more}
          tabIndex={tabIndex(3)}
          isOpen={isOpen}
          onPress={() => {
            setOpen(!isOpen);
          }}
        />
        {isOpen ? (
          <Menu
            label={words.more}
            items={items}
            close={(isByKey) => {
              setOpen(false);
              if (isByKey) more.current?.focus();
            }}
          />
        ) : null}
      </div>
    </div>
  );
}

/** Text of a message as it is read, without the page's own elements. */
function shownText(article: HTMLElement | null): string {
  const words = article?.querySelector<HTMLElement>(".markdown, .typed");
  return words?.innerText.trim() ?? "";
}

function selectedTextIn(article: HTMLElement | null): string | null {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || article?.contains(selection.anchorNode) !== true) return null;
  return selection.toString().trim() || null;
}
