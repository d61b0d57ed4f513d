import { useState } from "preact/hooks";
import type { SummaryOriginal } from "../../protocol/summaryView.ts";
import { words } from "../words/words.ts";
import { Attachments } from "../composer/attachments.tsx";
import { LongText } from "../answer/longText.tsx";
import { Markdown } from "../answer/markdown.tsx";
import { MessageLink } from "../answer/messageLink.tsx";
import { ToolCalls } from "../transcript/toolCalls.tsx";

/** A message with more characters, or lines, is folded. */
const foldedChars = 1_200;
const foldedLines = 16;

/** A summarized message, drawn as in the chat but dimmed. */
export function Original({ original }: { readonly original: SummaryOriginal }) {
  const { messageId, who, role, text, attachments, calls } = original;
  const isLong = text.length > foldedChars || text.split("\n", foldedLines + 1).length > foldedLines;
  const [isOpen, setOpen] = useState(false);
  const isFolded = isLong && !isOpen;
  const unfold = (): void => {
    setOpen(true);
  };
  return (
    <div class={`original summarized from-${role}`}>
      <h3>
        {who}, <MessageLink messageId={messageId} />
      </h3>
      <Attachments attachments={attachments} />
      {text === "" ? null : (
        // Focused content must be visible.
        <div class={isFolded ? "original-text folded" : "original-text"} onFocusIn={isFolded ? unfold : undefined}>
          {role === "assistant" ? (
            <div class="markdown">
              <Markdown text={text} />
            </div>
          ) : (
            <LongText text={text} />
          )}
        </div>
      )}
      {isFolded ? (
        <button type="button" class="text-button" onClick={unfold}>
          {words.showAll}
        </button>
      ) : null}
      {calls.length === 0 ? null : (
        <ToolCalls row={{ rowId: `message-${String(messageId)}`, state: "complete", pendingRecovery: null, calls }} />
      )}
    </div>
  );
}
