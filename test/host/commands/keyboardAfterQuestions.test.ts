/** Keyboard focus returns once a command's last question is answered, before the work that follows. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { after, before, beforeEach, describe, it } from "mocha";
import { modelId } from "../../../src/core/ids.ts";
import { err, ok } from "../../../src/core/result.ts";
import type { ModelServices } from "../../../src/host/connections/modelServices.ts";
import type { Conversations } from "../../../src/host/conversations/conversations.ts";
import type { BugReporter } from "../../../src/host/editor/bugReporter.ts";
import { readSettings } from "../../../src/host/editor/settings.ts";
import type { KeyCommands } from "../../../src/host/pickers/keyCommands.ts";
import type { ModelPicker } from "../../../src/host/pickers/modelPicker.ts";
import type { OllamaCommands } from "../../../src/host/pickers/ollamaCommands.ts";
import type { ServerCommands } from "../../../src/host/pickers/serverCommands.ts";
import { OFF_REPLICA } from "../../support/replica/offReplica.ts";
import type { Presenter } from "../../../src/host/view/presenter.ts";
import type { Session } from "../../../src/host/session/session.ts";
import type { ToViewBody } from "../../../src/protocol/toView.ts";
import { beginAnew, give, happened, take, type, withQuestions } from "../../support/editor/fakeQuestions.ts";
import { openSession } from "../../support/session/openSession.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { whenTrue } from "../../support/whenTrue.ts";

const load = () =>
  withQuestions(async () => ({
    ...(await import("../../../src/host/conversations/transfer/transferCommands.ts")),
    ...(await import("../../../src/host/conversations/list/conversationPicker.ts")),
    ...(await import("../../../src/host/pickers/keyCommands.ts")),
    ...(await import("../../../src/host/pickers/modelPicker.ts")),
    ...(await import("../../../src/host/pickers/serverCommands.ts")),
    ...(await import("../../../src/host/pickers/usageMenu.ts")),
  }));

const SWITCH = "Forge: Switch Model";
const ADDRESS = "http://127.0.0.1:4321/v1";

describe("keyboard focus after a command's questions", () => {
  let commands: Awaited<ReturnType<typeof load>>;
  let session: Session;
  let folder: ReturnType<typeof temporaryFolder>;
  before(async () => {
    commands = await load();
    folder = temporaryFolder();
    ({ session } = await openSession(scriptedProvider(saying("At noon."))));
    await session.send("1", "When is high water?");
    await session.shutDown();
  });
  after(() => {
    folder.remove();
  });
  beforeEach(beginAnew);

  /** Notes its start and never settles. */
  const work = (): Promise<never> => {
    happened.push("work");
    return new Promise(() => undefined);
  };
  const keyboard = { afterPrompt: () => void happened.push("keyboard"), focusComposer: () => undefined };
  const runner = { run: (id: string) => Promise.resolve(void happened.push(`run ${id}`)) };
  const banners: unknown = { showBanner: () => happened.push("work") };
  const presenter = banners as Presenter;
  const bugReports: unknown = { report: (error: unknown) => happened.push(String(error)) };
  const bugs = bugReports as BugReporter;
  const services = {
    settings: { current: readSettings(() => undefined, {}) },
    toolSupport: { supportsTools: () => true },
    speeds: { of: () => ({}) },
    registry: { get: () => ({ limits: { contextWindow: 32_000 }, source: "fallback" }) },
    spending: { spentSoFar: () => Promise.resolve({ dayUsd: 0, conversationUsd: 0 }) },
    foundServers: {
      found: [],
      remember: () => undefined,
      search: () => Promise.resolve([]),
      searchIfDue: () => Promise.resolve(),
    },
    secrets: {
      origins: () => Promise.resolve([]),
      keyFor: () => Promise.resolve(undefined),
      maySendTo: () => Promise.resolve(true),
      save: () => Promise.resolve(),
    },
    connections: {
      models: () => Promise.resolve(ok([{ id: modelId("other-model"), label: "other-model" }])),
      resolve: work,
      reset: () => undefined,
      summarizerModel: () => modelId("other-model"),
    },
    providers: {
      addressOf: (name: string) => (name === "anthropic" ? "https://api.anthropic.example" : ""),
      isSetUp: (name: string) => name === "anthropic",
      candidate: () => Promise.resolve({ label: "tides", listModels: () => Promise.resolve(ok([])) }),
    },
  };
  const held = { useProvider: work, openNew: work, list: () => Promise.resolve([]), session: undefined };
  const models = (other: object = {}): ModelServices => {
    const given: unknown = { ...services, ...other };
    return given as ModelServices;
  };
  const conversationsOf = (other: object = {}): Conversations => {
    const given: unknown = { ...held, ...other };
    return given as Conversations;
  };
  const keys = (given = models()): KeyCommands => new commands.KeyCommands(given, conversationsOf(), keyboard);
  const noOllama: unknown = { isKnown: false };
  const ollama = noOllama as OllamaCommands;
  const servers = (given = models()): ServerCommands =>
    new commands.ServerCommands(given, conversationsOf(), keys(given), ollama, keyboard, bugs);
  const picker = (given = models()): ModelPicker =>
    new commands.ModelPicker(given, servers(given), ollama, runner, keyboard, bugs);
  const refusing = (code: "AUTH_FAILED" | "SERVICE_UNAVAILABLE"): object => {
    const error = { code, provider: "tides", reason: "unreachable", detail: "ECONNREFUSED" };
    return {
      providers: {
        ...services.providers,
        candidate: (_name: string, _place: string, key?: string) =>
          Promise.resolve({
            label: "tides",
            listModels: () => Promise.resolve(key === "a key" ? ok([]) : err(error)),
          }),
      },
    };
  };
  const happens = async (...expected: readonly string[]): Promise<void> => {
    await whenTrue(() => happened.length >= expected.length);
    assert.deepEqual(happened, expected);
  };
  /** Events of one question in `happened`. */
  const question = (title: string): readonly string[] => [`asked ${title}`, `closed ${title}`];

  it("returns before an export is written", async () => {
    const file = path.join(folder.path, "talk.forge.json");
    const afterPrompt = (): void => void happened.push(existsSync(file) ? "too late" : "keyboard");
    const exporting = commands.exportConversation(session, presenter, { ...keyboard, afterPrompt });
    await take("Forge: Export Conversation", "Complete");
    await give("Export Conversation", { fsPath: file });
    await exporting;
    await happens(...question("Forge: Export Conversation"), ...question("Export Conversation"), "keyboard", "work");
  });

  it("returns before the chosen model receives a request", async () => {
    void picker().pick(session);
    await take(SWITCH, "other-model");
    await happens(...question(SWITCH), "keyboard", "work");
  });

  it("returns at once when the picker is dismissed while models are being listed", async () => {
    const connections = { ...services.connections, models: () => new Promise(() => undefined) };
    const picking = picker(models({ connections })).pick(session);
    await give(SWITCH);
    await picking;
    await happens(...question(SWITCH), "keyboard");
  });

  it("stays with a command started from a picker", async () => {
    await Promise.all([picker().pick(session), take(SWITCH, "Add an API key")]);
    await happens(...question(SWITCH), "run forge.setApiKey");
  });

  it("returns after the key is entered, not after its provider is chosen", async () => {
    void keys().add();
    const whose = "Forge: Add or Replace an API Key";
    await take(whose, "Anthropic");
    await give("Forge: Anthropic", "a key");
    await happens(...question(whose), ...question("Forge: Anthropic"), "keyboard", "work");
  });

  it("stays in the address box while the server is checked, then moves to the key box", async () => {
    const box = "Forge: Use a Server";
    const key = "Forge: 127.0.0.1:4321";
    let goOn = (): void => undefined;
    const kept = new Promise<undefined>((resolve) => (goOn = () => resolve(undefined)));
    const secrets = { ...services.secrets, keyFor: () => kept };
    void servers(models({ ...refusing("AUTH_FAILED"), secrets })).useServer();
    await give(box, "127.0.0.1"); // not an address: the box stays open
    await give(box, ADDRESS);
    await new Promise((resolve) => setImmediate(resolve));
    await happens(`asked ${box}`);
    goOn();
    await give(key, "a key");
    await happens(...question(box), ...question(key), "keyboard", "work");
  });

  it("returns when the user declines a server that does not answer", async () => {
    const box = "Forge: Use a Server";
    const using = servers(models(refusing("SERVICE_UNAVAILABLE"))).useServer();
    await give(box, ADDRESS);
    await whenTrue(() => happened.length === 3);
    const [, , asked = ""] = happened;
    const why = asked.slice("asked ".length);
    assert.match(why, /ECONNREFUSED/);
    await give(why);
    await using;
    await happens(...question(box), ...question(why), "keyboard");
  });

  it("stays with the pickers opened from the usage menu", async () => {
    const strategies = "Forge: Strategy of This Conversation";
    const choosing = commands.showUsageMenu(session, models(), runner, OFF_REPLICA, keyboard);
    await take("Forge: Context", "Strategy");
    await give(strategies);
    await choosing;
    await happens(...question("Forge: Context"), ...question(strategies), "keyboard");
  });

  it("moves to the find box before the conversation with the match is opened", async () => {
    const lists = "Forge: Conversations";
    const listing = { id: session.opened.id, folder: folder.path, lastUsedAtMs: 0, sizeBytes: 0, openIn: "own" };
    const list = (place?: string): Promise<object[]> => Promise.resolve(place === "trash" ? [] : [listing]);
    const conversations = conversationsOf({
      list,
      listForSearch: list,
      index: { search: () => Promise.resolve(0) },
      session,
      openExisting: work,
    });
    const views = {
      focus: () => undefined,
      focusAndPost: (body: ToViewBody) =>
        body.kind === "openFind" && happened.push(`find ${body.query} in ${String(body.messageId)}`),
    };
    void commands.pickConversation(conversations, views, keyboard, folder.path, bugs);
    await type(lists, "noon");
    await take(lists, "At noon.");
    await happens(...question(lists), "keyboard", "work", "find noon in 1");
  });

  it("moves to the composer before a conversation is opened, and stays with the trash list", async () => {
    const lists = "Forge: Conversations";
    const trashed = { id: "00000000-0000-4000-8000-000000000007", folder: folder.path, usedAtMs: 0, bytes: 0 };
    const kept = (place?: string): object[] => (place === "trash" ? [trashed] : []);
    const conversations = conversationsOf({
      list: (place?: string) => Promise.resolve(kept(place)),
      listForSearch: () => Promise.resolve(kept()),
    });
    const views = { focus: () => happened.push("composer"), focusAndPost: () => undefined };
    const pick = (): Promise<void> => commands.pickConversation(conversations, views, keyboard, folder.path, bugs);
    void pick();
    await take(lists, "New conversation");
    await happens(...question(lists), "composer", "work");
    beginAnew();
    const looking = pick();
    await take(lists, "Trash");
    await give("Forge: Trash");
    await looking;
    await happens(...question(lists), ...question("Forge: Trash"), "keyboard");
  });
});
