import * as vscode from "vscode";
import type { MessageRange } from "../../core/history/summaries/summary.ts";
import { messageId, type MessageId } from "../../core/ids.ts";
import { localize } from "../../protocol/localize.ts";
import { contextMenuMessage } from "../view/contextMenuMessage.ts";
import type { Session } from "../session/session.ts";
import type { CommandFocus } from "../editor/commandFocus.ts";
import type { Presenter } from "../view/presenter.ts";
import { isRefusedByStrategy, summarize } from "./summarizeCommand.ts";
import { inList } from "../editor/boxes/inList.ts";

/**
 * "Forge: Summarize Context". From the palette, without a selection, it summarizes what the strategies plan. With
 * messages selected in the chat, or from a message's menu, it asks for the range and for a topic to emphasize.
 */
export async function summarizeContext(
  session: Session,
  presenter: Pick<Presenter, "showBanner" | "dropNote">,
  keyboard: CommandFocus,
  context: unknown,
): Promise<void> {
  if (isRefusedByStrategy(session, presenter)) {
    keyboard.afterPrompt();
    return;
  }
  const clicked = contextMenuMessage(context, session);
  const selected = selectedRange(session);
  const ranges = [
    ...(selected === undefined ? [] : selectionRanges(selected, session)),
    ...(clicked === undefined ? [] : messageRanges(clicked, session)),
  ];
  if (ranges.length === 0) {
    keyboard.afterPrompt();
    await summarize(session, {}, presenter);
    return;
  }
  if (clicked === undefined) ranges.push({ label: localize("What the strategy would summarize now") });
  const title = localize("Forge: Summarize");
  const placeHolder = localize("The originals are kept. The newest and the pinned messages stay as they are.");
  const picked = await vscode.window.showQuickPick(inList(ranges), { title, placeHolder });
  const prompt = localize("What should the summary focus on? Optional.");
  const focus = picked === undefined ? undefined : await vscode.window.showInputBox({ title, prompt });
  keyboard.afterPrompt();
  if (picked === undefined || focus === undefined) return;
  await summarize(session, { ...(picked.range === undefined ? {} : { range: picked.range }), focus }, presenter);
}

/** Without a range: what the strategies plan. */
interface RangeItem {
  readonly label: string;
  readonly range?: MessageRange;
}

function selectionRanges({ start, end }: MessageRange, { opened }: Session): readonly RangeItem[] {
  const { length } = opened.manager.history;
  const last = end - 1;
  return [
    {
      label:
        last === start
          ? localize("The selected message ({0})", start)
          : localize("The selected messages ({0}–{1})", start, last),
      range: { start, end },
    },
    { label: localize("Everything above, with the selection"), range: { start: messageId(0), end } },
    { label: localize("The selection and everything below"), range: { start, end: messageId(length) } },
  ];
}

function messageRanges(clicked: MessageId, { opened }: Session): readonly RangeItem[] {
  const { length } = opened.manager.history;
  return [
    {
      label: localize("Everything above, with this message"),
      range: { start: messageId(0), end: messageId(clicked + 1) },
    },
    { label: localize("This message and everything below"), range: { start: clicked, end: messageId(length) } },
    { label: localize("Only this message"), range: { start: clicked, end: messageId(clicked + 1) } },
  ];
}

/** The messages selected in the chat, without those that are not in the history yet. */
function selectedRange({ selected, opened }: Session): MessageRange | undefined {
  const { length } = opened.manager.history;
  if (selected === null || selected.first > selected.last || selected.first >= length) return undefined;
  return { start: messageId(selected.first), end: messageId(Math.min(selected.last + 1, length)) };
}
