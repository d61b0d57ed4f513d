/** Chips of attachments, added or being added. */
import type { AttachmentView } from "../../protocol/attachmentView.ts";
import { formatTokenCount } from "../words/formatTokenCount.ts";
import { words } from "../words/words.ts";
import { Icon } from "../controls/icon.tsx";
import { visibleText } from "../answer/visibleText.tsx";

/** Actions of a chip; absent ones are unavailable. */
export interface AttachmentActions {
  /** Shows it in the editor. */
  readonly open?: (attachmentId: string) => void;
  /** Inserts a pasted text into the message. */
  readonly asText?: (attachmentId: string) => void;
  readonly remove?: (attachmentId: string) => void;
}

/** Longer lists may scroll; if their chips may lack buttons, the list takes the focus for scrolling by keyboard. */
const roomyCount = 6;

interface AttachmentsProps extends AttachmentActions {
  readonly attachments: readonly AttachmentView[];
}

export function Attachments({ attachments, ...acts }: AttachmentsProps) {
  if (attachments.length === 0) return null;
  return (
    <ul
      class="attachments"
      aria-label={words.attachments}
      tabIndex={attachments.length > roomyCount && acts.remove === undefined ? 0 : undefined}
    >
      {attachments.map((attachment) => (
        <li
          key={attachment.attachmentId}
          class={attachment.isExcluded ? "chip left-out" : "chip"}
          title={attachment.isExcluded ? words.leftOutAttachment(attachment.label) : attachment.label}
        >
          {chipView(attachment, acts)}
        </li>
      ))}
    </ul>
  );
}

function chipView({ attachmentId, kind, label, tokens, isExcluded }: AttachmentView, actions: AttachmentActions) {
  const { open, asText, remove } = actions;
  const name = <span class="chip-label">{visibleText(shortened(label))}</span>;
  return (
    <>
      <Icon name={kind} />
      {open === undefined ? (
        name
      ) : (
        <button
          type="button"
          class="chip-open"
          aria-label={words.openAttachment(label)}
          onClick={() => open(attachmentId)}
        >
          {name}
        </button>
      )}
      {tokens === null ? null : <span class="chip-tokens">{formatTokenCount(tokens)}</span>}
      {isExcluded ? <span class="spoken-only">{words.contextLeftOut}</span> : null}
      {asText === undefined || kind !== "pasted" ? null : (
        <ChipButton icon="insert" label={words.asText(label)} onPress={() => asText(attachmentId)} />
      )}
      {remove === undefined ? null : (
        <ChipButton icon="close" label={words.detach(label)} onPress={() => remove(attachmentId)} />
      )}
    </>
  );
}

interface ChipButtonProps {
  readonly icon: "insert" | "close";
  readonly label: string;
  readonly onPress: () => void;
}

function ChipButton({ icon, label, onPress }: ChipButtonProps) {
  return (
    <button type="button" class="chip-button" aria-label={label} title={label} onClick={onPress}>
      <Icon name={icon} />
    </button>
  );
}

/** File name of a path; the tooltip has the whole path. */
function shortened(label: string): string {
  const isPath = /^[^\s]+\/[^\s/]+$/.test(label);
  return isPath ? label.slice(label.lastIndexOf("/") + 1) : label;
}
