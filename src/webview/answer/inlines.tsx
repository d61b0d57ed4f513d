/** Draws inline content: text becomes text nodes, and each kind of the fixed list one fixed element. */
import { beginningOf, shorten } from "../../core/cutText.ts";
import { useStore } from "../state/useStore.ts";
import type { ComponentChildren } from "preact";
import { fileNameFromLink, wholeFileName } from "./fileNames.ts";
import type { Inline } from "./markdown/markdownTree.ts";
import { words } from "../words/words.ts";
import { FileLink, textWithFileNames } from "./fileLink.tsx";
import { FormulaView } from "./math/formula.tsx";
import { Icon } from "../controls/icon.tsx";
import { ConversationLink, MessageLink } from "./messageLink.tsx";
import { drawUnverifiedMarks } from "../summary/unverifiedMark.tsx";
import { isolatedText, visibleText } from "./visibleText.tsx";

/** Drawing options. Inlines are drawn by functions: a component for each would cost more than the text itself. */
export interface DrawOptions {
  /** File names stay text: the block is still growing, or they are in a link. */
  readonly hasPlainFileNames: boolean;
  /** Text of a summary, which may contain marks. */
  readonly hasMarks: boolean;
}

export function inlines(list: readonly Inline[], options: DrawOptions): ComponentChildren {
  return list.map((inline, index) => drawInline(inline, index, options));
}

function drawInline(inline: Inline, key: number, options: DrawOptions): ComponentChildren {
  const { hasPlainFileNames, hasMarks } = options;
  switch (inline.kind) {
    case "text":
      return hasMarks
        ? drawUnverifiedMarks(inline.text)
        : hasPlainFileNames
          ? visibleText(inline.text)
          : textWithFileNames(inline.text);
    case "code": {
      const name = hasPlainFileNames ? null : wholeFileName(inline.text);
      const code = (
        <code key={key} dir="ltr">
          {isolatedText(inline.text)}
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
      return <strong key={key}>{inlines(inline.inlines, options)}</strong>;
    case "emphasis":
      return <em key={key}>{inlines(inline.inlines, options)}</em>;
    case "strike":
      return <s key={key}>{inlines(inline.inlines, options)}</s>;
    case "break":
      return <br key={key} />;
    case "formula":
      return <FormulaView key={key} formula={inline} />;
    case "link": {
      const link = (
        <ExternalLink key={key} href={inline.href} address={inline.address}>
          {inlines(inline.inlines, { hasPlainFileNames: true, hasMarks })}
        </ExternalLink>
      );
      const name = inline.href === null && !hasPlainFileNames ? fileNameFromLink(inline.address) : null;
      return name === null ? (
        link
      ) : (
        <FileLink key={key} name={name} fallback={link}>
          {inlines(inline.inlines, { hasPlainFileNames: true, hasMarks })}
        </FileLink>
      );
    }
    case "message":
      return (
        <MessageLink key={key} messageId={inline.messageId}>
          {inline.inlines.length === 0 ? undefined : inlines(inline.inlines, { hasPlainFileNames: true, hasMarks })}
        </MessageLink>
      );
    case "conversation":
      return (
        <ConversationLink key={key} place={inline.place}>
          {inline.inlines.length === 0 ? undefined : inlines(inline.inlines, { hasPlainFileNames: true, hasMarks })}
        </ConversationLink>
      );
    case "image":
      return (
        <ExternalLink key={key} href={inline.href} address={inline.address}>
          <Icon name="image" />
          {imageText(inline.alt, inline.address)}
        </ExternalLink>
      );
  }
}

/** Images are never fetched: alternative text and address stand for them. An address may contain the whole image. */
function imageText(alt: string, address: string): string {
  const shown = shorten(address, 80);
  return alt === "" ? `${words.image} (${shown})` : `${alt} (${shown})`;
}

interface LinkProps {
  /** Already checked; null for an address that must not be opened. */
  readonly href: string | null;
  /** As written in the answer. */
  readonly address: string;
  readonly children: ComponentChildren;
}

/** Link that only the host opens; its title shows the real target. An unsafe address becomes text with a title. */
function ExternalLink({ href, address, children }: LinkProps) {
  const store = useStore();
  if (href === null) {
    return (
      <span class="dead-link" title={beginningOf(address, 500)}>
        {children}
      </span>
    );
  }
  const open = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation(); // the editor's own listener further up would open it again
    store.post({ kind: "openLink", href });
  };
  return (
    <a href={href} title={href} rel="noreferrer noopener" onClick={open} onAuxClick={open}>
      {children}
    </a>
  );
}
