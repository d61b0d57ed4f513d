import type { MessageRow, RecalledView } from "../../protocol/toView.ts";
import { LongText } from "../answer/longText.tsx";
import { MessageLink } from "../answer/messageLink.tsx";
import { Icon } from "../controls/icon.tsx";
import { useStore } from "../state/useStore.ts";
import { words } from "../words/words.ts";

interface RecalledProps extends Pick<MessageRow, "rowId"> {
  readonly passages: readonly RecalledView[];
  readonly open: boolean;
}

/** "2 earlier messages recalled"; opens to the passages, each under a link to its message. */
export function Recalled({ rowId, passages, open }: RecalledProps) {
  const store = useStore();
  const messages = new Set(passages.map(({ messageId }) => messageId));
  return (
    <div class="recalled">
      <button
        type="button"
        class="fold"
        aria-expanded={open}
        title={words.recalledHint}
        onClick={() => {
          store.dispatch({ kind: "toggledRow", rowId });
        }}
      >
        <Icon name={open ? "chevronDown" : "chevronRight"} />
        {words.recalled(messages.size)}
      </button>
      {open ? (
        <ul class="recalled-passages">
          {passages.map(({ messageId, text }, index) => (
            <li key={index}>
              <MessageLink messageId={messageId}>{words.recalledMessage(messageId)}</MessageLink>
              <div class="thoughts bidi" dir="auto">
                <LongText text={text} />
              </div>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
