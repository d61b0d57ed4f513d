/** A session whose chat is answered by a local server that a test scripts. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import type { ModelServer, ServedModel } from "../../servers/protocol.ts";
import { startOpenAiServer } from "../../servers/openaiServer.ts";
import { answer, beginEmpty, offline, openChat, send } from "./chat.ts";
import { useSession, type Session, type SessionOptions } from "./session.ts";
import type { WindowOptions } from "./browser.ts";

/** A window, and the chat in it. */
export interface ChatWindow {
  readonly page: Page;
  readonly chat: Frame;
}

/** A session with its model server. Usable inside the suite's tests and hooks only. */
export interface ModelSession extends Session {
  readonly models: ModelServer;
  /** Opens a window with the chat. */
  openChat(options?: WindowOptions): Promise<ChatWindow>;
  /** Has `text` asked in `chat`, and answered with "About: " and the same. */
  talk(chat: Frame, text: string): Promise<void>;
  /** Forgets what the server was told to say and was asked, and sees to it that an empty conversation is open. */
  startAnew(window: ChatWindow): Promise<void>;
}

/** What may differ beside the settings. */
export interface ModelSessionOptions extends Pick<SessionOptions, "beside" | "language"> {
  /** Those that the server offers; its own choice by default. */
  readonly models?: readonly ServedModel[];
  /** Settings do not name the server: its user does. */
  readonly isUnknown?: boolean;
}

/** Starts both before the tests of the surrounding `describe`, and ends them after. `settings` are the user's. */
export function useModelSession(
  name: string,
  settings: Readonly<Record<string, unknown>> = {},
  options: ModelSessionOptions = {},
): ModelSession {
  const { models: served, isUnknown = false, ...rest } = options;
  const models = useModelServer(served);
  const session = useSession({
    name,
    settings: () => ({
      ...(isUnknown ? {} : { "forge.openaiCompatible.baseUrl": `${models().url}/v1` }),
      ...settings,
    }),
    ...rest,
  });
  return {
    get server() {
      return session.server;
    },
    get user() {
      return session.user;
    },
    get models() {
      return models();
    },
    openWindow: (windowOptions) => session.openWindow(windowOptions),
    restartServer: () => session.restartServer(),
    openChat: async (windowOptions) => {
      const page = await session.openWindow(windowOptions);
      return { page, chat: await (isUnknown ? openChat(page, offline) : openChat(page)) };
    },
    talk: async (chat, text) => {
      models().script({ match: text, answer: { text: `About: ${text}` }, times: 1 });
      await send(chat, text);
      assert.equal(await answer(chat), `About: ${text}`);
    },
    startAnew: async ({ page, chat }) => {
      models().reset();
      await beginEmpty(page, chat);
    },
  };
}

/** Starts a server of the OpenAI-compatible kind before the tests of the surrounding `describe`, and ends it after. */
export function useModelServer(models?: readonly ServedModel[]): () => ModelServer {
  let server: ModelServer | undefined;
  before(async () => {
    server = await startOpenAiServer({ dialect: "vllm", ...(models === undefined ? {} : { models }) });
  });
  after(() => server?.close());
  return () => {
    assert.ok(server, "the server is there only inside its suite's tests and hooks");
    return server;
  };
}
