import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { OpenConversationLog } from "../../../src/host/commands/openConversationLog.ts";
import { openSession } from "../../support/session/openSession.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";

describe("OpenConversationLog", () => {
  it("logs a conversation and its model once, and again only when they change", async () => {
    const { session } = await openSession(scriptedProvider(saying("Hello")));
    const { providerName, model, why } = session.connection;
    const lines: string[] = [];
    const notes = new OpenConversationLog({ info: (line) => lines.push(line) });
    notes.logChanges(session);
    notes.logChanges(session);
    const [opened, answers] = [
      `Open: conversation ${session.opened.id}, messages 0`,
      `Answers: ${model} (${providerName}). ${why}.`,
    ];
    assert.deepEqual(lines, [opened, answers]);
    session.connect({ ...session.connection, why: "Set in the settings" });
    notes.logChanges(session);
    assert.deepEqual(lines, [opened, answers, `Answers: ${model} (${providerName}). Set in the settings.`]);
    await session.shutDown();
  });
});
