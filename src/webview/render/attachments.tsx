/** What was added to a message, or is being added: one chip each. */
import type { AttachmentView } from "../../protocol/attachmentView.ts";
import { tokenFigure } from "../tokenFigure.ts";
import { words } from "../words.ts";
import { Icon } from "./icon.tsx";
import { visibleText } from "./visibleText.tsx";

interface AttachmentsProps {
  readonly attachments: readonly AttachmentView[];
  /** Takes one away; absent where they are sent already. */
  readonly remove?: (attachmentId: string) => void;
}

/** The chips; nothing where there are none. */
export function Attachments({ attachments, remove }: AttachmentsProps) {
  if (attachments.length === 0) return null;
  return (
    <ul class="attachments" aria-label={words.attachments}>
      {attachments.map(({ attachmentId, kind, label, tokens, leftOut }) => (
        <li
          key={attachmentId}
          class={leftOut ? "chip left-out" : "chip"}
          title={leftOut ? words.leftOutAttachment(label) : label}
        >
          <Icon name={kind} />
          <span class="chip-label">{visibleText(shortened(label))}</span>
          {tokens === null ? null : <span class="chip-tokens">{tokenFigure(tokens)}</span>}
          {leftOut ? <span class="spoken-only">{words.contextLeftOut}</span> : null}
          {remove === undefined ? null : (
            <button
              type="button"
              class="chip-remove"
              aria-label={words.detach(label)}
              title={words.detach(label)}
              onClick={() => {
                remove(attachmentId);
              }}
            >
              <Icon name="close" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Of a path the file's own name; the tooltip has the rest. */
function shortened(label: string): string {
  const isPath = /^[^\s]+\/[^\s/]+$/.test(label);
  return isPath ? label.slice(label.lastIndexOf("/") + 1) : label;
}
