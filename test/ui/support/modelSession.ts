/** A session whose chat is answered by a scripted local server. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import type { ModelServer, ServedModel } from "../../servers/protocol.ts";
import { startOpenAiServer } from "../../servers/openaiServer.ts";
import { answer, beginEmpty, offline, openChat, send } from "./chat.ts";
import { useSession, type Session, type SessionOptions } from "./session.ts";
import type { WindowOptions } from "./browser.ts";

export interface ChatWindow {
  readonly page: Page;
  readonly chat: Frame;
}

/** Usable inside the suite's tests and hooks only. */
export interface ModelSession extends Session {
  readonly models: ModelServer;
  openChat(options?: WindowOptions): Promise<ChatWindow>;
  /** Sends `text` in `chat`, which is answered by "About: " and the same text. */
  talk(chat: Frame, text: string): Promise<void>;
  /** Clears the server's scripts and requests, and makes sure that an empty conversation is open. */
  startAnew(window: ChatWindow): Promise<void>;
}

export interface ModelSessionOptions extends Pick<SessionOptions, "beside" | "language"> {
  /** Models offered by the server; its defaults if absent. */
  readonly models?: readonly ServedModel[];
  /** True if the settings do not name the server, so that the test connects to it. */
  readonly isUnknown?: boolean;
}

/** Starts session and server before the tests of the surrounding `describe`, and ends them after. */
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

/** Runs an OpenAI-compatible server during the tests of the surrounding `describe`. */
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
