/** Scenes: states of the page that are checked in every theme and width. */
import type { ToViewBody, ViewState } from "../../../src/protocol/toView.ts";
import type { WebviewPage } from "./webviewPage.ts";
import { answer, notice, status, streaming, summary, summaryDetail, user, view } from "./viewBuilders.ts";

/** A state: the snapshot, the messages after it, and the user's actions. */
export interface Scene {
  readonly view: ViewState;
  readonly then?: readonly ToViewBody[];
  /** Selector of the hovered element. */
  readonly hover?: string;
  /** Text typed into the composer before the messages of `then`. */
  readonly type?: string;
  /** Selectors to click, in order. */
  readonly click?: readonly string[];
}

const summaryText = `#### Decisions

- Retries live in \`src/net/policy.ts\`, because uploads and sync share them.
- Back-off 250 ms, doubled, at most 8 s.

#### You said

- “Never retry a 4xx except 408 and 429.”`;

const richAnswer = `The budget is spent before the loop starts: \`attempts\` counts the first try as well (you decided on that [on 12 Nov](https://example.com/notes/118)).

\`\`\`typescript
// the first try is not a retry
const retries = policy.attempts - 1;
for (let i = 0; i < retries; i++) await attempt(i, { "x-retry": \`\${i}\` });
export class Policy extends Base { limit?: number = 0x1f; ok = true; }
\`\`\`

With \`attempts: 3\` this gives one try and **two** retries.`;

const everything = `# What it does
A paragraph with *emphasis*, **strong**, ~~struck~~ and \`code\`. An address: https://example.com/a?b=1.

## Lists
1. First
2. Second, with a list in it
   - nested
   - nested \`code\`
     \`\`\`sh
     npm ci && npm test
     \`\`\`
3. Third

- [x] Done already
- [ ] Still to do

> A quotation.
>
> - with a list

| Setting | Default | Tokens |
|:--------|:-------:|-------:|
| \`attempts\` | 3 | 1,204 |
| \`backoff\` | 250 ms | 88 |

---

![A diagram](https://example.com/diagram.png) and <b>raw HTML</b> as text.

\`\`\`diff
- const retries = policy.attempts;
+ const retries = policy.attempts - 1;
\`\`\`

\`\`\`
no language
\`\`\``;

const exchange = [
  user(189, "Why does the third retry never happen?"),
  answer(190, richAnswer, {
    meta: "claude-haiku-4-5 · 412 tokens · 3.1 s",
    thinking: "The user asks about the third retry.",
  }),
];

let scenesShown = 0;

/** Shows a scene in a conversation called `name`. `words` maps English labels to those of the page. */
export async function showScene(
  opened: WebviewPage,
  name: string,
  scene: Scene,
  words: Readonly<Record<string, string>> = {},
): Promise<void> {
  const shown = ++scenesShown;
  await opened.show({ ...scene.view, conversationId: `${name}-${String(shown)}` }); // a new id: no state of the previous scene remains
  if (scene.type !== undefined) {
    const composer = opened.page.locator(".composer textarea");
    await composer.fill("");
    await composer.pressSequentially(scene.type);
  }
  const asked = (await opened.posted()).findLast(({ kind }) => kind === "findMentions");
  for (const message of scene.then ?? []) {
    const answersLast = message.kind === "mentions" && asked?.kind === "findMentions";
    await opened.say(answersLast ? { ...message, requestId: asked.requestId } : message);
  }
  if (scene.hover !== undefined) await opened.page.hover(scene.hover);
  for (const selector of scene.click ?? []) {
    await opened.page.click(
      selector.replace(/(?<=(?:aria-label=|text-is\()["'])[^"']+/, (label) => words[label] ?? label),
    );
  }
  await opened.settle();
}

/** A question with what was recalled for it. */
export const recalledQuestion = user(189, "What was the gauge SK-41, and who said so?", {
  recalled: [
    { messageId: 3, text: "The tide gauge at the north pier is SK-41." },
    { messageId: 17, text: "… Ilse Brandt, the harbour master, said so:\n  gauge: SK-41\n  pier: north …" },
  ],
});

export const scenes: Readonly<Record<string, Scene>> = {
  recalled: { view: view([recalledQuestion, answer(190, "A tide gauge, as Ilse Brandt said.")]) },
  recalledUnfolded: {
    view: view([recalledQuestion, answer(190, "A tide gauge, as Ilse Brandt said.")]),
    click: [".recalled > .fold"],
  },
  find: { view: view(exchange), then: [{ kind: "openFind", query: "retry", messageId: null }] },
  chat: {
    view: view(
      [summary(1, { messageCount: 120, tokensBefore: 188_000, tokensAfter: 21_000 }), summary(2), ...exchange],
      {
        draft: "and log the reason of each retry",
        status: status({ draftTokens: 9 }),
      },
    ),
    then: [{ kind: "summaryDetail", summaryId: 2, detail: summaryDetail(summaryText) }],
    click: ["[data-summary-id='2'] button"],
  },
  markdown: {
    view: view([user(1, "Show me everything."), answer(2, everything, { meta: "gpt-6-luna · 512 tokens" })]),
  },
  streaming: {
    view: view(
      [
        ...exchange,
        user(191, "And uploads?\n\nSecond line."),
        streaming("step_1", "The queue is drained before the socket closes"),
      ],
      {
        draft: "typed meanwhile",
        status: status({ activity: "streaming" }),
      },
    ),
  },
  waiting: {
    view: view([user(191, "And uploads?"), streaming("step_1")], { status: status({ activity: "streaming" }) }),
  },
  interrupted: {
    view: view([
      user(1, "What happens at close?"),
      answer(2, "…so the queue is drained before the socket closes, and the last", {
        rowId: "step_2",
        messageId: "step_2",
        state: "interrupted",
        pendingRecovery: "answer",
        stateText: "Interrupted (12 Nov, 14:03). Everything you saw is kept.",
      }),
    ]),
  },
  troubles: {
    view: view(
      [
        user(1, "Hello", { sent: "summary" }),
        answer(2, "Hello. What shall we do with `policy.ts`?", { sent: "summary" }),
        notice("Switched to claude-haiku-4-5. All messages fit."),
        notice("The summary could not be made: the provider is overloaded.", {
          tone: "warning",
          actions: [{ label: "Summarize again", command: "summarize" }],
        }),
        answer(3, "It begins with the", { state: "cancelled", stateText: "Stopped. Everything you saw is kept." }),
        answer(4, "Two ways", {
          state: "failed",
          problem: {
            tone: "error",
            text: "Anthropic did not answer within 90 s. Your message and what you saw are kept.",
            actions: [
              { label: "Retry", command: "retry" },
              { label: "Switch model", command: "switchModel" },
            ],
          },
        }),
      ],
      {
        status: status({
          activity: "blocked",
          banner: {
            tone: "warning",
            text: "This conversation is open in another window.",
            actions: [
              { label: "Move it here", command: "moveHere" },
              { label: "New conversation", command: "newConversation" },
            ],
          },
          usage: { ...status({}).usage, usedTokens: 120_000, text: "120k / 129k (93%)", severity: 2 },
        }),
      },
    ),
  },
  unsent: {
    view: view([
      user(1, "What does `policy.ts` say?", { sent: "summary" }),
      answer(2, richAnswer, { sent: "summary", meta: "claude-haiku-4-5 · 412 tokens · 3.1 s" }),
      user(3, "And the tests?", { sent: "notSent" }),
      answer(4, "They are in `policy.test.ts`.", { sent: "notSent" }),
      user(5, "Run them."),
      answer(6, "All of them pass, the one of the third retry too."),
    ]),
  },
  summarizing: {
    view: view([...exchange, summary(3, { state: "undone" })], {
      status: status({
        activity: "summarizing",
        progress: { percent: 45, partsDone: 2, parts: 5 },
        usage: { ...status({}).usage, usedTokens: 101_000, text: "101k / 129k (78%)", severity: 1 },
      }),
    }),
  },
  empty: { view: view([]) },
  emptyWithoutServer: {
    view: view([], {
      status: status({
        model: { label: "Offline", providerLabel: "" },
        connection: { kind: "offline", editorModels: 0, servers: [] },
      }),
    }),
  },
  emptyOffline: {
    view: view([], {
      status: status({
        model: { label: "Offline", providerLabel: "" },
        connection: {
          kind: "offline",
          editorModels: 2,
          servers: [{ label: "LM Studio", modelCount: 3, command: "useLmStudio" }],
        },
        usage: {
          usedTokens: 0,
          budgetTokens: 32_000,
          text: "0 / 32k (0%)",
          severity: 0,
          measured: false,
          segments: [],
        },
      }),
    }),
  },
  offline: {
    view: view(
      [user(1, "What did we decide?"), answer(2, "From this conversation: nothing yet.", { meta: "Offline" })],
      {
        status: status({
          model: { label: "Offline", providerLabel: "" },
          connection: { kind: "offline", editorModels: 0, servers: [] },
          unreachableServers: [
            "tides:1234 cannot be reached. There is no host of this name, or no network. (ENOTFOUND)",
            "127.0.0.1:11434 answers, but has no model to chat with. Get one with “ollama pull”, then try again.",
          ],
        }),
      },
    ),
  },
};
