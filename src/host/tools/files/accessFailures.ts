/** Failures for paths that cannot be used, worded for the model. Paths are relative to the workspace folder. */

import { type Result } from "../../../core/result.ts";
import { onOneLine } from "../hiddenText.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";

type Failed = Result<never, ToolFailure>;

export function notFound(relative: string): Failed {
  if (relative === "") {
    return failure("NOT_FOUND", "The workspace folder is not there: it was moved or removed, or its drive is gone.");
  }
  return failure("NOT_FOUND", `There is no ${named(relative)}.`);
}

/** A link on the way leads out of the workspace. */
export function leadsOutside(relative: string): Failed {
  return failure("OUTSIDE_WORKSPACE", `${named(relative)} leads out of the workspace by a link, and is not followed.`);
}

export function belongsToGit(relative: string): Failed {
  return failure("NOT_ALLOWED", `${named(relative)} belongs to git itself. git_status and git_diff say what it knows.`);
}

/** `what` names what is there instead. */
export function wrongKind(relative: string, what: string): Failed {
  return failure("WRONG_KIND", `${named(relative)} is ${what}.`);
}

export function systemFailure(error: unknown, relative: string): Failed {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return notFound(relative);
    case "ELOOP":
      return failure("OUTSIDE_WORKSPACE", `${named(relative)} is a link, and is not followed.`);
    case "EACCES":
    case "EPERM":
      return failure("FAILED", `${named(relative)} may not be read by this user.`);
    case "ENAMETOOLONG":
      return failure("INVALID_INPUT", "The path is too long.");
    default:
      return failure("FAILED", `${named(relative)} could not be read: ${code === "" ? String(error) : code}.`);
  }
}

/** The file is as it was before. */
export function notWritten(error: unknown, shown: string): Failed {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  switch (code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return failure("NOT_ALLOWED", `${onOneLine(shown)} may not be written by this user. Nothing was written.`);
    case "EEXIST":
      return failure("CONFLICT", `${onOneLine(shown)} could not be created: it is there by now.`);
    case "ELOOP":
    case "ENOTDIR":
      return failure("OUTSIDE_WORKSPACE", `${onOneLine(shown)} is reached by a link by now. Nothing was written.`);
    case "ENOSPC":
    case "EDQUOT":
      return failure("FAILED", `The disk is full: ${onOneLine(shown)} was not written.`);
    default:
      return failure("FAILED", `${onOneLine(shown)} could not be written: ${code}.`);
  }
}

function named(relative: string): string {
  return relative === "" ? "the workspace folder" : onOneLine(relative);
}
