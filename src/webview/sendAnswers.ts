/** What the answer to a message that was sent changes: in the composer, or where a message was said anew. Pure. */
import type { SendAnswer } from "../protocol/sendAnswer.ts";
import { type ComposerState, sendRefused, sendTaken } from "./composerState.ts";
import { editAnswered, type MessageEdits } from "./messageEdits.ts";

/** Where messages are sent from. */
interface Senders {
  readonly composer: ComposerState;
  readonly messageEdits: MessageEdits;
}

/** Returns the state after an answer. One to a message that is not on its way changes nothing. */
export function afterAnswer<State extends Senders>(state: State, { kind, sendId }: SendAnswer): State {
  const isTaken = kind === "sendTaken";
  return {
    ...state,
    composer: isTaken ? sendTaken(state.composer, sendId) : sendRefused(state.composer, sendId),
    messageEdits: editAnswered(state.messageEdits, sendId, isTaken),
  };
}
