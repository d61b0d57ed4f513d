/** What imports in this window, loaded when it is first needed. */

import { lazy } from "../../background/lazy.ts";
import type { ForgeFolders } from "../../editor/forgeFolders.ts";
import type { Conversations } from "../conversations.ts";
import type { Importing } from "./importing.ts";

export class LazyImporting {
  readonly importing: () => Promise<Importing>;

  constructor(conversations: Conversations, folders: ForgeFolders) {
    this.importing = lazy(async () => {
      const { Importing: Loaded } = await import("./importing.ts");
      return new Loaded(conversations, folders);
    });
  }
}
