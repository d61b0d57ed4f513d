import { useEffect, useRef } from "preact/hooks";
import type { ComposerChoice } from "./composerMenuItems.ts";
import { Icon } from "../controls/icon.tsx";
import { visibleText } from "../answer/visibleText.tsx";

/** Referenced by the field that controls the list. */
export const composerMenuId = "composer-menu";

export function choiceId(index: number): string {
  return `${composerMenuId}-${String(index)}`;
}

interface ComposerMenuProps {
  readonly label: string;
  /** Shown where there are no choices. */
  readonly emptyText: string;
  readonly choices: readonly ComposerChoice[];
  /** Index of the choice that Enter takes; -1: none. */
  readonly active: number;
  readonly choose: (choice: ComposerChoice) => void;
}

/** Listbox above the composer, which keeps the focus and refers to the active choice. */
export function ComposerMenu({ label, emptyText, choices, active, choose }: ComposerMenuProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active, choices]);
  if (choices.length === 0) return <div class="composer-menu empty-menu meta">{emptyText}</div>;
  return (
    <div ref={list} id={composerMenuId} class="composer-menu" role="listbox" tabIndex={0} aria-label={label}>
      {choices.map((choice, index) => (
        <div
          key={choice.id}
          id={choiceId(index)}
          class="choice"
          role="option"
          aria-selected={index === active}
          onMouseDown={(event) => {
            event.preventDefault(); // keeps the focus in the composer
            choose(choice);
          }}
        >
          {choice.kind === "mention" ? <Icon name={choice.icon} /> : null}
          <span class="choice-name">{visibleText(choice.kind === "command" ? `/${choice.name}` : choice.name)}</span>
          <span class="choice-description">{visibleText(choice.description)}</span>
        </div>
      ))}
    </div>
  );
}
