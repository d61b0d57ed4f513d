import type { Ref } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface IconButtonProps {
  readonly icon: IconName;
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly act: () => void;
  /** Disabled, but focusable. */
  readonly isOff?: boolean;
  readonly whyOff?: string;
  /** In a toolbar with one tab stop. */
  readonly tabIndex?: 0 | -1;
  /** State of a toggle. */
  readonly isPressed?: boolean;
  /** State of a menu button. */
  readonly isOpen?: boolean;
  readonly element?: Ref<HTMLButtonElement>;
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, act, isOff = false, whyOff, isPressed, isOpen, tabIndex, element = null } = props;
  return (
    <button
      ref={element}
      type="button"
      class="small-button"
      tabIndex={tabIndex}
      aria-label={label}
      title={isOff && whyOff !== undefined ? `${label}. ${whyOff}` : label}
      aria-disabled={isOff || undefined}
      aria-pressed={isPressed}
      aria-haspopup={isOpen === undefined ? undefined : "menu"}
      aria-expanded={isOpen}
      onClick={() => {
        if (!isOff) act();
      }}
    >
      <Icon name={icon} />
    </button>
  );
}
