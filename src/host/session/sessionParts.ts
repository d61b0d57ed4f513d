/** What a session is put together from. */

import type { Connection } from "../connections/connections.ts";
import type { OpenConversation } from "../transcript/openConversation.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** One open conversation with what shows it and answers in it. */
export interface SessionParts {
  readonly opened: OpenConversation;
  readonly transcript: Transcript;
  readonly connection: Connection;
  readonly environment: SessionEnvironment;
}
