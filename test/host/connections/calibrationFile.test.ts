import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { nodeFiles } from "../../../src/adapters/node/files.ts";
import { modelId } from "../../../src/core/ids.ts";
import { NO_CONTENT } from "../../../src/core/tokens/contentClass.ts";
import { CalibrationFile } from "../../../src/host/connections/calibrationFile.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

const model = modelId("house-model");
const asked = (prose: number) => ({ content: { ...NO_CONTENT, prose }, messages: 0, fixedTokens: 0 });

describe("CalibrationFile", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let notes: string[];
  beforeEach(() => {
    folder = temporaryFolder();
    notes = [];
  });
  afterEach(() => {
    folder.remove();
  });

  const opened = async (files = nodeFiles): Promise<CalibrationFile> => {
    const counting = new CalibrationFile(folder.path, { info: (line) => notes.push(line) }, files);
    await counting.load();
    return counting;
  };
  const estimate = ({ calibrations }: CalibrationFile): number => calibrations.of(model).predict(asked(1_000)).tokens;
  const file = (): string => path.join(folder.path, "counting.json");

  it("restores after a restart what the last window learned", async () => {
    const first = await opened();
    assert.equal(estimate(first), 1_000);
    first.calibrations.learn(model, asked(1_000), 1_300);
    await first.settled();
    assert.equal(estimate(await opened()), 1_299);
    assert.deepEqual([readdirSync(folder.path), notes], [["counting.json"], []]);
  });

  it("keeps the calibrations that two windows learn for two models at the same time", async () => {
    const [one, other] = [await opened(), await opened()];
    const second = modelId("other-model");
    one.calibrations.learn(model, asked(1_000), 1_300);
    await one.settled();
    other.calibrations.learn(second, asked(1_000), 700);
    await other.settled();
    const { calibrations } = await opened();
    assert.deepEqual(
      [model, second].map((each) => calibrations.of(each).predict(asked(1_000)).tokens),
      [1_299, 701],
    );
  });

  it("also writes what was learned during a write", async () => {
    const counting = await opened();
    for (let reply = 0; reply < 20; reply++) counting.calibrations.learn(model, asked(1_000 + reply), 1_500);
    await counting.settled();
    const saved = counting.calibrations.save();
    assert.deepEqual(JSON.parse(readFileSync(file(), "utf8")), saved);
    assert.equal(saved.models[0]?.replies, 20);
  });

  const forgets = (title: string, content: string, note: RegExp): void => {
    it(`starts from the formulas when the file is ${title}, and rewrites it`, async () => {
      writeFileSync(file(), content);
      const counting = await opened();
      assert.equal(estimate(counting), 1_000);
      assert.match(notes.join("\n"), note);
      counting.calibrations.learn(model, asked(1_000), 1_300);
      await counting.settled();
      assert.equal(estimate(await opened()), 1_299);
    });
  };
  forgets("not JSON", "{", /could not be read/);
  forgets("truncated", '{"version":1,"models":[{"model":"hou', /could not be read/);
  forgets("of another shape", '{"version":1,"models":{}}', /calibrations.models: expected a list/);

  it("logs a failed write and keeps counting", async () => {
    const denied = Object.assign(new Error("denied"), { code: "EACCES" });
    const counting = await opened({ ...nodeFiles, writeNew: () => Promise.reject(denied) });
    counting.calibrations.learn(model, asked(1_000), 1_300);
    await counting.settled();
    assert.equal(estimate(counting), 1_299);
    assert.match(notes.join("\n"), /could not be written: Error: denied/);
  });

  it("forgets all calibrations on request, and learns again", async () => {
    const counting = await opened();
    counting.calibrations.learn(model, asked(1_000), 1_300);
    assert.deepEqual(await counting.forget(), { ok: true, value: undefined });
    assert.deepEqual([readdirSync(folder.path), estimate(counting)], [[], 1_000]);
    assert.deepEqual(await counting.forget(), { ok: true, value: undefined });
    counting.calibrations.learn(model, asked(1_000), 1_300);
    await counting.settled();
    assert.equal(estimate(await opened()), 1_299);
  });
});
