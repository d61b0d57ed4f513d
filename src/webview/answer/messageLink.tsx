/** Links from an answer, or from a tool result, to a message of this conversation. */
import type { ComponentChildren } from "preact";
import { words } from "../words/words.ts";
import { useStore } from "../state/useStore.ts";
import { isolatedText } from "./visibleText.tsx";

interface MessageLinkProps {
  readonly messageId: number;
  /** Defaults to the number of the message, counted from 1. */
  readonly children?: ComponentChildren;
}

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

/** How tools refer to a message, counted from 1: "[message 118](#message-118)". */
const named = /\[message ([1-9]\d{0,8})\]\(#message-\1\)/g;

/** Plain text with such references as links. */
export function textWithMessageLinks(text: string): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(named)) {
    parts.push(isolatedText(text.slice(end, match.index)));
    parts.push(<MessageLink key={match.index} messageId={Number(match[1]) - 1} />);
    end = match.index + match[0].length;
  }
  return parts.length === 0 ? isolatedText(text) : [...parts, isolatedText(text.slice(end))];
}
