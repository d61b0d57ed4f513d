import type { Ref } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface IconButtonProps {
  readonly icon: IconName;
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly onPress: () => void;
  /** Disabled, but focusable. */
  readonly isDisabled?: boolean;
  readonly disabledReason?: string;
  /** In a toolbar with one tab stop. */
  readonly tabIndex?: 0 | -1;
  /** State of a toggle. */
  readonly isPressed?: boolean;
  /** State of a menu button. */
  readonly isOpen?: boolean;
  readonly buttonRef?: Ref<HTMLButtonElement>;
}

export function IconButton(props: IconButtonProps) {
  const {
    icon,
    label,
    onPress,
    isDisabled = false,
    disabledReason,
    isPressed,
    isOpen,
    tabIndex,
    buttonRef = null,
  } = props;
  return (
    <button
      ref={buttonRef}
      type="button"
      class="small-button"
      tabIndex={tabIndex}
      aria-label={label}
      title={isDisabled && disabledReason !== undefined ? `${label}. ${disabledReason}` : label}
      aria-disabled={isDisabled || undefined}
      aria-pressed={isPressed}
      aria-haspopup={isOpen === undefined ? undefined : "menu"}
      aria-expanded={isOpen}
      onClick={() => {
        if (!isDisabled) onPress();
      }}
    >
      <Icon name={icon} />
    </button>
  );
}
