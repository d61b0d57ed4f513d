/** A message that is said anew, and a summary that is changed, in two pages of one conversation, told to a host and by it, with pages and a host that end. */
import assert from "node:assert/strict";
import { signal, type Signal } from "@preact/signals";
import fc from "fast-check";
import type { EditView } from "../../src/protocol/messageEditView.ts";
import type { ToHost } from "../../src/protocol/toHost.ts";
import type { ToViewBody } from "../../src/protocol/toView.ts";
import { initialState } from "../../src/webview/initialState.ts";
import { KeptEdits } from "../../src/webview/keptEdits.ts";
import { editKey, editOf, isEdited, type MessageEdits, summaryName } from "../../src/webview/messageEdits.ts";
import { type AppState, reduce } from "../../src/webview/state.ts";
import { act } from "../../src/webview/viewActs.ts";
import { readViewMemory, viewMemory } from "../../src/webview/viewMemory.ts";
import { view } from "./support/viewBuilders.ts";

const CONVERSATION = "conversation-1";

/** What is edited: a message, and a summary that has its number. */
const nameOf = (id: number): string => (id === 0 ? "0" : summaryName(0));
const idOf = (edit: EditView): number => ("messageId" in edit ? edit.messageId : edit.summaryId + 1);

/** The host, which takes what is later, and tells the other pages. What it was told is on its disk. */
class Host {
  readonly edits = new Map<number, EditView>();
  readonly #latest = new Map<number, number>();
  readonly pages: Page[] = [];

  take(edit: EditView, from: Page): void {
    const id = idOf(edit);
    if (edit.revision > (this.#latest.get(id) ?? -1)) {
      this.#latest.set(id, edit.revision);
      if (edit.text === null) this.edits.delete(id);
      else this.edits.set(id, edit);
    }
    for (const page of this.pages)
      if (page !== from) page.toPage.push({ kind: "messageEdit", conversationId: CONVERSATION, edit });
  }

  snapshot(): ToViewBody {
    return { kind: "snapshot", view: view([], { messageEdits: [...this.edits.values()] }) };
  }

  /** What of them is read from the disk by the next one. */
  restart(): void {
    this.#latest.clear();
    for (const edit of this.edits.values()) this.#latest.set(idOf(edit), edit.revision);
  }
}

/** A page, with what is on its way between it and the host. */
class Page {
  toHost: EditView[] = [];
  toPage: ToViewBody[] = [];
  #state: Signal<AppState>;
  #kept: KeptEdits;
  #memory: unknown;
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
    [this.#state, this.#kept] = this.#begin();
    this.open();
  }

  /** The text of what is edited, as it is seen. */
  get seen(): ReadonlyMap<number, string | null> {
    const state = this.#state.peek();
    return new Map(
      [0, 1].flatMap((id) =>
        isEdited(state, nameOf(id)) ? [[id, editOf(state, nameOf(id))?.text ?? null] as const] : [],
      ),
    );
  }

  type(id: number, text: string | null, nowMs: number): void {
    if (this.#state.peek().conversationId === "") return; // nothing is shown yet
    const key = editKey(CONVERSATION, nameOf(id));
    this.#state.value = act(this.#state.peek(), { kind: "editedMessage", key, text, nowMs });
    this.#memory = JSON.parse(JSON.stringify(viewMemory(null, [], this.#state.peek())));
    this.#kept.note(key);
  }

  /** The host sends everything: the page asked for it. */
  open(): void {
    this.toPage.push(this.#host.snapshot());
  }

  /** The editor destroys the page, and makes it anew; what it has said arrives. */
  destroy(): void {
    this.#kept.tell();
    for (const edit of this.toHost.splice(0)) this.#host.take(edit, this);
    this.crash();
  }

  /** The same, and nothing of what it has said arrives. */
  crash(): void {
    this.toHost = [];
    this.toPage = [];
    [this.#state, this.#kept] = this.#begin();
    this.open();
  }

  deliver(): void {
    const edit = this.toHost.shift();
    if (edit !== undefined) this.#host.take(edit, this);
  }

  receive(): void {
    const body = this.toPage.shift();
    if (body === undefined) return;
    this.#state.value = reduce(this.#state.peek(), body);
    if (body.kind === "snapshot" || body.kind === "messageEdit") this.#kept.receive(body);
  }

  settle(): void {
    this.#kept.tell();
    while (this.toHost.length > 0 || this.toPage.length > 0) {
      this.deliver();
      this.receive();
    }
  }

  #begin(): [Signal<AppState>, KeptEdits] {
    const left: MessageEdits = new Map(
      readViewMemory(this.#memory).edits.map(({ key, ...edit }) => [key, { ...edit, sendId: null, isLeft: true }]),
    );
    const state = signal<AppState>({ ...initialState, messageEdits: left });
    const post = (message: ToHost): void => {
      if (message.kind === "messageEdit") this.toHost.push(message.edit);
    };
    return [state, new KeptEdits(state, post)];
  }
}

const step = fc.oneof(
  fc.record({ kind: fc.constant("type"), page: fc.nat(1), id: fc.nat(1), ends: fc.boolean() }),
  fc.record({
    kind: fc.constantFrom("deliver", "deliver", "receive", "receive", "snapshot", "destroy"),
    page: fc.nat(1),
  }),
  fc.record({ kind: fc.constant("crash"), page: fc.nat(1) }),
);

describe("messages that are said anew in two pages", () => {
  it("are the same in both, and in the host, when all has arrived: as they were typed last", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const host = new Host();
        const pages = [new Page(host), new Page(host)] as const;
        host.pages.push(...pages);
        const settle = (): void => {
          for (let round = 0; round < 4; round++) for (const page of pages) page.settle();
        };
        settle();
        const last = new Map<number, string>();
        for (const [nowMs, each] of steps.entries()) {
          const page = pages[each.page as 0 | 1];
          if ("id" in each) {
            // One user: what they typed in one page has arrived before they are in the other.
            for (const other of pages) if (other !== page) other.settle();
            while (page.toPage.length > 0) page.receive();
            const text = each.ends ? null : `typed at ${String(nowMs)}`;
            if (text === null) last.delete(each.id);
            else last.set(each.id, text);
            page.type(each.id, text, 1_000 + nowMs);
          } else if (each.kind === "deliver") page.deliver();
          else if (each.kind === "receive") page.receive();
          else if (each.kind === "snapshot") page.open();
          else if (each.kind === "destroy") page.destroy();
          else {
            host.restart();
            for (const crashed of pages) crashed.crash();
            // What had not begun for the host is gone, and what had not ended goes on.
            for (const id of [0, 1]) if (!host.edits.has(id)) last.delete(id);
            for (const [id, { text }] of host.edits) if (text !== null && !last.has(id)) last.set(id, text);
          }
        }
        settle();
        const inHost = new Map([...host.edits].map(([id, { text }]) => [id, text]));
        assert.deepEqual(inHost, last);
        for (const page of pages) assert.deepEqual(page.seen, last);
      }),
      { seed: 20261123, numRuns: 2_000 },
    );
  });

  for (const [what, lost] of [
    ["it had the last of it", []],
    ["it had any of it", [0]],
  ] as const)
    it(`are told to a host that ended before ${what}`, () => {
      const host = new Host();
      const page = new Page(host);
      host.pages.push(page);
      page.settle();
      page.type(0, "Why", 1_000);
      page.settle();
      page.type(0, "Why not?", 1_001);
      page.toHost = []; // the host died with it
      for (const id of lost) host.edits.delete(id);
      host.restart();
      page.open();
      page.settle();
      assert.deepEqual([...host.edits.values()], [{ messageId: 0, text: "Why not?", revision: 1_001 }]);
    });
});
