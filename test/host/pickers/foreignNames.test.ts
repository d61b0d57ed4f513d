/** Names that servers give, in the editor's lists: each is read as it is, beside the others. */

import assert from "node:assert/strict";
import { modelId } from "../../../src/core/ids.ts";
import { ModelSpeeds } from "../../../src/core/models/modelSpeeds.ts";
import { ModelRegistry, type ModelAbilities } from "../../../src/core/models/modelRegistry.ts";
import { err, ok } from "../../../src/core/result.ts";
import type { Session } from "../../../src/host/session/session.ts";
import { beginAnew, give, listed, withQuestions } from "../../support/editor/fakeQuestions.ts";

const load = () => withQuestions(async () => import("../../../src/host/pickers/modelPicker.ts"));
const TITLE = "Forge: Preview Another Model";

async function itemsOf(models: unknown): Promise<readonly (readonly unknown[])[]> {
  const { ModelPicker } = await load();
  const speeds = new ModelSpeeds();
  speeds.note(modelId("fast"), { writes: { tokens: 50, perSecond: 34 } });
  const given: unknown = {
    connections: { models: () => Promise.resolve(models) },
    registry: new ModelRegistry(),
    speeds,
    toolSupport: { supportsTools: () => true },
    providers: { isSetUp: (name: string) => name === "openai", addressOf: () => "" },
    foundServers: { searchIfDue: () => undefined, found: [] },
  };
  const session: unknown = {
    connection: { providerName: "openai", model: "gpt", isLanguageModel: true },
    opened: { manager: { revision: 0, previewModelSwitch: () => [][Symbol.iterator]() } },
  };
  const unused: unknown = {};
  const picker = new ModelPicker(
    given as never,
    unused as never,
    { isKnown: false },
    unused as never,
    { afterPrompt: () => undefined } as never,
    unused as never,
  );
  const done = picker.pickForPreview(session as Session);
  const items = await listed(TITLE);
  await give(TITLE);
  await done;
  return items.slice(1).map(({ label, description, detail }) => [label, description, detail]);
}

describe("E:directions names in lists", () => {
  beforeEach(beginAnew);

  it("L6 29.3 names a model by its file, and says what it can, what not, and how fast it is", async () => {
    const path = "/srv/models/Smol.Q4_1.gguf";
    const of = (id: string, label: string, abilities: ModelAbilities = {}) => ({
      id: modelId(id),
      label,
      ...abilities,
    });
    const models = [
      of(path, "Smol Q4_1", { seesImages: false }),
      of("a", "a", { seesImages: true, callsTools: true }),
      of("b", "b"),
      of("fast", "fast", { callsTools: false }),
    ];
    assert.deepEqual(await itemsOf(ok(models)), [
      ["Smol Q4_1", "window unknown · no pictures", "…"],
      ["a", "window unknown · tools · pictures", "…"],
      ["b", "window unknown", "…"],
      ["fast", "window unknown · no tools · 34 tokens/s", "…"],
    ]);
  });

  const names: readonly (readonly [name: string, shown: string])[] = [
    ["gpt-plain", "gpt-plain"],
    ["מודל", "\u2068מודל\u2069"],
    ["gpt מקור, יעד", "gpt \u2068מקור\u2069, \u2068יעד\u2069"],
    ["a\u202eb", "a[U+202E]b"],
    ["a\nb", "a[U+000A]b"],
    ["$(check) best", "$\u2060(check) best"],
  ];
  it("E:directions isolates, shows what is hidden, and draws no icon, in the names of models", async () => {
    const offered = names.map(([name], index) => ({ id: modelId(`${name}#`), label: index === 0 ? `${name}#` : name }));
    assert.deepEqual(
      await itemsOf(ok(offered)),
      names.map(([, shown], index) =>
        index === 0 ? [`${shown}#`, "window unknown", "…"] : [shown, `${shown}# · window unknown`, "…"],
      ),
    );
  });

  it("E:directions does so in what a server says of its failure", async () => {
    const error = { code: "AUTH_FAILED", provider: "openai", detail: "שגיאה $(check) \u202e!" } as const;
    assert.deepEqual(await itemsOf(err(error)), [
      [
        "$(warning) No list of models",
        "Replace key",
        "\u2068OpenAI refused the key. It said: שגיאה $\u2060(check) [U+202E]!\u2069",
      ],
    ]);
  });
});
