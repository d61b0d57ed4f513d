/** What the parts of a message look like before anything was done with them. What is not here needs its component. */
import type { VNode } from "preact";
import { blocksOfText } from "../markdown/markdownBlocks.ts";
import { Attachments } from "./attachments.tsx";
import { CodeBlock, codeView } from "./codeBlock.tsx";
import { linesToFold } from "./codeFold.ts";
import { CodeTools, type CodeToolsProps, codeToolsView, toolsOf } from "./codeTools.tsx";
import { FileLink, fileLinkView } from "./fileLink.tsx";
import { Icon } from "./icon.tsx";
import { Words, inlines } from "./inlines.tsx";
import { LinkTo, linkView } from "./linkTo.tsx";
import { LongText, Piece, pieceView } from "./longText.tsx";
import { Blocks, BlockView, blockView } from "./markdown.tsx";
import { Answer, answerView, Message, messageView, Thinking, thinkingView } from "./message.tsx";
import { MessageLink, messageLinkView } from "./messageLink.tsx";
import { PinMark } from "./messageMarks.tsx";
import { MessageTools } from "./messageTools.tsx";
import { copiedForm, type StillForms, stillForm } from "./still.ts";
import { smallStretches, Stretch, Stretches, stretchView } from "./stretches.tsx";
import { UserMessage, userView } from "./userMessage.tsx";
import { HiddenCharacters } from "./visibleText.tsx";

/** Longer code needs its component: all the code of a row is coloured again at once when the row is touched. */
const mostCodeLength = 1_500;
/** Longer text is as a rule so much that it is drawn in several frames. */
const mostTextLength = 8_000;
/** So much of it in a row may be coloured later, in UTF-16 units. */
const mostPlainLength = 4_000;

/** All of them. */
export const stillForms: StillForms = new Map([
  stillForm(Message, messageView),
  stillForm(UserMessage, ({ row, edited }) => (edited ? undefined : userView(row, { edit: nothing, open: nothing }))),
  stillForm(Answer, (props) => {
    const { row } = props;
    if (row.state === "streaming" || row.calls.length > 0 || row.text.length > mostTextLength) return undefined;
    return answerView(props, blocksOfText(row.text), false);
  }),
  stillForm(Thinking, (props) => thinkingView(props, nothing)),
  stillForm(MessageTools, ({ row }, { services: { store } }) =>
    store.activeRow.peek() === row.rowId ? undefined : null,
  ),
  stillForm(Attachments, Attachments),
  stillForm(PinMark, PinMark),
  stillForm(Icon, Icon),
  stillForm(Stretches, smallStretches),
  stillForm(Stretch, stretchView),
  stillForm(Blocks, Blocks),
  stillForm(BlockView, (props) => blockView(props, false)),
  stillForm(Words, ({ list, ...how }) => inlines(list, how)),
  stillForm(LongText, LongText),
  stillForm(Piece, ({ text }) => pieceView(text)),
  stillForm(HiddenCharacters, HiddenCharacters),
  stillForm(LinkTo, (props) => linkView(props, nothing)),
  stillForm(MessageLink, (props) => messageLinkView(props, nothing)),
  stillForm(FileLink, (props, { services, missingFiles }) => {
    const { path } = props.name;
    const isThere = services.store.files.isThere(path).peek();
    if (!isThere) missingFiles.add(path);
    return fileLinkView(props, isThere, nothing);
  }),
  stillForm(CodeBlock, (props, drawing) => {
    const { highlighter, store } = drawing.services;
    const { language, text } = props.block;
    if (!props.final || text.length > mostCodeLength || store.unfoldedCode.has(text)) return undefined;
    const tokens = highlighter.tokensNow(language, text);
    const pre = { current: null };
    if (tokens === undefined) {
      drawing.plainLength += text.length;
      if (drawing.plainLength > mostPlainLength) return undefined;
      drawing.plainCodes.push({ language, text, pre });
    }
    const lines = linesToFold(text);
    return codeView(props, tokens ?? null, { pre, lines, isFolded: lines > 0, toggle: nothing });
  }),
  stillForm(CodeTools, copiedForm(nameOfTools, untouchedTools)),
]);

function untouchedTools(props: CodeToolsProps): VNode {
  return codeToolsView(toolsOf(props, false), { stop: 0 });
}

/** Most blocks name no file, and have one of a few bars. */
function nameOfTools(props: CodeToolsProps): string | null {
  if (props.path !== "") return null;
  return toolsOf(props, false)
    .map(({ icon }) => icon)
    .join(" ");
}

function nothing(): void {
  throw new Error("what is only drawn was used");
}
