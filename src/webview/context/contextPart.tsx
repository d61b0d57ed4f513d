import type { ContextAttachment, ContextItem, ContextPart } from "../../protocol/contextView.ts";
import { formatTokenCount } from "../words/formatTokenCount.ts";
import { postContextAction, postSummaryAction, goToSummary } from "../state/navigation.ts";
import { words } from "../words/words.ts";
import { Icon, type IconName } from "../controls/icon.tsx";
import { IconButton } from "../controls/iconButton.tsx";
import { useStore } from "../state/useStore.ts";

/** Items requested at a time. */
const itemsPerPage = 50;

/** Name, size and reason of a part; unfolded, its items. */
export function ContextPartLine({ part }: { readonly part: ContextPart }) {
  const store = useStore();
  const { kind, label, tokens, share, why, itemCount, items } = part;
  const isOpen = items !== null;
  const figures = (
    <>
      <span class={`dot fill-${kind}`} aria-hidden="true" />
      <span class="part-name">{label}</span>
      <span class="part-tokens">
        {formatTokenCount(tokens)}
        <span class="spoken-only"> {words.contextTokens}</span>
      </span>
      <span class="part-share">{share}</span>
    </>
  );
  return (
    <li class="context-part" data-part={kind}>
      {itemCount === 0 ? (
        <div class="part-line">{figures}</div>
      ) : (
        <button
          type="button"
          class="part-line"
          aria-expanded={isOpen}
          onClick={() => {
            postContextAction(store, { what: "items", part: kind, count: isOpen ? 0 : itemsPerPage });
          }}
        >
          {figures}
          <Icon name={isOpen ? "chevronDown" : "chevronRight"} />
        </button>
      )}
      {why === "" ? null : <p class="meta part-why">{why}</p>}
      {isOpen ? (
        <ul class="part-items">
          {items.map((item) => (
            <Item key={item.itemId} part={part} item={item} />
          ))}
          {items.length < itemCount ? (
            <li>
              <button
                type="button"
                class="text-button"
                onClick={() => {
                  postContextAction(store, { what: "items", part: kind, count: items.length + itemsPerPage });
                }}
              >
                {words.contextMoreItems(itemCount - items.length)}
              </button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </li>
  );
}

function Item({ part, item }: { readonly part: ContextPart; readonly item: ContextItem }) {
  const store = useStore();
  const { itemId, label, tokens, why, place, pinned, attachments } = item;
  const go = (): void => {
    if (place.kind === "message") store.reveal(place.id);
    else if (place.kind === "summary") goToSummary(store, place.id);
    else postContextAction(store, { what: "text", part: part.kind, itemId });
  };
  const hint =
    place.kind === "message"
      ? words.goToMessage(place.id)
      : place.kind === "summary"
        ? words.contextGoToSummary
        : words.contextOpenText;
  return (
    <li class="part-item">
      <button type="button" class="item-name" title={hint} onClick={go}>
        {label}
      </button>
      <span class="part-tokens">
        {formatTokenCount(tokens)}
        <span class="spoken-only"> {words.contextTokens}</span>
      </span>
      {pinned === null || place.kind !== "message" ? null : (
        <Toggle
          isOn={pinned}
          icon={pinned ? "pin" : "unpinned"}
          label={pinned ? words.contextUnpin : words.contextPin}
          action={{ what: "pin", messageId: place.id, pinned: !pinned }}
        />
      )}
      {why === "" ? null : <p class="meta item-why">{why}</p>}
      {place.kind === "summary" ? (
        <p class="meta item-why">
          <button
            type="button"
            class="text-button"
            onClick={() => {
              postSummaryAction(store, place.id, { what: "request" });
            }}
          >
            {words.contextSummaryRequest}
          </button>
        </p>
      ) : null}
      {attachments.length === 0 ? null : (
        <ul class="item-attachments meta">
          {attachments.map((attachment) => (
            <Attachment
              key={attachment.index}
              attachment={attachment}
              messageId={place.kind === "message" ? place.id : null}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Attachment of a message; the button excludes it from requests, or includes it again. */
function Attachment({
  attachment: { index, label, tokens, isExcluded },
  messageId,
}: {
  readonly attachment: ContextAttachment;
  readonly messageId: number | null;
}) {
  return (
    <li class={isExcluded ? "item-attachment left-out" : "item-attachment"}>
      <span class="attachment-name" title={label}>
        {label}
      </span>
      <span class="part-tokens">
        {isExcluded ? (
          words.contextLeftOut
        ) : (
          <>
            {formatTokenCount(tokens)}
            <span class="spoken-only"> {words.contextTokens}</span>
          </>
        )}
      </span>
      {messageId === null ? null : (
        <Toggle
          isOn={isExcluded}
          icon={isExcluded ? "notSent" : "sent"}
          label={isExcluded ? words.contextSendAgain(label) : words.contextLeaveOut(label)}
          action={{ what: "exclude", messageId, index, isExcluded: !isExcluded }}
        />
      )}
    </li>
  );
}

interface ToggleProps {
  readonly isOn: boolean;
  readonly icon: IconName;
  readonly label: string;
  /** Posted when pressed. */
  readonly action: Parameters<typeof postContextAction>[1];
}

function Toggle({ isOn, icon, label, action }: ToggleProps) {
  const store = useStore();
  return (
    <IconButton
      icon={icon}
      label={label}
      isPressed={isOn}
      onPress={() => {
        postContextAction(store, action);
      }}
    />
  );
}
