/**
 * Draws the blocks of an answer. Each kind of the fixed list becomes one fixed element; text becomes text nodes. There
 * is no way from an answer to HTML.
 */
import { Component, type ComponentChildren, Fragment, type VNode } from "preact";
import { longColumns } from "../markdown/longColumns.ts";
import type { Alignment, Block, List, ListItem, Paragraph, Table } from "../markdown/markdownTree.ts";
import { type WholeBlock, wholeBlocks } from "../markdown/wholeBlocks.ts";
import { words } from "../words.ts";
import { CodeBlock } from "./codeBlock.tsx";
import { FormulaView } from "./formula.tsx";
import { Icon } from "./icon.tsx";
import { type How, inlines, Words } from "./inlines.tsx";
import { LongText } from "./longText.tsx";
import { MarksContext } from "./unverifiedMark.tsx";

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
export class BlockView extends Component<BlockProps> {
  static override readonly contextType = MarksContext;

  override shouldComponentUpdate(next: BlockProps): boolean {
    const { pieces, growing } = this.props;
    const same = next.pieces.length === pieces.length && next.pieces.every((piece, index) => piece === pieces[index]);
    return !same || next.growing !== growing;
  }

  override render(props: BlockProps) {
    return blockView(props, this.context === true);
  }
}

/** What a {@link BlockView} looks like. */
export function blockView({ pieces, growing }: BlockProps, hasMarks: boolean): ComponentChildren {
  const [block] = pieces;
  if (block.kind !== "paragraph") return drawBlock(block, growing, { asIs: growing, hasMarks });
  return <p class={growing ? "unfinished" : undefined}>{drawPieces(pieces, growing, hasMarks)}</p>;
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
        <blockquote class={unfinished} dir="auto">
          <Blocks blocks={block.blocks} growing={growing} />
        </blockquote>
      );
    case "list":
      return drawList(block, growing, how);
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

/** A list, or a part of a long one: what stands between items is between the parts, too. */
function drawList({ start, items, goesOn }: List, growing: boolean, how: How): VNode {
  const name = growing ? "unfinished" : goesOn === true ? "has-more" : undefined;
  const List = start === null ? "ul" : "ol";
  return (
    <List class={name} dir="auto" start={start ?? undefined}>
      {listItems(items, growing, how)}
    </List>
  );
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
        if (item.tight && block.kind === "paragraph")
          return <Fragment key={place}>{inlines(block.inlines, how)}</Fragment>;
        return <BlockView key={place} pieces={[block]} growing={last} />;
      })}
    </li>
  ));
}

function drawTable(table: Table, how: How): VNode {
  const long = longColumns(table);
  return (
    <div class="table" dir="auto" role="group" aria-label={words.table} tabIndex={0}>
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
