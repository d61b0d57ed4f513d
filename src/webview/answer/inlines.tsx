/** Draws inline content: text becomes text nodes, and each kind of the fixed list one fixed element. */
import type { ComponentChildren } from "preact";
import { fileNameOfLink, wholeFileName } from "./fileNames.ts";
import type { Inline } from "./markdown/markdownTree.ts";
import { words } from "../words/words.ts";
import { FileLink, textWithFileNames } from "./fileLink.tsx";
import { FormulaView } from "./math/formula.tsx";
import { Icon } from "../controls/icon.tsx";
import { LinkTo } from "./linkTo.tsx";
import { MessageLink } from "./messageLink.tsx";
import { withMarks } from "../summary/unverifiedMark.tsx";
import { visibleText } from "./visibleText.tsx";

/** Drawing options. Inlines are drawn by functions: a component for each would cost more than the text itself. */
export interface How {
  /** File names stay text: the block is still growing, or they are in a link. */
  readonly asIs: boolean;
  /** Text of a summary, which may contain marks. */
  readonly hasMarks: boolean;
}

export function inlines(list: readonly Inline[], how: How): ComponentChildren {
  return list.map((inline, index) => drawInline(inline, index, how));
}

function drawInline(inline: Inline, key: number, how: How): ComponentChildren {
  const { asIs, hasMarks } = how;
  switch (inline.kind) {
    case "text":
      return hasMarks ? withMarks(inline.text) : asIs ? visibleText(inline.text) : textWithFileNames(inline.text);
    case "code": {
      const name = asIs ? null : wholeFileName(inline.text);
      const code = (
        <code key={key} dir="ltr">
          {visibleText(inline.text)}
        </code>
      );
      return name === null ? (
        code
      ) : (
        <FileLink key={key} name={name}>
          {code}
        </FileLink>
      );
    }
    case "strong":
      return <strong key={key}>{inlines(inline.inlines, how)}</strong>;
    case "emphasis":
      return <em key={key}>{inlines(inline.inlines, how)}</em>;
    case "strike":
      return <s key={key}>{inlines(inline.inlines, how)}</s>;
    case "break":
      return <br key={key} />;
    case "formula":
      return <FormulaView key={key} formula={inline} />;
    case "link": {
      const link = (
        <LinkTo key={key} href={inline.href} address={inline.address}>
          {inlines(inline.inlines, { asIs: true, hasMarks })}
        </LinkTo>
      );
      const name = inline.href === null && !asIs ? fileNameOfLink(inline.address) : null;
      return name === null ? (
        link
      ) : (
        <FileLink key={key} name={name} otherwise={link}>
          {inlines(inline.inlines, { asIs: true, hasMarks })}
        </FileLink>
      );
    }
    case "message":
      return (
        <MessageLink key={key} messageId={inline.messageId}>
          {inline.inlines.length === 0 ? undefined : inlines(inline.inlines, { asIs: true, hasMarks })}
        </MessageLink>
      );
    case "image":
      return (
        <LinkTo key={key} href={inline.href} address={inline.address}>
          <Icon name="image" />
          {imageWords(inline.alt, inline.address)}
        </LinkTo>
      );
  }
}

/** Images are never fetched: alternative text and address stand for them. An address may contain the whole image. */
function imageWords(alt: string, address: string): string {
  const shown = address.length > 80 ? `${address.slice(0, 80)}…` : address;
  return alt === "" ? `${words.image} (${shown})` : `${alt} (${shown})`;
}
