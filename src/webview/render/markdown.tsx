/**
 * Draws the blocks of an answer. Each kind of the fixed list becomes one fixed element; text becomes text nodes. There
 * is no way from an answer to HTML.
 */
import { Component, type ComponentChildren, type VNode } from "preact";
import { longColumns } from "../markdown/longColumns.ts";
import type { Alignment, Block, Inline, ListItem, Paragraph, Table } from "../markdown/markdownTree.ts";
import { type WholeBlock, wholeBlocks } from "../markdown/wholeBlocks.ts";
import { words } from "../words.ts";
import { fileNameOfLink, wholeFileName } from "../fileNames.ts";
import { CodeBlock } from "./codeBlock.tsx";
import { FileLink, textWithFileNames } from "./fileLink.tsx";
import { FormulaView } from "./formula.tsx";
import { Icon } from "./icon.tsx";
import { LinkTo } from "./linkTo.tsx";
import { LongText } from "./longText.tsx";
import { MarksContext, withMarks } from "./unverifiedMark.tsx";
import { MessageLink } from "./messageLink.tsx";
import { visibleText } from "./visibleText.tsx";

/** Blocks one below the other. `growing`: the last one may still change. */
export function Blocks({ blocks, growing }: { readonly blocks: readonly Block[]; readonly growing: boolean }) {
  return (
    <>
      {wholeBlocks(blocks).map((pieces, index, wholes) => (
        <BlockView key={index} pieces={pieces} growing={growing && index === wholes.length - 1} />
      ))}
    </>
  );
}

interface BlockProps {
  readonly pieces: WholeBlock;
  readonly growing: boolean;
}

/** Drawn again only when its block is another object: closed blocks stay as they are. */
class BlockView extends Component<BlockProps> {
  static override readonly contextType = MarksContext;

  override shouldComponentUpdate(next: BlockProps): boolean {
    const { pieces, growing } = this.props;
    const same = next.pieces.length === pieces.length && next.pieces.every((piece, index) => piece === pieces[index]);
    return !same || next.growing !== growing;
  }

  override render({ pieces, growing }: BlockProps) {
    const [block] = pieces;
    const hasMarks = this.context === true;
    if (block.kind !== "paragraph") return drawBlock(block, growing, { asIs: growing, hasMarks });
    return <p class={growing ? "unfinished" : undefined}>{drawPieces(pieces, growing, hasMarks)}</p>;
  }
}

/** The words of a paragraph, in as many pieces as it is read in: nothing stands between them. */
function drawPieces(pieces: WholeBlock, growing: boolean, hasMarks: boolean): ComponentChildren {
  return pieces.map((piece, index) =>
    piece.kind === "paragraph" ? (
      <Words key={index} list={piece.inlines} asIs={growing && index === pieces.length - 1} hasMarks={hasMarks} />
    ) : null,
  );
}

function drawBlock(block: Exclude<Block, Paragraph>, growing: boolean, how: How): ComponentChildren {
  // Told by a class of its own, not by its place: a place is looked at anew for all around it.
  const unfinished = growing ? "unfinished" : undefined;
  switch (block.kind) {
    case "heading":
      return (
        <div
          class={`heading depth-${String(block.depth)}${growing ? " unfinished" : ""}`}
          role="heading"
          aria-level={block.level}
        >
          {inlines(block.inlines, how)}
        </div>
      );
    case "code":
      return <CodeBlock block={block} final={block.closed || !growing} growing={growing} />;
    case "quote":
      return (
        <blockquote class={unfinished}>
          <Blocks blocks={block.blocks} growing={growing} />
        </blockquote>
      );
    case "list":
      return block.start === null ? (
        <ul class={unfinished}>{listItems(block.items, growing, how)}</ul>
      ) : (
        <ol class={unfinished} start={block.start}>
          {listItems(block.items, growing, how)}
        </ol>
      );
    case "table":
      return drawTable(block, how);
    case "rule":
      return <hr />;
    case "formula":
      return <FormulaView formula={block} />;
    case "verbatim":
    case "plain":
      return (
        <p class={block.kind}>
          <LongText text={block.text} />
        </p>
      );
  }
}

function listItems(items: readonly ListItem[], growing: boolean, how: How): ComponentChildren {
  return items.map((item, index) => (
    <li key={index} class={item.task === null ? undefined : "task"}>
      {item.task === null ? null : (
        <span class="task-mark" role="img" aria-label={item.task === "done" ? words.done : words.notDone}>
          <Icon name={item.task === "done" ? "taskDone" : "taskOpen"} />
        </span>
      )}
      {item.blocks.map((block, place) => {
        const last = growing && index === items.length - 1 && place === item.blocks.length - 1;
        if (item.tight && block.kind === "paragraph") return <span key={place}>{inlines(block.inlines, how)}</span>;
        return <BlockView key={place} pieces={[block]} growing={last} />;
      })}
    </li>
  ));
}

function drawTable(table: Table, how: How): VNode {
  const long = longColumns(table);
  return (
    <div class="table" role="group" aria-label={words.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {table.header.map((cell, column) => (
              <th
                key={column}
                class={[alignment(table.align[column]), long[column] === true ? "long-column" : undefined]
                  .filter((name) => name !== undefined)
                  .join(" ")}
                scope="col"
              >
                {inlines(cell, how)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} class={alignment(table.align[column])}>
                  {inlines(cell, how)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function alignment(align: Alignment | undefined): string | undefined {
  return align === null || align === undefined ? undefined : `align-${align}`;
}

/** How words are drawn. They are drawn by functions: a component for each would cost more than the words themselves. */
interface How {
  /** Names of files stay words, as the text is still being written or is a link already. */
  readonly asIs: boolean;
  /** The text is that of a summary, and may hold marks. */
  readonly hasMarks: boolean;
}

/** A piece of a paragraph; drawn again only when its words are others. */
class Words extends Component<How & { readonly list: readonly Inline[] }> {
  override shouldComponentUpdate(next: this["props"]): boolean {
    return next.list !== this.props.list || next.asIs !== this.props.asIs || next.hasMarks !== this.props.hasMarks;
  }

  override render({ list, asIs, hasMarks }: this["props"]) {
    return <>{inlines(list, { asIs, hasMarks })}</>;
  }
}

function inlines(list: readonly Inline[], how: How): ComponentChildren {
  return list.map((inline, index) => drawInline(inline, index, how));
}

function drawInline(inline: Inline, key: number, how: How): ComponentChildren {
  const { asIs, hasMarks } = how;
  switch (inline.kind) {
    case "text":
      return hasMarks ? withMarks(inline.text) : asIs ? visibleText(inline.text) : textWithFileNames(inline.text);
    case "code": {
      const name = asIs ? null : wholeFileName(inline.text);
      const code = <code key={key}>{visibleText(inline.text)}</code>;
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
          {inlines(inline.inlines, { asIs: true, hasMarks })}
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

/** An image is never fetched: its words and its address stand for it. An address may hold the whole image. */
function imageWords(alt: string, address: string): string {
  const shown = address.length > 80 ? `${address.slice(0, 80)}…` : address;
  return alt === "" ? `${words.image} (${shown})` : `${alt} (${shown})`;
}
