/** Toolbar with one tab stop: arrow keys, Home and End move between its buttons, Tab leaves it. */
import { useState } from "preact/hooks";

/** Props of the toolbar's element; the buttons are its direct children. */
export interface RovingTabindex {
  /** Index of the button that Tab focuses. */
  readonly stop: number;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocusIn: (event: FocusEvent) => void;
}

export function useRovingTabindex(count: number): RovingTabindex {
  const [chosen, setStop] = useState(0);
  const stop = Math.min(chosen, count - 1);
  return {
    stop,
    onKeyDown: (event) => {
      const next = nextIndex(event, stop, count);
      if (next === null || buttonIndexOf(event) < 0) return;
      event.preventDefault();
      event.stopPropagation();
      setStop(next);
      buttonsOf(event)[next]?.focus();
    },
    onFocusIn: (event) => {
      const place = buttonIndexOf(event);
      if (place >= 0) setStop(place);
    },
  };
}

/** Index of the button that an event of its toolbar targets; -1 for none. */
export function buttonIndexOf(event: Event): number {
  return buttonsOf(event).findIndex((button) => event.target instanceof Node && button.contains(event.target));
}

function buttonsOf({ currentTarget }: Event): readonly HTMLElement[] {
  return currentTarget instanceof Element ? [...currentTarget.querySelectorAll<HTMLElement>(":scope > button")] : [];
}

/** Index that a key leads to among `count` stops, wrapping around at the ends; null for any other key. */
export function nextIndex(event: KeyboardEvent, stop: number, count: number): number | null {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  switch (event.key) {
    case "ArrowRight":
      return (stop + 1) % count;
    case "ArrowLeft":
      return (stop + count - 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
