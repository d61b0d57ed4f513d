/** Links from an answer, or from a tool result, to a message of this conversation or of another. */
import type { ComponentChildren } from "preact";
import { words } from "../words/words.ts";
import { parseConversationAddress, type ConversationPlace } from "../../protocol/conversationLink.ts";
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

interface ConversationLinkProps {
  readonly place: ConversationPlace;
  /** Defaults to the number of the message, or to what the link does. */
  readonly children?: ComponentChildren;
}

/** Link to another conversation; the host says so when there is none such. */
export function ConversationLink({ place, children }: ConversationLinkProps) {
  const store = useStore();
  const { conversationId, messageId } = place;
  const name = messageId === null ? words.openConversation : words.covered(messageId, messageId);
  return (
    <button
      type="button"
      class="message-link"
      title={messageId === null ? words.openConversation : words.openConversationAt(messageId)}
      onClick={() => {
        store.post({ kind: "openConversation", conversationId, messageId });
      }}
    >
      {children ?? name}
    </button>
  );
}

/**
 * How tools refer to a message, counted from 1: "[message 118](#message-118)", or of another conversation:
 * "[message 118](#conversation-<uuid>-message-118)".
 */
const named = /\[message ([1-9]\d{0,8})\]\((#message-\1|#conversation-[0-9a-f-]{36}-message-\1)\)/g;

/** Plain text with such references as links. */
export function textWithMessageLinks(text: string): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(named)) {
    parts.push(isolatedText(text.slice(end, match.index)));
    const messageId = Number(match[1]) - 1;
    const place = parseConversationAddress(match[2] ?? "");
    parts.push(
      place === undefined ? (
        <MessageLink key={match.index} messageId={messageId} />
      ) : (
        <ConversationLink key={match.index} place={place} />
      ),
    );
    end = match.index + match[0].length;
  }
  return parts.length === 0 ? isolatedText(text) : [...parts, isolatedText(text.slice(end))];
}
