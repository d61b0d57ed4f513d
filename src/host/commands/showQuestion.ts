/** "Forge: Show Question": leads to the question that waits for the user, or says which window has it. */

import type { WaitingElsewhere } from "../../adapters/node/waitingQuestions.ts";
import { localize } from "../../protocol/localize.ts";
import { proseInMessage } from "../tools/hiddenText.ts";
import { type CommandHandler, withVisibleChat } from "./commandWrappers.ts";
import { showInformation } from "../editor/boxes/messages.ts";

const showHere = withVisibleChat(({ contextPresenter, window }) => {
  contextPresenter.close();
  window.views.focusAndPost({ kind: "focusQuestion" });
});

export const showQuestion: CommandHandler = async (services, context) => {
  const { here, elsewhere } = services.window.waiting;
  if (here > 0 || elsewhere.length === 0) await showHere(services, context);
  else void showInformation(elsewhere.map(waitingSentence).join(" "));
};

/** Says in which window a question waits. */
export function waitingSentence({ title, window }: WaitingElsewhere): string {
  const what = title === "" ? localize("A conversation") : localize("“{0}”", proseInMessage(title));
  return window === ""
    ? localize("{0} is waiting for you in another window, which has no folder open.", what)
    : localize("{0} is waiting for you in the window “{1}”.", what, proseInMessage(window));
}
