/** Drop-down menu of a button. Arrow keys move, Enter chooses, Escape and a click elsewhere close it. */
import { words } from "../words/words.ts";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface MenuItem {
  readonly label: string;
  readonly hint?: string;
  readonly isDisabled?: boolean;
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
    itemsOf(current)[0]?.focus();
    current?.scrollIntoView({ block: "nearest" });
    const closeIfOutside = (event: Event): void => {
      if (event.target instanceof Node && current?.contains(event.target) === false) close(false);
    };
    // After the click that opened it.
    const timer = setTimeout(() => {
      document.addEventListener("pointerdown", closeIfOutside);
      document.addEventListener("focusin", closeIfOutside);
    }, 0);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointerdown", closeIfOutside);
      document.removeEventListener("focusin", closeIfOutside);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = itemsOf(list.current);
    const at = all.findIndex((choice) => choice === document.activeElement);
    const next = nextIndex(event.key, at, all.length);
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
          title={item.isDisabled === true ? words.notWhileBusy : item.hint}
          aria-disabled={item.isDisabled === true}
          onClick={() => {
            if (item.isDisabled === true) return;
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

function itemsOf(menu: HTMLElement | null): readonly HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
}

function nextIndex(key: string, at: number, count: number): number | undefined {
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
