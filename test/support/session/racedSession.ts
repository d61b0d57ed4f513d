/**
 * A conversation that a test drives as hastily as it likes: what the user does comes in any order, the model answers in
 * its own time, and the window may be closed or die at any moment. It remembers what must not be lost.
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

/** One life of the conversation after another, on the same disk. */
export class RacedSession {
  #opened: OpenedSession;
  #disk: MemoryDisk;
  readonly #model: RacedModel;
  #life: Life = { isOver: false, live: new Set() };
  #number = 0;
  /** Texts that must be in the history, in the queue, or on their way. */
  readonly #typed = new Set<string>();
  /** Sent, and not yet said to be taken or refused. */
  readonly #underWay = new Map<string, string>();
  /** What the composer held last, as far as the host was told. */
  #draft = "";
  #switches = 0;
  /** What is allowed for good lies outside the conversation. */
  readonly #always = new Set<string>();

  private constructor(opened: OpenedSession, disk: MemoryDisk, model: RacedModel) {
    this.#opened = opened;
    this.#disk = disk;
    this.#model = model;
  }

  /** Opens an empty conversation whose requests are answered by `answers`, in turn. */
  static async open(answers: readonly RacedAnswer[]): Promise<RacedSession> {
    const [disk, model] = [memoryDisk(), new RacedModel(answers)];
    const idle = await openSession(model.provider({ isOver: true, live: new Set() }), disk);
    const raced = new RacedSession(idle, disk, model);
    await raced.#open(disk);
    return raced;
  }

  /** Lets something happen; does not wait for what it leads to. */
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

  /** Comes to rest, and can be used: what waits is sent, and one more message is answered. */
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
      if (turn > 500 && turn % 100 === 0) session.stop(); // a model that says nothing for ever is stopped by its user
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
    if (this.#number % 3 === 0) void session.send(sendId, text); // a view that asks twice
  }

  /** The newest question in other words, as another way on. */
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
      if (body.sent === undefined) continue; // it was refused
      this.#typed.add(text);
      if (this.#draft === text) this.#draft = ""; // what was typed meanwhile stays
    }
  }

  #messages(): readonly Message[] {
    return this.#disk.records.flatMap((record) => (record.kind === "message" ? [record.message] : []));
  }

  /** In the history or in the queue, as they are on the disk. */
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

  /** What must hold at every moment. */
  #check(): void {
    assert.deepEqual(this.#model.bugs, []);
    assert.deepEqual([...this.#missing()], []);
    const said = this.#messages()
      .filter(({ role, parts }) => role === "user" && parts[0]?.kind === "text")
      .map(textOf);
    assert.equal(new Set(said).size, said.length, "nothing is sent twice");
  }
}
