/** Makes a session of a conversation on disk: opens it, resolves its model, and reads its newest rows. */

import path from "node:path";
import type { ForgeError } from "../../core/errors.ts";
import type { ConversationId } from "../../core/ids.ts";
import { textMessage } from "../../core/message.ts";
import { err, type Result } from "../../core/result.ts";
import type { MessageCounter } from "../../core/tokens/messageCounter.ts";
import type { TokenCounter } from "../../core/tokens/tokenCounter.ts";
import type { Connections, Summarizers } from "../connections/connections.ts";
import { SYSTEM_PROMPT } from "../connections/systemPrompt.ts";
import { lazy } from "../background/lazy.ts";
import type { CalibrationFile } from "../connections/calibrationFile.ts";
import { openConversation, releaseOnFailure } from "../opening/openConversation.ts";
import type { Session } from "./session.ts";
import type { SessionServices } from "./sessionServices.ts";
import { newContext, startSession } from "./startSession.ts";

/** Services of the window; the token counters are added when the first session is opened. */
export interface SessionOpenerOptions extends Omit<SessionServices, "counter" | "messageCounter" | "connections"> {
  /** Folder of the shipped files. */
  readonly dist: string;
  readonly connections: Pick<Connections, "askIfRestarted" | "rememberChoice" | "resolve"> & Summarizers;
  /** Token calibration learned from replies. */
  readonly counting: CalibrationFile;
}

export class SessionOpener {
  readonly #options: SessionOpenerOptions;
  /** Loaded when the first session is opened (17 MB per encoding), in slices of a few milliseconds. */
  readonly counter: () => Promise<Result<TokenCounter, ForgeError>>;

  constructor(options: SessionOpenerOptions) {
    this.#options = options;
    this.counter = lazy(async () => {
      const { loadTokenCounter } = await import("../../adapters/tiktoken/rankFiles.ts");
      return loadTokenCounter(path.join(options.dist, "ranks"));
    });
  }

  async open(place: {
    readonly id: ConversationId;
    readonly folder: string;
    readonly takeOverUnknown: boolean;
  }): Promise<Result<Session, ForgeError>> {
    const { clock, newUuid, dist, connections } = this.#options;
    await this.#options.counting.load();
    const counter = await this.counter();
    if (!counter.ok) return err(toShippedFault(counter.error));
    const messageCounter: MessageCounter = {
      count: (message) => counter.value.countInSlices(message, () => new Promise((resolve) => setImmediate(resolve))),
    };
    const systemTokens = await messageCounter.count(textMessage("system", SYSTEM_PROMPT));
    const automatic = await connections.resolve(undefined);
    const opened = await openConversation({
      ...place,
      dist,
      clock,
      newUuid,
      messageCounter,
      makeManager: (store, model = automatic.model) => newContext(store, systemTokens, model, this.#options),
    });
    if (!opened.ok) return opened;
    const services = { ...this.#options, counter: counter.value, messageCounter };
    return await releaseOnFailure(opened.value, () => startSession(opened.value, automatic, connections, services));
  }
}

/** The token tables ship with Forge: that they cannot be read is no fault of the conversation. */
function toShippedFault(error: ForgeError): ForgeError {
  return error.code === "STORAGE_FAILED" ? { ...error, reason: "engineChanged" } : error;
}
