/** A session whose chat is answered by a local server that a test scripts. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import type { ModelServer } from "../../servers/protocol.ts";
import { startOpenAiServer } from "../../servers/openaiServer.ts";
import { answer, openChat, send } from "./chat.ts";
import { useSession, type Session } from "./session.ts";
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
}

/** Starts both before the tests of the surrounding `describe`, and ends them after. `settings` are the user's. */
export function useModelSession(name: string, settings: Readonly<Record<string, unknown>> = {}): ModelSession {
  let server: ModelServer | undefined;
  const models = (): ModelServer => {
    assert.ok(server, "the server is there only inside its suite's tests and hooks");
    return server;
  };
  before(async () => {
    server = await startOpenAiServer({ dialect: "vllm" });
  });
  after(() => server?.close());
  const session = useSession({
    name,
    settings: () => ({ "forge.openaiCompatible.baseUrl": `${models().url}/v1`, ...settings }),
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
    openWindow: (options) => session.openWindow(options),
    restartServer: () => session.restartServer(),
    openChat: async (options) => {
      const page = await session.openWindow(options);
      return { page, chat: await openChat(page) };
    },
    talk: async (chat, text) => {
      models().script({ match: text, answer: { text: `About: ${text}` }, times: 1 });
      await send(chat, text);
      assert.equal(await answer(chat), `About: ${text}`);
    },
  };
}
