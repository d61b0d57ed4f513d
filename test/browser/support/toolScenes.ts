import type { CallProblem, ToolCallCard } from "../../../src/protocol/toolCallView.ts";
import type { Scene } from "./scenes.ts";
import { answer, call, notice, status, streaming, user, view } from "./viewBuilders.ts";

const command = `npm test -- --grep "retry policy"
cd packages/net && npm run lint`;

const result = Array.from(
  { length: 12 },
  (_, line) => `${String(line + 40)}  const attempt = await send(request, ${String(line)});`,
);

const asking: ToolCallCard = call("c", {
  name: "run_command",
  title: "Run npm test -- --grep “retry policy”",
  state: "asking",
  question: { folder: "", detail: command, look: "code", scopes: ["once"] },
});

const diff = `@@ -12,4 +12,5 @@
 export const policy = {
-  attempts: 3,
+  attempts: 2,
+  backoffMs: 250,
 };`;

const askingToEdit: ToolCallCard = call("e", {
  name: "edit_file",
  title: "Edit src/net/policy.ts (+2 −1)",
  state: "asking",
  question: { folder: "", detail: diff, look: "diff", scopes: ["once", "conversation", "always"] },
});

const askingElsewhere: ToolCallCard = call("r", {
  name: "recall_history",
  title: "Search the other conversations of this project: retry budget",
  state: "asking",
  question: {
    folder: "",
    detail:
      "The model would get up to ten passages of your other conversations. Keys and passwords that Forge recognizes are taken out. You see where it came from, and can leave conversations out.",
    look: "words",
    scopes: ["once", "conversation", "always"],
    canRefuse: true,
  },
});

const problem = (severity: CallProblem["severity"], place: string, message: string): CallProblem => {
  const [path = "", line = "", column = ""] = place.split(":");
  return { severity, message, path, line: Number(line), column: Number(column), place };
};

const [RETRIES, UPLOADS] = ["0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7"];

export const toolScenes: Readonly<Record<string, Scene>> = {
  recallAsking: {
    view: view([
      user(1, "What did we decide on retries last month?"),
      streaming("step_2", "I look it up.", { calls: [askingElsewhere] }),
    ]),
  },
  recallSources: {
    view: view([
      user(1, "What did we decide on retries last month?"),
      answer(2, "", {
        calls: [
          call("r", {
            title: "Search the other conversations of this project: retry budget",
            time: "41 ms",
            sources: [
              {
                conversationId: RETRIES,
                title: "Retries of the upload queue, and who pays for them when the server asks to wait",
                date: "12 Nov 2026",
                count: 3,
                messageId: 11,
              },
              { conversationId: UPLOADS, title: "Uploads", date: "3 Oct 2026", count: 1, messageId: 0 },
            ],
          }),
        ],
      }),
      answer(4, `Three at most, as you decided in [message 12](#conversation-${RETRIES}-message-12).`),
    ]),
    then: [
      {
        kind: "recallSources",
        sources: [
          { conversationId: RETRIES, state: "found" },
          { conversationId: UPLOADS, state: "leftOut" },
        ],
      },
    ],
  },
  editProblems: {
    view: view([
      user(1, "Try twice, and wait a little."),
      answer(2, "I change the policy, and who uses it.", {
        calls: [
          call("a", { title: "Read src/net/policy.ts", time: "3 ms" }),
          call("e", {
            title: "Edit src/net/policy.ts (+2 −1)",
            time: "0.6 s",
            problems: {
              listed: [
                problem(
                  "error",
                  "src/net/policy.ts:13:3",
                  "Cannot find name ‘backofMs’. Did you mean ‘backoffMs’? (ts)",
                ),
                problem("warning", "src/net/policy.ts:2:10", "‘once’ is declared but its value is never read. (ts)"),
                problem("error", "src/net/upload.ts:40:21", "Property ‘delayMs’ does not exist on type ‘Policy’. (ts)"),
              ],
              more: 0,
            },
          }),
          call("f", {
            title: "Edit src/net/index.ts (+1 −1)",
            time: "0.8 s",
            problems: {
              listed: Array.from({ length: 12 }, (_, line) =>
                problem(
                  "error",
                  `src/net/index.ts:${String(line + 1)}:1`,
                  "Module has no exported member ‘policy’. (ts)",
                ),
              ),
              more: 2,
            },
          }),
        ],
      }),
    ]),
  },
  tools: {
    view: view([
      user(1, "Why does the third retry never happen?"),
      answer(2, "I look at the upload code first.", {
        calls: [
          call("a", { title: "Read src/net/upload.ts, lines 40–118", time: "8 ms" }),
          call("b", { title: "Search history: retry budget", time: "2 ms" }),
          call("c", { title: "Edit src/net/policy.ts", state: "denied" }),
          call("d", { title: 'read_file {"path":"../../etc/passwd"}', state: "failed", time: "1 ms" }),
        ],
        meta: "claude-haiku-4-5 · 112 tokens · 1.1 s",
      }),
      answer(4, "The budget is spent before the loop starts: `attempts` counts the first try as well.", {
        meta: "claude-haiku-4-5 · 412 tokens · 3.1 s",
      }),
    ]),
    click: ["[data-call-id='a'] .call-line"],
    then: [
      {
        kind: "callDetail",
        rowId: "message-2",
        callId: "a",
        detail: { input: '{\n  "path": "src/net/upload.ts",\n  "from": 40\n}', result: result.join("\n"), isCut: true },
      },
    ],
  },
  asking: {
    view: view(
      [
        user(1, "Run the tests of the retry policy."),
        streaming("step_1", "", {
          calls: [
            call("a", { title: "Read package.json", time: "3 ms" }),
            asking,
            call("d", { title: "read_file {}", state: "waiting" }),
          ],
        }),
      ],
      { status: status({ activity: "streaming" }) },
    ),
  },
  askingToEdit: {
    view: view(
      [
        user(1, "Try twice, and wait a little."),
        streaming("step_1", "I change the policy, and run its tests.", {
          calls: [
            call("a", { title: "Read src/net/policy.ts", time: "3 ms" }),
            askingToEdit,
            call("f", { title: "run_command npm test", state: "waiting" }),
          ],
        }),
      ],
      { status: status({ activity: "streaming" }) },
    ),
  },
  paused: {
    view: view([
      user(1, "Find out why it fails."),
      answer(2, "I look again.", { calls: [call("a", { title: "Read src/net/policy.ts", time: "3 ms" })] }),
      notice(
        "The model made the same call with the same result again and again, so it was stopped. Nothing is lost. " +
          "Say what it should do instead, or let it go on.",
        {
          tone: "warning",
          actions: [{ label: "Continue", command: "retry" }],
        },
      ),
    ]),
  },
  toolsInterrupted: {
    view: view([
      user(1, "Run the tests, then fix what fails."),
      answer(2, "I run them.", {
        rowId: "step_2",
        messageId: "step_2",
        state: "interrupted",
        pendingRecovery: "tools",
        stateText: "Interrupted while tools ran (12 Nov, 14:03). Nothing is run again automatically.",
        calls: [
          call("a", { title: "Read package.json", time: "3 ms" }),
          call("b", { title: "Run npm test", state: "unknown" }),
          call("c", { title: "read_file src/net/policy.ts", state: "waiting" }),
        ],
      }),
    ]),
  },
  queue: {
    view: view([user(1, "And uploads?"), streaming("step_1", "The queue is drained before the socket closes")], {
      draft: "typed meanwhile",
      status: status({ activity: "streaming" }),
      queue: {
        items: [
          { queueId: "step_7", text: "also add a test for 429" },
          {
            queueId: "step_8",
            text: "And then:\n1. update the changelog\n2. say what changed\n3. in a few words\n4. in German",
          },
        ],
        isHeld: false,
      },
    }),
  },
  queueHeld: {
    view: view(
      [
        user(1, "And uploads?"),
        answer(2, "The queue is", { state: "cancelled", stateText: "Stopped. Everything you saw is kept." }),
      ],
      {
        queue: { items: [{ queueId: "step_7", text: "also add a test for 429" }], isHeld: true },
      },
    ),
    click: ["[aria-label='Edit queued message']"],
  },
};
