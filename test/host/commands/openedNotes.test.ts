import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { OpenedNotes } from "../../../src/host/commands/openedNotes.ts";
import { openSession } from "../../support/session/openSession.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";

describe("the log's notes on what is open", () => {
  it("tell a conversation and who answers once, and again only when that changes", async () => {
    const { session } = await openSession(scriptedProvider(saying("Hello")));
    const { providerName, model, why } = session.connection;
    const lines: string[] = [];
    const notes = new OpenedNotes({ info: (line) => lines.push(line) });
    notes.note(session);
    notes.note(session);
    const [opened, answers] = [
      `Open: conversation ${session.opened.id}, messages 0`,
      `Answers: ${model} (${providerName}). ${why}.`,
    ];
    assert.deepEqual(lines, [opened, answers]);
    session.connect({ ...session.connection, why: "Set in the settings" });
    notes.note(session);
    assert.deepEqual(lines, [opened, answers, `Answers: ${model} (${providerName}). Set in the settings.`]);
    await session.settle();
  });
});
