import { useState } from "preact/hooks";
import type { RecoveryChoice } from "../../protocol/toHost.ts";
import type { MessageRow } from "../../protocol/toView.ts";
import { words } from "../words/words.ts";
import { useStore } from "../state/useStore.ts";

/** Options for an interrupted answer. One click decides; further clicks do nothing until the host has answered. */
export function RecoveryChoices({ row }: { readonly row: MessageRow }) {
  const store = useStore();
  const [decidedRow, setDecided] = useState<MessageRow | null>(null);
  return (
    <div class="actions">
      {(row.pendingRecovery === "tools" ? TOOL_CHOICES : ANSWER_CHOICES).map(({ choice, label, hint }, index) => (
        <button
          key={choice}
          type="button"
          class={index === 0 ? "button" : "button quiet"}
          title={hint}
          disabled={decidedRow === row}
          onClick={() => {
            setDecided(row);
            store.post({ kind: "recover", stepId: row.messageId, choice });
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

interface Choice {
  readonly choice: RecoveryChoice;
  readonly label: string;
  readonly hint?: string;
}

/** Most wanted first. */
const ANSWER_CHOICES: readonly Choice[] = [
  { choice: "continue", label: words.continueAnswer },
  { choice: "keep", label: words.keep },
  { choice: "askAgain", label: words.askAgain },
];
const TOOL_CHOICES: readonly Choice[] = [
  { choice: "resume", label: words.resume, hint: words.resumeHint },
  { choice: "discard", label: words.discard, hint: words.discardHint },
];
