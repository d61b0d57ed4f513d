/** What is typed and sent in two pages that show the same conversation: in the side bar and in a tab. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { PlayedPages } from "../../../support/playedPages.ts";

/** Two pages, in the first of which "foo" was sent and waits; `take` has it taken. */
async function withWaiting(): Promise<{ readonly played: PlayedPages; readonly take: () => Promise<void> }> {
  const played = await PlayedPages.open();
  let release = (): void => undefined;
  played.added = new Promise<void>((resolve) => (release = resolve));
  const [page] = played.pages;
  page?.store?.typed("foo");
  page?.store?.send();
  played.arrive();
  const take = async (): Promise<void> => {
    release();
    await played.settle();
  };
  return { played, take };
}

describe("what is typed in one page while a message of another waits", () => {
  it("stays when the message is taken", async () => {
    const { played, take } = await withWaiting();
    played.pages[1]?.store?.typed("foo bar");
    await take();
    const { session, disk } = played.opened;
    assert.deepEqual([played.sent, played.texts, session.draft, disk.draft], [["foo"], ["bar", "bar"], "bar", "bar"]);
  });

  it("stays where the page that sent it is out of sight", async () => {
    const { played, take } = await withWaiting();
    played.pages[0]?.show(false);
    played.pages[1]?.store?.typed("foo bar");
    await take();
    played.pages[0]?.show(true);
    await played.settle();
    assert.deepEqual([played.sent, played.texts, played.opened.disk.draft], [["foo"], ["bar", "bar"], "bar"]);
  });

  it("stays in the page that sent it, also where that goes out of sight", async () => {
    const { played, take } = await withWaiting();
    played.pages[0]?.store?.typed("foo bar");
    played.pages[0]?.show(false);
    await take();
    played.pages[0]?.show(true);
    await played.settle();
    assert.deepEqual([played.sent, played.texts, played.opened.disk.draft], [["foo"], ["bar", "bar"], "bar"]);
  });

  it("stays where the message is said once more after it was taken", async () => {
    const { played, take } = await withWaiting();
    const said = played.pages[0]?.store?.composer.peek();
    await take();
    played.pages[1]?.store?.typed("new");
    played.arrive();
    const again = { kind: "send", conversationId: played.opened.session.opened.id, said: said?.said ?? 0 } as const;
    played.pages[0]?.toHost.push({ ...again, sendId: said?.pending?.sendId ?? "", text: "foo" });
    await played.settle();
    assert.deepEqual([played.sent, played.texts, played.opened.disk.draft], [["foo"], ["new", "new"], "new"]);
  });

  it("stays while the message is being stored", async () => {
    const { played, take } = await withWaiting();
    const { store } = played.opened;
    const commit = store.commit.bind(store);
    store.commit = (writes) => {
      if (writes.some(({ kind }) => kind === "record")) {
        played.pages[1]?.store?.typed("foo bar");
        played.arrive();
      }
      return commit(writes);
    };
    await take();
    assert.deepEqual([played.sent, played.texts, played.opened.disk.draft], [["foo"], ["bar", "bar"], "bar"]);
  });
});

type Step = "type" | "type there" | "send" | "hear" | "tell" | "hide" | "show" | "wait" | "take";

const steps = fc.array(
  fc.oneof(
    ...(["type", "type there", "send", "hear", "tell", "hide", "show", "wait", "take"] as const).map((step, index) => ({
      weight: index < 5 ? 4 : 2,
      arbitrary: fc.record({ step: fc.constant<Step>(step), index: fc.nat(1) }),
    })),
  ),
  { maxLength: 40 },
);

describe("what is typed in two pages", () => {
  it("stands in a composer, in the draft or in what was sent, whatever crosses", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (done) => {
        const played = await PlayedPages.open();
        const typed: string[] = [];
        let at = 0;
        let release = (): void => undefined;
        for (const { step, index } of done) {
          if (step === "type there") {
            at = 1 - at; // the user's hands take longer than what is on its way
            played.arrive();
          }
          const [there, any] = [played.pages[at], played.pages[index]];
          if (step === "type" || step === "type there") {
            if (there?.store === undefined) continue;
            typed.push(`word${String(typed.length)}.`);
            there.store.typed(`${there.store.composer.peek().text}${typed.at(-1) ?? ""}`);
          } else if (step === "send") there?.store?.send();
          else if (step === "hear") any?.hear();
          else if (step === "tell") any?.tell();
          else if (step === "hide") any?.show(false);
          else if (step === "show") {
            played.arrive();
            any?.show(true);
            if (index !== at) played.arrive();
          } else if (step === "wait") {
            release();
            played.added = new Promise((resolve) => (release = resolve));
          } else {
            release();
            await new Promise(setImmediate);
          }
        }
        release();
        await played.settle();
        for (const page of played.pages) page.show(true);
        await played.settle();
        const { texts, sent, opened } = played;
        const kept = [...texts, ...sent].join(" ");
        const lost = typed.filter((word) => !kept.includes(word));
        const [text] = texts;
        assert.deepEqual([lost, texts, opened.disk.draft], [[], [text, text], text]);
      }),
      { numRuns: 300 },
    );
  });
});
