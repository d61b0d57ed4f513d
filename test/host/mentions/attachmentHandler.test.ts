import assert from "node:assert/strict";
import { err } from "../../../src/core/result.ts";
import type { AttachmentHandler } from "../../../src/host/mentions/attachmentHandler.ts";
import type { FoundMentions } from "../../../src/host/mentions/mentionFinder.ts";
import type { Mention } from "../../../src/host/mentions/mention.ts";
import type { ReadContext } from "../../../src/host/mentions/mentionContent.ts";
import type { Session } from "../../../src/host/session/session.ts";
import type { Banner } from "../../../src/protocol/toView.ts";
import { give, optionsOf, withQuestions } from "../../support/editor/fakeQuestions.ts";
import { fakeTool } from "../../support/editor/fakeTools.ts";
import { openSession } from "../../support/session/openSession.ts";
import { scriptedProvider } from "../../support/models/scriptedProvider.ts";
import { NO_PAST_CONVERSATIONS } from "../../support/editor/noPastConversations.ts";

function makeAttaching(
  Made: typeof AttachmentHandler,
  presenter: { readonly showBanner: (banner: Banner) => unknown } = { showBanner: () => undefined },
): AttachmentHandler {
  return new Made(
    "/dist",
    { createConversationTools: () => [] },
    { post: () => undefined },
    presenter,
    NO_PAST_CONVERSATIONS,
  );
}

describe("pasted text", () => {
  it("does not hold messages back after it could not be added", async () => {
    const { AttachmentHandler: Made } = await withQuestions(
      () => import("../../../src/host/mentions/attachmentHandler.ts"),
    );
    const attaching = makeAttaching(Made);
    const add = (): Promise<never> => Promise.reject(new Error("no room"));
    const session: unknown = { composer: { attachments: { add } } };
    const paste = { kind: "attachText", pasteId: crypto.randomUUID(), text: "long" } as const;
    await assert.rejects(() => attaching.handle(paste, session as Session), /no room/);
    await attaching.added();
  });

  it("is reported in a notification, not in another conversation, when its own was closed too early", async () => {
    const { AttachmentHandler: Made } = await withQuestions(
      () => import("../../../src/host/mentions/attachmentHandler.ts"),
    );
    const presenter = { showBanner: () => assert.fail("the chat shows another conversation") };
    const attaching = makeAttaching(Made, presenter);
    const session: unknown = { composer: { attachments: { add: () => Promise.resolve(err("closed")) } } };
    await attaching.handle({ kind: "attachText", pasteId: crypto.randomUUID(), text: "long" }, session as Session);
    await give("Pasted text, 1 line could not be read, so it was not added.");
  });
});

describe("names behind @", () => {
  it("are answered again when the names have been read, and each answer can be chosen from", async () => {
    const { AttachmentHandler: Made } = await withQuestions(
      () => import("../../../src/host/mentions/attachmentHandler.ts"),
    );
    const posted: unknown[] = [];
    const file = (label: string): Mention => ({ kind: "file", label, description: "", path: label });
    const answers: readonly FoundMentions[] = [
      { mentions: [file("a.ts")], isReading: true },
      { mentions: [file("b.ts"), file("a.ts")], lookedAt: 9 },
    ];
    const finder = {
      find: (_query: string, _cancel: unknown, tell: (found: FoundMentions) => void) => {
        for (const answer of answers) tell(answer);
        return Promise.resolve();
      },
      dispose: () => undefined,
    };
    const views = { post: (message: unknown) => void posted.push(message) };
    const presenter = { showBanner: () => undefined };
    const attaching = new Made(
      "/dist",
      { createConversationTools: () => [] },
      views,
      presenter,
      NO_PAST_CONVERSATIONS,
      finder,
    );
    const session: unknown = { composer: { attachments: {} } };
    await attaching.handle({ kind: "findMentions", requestId: 4, query: "a" }, session as Session);
    const view = (mentionId: string, label: string): object => ({ mentionId, kind: "file", label, description: "" });
    assert.deepEqual(posted, [
      { kind: "mentions", requestId: 4, mentions: [view("4-0-0", "a.ts")], isReading: true },
      { kind: "mentions", requestId: 4, mentions: [view("4-1-0", "b.ts"), view("4-1-1", "a.ts")], lookedAt: 9 },
    ]);
  });
});

describe("a dropped file", () => {
  const file = { kind: "attachData", name: "a.txt", mediaType: "", dataBase64: btoa("let a;") } as const;

  it("delays the closing of its conversation until it is added or has failed", async () => {
    const { AttachmentHandler: Made } = await withQuestions(
      () => import("../../../src/host/mentions/attachmentHandler.ts"),
    );
    const attaching = makeAttaching(Made);
    const told: string[] = [];
    const session: unknown = {
      composer: {
        attachments: {
          trackPending: (reading: Promise<void>) => void reading.then(() => told.push("closed")),
          add: async () => {
            await new Promise(setImmediate);
            told.push("added");
            return err("closed");
          },
        },
      },
    };
    await attaching.handle(file, session as Session);
    await give("a.txt could not be read, so it was not added.");
    assert.deepEqual(told, ["added", "closed"]);
  });

  it("causes a warning when the chosen mention is no longer known", async () => {
    const { AttachmentHandler: Made } = await withQuestions(
      () => import("../../../src/host/mentions/attachmentHandler.ts"),
    );
    const banners: unknown[] = [];
    const presenter = { showBanner: (banner: unknown) => banners.push(banner) };
    const attaching = makeAttaching(Made, presenter);
    const session: unknown = { composer: { attachments: {} } };
    await attaching.handle({ kind: "attach", mentionId: "1-0" }, session as Session);
    assert.deepEqual(banners, [{ tone: "warning", text: "This cannot be added here.", actions: [] }]);
  });
});

describe("files outside of the workspace", () => {
  it("do not delay the closing of the conversation while the user is asked about them", async () => {
    const { AttachmentHandler: Made } = await withQuestions(
      () => import("../../../src/host/mentions/attachmentHandler.ts"),
    );
    const attaching = makeAttaching(Made);
    const { session } = await openSession(scriptedProvider());
    const adding = attaching.handle({ kind: "attachUris", uris: ["file:///tmp/a.txt"] }, session);
    const question = "This file is outside of the workspace. Add it?";
    await optionsOf(question);
    await session.composer.attachments.close();
    await give(question, "Add It");
    await give("a.txt could not be read, so it was not added.");
    await adding;
    assert.deepEqual(session.composer.attachments.view, []);
  });
});

describe("many files added at a time", () => {
  for (const [count, expected] of [
    [50, ["Only files can be added."]],
    [
      52,
      [
        "At most 50 can be added at a time; 2 were left out.",
        "At most 50 can be added at a time; 2 were left out. Only files can be added.",
      ],
    ],
  ] as const) {
    it(`report how many of ${String(count)} are left out`, async () => {
      const { AttachmentHandler: Made } = await withQuestions(
        () => import("../../../src/host/mentions/attachmentHandler.ts"),
      );
      const banners = new Set<string>();
      const presenter = { showBanner: ({ text }: { readonly text: string }) => banners.add(text) };
      const attaching = makeAttaching(Made, presenter);
      const uris = Array.from({ length: count }, (_, number) => `untitled:${String(number)}`);
      const { session } = await openSession(scriptedProvider());
      await attaching.handle({ kind: "attachUris", uris }, session);
      assert.deepEqual([...banners], expected);
    });
  }
});

describe("several files that cannot be added", () => {
  it("are named one by one, up to three", async () => {
    const { AttachmentHandler: Made } = await withQuestions(
      () => import("../../../src/host/mentions/attachmentHandler.ts"),
    );
    const banners: string[] = [];
    const presenter = { showBanner: ({ text }: { readonly text: string }) => banners.push(text) };
    const attaching = makeAttaching(Made, presenter);
    const { session } = await openSession(scriptedProvider());
    const uris = ["a", "b", "c", "d"].map((name) => `file:///tmp/${name}.png`);
    const adding = attaching.handle({ kind: "attachUris", uris }, session);
    await give("4 files are outside of the workspace. Add them?", "Add Them");
    await adding;
    const reasons = ["a", "b", "c"].map((name) => `${name}.png is neither text nor an image that models accept.`);
    assert.equal(banners.at(-1), [...reasons, "1 more"].join(" "));
  });
});

describe("a file mention with lines", () => {
  it("adds only these lines, and names them in its label", async () => {
    const { mentionContent } = await withQuestions(() => import("../../../src/host/mentions/mentionContent.ts"));
    const reading: ReadContext = {
      tools: [fakeTool("read_file")],
      cancel: new AbortController().signal,
      asks: (question) => question(),
    };
    const added = async (lines?: Mention["lines"]): Promise<readonly string[]> => {
      const file: Mention = { kind: "file", label: "a.ts", description: "", path: "src/a.ts" };
      const mention = lines === undefined ? file : { ...file, lines };
      const read = await mentionContent(mention, reading);
      return read.ok ? read.value.flatMap((part) => (part.kind === "image" ? [] : [part.label, part.text])) : [];
    };
    assert.deepEqual(await added({ first: 10, last: 20 }), [
      "src/a.ts:10-20",
      'ran {"path":"src/a.ts","start_line":10,"end_line":20}',
    ]);
    assert.deepEqual(await added(), ["src/a.ts", 'ran {"path":"src/a.ts"}']);
  });
});
