import type { Scene } from "./scenes.ts";
import { answer, call, original, status, summary, summaryDetail, user, view } from "./viewBuilders.ts";

const notes = `#### Decisions

- Retries live in \`src/net/policy.ts\`, because uploads and sync share them.
- Back-off 250 ms, doubled, at most 8 s [unverified].
- The constant is \`MAX_WAIT\` [unverified].`;

const detail = summaryDetail(notes, {
  content: `${notes}\n\n## User directives (word for word)\n- Never retry a 4xx except 408 and 429.`,
  facts: [
    { title: "You said", facts: ["Never retry a 4xx except 408 and 429."] },
    { title: "Paths", facts: ["src/net/policy.ts", "src/net/upload.ts"] },
  ],
  unverified: ["8 s", "`MAX_WAIT`"],
  versions: [
    { summaryId: 2, label: "Version 1 · 9k tokens · gpt-6-luna · $0.004 · 2.8 s · 12 Nov, 14:03", isShown: false },
    { summaryId: 4, label: "Version 2 · 8.2k tokens · Edited by you · 12 Nov, 14:20", isShown: true },
  ],
  models: ["gpt-6-luna", "claude-haiku-4-5"].map((id) => ({ id, label: id })),
});

const attachments = [
  { attachmentId: "0", kind: "file", label: "src/net/upload.ts", tokens: null, isExcluded: false },
] as const;

const row = summary(4, {
  rowId: "summary-2",
  unverifiedCount: 2,
  versionCount: 2,
  factsKept: 36,
  meta: "Edited by you · 12 Nov, 14:20",
});
const rows = [
  summary(1, { rowId: "summary-1", use: "within" }),
  summary(3, { rowId: "summary-3", isStale: true }),
  row,
  user(189, "Why does the third retry never happen?"),
  answer(190, "The budget is spent too early."),
];
const opened = { kind: "summaryDetail", summaryId: 4, detail } as const;
const line = "[data-summary-id='4'] .summary-line";
const button = (name: string): string => `[data-summary-id='4'] .card-foot button:text-is("${name}")`;

export const summaryScenes: Readonly<Record<string, Scene>> = {
  summary: { view: view(rows), then: [opened], click: [line] },
  summaryFacts: { view: view(rows), then: [opened], click: [line, "[data-tab='facts']"] },
  summaryUnverified: { view: view(rows), then: [opened], click: [line, "[data-tab='unverified']"] },
  summaryOriginals: {
    view: view(rows),
    then: [
      opened,
      {
        kind: "summaryOriginals",
        summaryId: 4,
        originals: {
          from: 0,
          total: 42,
          messages: [
            original(120, "user", "Where do retries live?", { attachments }),
            original(
              121,
              "assistant",
              "In `src/net/policy.ts`: uploads and **sync** share them.\n\n- Shall I move them?",
              {
                calls: [call("a", { title: "Read src/net/policy.ts, lines 1–80", time: "8 ms" })],
              },
            ),
            original(122, "tool", "export const policy = {\n  attempts: 3,\n  backoffMs: 250,\n};"),
            original(123, "user", "No, leave them.\n".repeat(30)),
          ],
        },
      },
    ],
    click: [line, "[data-tab='originals']"],
  },
  summaryVersions: { view: view(rows), then: [opened], click: [line, "[data-tab='versions']"] },
  summaryEdited: { view: view(rows), then: [opened], click: [line, button("Edit")] },
  summaryRegenerate: { view: view(rows), then: [opened], click: [line, button("Regenerate")] },
  summaryUndone: {
    view: view([summary(4, { rowId: "summary-2", state: "undone", redoId: 4 }), ...rows.slice(2)], {
      status: status({}),
    }),
    then: [opened],
    click: [line],
  },
};
