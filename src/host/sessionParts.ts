/** What a session is put together from. */

import type { Connection } from "./connections.ts";
import type { OpenConversation } from "./openConversation.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import type { Transcript } from "./transcript.ts";

/** One open conversation with what shows it and answers in it. */
export interface SessionParts {
  readonly opened: OpenConversation;
  readonly transcript: Transcript;
  readonly connection: Connection;
  readonly environment: SessionEnvironment;
}
