/** Message toolbars, menus and edits, and the composer's menus. */
import type { AttachmentView } from "../../../src/protocol/attachmentView.ts";
import type { Scene } from "./scenes.ts";
import { answer, status, user, view } from "./viewBuilders.ts";

const attachments: readonly AttachmentView[] = [
  { attachmentId: "0", kind: "file", label: "src/net/upload.ts", tokens: 1_240, isExcluded: false },
  { attachmentId: "1", kind: "problems", label: "Problems", tokens: 88, isExcluded: false },
  { attachmentId: "2", kind: "image", label: "PNG image 1280 × 720", tokens: 1_105, isExcluded: true },
];

const rows = [
  user(0, "Why does the third retry never happen?", {
    attachments: attachments.map((each) => ({ ...each, tokens: null })),
    branch: { index: 1, count: 3 },
    pinned: true,
  }),
  answer(1, "The budget is spent before the loop starts.", {
    meta: "claude-haiku-4-5 · 412 tokens · 3.1 s",
    branch: { index: 0, count: 2 },
  }),
  { kind: "hidden", rowId: "hidden-2", messageId: 2, role: "user" },
  answer(3, "With `attempts: 3` this gives one try and two retries.", { meta: "claude-haiku-4-5 · 88 tokens · 1 s" }),
] as const;

/** `count` attachments with distinct names. */
function many(count: number): readonly AttachmentView[] {
  return Array.from({ length: count }, (_, index) => {
    const label = `src/net/part${String(index + 1)}.ts`;
    return { attachmentId: String(index), kind: "file", label, tokens: 1_240, isExcluded: false };
  });
}

export const composerScenes: Readonly<Record<string, Scene>> = {
  messageTools: { view: view(rows), hover: '[data-row-id="message-1"]' },
  messageMenu: {
    view: view(rows),
    hover: '[data-row-id="message-1"]',
    click: ['[data-row-id="message-1"] [aria-haspopup=menu]'],
  },
  messageEditor: {
    view: view(rows),
    hover: '[data-row-id="message-0"]',
    click: ['[data-row-id="message-0"] [aria-label="Edit and send again"]'],
  },
  attachments: {
    view: view(rows, { attachments, draft: "What of @upload.ts ?", status: status({ draftTokens: 2_450 }) }),
  },
  manyAttachments: {
    view: view([user(0, "What do these have in common?", { attachments: many(50) }), rows[1]], {
      attachments: many(50),
      draft: "And these?",
      status: status({ draftTokens: 62_000 }),
    }),
  },
  pastedText: {
    view: view(rows, {
      attachments: [
        { attachmentId: "p", kind: "pasted", label: "Pasted text, 1234 lines", tokens: 9_800, isExcluded: false },
      ],
      status: status({ draftTokens: 9_800 }),
    }),
    hover: ".chip-open",
  },
  unreachable: {
    view: view(rows, {
      draft: "And these?",
      status: status({
        banner: {
          tone: "error",
          text:
            "Anthropic kann nicht erreicht werden. Alles ist gespeichert. " +
            "connect ECONNREFUSED 127.0.0.1:11434: getaddrinfo api.anthropic.com",
          actions: [
            { label: "Erneut versuchen", command: "retry" },
            { label: "Modell wechseln", command: "switchModel" },
            { label: "Einstellungen", command: "openSettings" },
          ],
        },
      }),
    }),
  },
  mentions: {
    view: view(rows),
    type: "look at @up",
    then: [
      {
        kind: "mentions",
        requestId: 0,
        mentions: [
          { mentionId: "a", kind: "file", label: "upload.ts", description: "src/net" },
          { mentionId: "b", kind: "folder", label: "uploads", description: "test/support/very/long/path/to/a/folder" },
          { mentionId: "c", kind: "symbol", label: "uploadFile", description: "src/net/upload.ts:40" },
          { mentionId: "d", kind: "diff", label: "Git diff", description: "changes that are not committed" },
        ],
      },
    ],
  },
  nothingFound: {
    view: view(rows),
    type: "look at @xx",
    then: [{ kind: "mentions", requestId: 0, mentions: [] }],
  },
  commands: { view: view(rows), type: "/" },
};
