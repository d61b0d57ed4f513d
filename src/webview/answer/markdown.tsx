/**
 * Draws an answer: each kind of block of the fixed list becomes one fixed element, text becomes text nodes. Nothing
 * leads from an answer to HTML. While an answer grows, only its last block is redrawn.
 */
import { Component, type ComponentChildren, Fragment, type VNode } from "preact";
import { useMemo } from "preact/hooks";
import { drawnSize } from "./markdown/drawnSize.ts";
import { longColumns } from "./markdown/longColumns.ts";
import { MarkdownBlocks } from "./markdown/markdownBlocks.ts";
import type { Alignment, Block, List, ListItem, Table } from "./markdown/markdownTree.ts";
import { words } from "../words/words.ts";
import { CodeBlock } from "./code/codeBlock.tsx";
import { FormulaView } from "./math/formula.tsx";
import { Icon } from "../controls/icon.tsx";
import { type DrawOptions, inlines } from "./inlines.tsx";
import { LongText } from "./longText.tsx";
import { PureComponent } from "../controls/pureComponent.ts";
import { UnverifiedMarksContext } from "../summary/unverifiedMark.tsx";

/** While an answer grows, only its last chunk is compared, laid out and painted. */
const blocksPerChunk = 16;
/** Elements and text nodes after which a chunk takes no further block. */
const chunkSize = 600;
/** Chunks at the end of an answer that may be visible while the reader follows it. */
const chunksInSight = 4;

interface MarkdownProps {
  readonly text: string;
  /** The last block may still change. */
  readonly growing?: boolean;
}

export function Markdown({ text, growing = false }: MarkdownProps) {
  const markdown = useMemo(() => new MarkdownBlocks(), []);
  const blocks = useMemo(() => markdown.update(text, growing), [markdown, text, growing]);
  const chunks = chunksOf(blocks);
  return (
    <>
      {chunks.map((chunk, index) => (
        <Chunk
          key={index}
          blocks={chunk}
          growing={growing && index === chunks.length - 1}
          isOutOfSight={index + chunksInSight < chunks.length}
        />
      ))}
    </>
  );
}

/** Where a chunk ends depends only on earlier blocks, so that no block changes its chunk while the answer grows. */
function chunksOf(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const chunks: Block[][] = [];
  let size = Infinity;
  for (const block of blocks) {
    const last = chunks.at(-1);
    if (last === undefined || last.length === blocksPerChunk || size > chunkSize) {
      chunks.push([block]);
      size = 0;
    } else last.push(block);
    size += drawnSize(block);
  }
  return chunks;
}

interface ChunkProps {
  readonly blocks: readonly Block[];
  readonly growing: boolean;
  /** Out of sight for a reader at the end of the answer. */
  readonly isOutOfSight: boolean;
}

/** Rerendered only if one of its blocks is another object. */
class Chunk extends Component<ChunkProps> {
  override shouldComponentUpdate(next: ChunkProps): boolean {
    const { blocks, growing, isOutOfSight } = this.props;
    const isSame = next.blocks.length === blocks.length && next.blocks.every((block, index) => block === blocks[index]);
    return !isSame || next.growing !== growing || next.isOutOfSight !== isOutOfSight;
  }

  override render({ blocks, growing, isOutOfSight }: ChunkProps) {
    return (
      <div class={isOutOfSight ? "chunk past" : "chunk"}>
        <Blocks blocks={blocks} growing={growing} />
      </div>
    );
  }
}

/** `growing`: the last block may still change. */
function Blocks({ blocks, growing }: { readonly blocks: readonly Block[]; readonly growing: boolean }) {
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} growing={growing && index === blocks.length - 1} />
      ))}
    </>
  );
}

class BlockView extends PureComponent<{ readonly block: Block; readonly growing: boolean }> {
  static override readonly contextType = UnverifiedMarksContext;

  override render({ block, growing }: this["props"]) {
    return drawBlock(block, growing, { hasPlainFileNames: growing, hasMarks: this.context === true });
  }
}

function drawBlock(block: Block, growing: boolean, how: DrawOptions): ComponentChildren {
  // Marked by a class, not by position: the browser re-evaluates positional selectors for all siblings.
  const unfinished = growing ? "unfinished" : undefined;
  switch (block.kind) {
    case "paragraph":
      return <p class={unfinished}>{inlines(block.inlines, how)}</p>;
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
      return (
        <p class="verbatim">
          <LongText text={block.text} />
        </p>
      );
    case "plain":
      return (
        <div>
          <p class="meta">{words.tooLargeToFormat}</p>
          <p class="plain">
            <LongText text={block.text} />
          </p>
        </div>
      );
  }
}

function drawList({ start, items }: List, growing: boolean, how: DrawOptions): VNode {
  const List = start === null ? "ul" : "ol";
  return (
    <List class={growing ? "unfinished" : undefined} dir="auto" start={start ?? undefined}>
      {items.map((item, index) => (
        <Item key={index} item={item} growing={growing && index === items.length - 1} {...how} />
      ))}
    </List>
  );
}

/** In a growing list, usually only the last item is another object. */
class Item extends PureComponent<DrawOptions & { readonly item: ListItem; readonly growing: boolean }> {
  override render({ item: { task, tight, blocks }, growing, ...how }: this["props"]) {
    return (
      <li class={task === null ? undefined : "task"}>
        {task === null ? null : (
          <span class="task-mark" role="img" aria-label={task === "done" ? words.done : words.notDone}>
            <Icon name={task === "done" ? "taskDone" : "taskOpen"} />
          </span>
        )}
        {blocks.map((block, place) =>
          tight && block.kind === "paragraph" ? (
            <Fragment key={place}>{inlines(block.inlines, how)}</Fragment>
          ) : (
            <BlockView key={place} block={block} growing={growing && place === blocks.length - 1} />
          ),
        )}
      </li>
    );
  }
}

function drawTable(table: Table, how: DrawOptions): VNode {
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
