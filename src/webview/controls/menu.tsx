/** Drop-down menu of a button. Arrow keys move, Enter chooses, Escape and a click elsewhere close it. */
import { words } from "../words/words.ts";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface MenuItem {
  readonly label: string;
  readonly hint?: string;
  readonly isOff?: boolean;
  readonly run: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** `isByKey`: the focus returns to the button. */
  readonly close: (isByKey: boolean) => void;
}

/** The open menu; it takes the focus. */
export function Menu({ label, items, close }: MenuProps) {
  const list = useRef<HTMLDivElement>(null);
  // Before the menu is painted: an earlier key press would go to what is below it.
  useLayoutEffect(() => {
    const { current } = list;
    choices(current)[0]?.focus();
    current?.scrollIntoView({ block: "nearest" });
    const leave = (event: Event): void => {
      if (event.target instanceof Node && current?.contains(event.target) === false) close(false);
    };
    // After the click that opened it.
    const timer = setTimeout(() => {
      document.addEventListener("pointerdown", leave);
      document.addEventListener("focusin", leave);
    }, 0);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = choices(list.current);
    const at = all.findIndex((choice) => choice === document.activeElement);
    const next = nextPlace(event.key, at, all.length);
    if (next !== undefined) all[next]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") close(true);
    else return;
    event.preventDefault();
    event.stopPropagation(); // Escape closes the menu without stopping the answer
  };
  return (
    <div ref={list} class="menu" role="menu" aria-label={label} onKeyDown={onKeyDown}>
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          title={item.isOff === true ? words.notWhileBusy : item.hint}
          aria-disabled={item.isOff === true}
          onClick={() => {
            if (item.isOff === true) return;
            close(true);
            item.run();
          }}
        >
          {item.label}
        </button>
      ))}
    </div>
  );
}

function choices(menu: HTMLElement | null): readonly HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
}

function nextPlace(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowUp":
      return (at + count - 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
