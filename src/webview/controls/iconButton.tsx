import type { Ref } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface IconButtonProps {
  readonly icon: IconName;
  /** What it does, for those who hear it or rest on it. */
  readonly label: string;
  readonly act: () => void;
  /** Cannot be used now; it stays where the keyboard finds it. */
  readonly isOff?: boolean;
  /** Why that is so. */
  readonly whyOff?: string;
  /** Its place among the stops of a bar. */
  readonly tabIndex?: 0 | -1;
  /** It switches something, which is on. */
  readonly isPressed?: boolean;
  /** It opens a menu, which is open. */
  readonly isOpen?: boolean;
  readonly element?: Ref<HTMLButtonElement>;
}

/** A small button with a glyph. */
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
