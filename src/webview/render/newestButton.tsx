import { words } from "../words.ts";
import { Icon } from "./icon.tsx";

interface NewestButtonProps {
  /** An answer is being written there. */
  readonly isGrowing: boolean;
  readonly go: () => void;
}

/** Leads a reader who is elsewhere back to the newest row. */
export function NewestButton({ isGrowing, go }: NewestButtonProps) {
  return (
    <button type="button" class="newest" onClick={go}>
      <Icon name="arrowDown" />
      {isGrowing ? words.newBelow : words.toNewest}
    </button>
  );
}
