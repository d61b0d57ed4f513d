/** The chat after records of another machine were placed. */

import assert from "node:assert/strict";
import { ERASED_TEXT } from "../../../src/core/history/erasure.ts";
import { messageId, modelId } from "../../../src/core/ids.ts";
import type { Machine } from "../../support/replica/machine.ts";
import { OpenReplica } from "../../support/replica/openReplica.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";
import { openSession, type OpenedSession } from "../../support/session/openSession.ts";
import { memoryDisk, type MemoryDisk } from "../../support/storage/memoryStore.ts";
import type { Row } from "../../../src/protocol/toView.ts";

interface Both extends OpenedSession {
  readonly laptop: Machine;
  /** Acts of each are on the other one. */
  readonly sync: () => Promise<void>;
  readonly disk: MemoryDisk;
}

/** Two machines with a question and its answer. */
async function bothMachines(name?: string): Promise<Both> {
  const disk = memoryDisk();
  const both = new OpenReplica(name);
  const answers = Array.from({ length: 9 }, () => saying("Because."));
  const opened = await openSession(scriptedProvider(...answers), disk);
  const { session } = opened;
  const sync = async (): Promise<void> => {
    for (let round = 0; round < 2; round++) {
      assert.ok((await both.replicate(session)).ok);
      assert.ok((await both.laptop.replicate())?.ok);
    }
  };
  await session.send("1", "Why?");
  await sync();
  return { ...opened, laptop: both.laptop.machine, sync, disk };
}

/** Each row in short. */
function short(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => {
    switch (row.kind) {
      case "message": {
        const branch = row.branch === null ? "" : ` (${String(row.branch.index + 1)}/${String(row.branch.count)})`;
        return row.text + branch + (row.pinned ? " (pinned)" : "");
      }
      case "notice":
        return `[${[row.text, ...row.actions.map(({ label }) => label)].join(" | ")}]`;
      case "summary":
        return `[summary ${row.state}]`;
      case "hidden":
        return `[hidden ${row.messageId}]`;
    }
  });
}

const NO_ANSWER = "[This message has no answer yet. | Retry]";

describe("records of another machine", () => {
  interface Case {
    readonly door: string;
    /** Steps, each seen by the other machine before the next one. */
    readonly steps: readonly ((both: Both) => unknown)[];
    readonly rows: readonly string[];
  }
  const cases: readonly Case[] = [
    {
      door: "go on at the end, with a notice of where they were written",
      steps: [({ laptop }) => laptop.askAndAnswer()],
      rows: ["Why?", "Because.", "[Continued on “laptop”: 2 messages]", "b1", "b2"],
    },
    {
      door: "have one notice for all that follow each other",
      steps: [
        ({ laptop }) => laptop.say(),
        ({ laptop }) => laptop.say("assistant"),
        ({ laptop }) => laptop.askAndAnswer(),
      ],
      rows: ["Why?", "Because.", "[Continued on “laptop”: 4 messages]", "b1", "b2", "b3", "b4"],
    },
    {
      door: "are counted by one",
      steps: [({ laptop }) => laptop.say()],
      rows: ["Why?", "Because.", "[Continued on “laptop”: 1 message]", "b1", NO_ANSWER],
    },
    {
      door: "have a notice of their own after each message from here",
      steps: [
        ({ laptop }) => laptop.askAndAnswer(),
        ({ session }) => session.send("2", "And here?"),
        ({ laptop }) => laptop.askAndAnswer(),
      ],
      rows: [
        ...["Why?", "Because.", "[Continued on “laptop”: 2 messages]", "b1", "b2"],
        ...["And here?", "Because.", "[Continued on “laptop”: 2 messages]", "b3", "b4"],
      ],
    },
    {
      door: "are a version where this machine went on, too",
      steps: [
        async ({ laptop, session }) => {
          laptop.askAndAnswer();
          await session.send("2", "And here?");
        },
        ({ laptop }) => laptop.say(),
      ],
      rows: [
        "Why?",
        "Because.",
        "And here? (1/2)",
        "Because.",
        "[Another version from “laptop”: 3 messages | Show it]",
      ],
    },
    {
      door: "are shown as a version on the person's word, and told of no longer",
      steps: [
        async ({ laptop, session }) => {
          laptop.askAndAnswer();
          await session.send("2", "And here?");
        },
        async ({ session }) => {
          assert.equal(await session.showNewVersion(), 4);
        },
      ],
      rows: ["Why?", "Because.", "[Continued on “laptop”: 2 messages]", "b1 (2/2)", "b2"],
    },
    {
      door: "are not told of again once the version was seen",
      steps: [
        async ({ laptop, session }) => {
          laptop.askAndAnswer();
          await session.send("2", "And here?");
        },
        async ({ session }) => {
          await session.showNewVersion();
          await session.actions.showSiblingBranch(4, -1);
        },
      ],
      rows: ["Why?", "Because.", "And here? (1/2)", "Because."],
    },
    {
      door: "go on where a version is shown",
      steps: [
        async ({ laptop, session }) => {
          laptop.askAndAnswer();
          await session.send("2", "And here?");
        },
        ({ session }) => session.showNewVersion(),
        ({ laptop }) => laptop.askAndAnswer(),
      ],
      rows: ["Why?", "Because.", "[Continued on “laptop”: 4 messages]", "b1 (2/2)", "b2", "b3", "b4"],
    },
    {
      door: "replace a question that was edited there",
      steps: [({ laptop }) => laptop.edit(0)],
      rows: ["b1 (2/2)", "b2"],
    },
    {
      door: "hide, pin, entitle and erase",
      steps: [
        ({ laptop }) => laptop.askAndAnswer(),
        ({ laptop }) => {
          laptop.hideTurn(1);
          laptop.pin(0, true);
          laptop.entitle();
          laptop.eraseShown(2);
        },
      ],
      rows: [ERASED_TEXT, "Because.", "[Continued on “laptop”: 1 message]", "[hidden 2]", "b2 (pinned)"],
    },
    {
      door: "bring their summaries",
      steps: [({ laptop }) => laptop.askAndAnswer(), ({ laptop }) => laptop.summarize()],
      rows: [...["Why?", "Because.", "[Continued on “laptop”: 2 messages]"], ...["b1", "[summary active]", "b2"]],
    },
  ];
  for (const { door, steps, rows } of cases) {
    it(`${door}, now and after a restart`, async () => {
      const both = await bothMachines();
      const { session, disk } = both;
      const anchor = { messageId: 0, topPx: -7 };
      for (const step of steps) {
        await step(both);
        session.transcript.scrollAnchor = anchor;
        await session.composer.setText("being typed");
        await both.sync();
      }
      const { composer, transcript, activity } = session;
      assert.deepEqual([short(both.rows()), composer.text, transcript.scrollAnchor], [rows, "being typed", anchor]);
      assert.deepEqual([activity, both.banners.filter((banner) => banner !== null)], ["idle", []]);
      const again = await openSession(scriptedProvider(), disk);
      const lasting = rows.filter((row) => !row.startsWith("[Another version"));
      assert.deepEqual(short(again.rows()), lasting);
    });
  }

  it("choose the model that answers from then on, and the settings", async () => {
    const both = await bothMachines();
    const { session, laptop } = both;
    laptop.commit({ kind: "model", provider: "anthropic", model: modelId("large"), atMs: 5 });
    laptop.set("temperature");
    await both.sync();
    const { history } = session.opened.conversation;
    assert.deepEqual(
      [history.model?.model, history.setting("temperature"), session.connection.model, short(both.rows())],
      ["large", "b1", "claude-haiku-4-5", ["Why?", "Because.", "[Model: large.]"]],
    );
    assert.equal(session.opened.manager.model, "claude-haiku-4-5", "the one that was found here");
    await session.send("2", "And here?");
    assert.deepEqual(short(both.rows()).slice(-2), ["And here?", "Because."]);
  });

  for (const [name, shown] of [
    ["", "another machine"],
    ["a\nb\u202Ec\u0000d", "a b c d"],
    ["x".repeat(99), "x".repeat(40)],
    ["{0} <b>", "{0} <b>"],
  ] as const) {
    it(`name a machine in one line: ${JSON.stringify(name.slice(0, 12))}`, async () => {
      const both = await bothMachines(name);
      both.laptop.say();
      await both.sync();
      assert.equal(short(both.rows())[2], `[Continued on “${shown}”: 1 message]`);
    });
  }

  it("tell nothing of segments alone, or of what was written here", async () => {
    const both = await bothMachines();
    await both.session.send("2", "And here?");
    const before = both.emitted.length;
    await both.sync();
    assert.deepEqual(both.emitted.slice(before), []);
    assert.deepEqual(short(both.rows()), ["Why?", "Because.", "And here?", "Because."]);
    assert.equal(both.session.opened.conversation.history.elsewhere.machineOf(messageId(0)), undefined);
  });

  it("change the notice when the person hides what it counts", async () => {
    const both = await bothMachines();
    both.laptop.askAndAnswer();
    await both.sync();
    await both.session.actions.setHidden(2, true);
    assert.deepEqual(short(both.rows()), [
      ...["Why?", "Because.", "[Continued on “laptop”: 1 message]", "[hidden 2]", "b2"],
    ]);
    await both.session.actions.setHidden(2, false);
    assert.equal(short(both.rows())[2], "[Continued on “laptop”: 2 messages]");
  });
});
