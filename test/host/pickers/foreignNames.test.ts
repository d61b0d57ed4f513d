/** Names that servers give, in the editor's lists: each is read as it is, beside the others. */

import assert from "node:assert/strict";
import { modelId } from "../../../src/core/ids.ts";
import { ModelRegistry } from "../../../src/core/models/modelRegistry.ts";
import { err, ok } from "../../../src/core/result.ts";
import type { Session } from "../../../src/host/session/session.ts";
import { beginAnew, give, listed, withQuestions } from "../../support/editor/fakeQuestions.ts";

const load = () => withQuestions(async () => import("../../../src/host/pickers/modelPicker.ts"));
const TITLE = "Forge: Preview Another Model";

async function itemsOf(models: unknown): Promise<readonly (readonly unknown[])[]> {
  const { ModelPicker } = await load();
  const given: unknown = {
    connections: { models: () => Promise.resolve(models) },
    registry: new ModelRegistry(),
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

  it("L6 names a model by its file, and says what it cannot read", async () => {
    const path = "/srv/models/Smol.Q4_1.gguf";
    const of = (id: string, label: string, seesImages?: boolean) => {
      return { id: modelId(id), label, ...(seesImages === undefined ? {} : { seesImages }) };
    };
    assert.deepEqual(await itemsOf(ok([of(path, "Smol Q4_1", false), of("a", "a", true), of("b", "b")])), [
      ["Smol Q4_1", "window unknown · no pictures", "…"],
      ["a", "window unknown", "…"],
      ["b", "window unknown", "…"],
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
