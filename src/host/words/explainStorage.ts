/** User texts for storage failures: what is safe, and what can be done. Pure. */

import type { StorageFailed } from "../../core/errors.ts";
import { assertNever } from "../../core/result.ts";
import type { Action, Banner } from "../../protocol/toView.ts";
import { localize } from "../../protocol/localize.ts";
import { failure, NEW_CONVERSATION, OPEN_CONVERSATION } from "./banners.ts";

export function explainStorage(error: StorageFailed): Banner {
  const reopen: Action = { label: localize("Try again"), command: "reopen" };
  const log: Action = { label: localize("Show log"), command: "showLog" };
  switch (error.reason) {
    case "diskFull":
      return failure(localize("The disk is full. Everything shown so far is safe. Free some space, then try again."), [
        reopen,
      ]);
    case "readOnly":
    case "noPermission":
      return failure(
        localize(
          "Forge has no permission to write to its storage folder. Stored data is safe; nothing new can be saved until it has.",
        ),
        [reopen, log],
      );
    case "damaged":
      return failure(
        localize(
          "The file of this conversation is damaged. It was not touched. What can be read of it can be rescued into a new file; the damaged one is kept beside it.",
        ),
        [{ label: localize("Rescue what can be read"), command: "rescue" }, OPEN_CONVERSATION, NEW_CONVERSATION],
      );
    case "newerVersion":
      return failure(
        localize("This conversation was written by a newer Forge, and was not touched. Update Forge to go on with it."),
        [OPEN_CONVERSATION, NEW_CONVERSATION],
      );
    case "fileGone":
      return failure(
        localize(
          "The file of this conversation is gone: it was removed or moved on the disk. Nothing new can be kept in it.",
        ),
        [NEW_CONVERSATION, OPEN_CONVERSATION],
      );
    case "noFolder":
      return failure(
        localize(
          "Forge cannot create its storage folder, so nothing can be saved. Stored data is safe. The system says: {0}",
          error.detail,
        ),
        [reopen, log],
      );
    case "ioError":
    case "workerDied":
      return failure(localize("Storing failed, so nothing more is shown. Everything shown so far is safe."), [
        reopen,
        log,
      ]);
    case "engineChanged":
      return failure(localize("A file of Forge is missing or damaged. Stored data is safe. Reinstall Forge."), [log]);
    default:
      return assertNever(error.reason);
  }
}
