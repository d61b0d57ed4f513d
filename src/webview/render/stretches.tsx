/** A whole answer, in stretches that do not concern each other: of one that grows only the last is looked at. */
import { Component, type ComponentChildren, type VNode } from "preact";
import type { Block } from "../markdown/markdownTree.ts";
import { wholeBlocks } from "../markdown/wholeBlocks.ts";
import { Blocks } from "./markdown.tsx";

/** Blocks that are drawn, laid out and painted together: of a growing answer only the last such stretch is looked at. */
const blocksPerStretch = 16;
/** So many stretches are more than what is in sight, and what the browser draws around it. */
const stretchesInSight = 4;

/** A whole answer. Its blocks never change their stretch, so none is made anew while it grows. */
export function Stretches({ blocks, growing }: { readonly blocks: readonly Block[]; readonly growing: boolean }) {
  const stretches: ComponentChildren[] = [];
  const wholes = wholeBlocks(blocks);
  for (let start = 0; start < wholes.length; start += blocksPerStretch) {
    const end = start + blocksPerStretch;
    const props = {
      blocks: wholes.slice(start, end).flat(),
      growing: growing && end >= wholes.length,
      past: end + stretchesInSight * blocksPerStretch < wholes.length,
    };
    stretches.push(<Stretch key={start} {...props} />);
  }
  return <>{stretches}</>;
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
