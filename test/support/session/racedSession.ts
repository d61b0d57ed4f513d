/**
 * A conversation under concurrent actions: the user acts in any order, the model answers at its own pace, and the
 * window may close or crash at any moment. Tracks what must not be lost.
 */

import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { modelId } from "../../../src/core/ids.ts";
import { textOf, type Message } from "../../../src/core/message.ts";
import { stepOfBatch } from "../../../src/core/turn/toolRound.ts";
import type { ApprovalAnswer } from "../../../src/protocol/toHost.ts";
import type { ToViewBody } from "../../../src/protocol/toView.ts";
import { memoryDisk, type MemoryDisk } from "../storage/memoryStore.ts";
import { openSession, type OpenedSession } from "./openSession.ts";
import type { RacedEvent } from "./racedEvent.ts";
import { chooseTools, holds } from "./racedChecks.ts";
import { RacedModel, type Life, type RacedAnswer } from "./racedModel.ts";
import { orphansIn } from "./turnRun.ts";

/** Successive lives of one conversation on the same disk. */
export class RacedSession {
  #opened: OpenedSession;
  #disk: MemoryDisk;
  readonly #model: RacedModel;
  #life: Life = { isOver: false, live: new Set() };
  #number = 0;
  /** Texts that must be in the history, in the queue, or in transit. */
  readonly #typed = new Set<string>();
  /** Sent texts that are neither accepted nor refused yet, by send id. */
  readonly #underWay = new Map<string, string>();
  /** The composer's last text known to the host. */
  #draft = "";
  #switches = 0;
  /** Permissions for all conversations. */
  readonly #always = new Set<string>();

  private constructor(opened: OpenedSession, disk: MemoryDisk, model: RacedModel) {
    this.#opened = opened;
    this.#disk = disk;
    this.#model = model;
  }

  /** Opens an empty conversation with `answers` to its requests, in turn. */
  static async open(answers: readonly RacedAnswer[]): Promise<RacedSession> {
    const [disk, model] = [memoryDisk(), new RacedModel(answers)];
    const idle = await openSession(model.provider({ isOver: true, live: new Set() }), disk);
    const raced = new RacedSession(idle, disk, model);
    await raced.#open(disk);
    return raced;
  }

  /** Starts an action, without waiting for its effects. */
  async happen(event: RacedEvent): Promise<void> {
    const { session } = this.#opened;
    switch (event.kind) {
      case "send":
        this.#send();
        break;
      case "resend":
        this.#resend();
        break;
      case "draft":
        await this.#type();
        break;
      case "stop":
        session.stop();
        break;
      case "switch":
        this.#switch();
        break;
      case "retry":
        void session.retry();
        break;
      case "release":
        void session.composer.queue.release();
        break;
      case "approve":
        this.#approve(event.answer);
        break;
      case "tools":
        chooseTools(session.tools, event.what);
        break;
      case "reload":
        void session.composer.queue.endEdits();
        break;
      case "recover":
        this.#recover(event.choice);
        break;
      case "queue":
        this.#editQueue(event.what);
        break;
      case "crash":
        await this.#open(structuredClone(this.#disk));
        break;
      case "close":
        await session.shutDown();
        await this.#opened.store.close();
        await this.#open(this.#disk);
        break;
      case "wait":
        for (let turn = 0; turn < event.turns; turn++) await setImmediate();
    }
    this.#check();
  }

  /** Asserts that the conversation comes to rest and works: sends what waits, and gets one more answer. */
  async settle(): Promise<void> {
    void this.#opened.session.composer.queue.endEdits();
    await this.#rest();
    void this.#opened.session.composer.queue.release();
    await this.#rest();
    this.#send();
    await this.#rest();
    this.#check();
    assert.equal(this.#underWay.size, 0, "every message was taken or refused");
    assert.deepEqual([...this.#missing()], [], "nothing that was typed is lost");
    assert.deepEqual(orphansIn(this.#messages()), []);
    const twice = [...this.#model.runs].filter(([, times]) => times > 1);
    assert.deepEqual(twice, [], "no call was run twice");
  }

  async #rest(): Promise<void> {
    for (let turn = 0; turn < 4_000; turn++) {
      await setImmediate();
      this.#approve("once");
      const { session } = this.#opened;
      if (session.activity === "idle" && this.#underWay.size === 0) {
        await setImmediate();
        if (!session.composer.queue.mustQueue) return;
      }
      if (turn > 500 && turn % 100 === 0) session.stop(); // the user stops a model that hangs
    }
    assert.fail(`stuck: ${this.#opened.session.activity}, ${JSON.stringify(this.#opened.session.composer.queue.view)}`);
  }

  #send(): void {
    const { session } = this.#opened;
    const text = `typed ${String(this.#number++)}`;
    const sendId = String(this.#number);
    this.#underWay.set(sendId, text);
    this.#draft = text;
    void session.composer.change({ kind: "send", base: session.composer.document.revision, sendId, text });
    void session.send(sendId, text);
    if (this.#number % 3 === 0) void session.send(sendId, text); // a view that sends twice
  }

  /** Edits and resends the newest question. */
  #resend(): void {
    const { session } = this.#opened;
    const question = session.opened.manager.history.entries.findLast(({ role }) => role === "user");
    if (question === undefined) return;
    const text = `typed ${String(this.#number++)}`;
    const life = this.#life;
    void session.actions.edit(question.id, text, () => {
      if (!life.isOver) this.#typed.add(text);
    });
  }

  async #type(): Promise<void> {
    const text = `draft ${String(this.#number++)}`;
    this.#draft = text;
    await this.#opened.session.composer.setText(text);
  }

  #switch(): void {
    const { session } = this.#opened;
    const model = modelId(["claude-haiku-4-5", "claude-sonnet-4-5", "gpt-5.2"][this.#switches++ % 3] ?? "");
    void session.switchModel({ ...session.connection, model });
  }

  #approve(answer: ApprovalAnswer): void {
    for (const row of this.#opened.rows()) {
      if (row.kind !== "message") continue;
      for (const { callId, state } of row.calls) {
        if (state === "asking") void this.#opened.session.tools.answer(row.rowId, callId, answer);
      }
    }
  }

  #recover(choice: Extract<RacedEvent, { kind: "recover" }>["choice"]): void {
    const { session } = this.#opened;
    const { recoverableBatch: batch } = session;
    const step = batch === undefined ? session.recoverable[0]?.stepId : stepOfBatch(batch);
    if (step !== undefined) void session.recover(step, choice);
  }

  #editQueue(what: Extract<RacedEvent, { kind: "queue" }>["what"]): void {
    const { queue } = this.#opened.session.composer;
    const item = queue.view.items[0];
    if (item === undefined) return;
    if (what === "edit") void queue.edit(item.queueId, true);
    else if (what === "done") void queue.edit(item.queueId, false);
    else if (what === "remove") {
      for (const text of this.#typed) if (holds(item.text, text)) this.#typed.delete(text);
      void queue.remove(item.queueId);
    } else void queue.change(item.queueId, `${item.text}, changed`);
  }

  async #open(disk: MemoryDisk): Promise<void> {
    this.#disk = disk;
    const life: Life = { isOver: false, live: new Set() };
    this.#life.isOver = true;
    this.#life = life;
    for (const text of this.#underWay.values()) if (this.#isThere(text)) this.#typed.add(text);
    const tools = [this.#model.tool(life)];
    const hear = (body: ToViewBody): void => {
      if (!life.isOver) this.#hear(body);
    };
    this.#opened = await openSession(this.#model.provider(life), disk, hear, { tools, always: this.#always });
    if (this.#underWay.size === 0) assert.equal(this.#opened.session.composer.text, this.#draft);
    this.#underWay.clear();
    this.#draft = this.#opened.session.composer.text;
  }

  #hear(body: ToViewBody): void {
    if (body.kind !== "composer" || body.changed.sending === undefined) return;
    const { sending } = body.changed;
    for (const [sendId, text] of this.#underWay) {
      if (sending.some((message) => message.sendId === sendId)) continue;
      this.#underWay.delete(sendId);
      if (body.sent === undefined) continue; // refused
      this.#typed.add(text);
      if (this.#draft === text) this.#draft = ""; // newer text is kept
    }
  }

  #messages(): readonly Message[] {
    return this.#disk.records.flatMap((record) => (record.kind === "message" ? [record.message] : []));
  }

  /** Whether the text is in the stored history or queue. */
  #isThere(text: string): boolean {
    const queued = this.#disk.journal.filter(({ eventType }) => eventType === "queued").map(({ content }) => content);
    const said = this.#messages()
      .filter(({ role }) => role === "user")
      .map(textOf);
    return [...said, ...queued].some((place) => holds(place, text));
  }

  *#missing(): Generator<string> {
    for (const text of this.#typed) if (!this.#isThere(text)) yield text;
  }

  /** Asserts the invariants. */
  #check(): void {
    assert.deepEqual(this.#model.bugs, []);
    assert.deepEqual([...this.#missing()], []);
    const said = this.#messages()
      .filter(({ role, parts }) => role === "user" && parts[0]?.kind === "text")
      .map(textOf);
    assert.equal(new Set(said).size, said.length, "nothing is sent twice");
  }
}
