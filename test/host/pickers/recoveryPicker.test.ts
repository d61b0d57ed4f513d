import assert from "node:assert/strict";
import { messageId, toolCallId, type StepId } from "../../../src/core/ids.ts";
import type { RecoverableAnswer } from "../../../src/core/journal/recoverAnswers.ts";
import type { BatchCall, ToolBatch } from "../../../src/core/journal/toolBatch.ts";
import { textMessage } from "../../../src/core/message.ts";
import type { Session } from "../../../src/host/session/session.ts";
import { step } from "../../support/storage/storeBuilders.ts";
import { beginAnew, give, happened, listed, take, withQuestions } from "../../support/editor/fakeQuestions.ts";

const load = () => withQuestions(async () => import("../../../src/host/pickers/recoveryPicker.ts"));

const TITLE = "Forge: Recover an answer (interrupted just now)";

function call(number: number, state: "done" | "notStarted"): BatchCall {
  return { kind: "toolCall", callId: toolCallId(`c${String(number)}`), name: "read_file", inputJson: "{}", state };
}

describe("Forge: Recover", () => {
  let pickRecovery: Awaited<ReturnType<typeof load>>["pickRecovery"];
  before(async () => {
    ({ pickRecovery } = await load());
  });
  beforeEach(beginAnew);

  const lastAtMs = Date.now();
  const begun = { asked: messageId(0), startedAtMs: lastAtMs, lastAtMs };
  const batch = {
    ...begun,
    batchId: step(1),
    assistant: textMessage("assistant", "I look."),
    calls: [call(1, "done"), call(2, "notStarted")],
  } as const satisfies Partial<ToolBatch>;
  const answer: unknown = { ...begun, stepId: step(2), message: textMessage("assistant", "It begins with") };

  function recover(session: Pick<Session, "recoverable" | "recoverableBatch">): Promise<void> {
    const whole = {
      ...session,
      recover: (id: StepId, choice: string) => Promise.resolve(void happened.push(`${id.slice(-1)} ${choice}`)),
    };
    const views = { restoreFocus: () => undefined };
    const keyboard = { afterPrompt: () => void happened.push("keyboard"), focusComposer: () => undefined };
    return pickRecovery(whole, views, keyboard);
  }

  it("offers to go on with the tools that were interrupted", async () => {
    const done = recover({ recoverable: [], recoverableBatch: batch as unknown as ToolBatch });
    assert.deepEqual(
      (await listed(TITLE)).map(({ label }) => label),
      ["$(debug-continue) Resume", "$(eye-closed) Hide"],
    );
    await take(TITLE, "Resume");
    await done;
    assert.deepEqual(happened, [`asked ${TITLE}`, `closed ${TITLE}`, "1 resume"]);
  });

  it("asks about an answer before the tools", async () => {
    const done = recover({
      recoverable: [answer as RecoverableAnswer],
      recoverableBatch: batch as unknown as ToolBatch,
    });
    await take(TITLE, "Keep");
    await done;
    assert.deepEqual(happened, [`asked ${TITLE}`, `closed ${TITLE}`, "2 keep"]);
  });

  it("says that there is nothing", async () => {
    const done = recover({ recoverable: [], recoverableBatch: undefined });
    assert.deepEqual((await listed("Forge: Recover")).length, 1);
    await give("Forge: Recover");
    await done;
    assert.deepEqual(happened, ["asked Forge: Recover", "closed Forge: Recover", "keyboard"]);
  });
});
