/** The problems that an edit added: each opens its file at that place. */
import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { CallProblem, CallProblems as Problems, ToolCallCard } from "../../protocol/toolCallView.ts";
import type { MessageRow } from "../../protocol/toView.ts";
import { isolatedText } from "../answer/visibleText.tsx";
import { Icon } from "../controls/icon.tsx";
import { callKey } from "../state/state.ts";
import { useStore } from "../state/useStore.ts";
import { words } from "../words/words.ts";

/** Lines in sight before the others are asked for. */
const FIRST = 5;

interface Props {
  readonly row: Pick<MessageRow, "rowId">;
  readonly call: Pick<ToolCallCard, "callId">;
  readonly problems: Problems;
}

export function CallProblems({ row, call, problems: { listed, more } }: Props) {
  const store = useStore();
  const key = `${callKey(row.rowId, call.callId)}/problems`;
  const open = useMemo(() => computed(() => store.state.value.openRows.has(key)), [store, key]).value;
  const title = words.newProblems(listed.length + more);
  const shown = open ? listed : listed.slice(0, FIRST);
  return (
    <div class="problems">
      <p class="meta">{title}</p>
      <ul aria-label={title}>
        {shown.map((problem, index) => (
          <ProblemLine key={index} problem={problem} />
        ))}
      </ul>
      {listed.length <= FIRST ? null : (
        <button
          type="button"
          class="text-button"
          aria-expanded={open}
          onClick={() => {
            store.dispatch({ kind: "toggledRow", rowId: key });
          }}
        >
          {open ? words.fewerProblems : words.moreProblems(listed.length - FIRST)}
        </button>
      )}
      {more === 0 || (!open && listed.length > FIRST) ? null : <p class="meta">{words.unlistedProblems(more)}</p>}
    </div>
  );
}

function ProblemLine({ problem: { severity, message, path, line, column, place } }: { readonly problem: CallProblem }) {
  const store = useStore();
  return (
    <li>
      <button
        type="button"
        class="problem"
        data-severity={severity}
        aria-label={words.problemAt(words.severity[severity], message, place)}
        onClick={() => {
          store.post({ kind: "openFile", path, line, column });
        }}
      >
        <Icon name={severity} />
        <span>
          {isolatedText(message)} <bdi class="problem-place">{isolatedText(place)}</bdi>
        </span>
      </button>
    </li>
  );
}
