import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messageId } from "../../../src/core/ids.ts";
import { textOf } from "../../../src/core/message.ts";
import { runAndKill } from "../../support/killedChild.ts";
import { LocalStores } from "../../support/localStore.ts";
import { judge } from "../../support/nativeJudge.ts";
import { temporaryFolder } from "../../support/storeBuilders.ts";

const PROCESSES = 4;
const OPERATIONS = 2_000;
const LIVES = 4; // each process is killed so often, less once

describe("four processes that want one conversation", function () {
  this.timeout(300_000);

  it(`lose nothing, double nothing and are never two owners, in ${PROCESSES} × ${OPERATIONS} operations with kills`, async () => {
    const root = temporaryFolder();
    const [folder, log] = [join(root.path, "conversation"), join(root.path, "log")];
    mkdirSync(folder);
    const live = async (process: number): Promise<readonly string[]> => {
      const stored: string[] = [];
      for (let life = 0; life < LIVES; life++) {
        const args = [folder, log, `${process}.${life}`, String(OPERATIONS / LIVES)];
        const kill = life < LIVES - 1 ? { killAfterMs: 200 + Math.random() * 1_500 } : {};
        const { lines, signal, exitCode } = await runAndKill({ script: "contendingChild.ts", args, ...kill });
        assert.ok(signal === "SIGKILL" || exitCode === 0, `process ${process}.${life} ended with ${exitCode ?? -1}`);
        stored.push(...lines.filter((line) => line.startsWith("stored ")).map((line) => line.slice(7)));
      }
      return stored;
    };
    const stored = (await Promise.all(Array.from({ length: PROCESSES }, (_, process) => live(process)))).flat();
    assert.equal(judge(folder).integrity, "ok");
    const found = await textsIn(folder);
    const distinct = new Set(found);
    assert.deepEqual(
      stored.filter((text) => !distinct.has(text)),
      [],
      "nothing acknowledged is lost",
    );
    assert.equal(distinct.size, found.length, "nothing is there twice");
    assert.deepEqual(doubleOwners(readFileSync(log, "utf8")), []);
    assert.ok(stored.length >= (PROCESSES * OPERATIONS) / LIVES, `only ${stored.length} operations were done`);
    root.remove();
  });
});

async function textsIn(folder: string): Promise<readonly string[]> {
  const opened = (await LocalStores.load()).open(folder);
  assert.ok(opened.ok);
  const { messageCount } = opened.value.shape;
  const messages = opened.value.readMessages(Array.from({ length: messageCount }, (_, id) => messageId(id)));
  opened.value.close();
  assert.ok(messages.ok);
  return messages.value.map(({ message }) => textOf(message));
}

/** Processes that began while another one, which wrote again later and so was not dead, had not ended. */
function doubleOwners(log: string): readonly string[] {
  const lines = log
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  const lastLine = new Map(lines.map(([, name = ""], index) => [name, index]));
  const doubles: string[] = [];
  let holder: string | undefined;
  for (const [index, [kind, name = ""]] of lines.entries()) {
    if (kind === "begin") {
      if (holder !== undefined && (lastLine.get(holder) ?? -1) > index) doubles.push(`${holder} and ${name}`);
      holder = name;
    } else {
      if (holder !== name) doubles.push(`${name} ended, ${holder ?? "nobody"} held`);
      holder = undefined;
    }
  }
  return doubles;
}
