/** Windows of one user for a suite: opened in its tests, closed behind each of them, on a disk that is new each time. */

import assert from "node:assert/strict";
import path from "node:path";
import type { ConversationId } from "../../../src/core/ids.ts";
import type { Session } from "../../../src/host/session/session.ts";
import type { Row } from "../../../src/protocol/toView.ts";
import { buildDist, openWindow, type OpenedWindow, type WindowSetup } from "./openConversations.ts";
import { temporaryFolder } from "../storage/storeBuilders.ts";

/** The windows of a suite. Usable inside its tests. */
export class TestWindows {
  readonly #shipped = temporaryFolder();
  #disk: ReturnType<typeof temporaryFolder> | undefined;
  readonly #windows: OpenedWindow[] = [];

  /** Begins with the suite that surrounds the call, and ends with it. */
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

  /** The user's folder. */
  get storage(): string {
    assert.ok(this.#disk !== undefined, "a test runs");
    return this.#disk.path;
  }

  /** Folder of the shipped files. */
  get dist(): string {
    return this.#shipped.path;
  }

  /** Opens a window. */
  async start(around: Pick<WindowSetup, "resolve"> = {}): Promise<OpenedWindow> {
    const opened = openWindow({ storage: this.storage, dist: this.dist, ...around });
    this.#windows.push(opened);
    await opened.conversations.start();
    return opened;
  }

  /** The database of a conversation. */
  fileOf(id: ConversationId): string {
    return path.join(this.storage, "conversations", id, "conversation.sqlite");
  }
}

/** What is open in a window. */
export function sessionOf({ conversations }: OpenedWindow): Session {
  const { session } = conversations;
  assert.ok(session !== undefined, "a conversation is open");
  return session;
}

/** Asks something in the open conversation, which is then answered. */
export async function ask(opened: OpenedWindow, text: string): Promise<ConversationId> {
  const session = sessionOf(opened);
  await session.send(text, text);
  return session.opened.id;
}

/** What the rows say. */
export function texts(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => ("text" in row ? row.text : row.rowId));
}

/** The list of conversations, by title. */
export async function titles({ conversations }: OpenedWindow): Promise<readonly (string | undefined)[]> {
  return (await conversations.list()).map(({ meta }) => meta?.title);
}
