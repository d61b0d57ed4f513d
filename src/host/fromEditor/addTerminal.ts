/** What a terminal shows, for the message that is being typed. */

import type { Session } from "../session/session.ts";

/** What it is added with. */
export interface AddTerminalWorld {
  /** Adds what the terminal in front shows to the message, or what `isSelected` in it. */
  readonly attachTerminal: (isSelected: boolean, session: Session) => Promise<void>;
  /** Shows anew how large the message is. */
  readonly countDraft: (session: Session) => Promise<void>;
  /** Puts the keyboard into the composer. */
  readonly focus: () => void;
}

/** Adds it, with the keyboard in the composer. */
export async function addTerminal(
  isSelected: boolean,
  session: Session,
  { attachTerminal, countDraft, focus }: AddTerminalWorld,
): Promise<void> {
  focus();
  await attachTerminal(isSelected, session);
  await countDraft(session);
}
