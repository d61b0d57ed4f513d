import assert from "node:assert/strict";
import { messageId } from "../../../src/core/ids.ts";
import { Machine, type PublishedSegment } from "../../support/replica/machine.ts";

/** Two machines and what lies between them. */
class Pair {
  readonly desktop = new Machine("d");
  readonly laptop = new Machine("l");
  readonly #segments: PublishedSegment[] = [];

  constructor() {
    this.desktop.askAndAnswer();
    this.desktop.askAndAnswer();
    this.sync();
  }

  publish(machine: Machine): void {
    this.#segments.push(...machine.publish());
  }

  /** Both publish before either receives: what they did since the last time knows nothing of each other. */
  sync(): void {
    this.publish(this.desktop);
    this.publish(this.laptop);
    this.desktop.receive(this.#segments);
    this.laptop.receive(this.#segments);
  }

  shown(): readonly [desktop: string, laptop: string] {
    return [this.desktop.shown(), this.laptop.shown()];
  }
}

interface Case {
  readonly name: string;
  readonly act: (pair: Pair) => void;
  readonly shown: readonly [desktop: string, laptop: string];
}

const cases: readonly Case[] = [
  { name: "what was written before", act: () => undefined, shown: ["d1 d2 d3 d4", "d1 d2 d3 d4"] },
  {
    name: "what one goes on with",
    act: ({ laptop }) => {
      laptop.askAndAnswer();
    },
    shown: ["d1 d2 d3 d4 l1 l2", "d1 d2 d3 d4 l1 l2"],
  },
  {
    name: "its own, where both went on",
    act: ({ desktop, laptop }) => {
      desktop.askAndAnswer();
      laptop.askAndAnswer();
    },
    shown: ["d1 d2 d3 d4 d5 d6", "d1 d2 d3 d4 l1 l2"],
  },
  {
    name: "its own, also when the other one goes on with what it has",
    act: (pair) => {
      pair.desktop.askAndAnswer();
      pair.laptop.askAndAnswer();
      pair.sync();
      pair.laptop.askAndAnswer();
    },
    shown: ["d1 d2 d3 d4 d5 d6", "d1 d2 d3 d4 l1 l2 l3 l4"],
  },
  {
    name: "the other's, once it was chosen, and what follows there",
    act: (pair) => {
      pair.desktop.askAndAnswer();
      pair.laptop.askAndAnswer();
      pair.sync();
      pair.desktop.switchVersion(1);
      pair.sync();
      pair.laptop.askAndAnswer();
    },
    shown: ["d1 d2 d3 d4 l1 l2 l3 l4", "d1 d2 d3 d4 l1 l2 l3 l4"],
  },
  {
    name: "an edit",
    act: ({ laptop }) => {
      laptop.edit(0);
    },
    shown: ["d1 d2 l1 l2", "d1 d2 l1 l2"],
  },
  {
    name: "no edit of what it has gone on from",
    act: ({ desktop, laptop }) => {
      desktop.askAndAnswer();
      laptop.edit(0);
    },
    shown: ["d1 d2 d3 d4 d5 d6", "d1 d2 l1 l2"],
  },
  {
    name: "not what was hidden within the conversation, wherever that was",
    act: ({ desktop, laptop }) => {
      desktop.askAndAnswer();
      laptop.hide(messageId(0), messageId(2), true);
    },
    shown: ["d3 d4 d5 d6", "d3 d4 d5 d6"],
  },
];

describe("A machine that receives segments shows", () => {
  for (const { name, act, shown } of cases)
    it(name, () => {
      const pair = new Pair();
      act(pair);
      pair.sync();
      assert.deepEqual(pair.shown(), shown);
      pair.desktop.reopen();
      pair.laptop.reopen();
      assert.deepEqual(pair.shown(), shown);
      assert.deepEqual(pair.laptop.tree(), pair.desktop.tree());
    });
});
