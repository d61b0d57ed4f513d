import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { logStart, type StartFacts } from "../../../src/host/editor/logStart.ts";

const facts: StartFacts = {
  forge: "0.1.0",
  editor: "code-server 1.139.1",
  host: "desktop, local",
  node: "v24.9.0",
  system: "linux x64",
  folderCount: 1,
  isTrusted: true,
  storage: "/home/user/forge",
  conversations: "3",
  trash: "1",
  keyOrigins: ["https://api.anthropic.com", "http://localhost:1234"],
};

function startLines(found: StartFacts): readonly string[] {
  const lines: string[] = [];
  logStart({ info: (line) => lines.push(line) }, found);
  return lines;
}

describe("logStart", () => {
  it("logs Forge's version, where it runs and what it found", () => {
    assert.deepEqual(startLines(facts), [
      "Forge 0.1.0 in code-server 1.139.1 (desktop, local), Node v24.9.0 on linux x64",
      "Folders open: 1, trusted",
      "Data in /home/user/forge: conversations 3, in the trash 1",
      "Keys kept for: api.anthropic.com, localhost:1234",
    ]);
  });

  it("logs an untrusted window without folders or keys as such", () => {
    const lines = startLines({ ...facts, folderCount: 0, isTrusted: false, keyOrigins: [] });
    assert.deepEqual([lines[1], lines[3]], ["Folders open: 0, not trusted", "Keys kept for: nobody"]);
  });
});
