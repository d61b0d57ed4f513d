/** Links from an answer, or from what a tool found, to a message of this conversation. */
import type { ComponentChildren } from "preact";
import { words } from "../words/words.ts";
import { useStore } from "../state/useStore.ts";
import { visibleText } from "./visibleText.tsx";

interface MessageLinkProps {
  readonly messageId: number;
  /** Where there is none, it is named by its number, as a reader counts. */
  readonly children?: ComponentChildren;
}

/** Brings the message into sight. */
export function MessageLink({ messageId, children }: MessageLinkProps) {
  const store = useStore();
  return (
    <button
      type="button"
      class="message-link"
      title={words.goToMessage(messageId)}
      onClick={() => {
        store.reveal(messageId);
      }}
    >
      {children ?? words.covered(messageId, messageId)}
    </button>
  );
}

/** How tools name a message, the first as number 1: "[message 118](#message-118)". */
const named = /\[message ([1-9]\d{0,8})\]\(#message-\1\)/g;

/** Plain text in which messages that are named so are links. */
export function textWithMessageLinks(text: string): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(named)) {
    parts.push(visibleText(text.slice(end, match.index)));
    parts.push(<MessageLink key={match.index} messageId={Number(match[1]) - 1} />);
    end = match.index + match[0].length;
  }
  return parts.length === 0 ? visibleText(text) : [...parts, visibleText(text.slice(end))];
}
