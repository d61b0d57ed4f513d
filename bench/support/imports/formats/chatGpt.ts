/** ChatGPT's export: many conversations, each a tree of nodes. It has neither usage nor the bytes of pictures. */

import { expectTurn, isDamaged, listOf, type GeneratedFormat } from "../generatedFormat.ts";
import type { Tally } from "../tally.ts";
import { MODEL, type GeneratedStep, type GeneratedTurn, type Talk } from "../talk.ts";

const MOST_STEPS = 2;
const MOST_TURNS = 16;
/** In 1,000: conversations that went on for months. */
const LONG_IN_1000 = 4;
const LONG_TURNS = 900;

export const chatGpt: GeneratedFormat = {
  name: "chatGpt",
  file: "conversations.json",
  write: (talk, tally, isFull) => listOf("[", conversations(talk, tally, isFull), "]"),
};

function* conversations(talk: Talk, tally: Tally, isFull: () => boolean): Generator<object> {
  for (let number = 0; number === 0 || !isFull(); number++) yield new Tree(talk, tally).conversation(number);
}

class Tree {
  readonly #talk: Talk;
  readonly #tally: Tally;
  readonly #mapping: Record<string, object> = {};
  #last = "root";
  #count = 0;

  constructor(talk: Talk, tally: Tally) {
    this.#talk = talk;
    this.#tally = tally;
  }

  conversation(number: number): object {
    this.#tally.conversations++;
    this.#tally.leaves++;
    this.#mapping["root"] = { id: "root", message: null, parent: null, children: [] };
    const turns = this.#talk.chance(LONG_IN_1000) ? LONG_TURNS : 1 + this.#talk.below(MOST_TURNS);
    for (let left = turns; left > 0; left--) {
      const turn = this.#talk.turn(MOST_STEPS);
      // The first one of a conversation may be edited, too.
      this.#addTurn(left === 1 ? { ...turn, isTakenBack: false } : turn);
    }
    const title = `Conversation ${number}`;
    this.#tally.titles.push(title);
    const times = { create_time: 1_750_000_000.5, update_time: 1_750_000_900.5 };
    const ids = { id: `c${number}`, conversation_id: `c${number}`, current_node: this.#last };
    return { title, ...times, mapping: this.#mapping, moderation_results: [], ...ids, is_archived: false };
  }

  #addTurn(turn: GeneratedTurn): void {
    const isShown = expectTurn(this.#tally, turn);
    const before = this.#last;
    const parts: unknown[] = [];
    if (turn.picture !== undefined) {
      const { mark } = turn.picture;
      this.#tally.expect(turn.picture, { kind: "attachment", isShown });
      const pointer = `sediment://mark_${mark}_a-mark_${mark}_z`;
      parts.push({
        content_type: "image_asset_pointer",
        asset_pointer: pointer,
        size_bytes: 900,
        width: 20,
        height: 10,
      });
    }
    parts.push(turn.asked.text);
    const type = parts.length > 1 ? "multimodal_text" : "text";
    this.#add("user", turn.atMs, { content_type: type, parts });
    for (const step of turn.steps) this.#addStep(step, turn, isShown);
    if (isDamaged(this.#talk, this.#tally)) this.#mapping[`lost ${turn.number}`] = { id: "lost", message: 7 };
    if (turn.isTakenBack) this.#last = before;
  }

  /** One call in each step. */
  #addStep({ thought, said, calls: [call] }: GeneratedStep, { atMs }: GeneratedTurn, isShown: boolean): void {
    if (thought !== undefined) {
      this.#tally.expect(thought, { kind: "thinking", isShown });
      const thoughts = [{ summary: "Looking", content: thought.text }];
      this.#add("assistant", atMs, { content_type: "thoughts", thoughts });
    }
    if (said !== undefined) {
      this.#tally.expect(said, { kind: "text", isShown, model: MODEL });
      this.#add("assistant", atMs, { content_type: "text", parts: [said.text] });
    }
    if (call === undefined) return;
    const { picture } = call;
    this.#tally.expectCall(call, isShown, false);
    this.#add(
      "assistant",
      atMs,
      { content_type: "code", language: "json", text: call.input.text },
      { recipient: call.name },
    );
    if (call.result === undefined) return;
    const metadata =
      picture === undefined
        ? {}
        : { aggregate_result: { messages: [{ image_url: `data:image/png;base64,${picture.dataBase64}` }] } };
    if (picture !== undefined) this.#tally.expect(picture, { kind: "image", isShown });
    const isFailed = call.isError;
    const content = { content_type: isFailed ? "system_error" : "execution_output", text: call.result.text };
    this.#add("tool", atMs, content, { metadata });
  }

  #add(role: string, atMs: number, content: object, more: object = {}): void {
    const id = `node-${this.#count++}`;
    const message = {
      id,
      author: { role, name: role === "tool" ? "python" : null, metadata: {} },
      create_time: atMs / 1_000,
      update_time: null,
      content,
      status: "finished_successfully",
      end_turn: role === "assistant",
      weight: 1,
      metadata: role === "assistant" ? { model_slug: MODEL, request_id: id, timestamp_: "absolute" } : {},
      recipient: "all",
      ...more,
    };
    const parent = this.#mapping[this.#last] as { readonly children: string[] };
    parent.children.push(id);
    this.#mapping[id] = { id, message, parent: this.#last, children: [] };
    this.#last = id;
  }
}
