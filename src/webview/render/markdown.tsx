/**
 * Draws the blocks of an answer. Each kind of the fixed list becomes one fixed element; text becomes text nodes. There
 * is no way from an answer to HTML.
 */
import { Component, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import type { Alignment, Block, Inline, ListItem, Table } from "../markdown/markdownTree.ts";
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
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} growing={growing && index === blocks.length - 1} />
      ))}
    </>
  );
}

/** Blocks that are drawn, laid out and painted together: of a growing answer only the last such stretch is looked at. */
const blocksPerStretch = 16;

/** A whole answer. Its blocks never change their stretch, so none is made anew while it grows. */
export function Stretches({ blocks, growing }: { readonly blocks: readonly Block[]; readonly growing: boolean }) {
  const stretches: ComponentChildren[] = [];
  for (let start = 0; start < blocks.length; start += blocksPerStretch) {
    const end = start + blocksPerStretch;
    stretches.push(<Stretch key={start} blocks={blocks.slice(start, end)} growing={growing && end >= blocks.length} />);
  }
  return <>{stretches}</>;
}

/** Drawn again only when one of its blocks is another object. */
class Stretch extends Component<{ readonly blocks: readonly Block[]; readonly growing: boolean }> {
  override shouldComponentUpdate(next: Stretch["props"]): boolean {
    const { blocks, growing } = this.props;
    const same = next.blocks.length === blocks.length && next.blocks.every((block, index) => block === blocks[index]);
    return !same || next.growing !== growing;
  }

  override render({ blocks, growing }: Stretch["props"]) {
    return (
      <div class="stretch">
        <Blocks blocks={blocks} growing={growing} />
      </div>
    );
  }
}

interface BlockProps {
  readonly block: Block;
  readonly growing: boolean;
}

/** Drawn again only when its block is another object: closed blocks stay as they are. */
class BlockView extends Component<BlockProps> {
  override shouldComponentUpdate(next: BlockProps): boolean {
    return next.block !== this.props.block || next.growing !== this.props.growing;
  }

  override render({ block, growing }: BlockProps) {
    return drawBlock(block, growing);
  }
}

function drawBlock(block: Block, growing: boolean): ComponentChildren {
  switch (block.kind) {
    case "paragraph":
      return <p>{inlines(block.inlines, growing)}</p>;
    case "heading":
      return (
        <div class={`heading depth-${String(block.depth)}`} role="heading" aria-level={block.level}>
          {inlines(block.inlines, growing)}
        </div>
      );
    case "code":
      return <CodeBlock block={block} final={block.closed || !growing} />;
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} growing={growing} />
        </blockquote>
      );
    case "list":
      return block.start === null ? (
        <ul>{listItems(block.items, growing)}</ul>
      ) : (
        <ol start={block.start}>{listItems(block.items, growing)}</ol>
      );
    case "table":
      return <TableView table={block} growing={growing} />;
    case "rule":
      return <hr />;
    case "formula":
      return <FormulaView formula={block} />;
    case "verbatim":
      return (
        <p class="verbatim">
          <LongText text={block.text} />
        </p>
      );
  }
}

function listItems(items: readonly ListItem[], growing: boolean): ComponentChildren {
  return items.map((item, index) => (
    <li key={index} class={item.task === null ? undefined : "task"}>
      {item.task === null ? null : (
        <span class="task-mark" role="img" aria-label={item.task === "done" ? words.done : words.notDone}>
          <Icon name={item.task === "done" ? "taskDone" : "taskOpen"} />
        </span>
      )}
      {item.blocks.map((block, place) => {
        const last = growing && index === items.length - 1 && place === item.blocks.length - 1;
        if (item.tight && block.kind === "paragraph") return <span key={place}>{inlines(block.inlines, growing)}</span>;
        return <BlockView key={place} block={block} growing={last} />;
      })}
    </li>
  ));
}

function TableView({ table, growing }: { readonly table: Table; readonly growing: boolean }) {
  return (
    <div class="table" role="group" aria-label={words.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {table.header.map((cell, column) => (
              <th key={column} class={alignment(table.align[column])} scope="col">
                {inlines(cell, growing)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} class={alignment(table.align[column])}>
                  {inlines(cell, growing)}
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

/** `asIs`: names of files stay words, as the text is still being written or is a link already. */
function inlines(list: readonly Inline[], asIs: boolean): ComponentChildren {
  return list.map((inline, index) => <InlineView key={index} inline={inline} asIs={asIs} />);
}

function InlineView({ inline, asIs }: { readonly inline: Inline; readonly asIs: boolean }) {
  const hasMarks = useContext(MarksContext);
  switch (inline.kind) {
    case "text":
      return (
        <>{hasMarks ? withMarks(inline.text) : asIs ? visibleText(inline.text) : textWithFileNames(inline.text)}</>
      );
    case "code": {
      const name = asIs ? null : wholeFileName(inline.text);
      const code = <code>{visibleText(inline.text)}</code>;
      return name === null ? code : <FileLink name={name}>{code}</FileLink>;
    }
    case "strong":
      return <strong>{inlines(inline.inlines, asIs)}</strong>;
    case "emphasis":
      return <em>{inlines(inline.inlines, asIs)}</em>;
    case "strike":
      return <s>{inlines(inline.inlines, asIs)}</s>;
    case "break":
      return <br />;
    case "formula":
      return <FormulaView formula={inline} />;
    case "link": {
      const link = (
        <LinkTo href={inline.href} address={inline.address}>
          {inlines(inline.inlines, true)}
        </LinkTo>
      );
      const name = inline.href === null && !asIs ? fileNameOfLink(inline.address) : null;
      return name === null ? (
        link
      ) : (
        <FileLink name={name} otherwise={link}>
          {inlines(inline.inlines, true)}
        </FileLink>
      );
    }
    case "message":
      return <MessageLink messageId={inline.messageId}>{inlines(inline.inlines, true)}</MessageLink>;
    case "image":
      return (
        <LinkTo href={inline.href} address={inline.address}>
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
