/** Windows of one user for a suite, closed after each test, on a disk that is new for each. */

import assert from "node:assert/strict";
import path from "node:path";
import type { ConversationId } from "../../../src/core/ids.ts";
import type { Session } from "../../../src/host/session/session.ts";
import type { Row } from "../../../src/protocol/toView.ts";
import { buildDist, openWindow, type OpenedWindow, type WindowSetup } from "./openConversations.ts";
import { temporaryFolder } from "../storage/storeBuilders.ts";

/** Usable inside the suite's tests only. */
export class TestWindows {
  readonly #shipped = temporaryFolder();
  #disk: ReturnType<typeof temporaryFolder> | undefined;
  readonly #windows: OpenedWindow[] = [];

  /** Registers hooks in the surrounding suite. */
  constructor() {
    before(() => buildDist(this.#shipped.path));
    after(() => {
      this.#shipped.remove();
    });
    beforeEach(() => (this.#disk = temporaryFolder()));
    afterEach(async () => {
      for (const { conversations } of this.#windows.splice(0)) await conversations.close();
      this.#disk?.remove();
    });
  }

  /** Storage folder of the user. */
  get storage(): string {
    assert.ok(this.#disk !== undefined, "a test runs");
    return this.#disk.path;
  }

  get dist(): string {
    return this.#shipped.path;
  }

  async start(around: Pick<WindowSetup, "resolve" | "projects"> = {}): Promise<OpenedWindow> {
    const opened = openWindow({ storage: this.storage, dist: this.dist, ...around });
    this.#windows.push(opened);
    await opened.conversations.start();
    return opened;
  }

  /** Database file of a conversation. */
  fileOf(id: ConversationId): string {
    return path.join(this.storage, "conversations", id, "conversation.sqlite");
  }
}

/** The open session of a window. */
export function sessionOf({ conversations }: Pick<OpenedWindow, "conversations">): Session {
  const { session } = conversations;
  assert.ok(session !== undefined, "a conversation is open");
  return session;
}

/** Sends a message in the open conversation, and waits for the answer. */
export async function ask(opened: OpenedWindow, text: string): Promise<ConversationId> {
  const session = sessionOf(opened);
  await session.send(text, text);
  return session.opened.id;
}

export function texts(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => ("text" in row ? row.text : row.rowId));
}

/** Titles in the list of conversations. */
export async function titles({ conversations }: OpenedWindow): Promise<readonly (string | undefined)[]> {
  return (await conversations.list()).map(({ meta }) => meta?.title);
}
