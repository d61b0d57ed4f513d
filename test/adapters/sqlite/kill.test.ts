import assert from "node:assert/strict";
import { runAndKill } from "../../support/killedChild.ts";
import { temporaryFolder } from "../../support/storeBuilders.ts";

const ROUNDS = 10;

describe("a process that is killed while it streams", function () {
  this.timeout(60_000);

  it(`loses nothing that it showed, in ${ROUNDS} kills`, async () => {
    const folder = temporaryFolder();
    let shownBefore = 0;
    let shownInAll = 0;
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const killAfterMs = 5 + Math.random() * 150;
        const { lines, signal } = await runAndKill({ script: "streamingChild.ts", args: [folder.path], killAfterMs });
        assert.equal(signal, "SIGKILL", lines.join("\n"));
        const [word, found = "0", gapless] = (lines[0] ?? "").split(" ");
        assert.deepEqual([word, gapless], ["found", "gapless"]);
        assert.ok(Number(found) >= shownBefore, `shown ${shownBefore}, found ${found}`);
        const shown = lines.filter((line) => line.startsWith("shown ")).map((line) => Number(line.slice(6)) + 1);
        shownInAll += shown.length;
        shownBefore = Math.max(Number(found), ...shown);
      }
    } finally {
      folder.remove();
    }
    assert.ok(shownInAll > 0, "no child came to show anything");
  });
});
