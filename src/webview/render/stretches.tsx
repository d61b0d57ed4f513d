/**
 * A whole answer, in stretches that do not concern each other: of one that grows only the last is looked at. One that is
 * large is drawn in several frames, so that nothing stands still meanwhile.
 */
import { Component, type VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { drawnSizeOf } from "../markdown/drawnSize.ts";
import type { Block } from "../markdown/markdownTree.ts";
import { wholeBlocks } from "../markdown/wholeBlocks.ts";
import { Blocks } from "./markdown.tsx";
import { useIsGoneTo, useSeveralFrames } from "./severalFrames.ts";
import { useStore } from "./useStore.ts";

/** Blocks that are drawn, laid out and painted together: of a growing answer only the last such stretch is looked at. */
const blocksPerStretch = 16;
/** Fewer, where they are large. */
const largeStretch = 600;
/** So many stretches are more than what is in sight, and what the browser draws around it. */
const stretchesInSight = 4;
/** So much is drawn in the frame in which the answer is read, which is more than is in sight, and in each other. */
const drawnAtFirst = 600;
const drawnLater = 1_200;

interface StretchesProps {
  readonly blocks: readonly Block[];
  /** The last block may still change. */
  readonly growing: boolean;
  /** Of the row that it is in. */
  readonly rowId?: string;
}

/**
 * A whole answer. Its blocks never change their stretch, so none is made anew while it grows. What is left for later frames
 * is out of sight: it stands above for a reader who follows, and for others below; where they are, their line stays. So it
 * is with an answer that is there at once, and with much that comes to one at once.
 */
export function Stretches({ blocks, growing, rowId }: StretchesProps) {
  const { state } = useStore();
  const [frames, setFrames] = useState(0);
  const isGoneTo = useIsGoneTo(rowId);
  const stretches = stretchesOf(blocks);
  /** Those that are on the page, by their place: they stay there, whatever comes behind them meanwhile. */
  const drawn = useRef(new Set<number>()).current;
  const rest = [...stretches.keys()].filter((index) => !drawn.has(index));
  const sizeAt = (index: number): number => drawnSizeOf(stretches[index] ?? []);
  const isMuch = !isGoneTo && rest.reduce((sum, index) => sum + sizeAt(index), 0) > drawnLater;
  let left = isMuch ? (drawn.size === 0 ? drawnAtFirst : drawnLater) : Infinity;
  for (const index of state.peek().window.following ? rest.toReversed() : rest) {
    if (left <= 0) break;
    left -= sizeAt(index);
    drawn.add(index);
  }
  useSeveralFrames(frames, drawn.size >= stretches.length, setFrames);
  return stretchesView(stretches, growing, drawn);
}

/** What {@link Stretches} look like where they are drawn at once; undefined where they are too large for that. */
export function smallStretches({ blocks, growing }: StretchesProps): VNode | undefined {
  return drawnSizeOf(blocks) > drawnLater ? undefined : stretchesView(stretchesOf(blocks), growing);
}

/** The blocks of each. Which are in one is told by what stands before, so none changes its stretch. */
function stretchesOf(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const stretches: Block[][] = [];
  let [count, size] = [blocksPerStretch, 0];
  for (const whole of wholeBlocks(blocks)) {
    if (count >= blocksPerStretch || size > largeStretch) {
      stretches.push([]);
      [count, size] = [0, 0];
    }
    stretches.at(-1)?.push(...whole);
    count += 1;
    size += drawnSizeOf(whole);
  }
  return stretches;
}

/** Those that are `drawn`, or all. Each keeps its place among all, so that none is moved when others come. */
function stretchesView(
  stretches: readonly (readonly Block[])[],
  growing: boolean,
  drawn: ReadonlySet<number> | null = null,
): VNode {
  const { length } = stretches;
  return (
    <>
      {stretches.map((blocks, index) =>
        drawn?.has(index) === false ? null : (
          <Stretch
            key={index}
            blocks={blocks}
            growing={growing && index === length - 1}
            past={index + stretchesInSight < length}
          />
        ),
      )}
    </>
  );
}

interface StretchProps {
  readonly blocks: readonly Block[];
  readonly growing: boolean;
  /** So many stand behind it that at the end of the answer it is out of sight. */
  readonly past: boolean;
}

/** Drawn again only when one of its blocks is another object. */
export class Stretch extends Component<StretchProps> {
  override shouldComponentUpdate(next: StretchProps): boolean {
    const { blocks, growing, past } = this.props;
    const same = next.blocks.length === blocks.length && next.blocks.every((block, index) => block === blocks[index]);
    return !same || next.growing !== growing || next.past !== past;
  }

  override render(props: StretchProps) {
    return stretchView(props);
  }
}

/** What a {@link Stretch} looks like. */
export function stretchView({ blocks, growing, past }: StretchProps): VNode {
  return (
    <div class={past ? "stretch past" : "stretch"}>
      <Blocks blocks={blocks} growing={growing} />
    </div>
  );
}
