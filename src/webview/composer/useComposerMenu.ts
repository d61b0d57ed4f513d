/** Controls the menu above the composer: opens it for the word at the caret, handles its keys, applies the choice. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { commandChoices, mentionChoices, type ComposerChoice } from "./composerMenuItems.ts";
import { mayBeSentence, menuToken, type MenuToken } from "./composerTokens.ts";
import type { Store } from "../state/store.ts";
import { words } from "../words/words.ts";
import { replaceText } from "./insertText.ts";

/** Longest wait of Enter for choices. */
const maxEnterWaitMs = 300;

export interface OpenMenu {
  readonly label: string;
  readonly emptyText: string;
  readonly choices: readonly ComposerChoice[];
  readonly active: number;
}

export interface ComposerMenuControl {
  readonly menu: OpenMenu | null;
  /** Updates the menu after a change of the text or the caret. */
  readonly update: () => void;
  readonly close: () => void;
  readonly choose: (choice: ComposerChoice) => void;
  /** Handles the start and the end of an IME composition. */
  readonly onComposition: (event: CompositionEvent) => void;
  /** Whether the menu handled the key. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

export function useComposerMenu(store: Store, field: RefObject<HTMLTextAreaElement | null>): ComposerMenuControl {
  const [latestToken, setToken] = useState<MenuToken | null>(null);
  const { text } = store.composer.value;
  // The word may have gone without an update: sent, or removed other than by typing.
  const token = latestToken !== null && text.startsWith(latestToken.query, latestToken.start + 1) ? latestToken : null;
  /** Null until a key has moved it. */
  const [moved, setActive] = useState<number | null>(null);
  const [composed, onComposition] = useState<CompositionEvent | null>(null);
  /** Conversation in which Enter was pressed while the choices were unknown; null otherwise. */
  const [held, hold] = useState<string | null>(null);
  /** Start of the word for which the reader closed the menu: it does not reopen for the same word. */
  const closedAt = useRef<number | null>(null);
  const found = store.mentions.value;
  const isNew = token?.kind === "mention" && found.requestId !== store.mentionRequestId;
  const isReading = token?.kind === "mention" && found.isReading === true;
  const mayFindMore = isNew || isReading;
  const choices = choicesFor(token, isNew ? [] : mentionChoices(found.mentions));
  // A sentence is sent by Enter, whatever other conversations hold of it.
  const isOffer = token !== null && mayBeSentence(token) && choices.every(isConversation);
  const active = moved ?? (isOffer ? -1 : 0);
  // Before the choices are painted: later it would revert what a quick key has chosen.
  useLayoutEffect(() => {
    setActive(null);
    const isSilent = token === null || (mayBeSentence(token) && choices.length === 0);
    if (!isSilent && !isNew && !(isReading && choices.length === 0))
      store.announce(words.spokenChoices(choices.length));
  }, [token?.kind, found.requestId, isReading]);

  const close = (): void => {
    closedAt.current = token?.start ?? null;
    setToken(null);
  };
  const update = (): void => {
    const { current } = field;
    const isCaret = current !== null && current.selectionStart === current.selectionEnd;
    const next = isCaret ? menuToken(current.value, current.selectionStart) : null;
    if (next === null) closedAt.current = null;
    const isClosed = next !== null && next.start === closedAt.current;
    setToken(isClosed ? null : next);
    const isOther = next?.kind !== token?.kind || next?.query !== token?.query;
    if (next?.kind === "mention" && !isClosed && isOther) store.findMentions(next.query);
  };
  const choose = (choice: ComposerChoice): void => {
    const { current } = field;
    if (token === null || current === null) return;
    const end = token.start + 1 + token.query.length;
    const [before, after] = [current.value.slice(0, token.start), current.value.slice(end)];
    setToken(null);
    if (choice.kind === "command") {
      const wantsMore = choice.name === "summarize" || choice.name === "find";
      const command = wantsMore ? `/${choice.name} ` : "";
      replaceText(store, current, command + (wantsMore ? after.replace(/^ +/, "") : after), command.length);
      if (!wantsMore) store.post({ kind: "slash", command: choice.name, argument: "" });
      return;
    }
    const name = `@${choice.name.replaceAll(" ", "-")} `;
    store.post({ kind: "attach", mentionId: choice.id });
    replaceText(store, current, before + name + after.replace(/^ +/, ""), before.length + name.length);
  };
  useLayoutEffect(() => {
    if (held === null || composed?.type === "compositionstart") return;
    const enter = (): void => {
      hold(null);
      if (held !== store.state.peek().conversationId) return;
      if (choices[0] === undefined) store.send();
      else choose(choices[0]);
    };
    const timer = setTimeout(enter, mayFindMore ? maxEnterWaitMs : 0);
    return () => {
      clearTimeout(timer);
    };
  }, [held, mayFindMore, composed]);
  const onKey = (event: KeyboardEvent): boolean => {
    if (token === null) return false;
    const choice = choices[Math.min(active, choices.length - 1)];
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        if (choices.length === 0) return false;
        setActive(
          event.key === "ArrowDown" ? (active + 1) % choices.length : (active > 0 ? active : choices.length) - 1,
        );
        return true;
      case "Enter":
      case "Tab":
        if (event.shiftKey) return false;
        if (choice !== undefined) choose(choice);
        else if (mayFindMore && event.key === "Enter" && !mayBeSentence(token)) hold(store.state.peek().conversationId);
        else return false;
        return true;
      case "Escape":
        hold(null);
        close();
        return true;
      default:
        return false;
    }
  };
  const saysNothingFound = token?.kind === "mention" && !isNew && !mayBeSentence(token);
  const isShown = token !== null && (choices.length > 0 || saysNothingFound);
  const emptyText = isReading
    ? words.readingNames
    : found.lookedAt === undefined
      ? words.nothingFound
      : words.nothingFoundAmong(found.lookedAt);
  const label = token?.kind === "command" ? words.commandMenu : words.mentionMenu;
  return { menu: isShown ? { label, emptyText, choices, active } : null, update, close, choose, onComposition, onKey };
}

function isConversation(choice: ComposerChoice): boolean {
  return choice.kind === "mention" && choice.icon === "conversation";
}

function choicesFor(token: MenuToken | null, mentions: readonly ComposerChoice[]): readonly ComposerChoice[] {
  if (token === null) return [];
  return token.kind === "command" ? commandChoices(token.query) : mentions;
}
