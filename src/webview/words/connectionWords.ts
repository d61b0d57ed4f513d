import { localize, plural } from "../../protocol/localize.ts";

export const connectionWords = {
  lookAgain: localize("Try again"),
  serverSettings: localize("Open the setting"),
  switchModel: localize("Switch model"),
  offlineBanner: localize("No language model is connected."),
  addKey: localize("Add a key"),
  useServer: localize("Use a local server"),
  useFound: (server: string) => localize("Use {0}", server),
  useEditorModels: localize("Use the editor’s models"),

  emptyTitle: localize("The whole conversation, kept."),
  emptyText: localize(
    "Talk as long as you like. Older parts are summarized when a model’s window fills, and come back when there is room.",
  ),
  emptyConnected: (model: string, why: string) =>
    why === ""
      ? localize("{0} answers. Write your first message below.", model)
      : localize("{0} answers. {1}. Write your first message below.", model, why),
  emptyFound: (server: string) => localize("Use {0}", server),
  emptyFoundText: (models: number) =>
    models === 0
      ? localize("Found on this machine, without a model yet")
      : plural(models, "Found on this machine, with 1 model", "Found on this machine, with {0} models"),
  emptyFetch: localize("Fetch a model for Ollama"),
  emptyFetchText: localize("Its size is told first"),
  emptyEditorModels: localize("Use the editor’s models"),
  emptyEditorModelsFound: (count: number) => (count === 0 ? localize("None found yet") : localize("{0} found", count)),
  emptyServer: localize("Use a local server"),
  emptyServerText: localize("Ollama, LM Studio, or any OpenAI-compatible address"),
  emptyKey: localize("Add an Anthropic or OpenAI key"),
  emptyKeyText: localize("Kept in the editor’s secret storage"),
  emptyLocal: localize("No server was found on this machine. Three ways to a model that runs here and costs nothing:"),
  copyCommand: (command: string) => localize("Copy “{0}”", command),
  emptyOffline: localize("Until then Forge answers offline, from this conversation only. It is not a language model."),
} as const;
