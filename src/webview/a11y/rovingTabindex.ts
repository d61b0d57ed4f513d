/** One stop for the keyboard in a bar of buttons: arrows, Home and End go from button to button, Tab goes on. */
import { useState } from "preact/hooks";

/** What a bar needs; its buttons are its direct children. */
export interface ToolbarStops {
  /** The place of the button that Tab comes to. */
  readonly stop: number;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocusIn: (event: FocusEvent) => void;
}

/** The stops of one bar of `count` buttons. */
export function useToolbarStops(count: number): ToolbarStops {
  const [chosen, setStop] = useState(0);
  const stop = Math.min(chosen, count - 1);
  return {
    stop,
    onKeyDown: (event) => {
      const next = nextStop(event, stop, count);
      if (next === null || placeOf(event) < 0) return;
      event.preventDefault();
      event.stopPropagation();
      setStop(next);
      buttonsOf(event)[next]?.focus();
    },
    onFocusIn: (event) => {
      const place = placeOf(event);
      if (place >= 0) setStop(place);
    },
  };
}

/** The place of the button that an event of its bar is about; -1 where it is about none. */
export function placeOf(event: Event): number {
  return buttonsOf(event).findIndex((button) => event.target instanceof Node && button.contains(event.target));
}

function buttonsOf({ currentTarget }: Event): readonly HTMLElement[] {
  return currentTarget instanceof Element ? [...currentTarget.querySelectorAll<HTMLElement>(":scope > button")] : [];
}

/** Where a key leads in a line of `count` stops, round at its ends; null for any other key. */
export function nextStop(event: KeyboardEvent, stop: number, count: number): number | null {
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
