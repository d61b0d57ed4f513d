/** Failures for paths that cannot be used, worded for the model. */

import { type Result } from "../../../core/result.ts";
import { onOneLine } from "../hiddenText.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";

type Failed = Result<never, ToolFailure>;

export interface NamedPlace {
  /** Name of the workspace folder; empty where only one is open. */
  readonly folder: string;
  readonly relative: string;
}

export function notFound(place: NamedPlace): Failed {
  if (place.relative === "") {
    const folder = place.folder === "" ? "The workspace folder" : `The workspace folder ${place.folder}`;
    return failure("NOT_FOUND", `${folder} is not there: it was moved or removed, or its drive is gone.`);
  }
  return failure("NOT_FOUND", `There is no ${named(place)}.`);
}

/** A link on the way leads out of the workspace. */
export function leadsOutside(place: NamedPlace): Failed {
  return failure("OUTSIDE_WORKSPACE", `${named(place)} leads out of the workspace by a link, and is not followed.`);
}

export function belongsToGit(place: NamedPlace): Failed {
  return failure("NOT_ALLOWED", `${named(place)} belongs to git itself. git_status and git_diff say what it knows.`);
}

/** `what` names what is there instead. */
export function wrongKind(place: NamedPlace, what: string): Failed {
  return failure("WRONG_KIND", `${named(place)} is ${what}.`);
}

export function systemFailure(error: unknown, place: NamedPlace): Failed {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return notFound(place);
    case "ELOOP":
      return failure("OUTSIDE_WORKSPACE", `${named(place)} is a link, and is not followed.`);
    case "EACCES":
    case "EPERM":
      return failure("FAILED", `${named(place)} may not be read by this user.`);
    case "ENAMETOOLONG":
      return failure("INVALID_INPUT", "The path is too long.");
    default:
      return failure("FAILED", `${named(place)} could not be read: ${code === "" ? String(error) : code}.`);
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

function named({ folder, relative }: NamedPlace): string {
  if (relative === "") return folder === "" ? "the workspace folder" : `the workspace folder ${folder}`;
  return onOneLine(folder === "" ? relative : `${folder}/${relative}`);
}
