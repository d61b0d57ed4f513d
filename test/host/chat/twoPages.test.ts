/** Typing and sending in two pages that show the same conversation: the side bar and a tab. */
import assert from "node:assert/strict";
import { mock } from "node:test";
import fc from "fast-check";
import { textOf } from "../../../src/core/message.ts";
import { PlayedPages } from "../../support/session/playedPages.ts";

/** Two pages, the first of which has sent "foo"; the host accepts it when `take` is called. */
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

describe("text typed in one page while a message from another waits", () => {
  it("stays when the message is accepted", async () => {
    const { played, take } = await withWaiting();
    played.pages[1]?.store?.typed("foo bar");
    await take();
    const { session, disk } = played.opened;
    assert.deepEqual(
      [played.sent, played.texts, session.composer.text, disk.draft],
      [["foo"], ["bar", "bar"], "bar", "bar"],
    );
  });

  it("stays when the sending page is hidden", async () => {
    const { played, take } = await withWaiting();
    played.pages[0]?.show(false);
    played.pages[1]?.store?.typed("foo bar");
    await take();
    played.pages[0]?.show(true);
    await played.settle();
    assert.deepEqual([played.sent, played.texts, played.opened.disk.draft], [["foo"], ["bar", "bar"], "bar"]);
  });

  it("stays in the sending page, even when that page is hidden", async () => {
    const { played, take } = await withWaiting();
    played.pages[0]?.store?.typed("foo bar");
    played.pages[0]?.show(false);
    await take();
    played.pages[0]?.show(true);
    await played.settle();
    assert.deepEqual([played.sent, played.texts, played.opened.disk.draft], [["foo"], ["bar", "bar"], "bar"]);
  });

  it("stays when the message is posted again after it was accepted", async () => {
    const { played, take } = await withWaiting();
    const [message = assert.fail()] = played.pages[0]?.store?.composer.peek().sending ?? [];
    await take();
    played.pages[1]?.store?.typed("new");
    played.arrive();
    const { id: conversationId } = played.opened.session.opened;
    const change = { kind: "send", base: Date.now(), ...message } as const;
    played.pages[0]?.toHost.push({ kind: "compose", conversationId, number: 100, change });
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

const kinds = [
  ["type", 6],
  ["type there", 4],
  ["send", 4],
  ["hear", 5],
  ["tell", 5],
  ["hide", 2],
  ["show", 2],
  ["wait", 2],
  ["take", 2],
  ["add", 2],
  ["reword", 4],
  ["end edit", 2],
  ["switch", 1],
  ["crash", 1],
] as const;

const steps = fc.array(
  fc.oneof(
    ...kinds.map(([step, weight]) => ({
      weight,
      arbitrary: fc.record({ step: fc.constant(step), index: fc.nat(1) }),
    })),
  ),
  { maxLength: 40 },
);

type Step = (typeof kinds)[number][0];

/** One user at two pages who types distinct words, and where each must end up. */
class Typing {
  readonly played: PlayedPages;
  readonly typed: string[] = [];
  /** Expected edit of message 0, by conversation; null: no edit. */
  readonly #edits: (string | null)[] = [];
  #at = 0;
  #number = 0;
  #words = 0;
  #release = (): void => undefined;

  private constructor(played: PlayedPages) {
    this.played = played;
  }

  static async begin(): Promise<Typing> {
    return new Typing(await PlayedPages.open(true));
  }

  async do(step: Step, index: number): Promise<void> {
    const { played } = this;
    if (step === "type there") {
      this.#at = 1 - this.#at; // moving to the other page takes a user longer than delivery
      played.arrive();
    }
    const [there, any] = [played.pages[this.#at], played.pages[index]];
    switch (step) {
      case "type":
      case "type there":
        there?.store?.typed(`${there.store.composer.peek().text}${this.#word()}`);
        return;
      case "send":
        if (there?.store?.composer.peek().sending.length === 0) there.store.send();
        return;
      case "hear":
        any?.hear();
        return;
      case "tell":
        any?.tell();
        return;
      case "hide":
        while (any?.tell() === true);
        any?.show(false);
        mock.timers.tick(2); // the reloaded page must start at a later time
        return;
      case "show":
        played.arrive();
        any?.show(true);
        if (index !== this.#at) played.arrive();
        return;
      case "wait":
        this.#release();
        played.added = new Promise((resolve) => (this.#release = resolve));
        return;
      case "take":
        this.#release();
        return new Promise(setImmediate);
      case "add":
        played.arrive(); // the same user does it, in the editor
        await played.opened.session.composer.addText(this.#word());
        played.arrive();
        return;
      case "reword":
      case "end edit":
        played.arrive(); // the user sees the latest state first
        mock.timers.tick(2); // a user takes longer than a millisecond
        if (there?.store?.state.peek().phase !== "ready") return;
        this.#edits[this.#number] = step === "reword" ? this.#word("edit") : null;
        there.store.edit({ messageId: 0 }, this.#edits[this.#number] ?? null);
        while (there.hear()); // an edit whose start the host never received is lost with its page
        return;
      case "switch":
        this.#release();
        this.#number = index;
        return played.switchTo(index);
      case "crash":
        await played.crash();
        this.#edits[this.#number] = this.#editAfterCrash();
    }
  }

  /** Delivers everything with both pages visible; then both must be equal, and no word lost or sent twice. */
  async check(): Promise<void> {
    const { played } = this;
    this.#release();
    await played.settle();
    for (const page of played.pages) page.show(true);
    await played.settle();
    for (const page of played.pages) page.store?.requestSnapshot(); // in case the last message was lost
    await played.settle();
    for (const number of played.disks.keys()) {
      await played.switchTo(number); // pages send pending changes once their conversation is open
      await played.settle();
    }
    await played.switchTo(this.#number);
    await played.settle();
    const { texts, opened, disks } = played;
    const sent = disks.map(sentOn);
    const everywhere = [...texts, ...disks.map(({ draft }) => draft), ...sent.flat()].join(" ");
    const lost = this.typed.filter((word) => !everywhere.includes(word));
    const twice = this.typed.filter((word) =>
      sent.some((texts) => texts.filter((text) => text.includes(word)).length > 1),
    );
    const [text] = texts;
    assert.deepEqual(
      { lost, twice, texts, draft: opened.disk.draft },
      { lost: [], twice: [], texts: [text, text], draft: text },
    );
    const edits = played.pages.map(({ store }) => store?.composer.peek().edits.map((edit) => edit.text));
    const edit = this.#edits[this.#number] ?? null;
    const expected = edit === null ? [] : [edit];
    assert.deepEqual(edits, [expected, expected]);
  }

  /** An edit whose start is not stored is lost in a crash; one whose end is not stored continues. */
  #editAfterCrash(): string | null {
    const [row] = this.played.opened.disk.journal.filter(({ eventType }) => eventType === "edited");
    if (row === undefined) return null;
    const stored: unknown = Reflect.get(JSON.parse(row.content), "text");
    return this.#edits[this.#number] ?? String(stored);
  }

  #word(kind = "word"): string {
    const word = `${kind}${String(this.#words++)}.`;
    if (kind === "word") this.typed.push(word);
    return word;
  }
}

/** Sent messages, then queued ones. */
function sentOn({ records, journal }: PlayedPages["disks"][number]): readonly string[] {
  const sent = records.flatMap((record) =>
    record.kind === "message" && record.message.role === "user" ? [textOf(record.message)] : [],
  );
  const waiting = journal.flatMap(({ eventType, content }) => (eventType === "queued" ? [content] : []));
  return [...sent, ...waiting];
}

describe("typing in two pages", () => {
  before(() => {
    mock.timers.enable({ apis: ["Date"] });
  });
  after(() => {
    mock.timers.reset();
  });

  it("keeps every word in a composer, draft or sent message, and sends it once, despite races, lost messages and crashes", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (done) => {
        const typing = await Typing.begin();
        for (const { step, index } of done) await typing.do(step, index);
        await typing.check();
      }),
      { seed: 1, numRuns: 300 },
    );
  }).timeout(60_000);

  it("keeps every word after a crash between storing a message and confirming it", async () => {
    const typing = await Typing.begin();
    for (const step of ["type there", "reword", "send", "hear 1", "take", "add", "type there", "crash"] as const) {
      if (step === "hear 1") await typing.do("hear", 1);
      else await typing.do(step, 0);
    }
    await typing.check();
  });
});
