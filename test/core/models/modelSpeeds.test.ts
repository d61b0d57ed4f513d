import assert from "node:assert/strict";
import { modelId } from "../../../src/core/ids.ts";
import { ModelSpeeds, type RequestSpeed } from "../../../src/core/models/modelSpeeds.ts";

const MODEL = modelId("smol");
const speed = (reads: readonly [number, number] | undefined, writes?: readonly [number, number]): RequestSpeed => ({
  ...(reads === undefined ? {} : { reads: { tokens: reads[0], perSecond: reads[1] } }),
  ...(writes === undefined ? {} : { writes: { tokens: writes[0], perSecond: writes[1] } }),
});

describe("29.3 speeds of models", () => {
  const cases: readonly (readonly [name: string, noted: readonly RequestSpeed[], expected: object])[] = [
    ["nothing", [], {}],
    ["the newest", [speed([500, 300], [40, 30]), speed([400, 250], [30, 20])], { reads: 250, writes: 20 }],
    ["a short request, while nothing better is known", [speed([13, 35], [3, 18])], { reads: 35, writes: 18 }],
    [
      "not a short one after a long one",
      [speed([500, 300], [40, 30]), speed([13, 35], [3, 18])],
      { reads: 300, writes: 30 },
    ],
    ["a long one after a short one", [speed([13, 35]), speed([100, 200], [8, 9])], { reads: 200, writes: 9 }],
    ["nothing of one token, or of no time", [speed([1, 35], [1, 1e6]), speed([500, Infinity], [50, 0])], {}],
    ["each by itself", [speed(undefined, [50, 30]), speed([900, 100])], { reads: 100, writes: 30 }],
  ];
  for (const [name, noted, expected] of cases) {
    it(`keeps ${name}`, () => {
      const speeds = new ModelSpeeds();
      for (const each of noted) speeds.note(MODEL, each);
      assert.deepEqual(speeds.of(MODEL), expected);
    });
  }

  it("keeps one record for each model across windows, the latest 200", () => {
    let stored: unknown;
    const store = { get: () => stored, set: (value: unknown) => void (stored = JSON.parse(JSON.stringify(value))) };
    const speeds = new ModelSpeeds(store);
    for (let number = 0; number < 201; number++) speeds.note(modelId(`m${String(number)}`), speed([200, number + 1]));
    speeds.note(modelId("m1"), speed(undefined, [20, 7]));
    speeds.note(modelId("new"), speed([200, 9]));
    const read = new ModelSpeeds(store);
    assert.deepEqual(
      ["m0", "m1", "m2", "m200", "new"].map((name) => read.of(modelId(name))),
      [{}, { reads: 2, writes: 7 }, {}, { reads: 201 }, { reads: 9 }],
    );
  });

  it("takes nothing from a store that holds something else", () => {
    for (const stored of [
      null,
      5,
      "x",
      {},
      [5],
      [["m"]],
      [["m", null]],
      [["", { reads: 1 }]],
      [["m", { reads: "1", writes: -1 }]],
    ]) {
      const speeds = new ModelSpeeds({ get: () => stored, set: () => undefined });
      assert.deepEqual(speeds.of(modelId("m")), {});
    }
  });
});
