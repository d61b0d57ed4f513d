import type { MessageRow } from "../../protocol/toView.ts";
import { words } from "../words/words.ts";
import { Icon } from "../controls/icon.tsx";
import { IconButton } from "../controls/iconButton.tsx";
import { useStore } from "../state/useStore.ts";

interface MarkProps {
  readonly row: Pick<MessageRow, "messageId" | "pinned" | "branch">;
}

/** The message is always sent as it is. */
export function PinMark({ row }: MarkProps) {
  if (!row.pinned) return null;
  return (
    <span class="pin-mark" title={words.pinHint}>
      <Icon name="pin" />
      {words.pinned}
    </span>
  );
}

/** "2 of 3", with buttons for the other branches. */
export function BranchSwitch({ row }: MarkProps) {
  const store = useStore();
  const { branch } = row;
  if (branch === null) return null;
  const isBusy = store.status.value.activity !== "idle";
  const button = (step: -1 | 1, label: string, icon: "chevronLeft" | "chevronRight") => {
    const isOff = isBusy || branch.index + step < 0 || branch.index + step >= branch.count;
    return (
      <IconButton
        icon={icon}
        label={label}
        isDisabled={isOff}
        onPress={() => {
          store.post({ kind: "branch", messageId: Number(row.messageId), step });
        }}
      />
    );
  };
  return (
    <span class="branch" role="group" aria-label={words.branches}>
      {button(-1, words.branchBefore, "chevronLeft")}
      <span>{words.branchPlace(branch.index + 1, branch.count)}</span>
      {button(1, words.branchAfter, "chevronRight")}
    </span>
  );
}
