/** User texts for the place where conversations are kept besides this machine: what happened, what is safe, what to do. */

import type { StorageFailed } from "../../core/errors.ts";
import type { ReplicaFailed, ReplicaFailure } from "../../core/replica/logReplica.ts";
import type { PlaceRefused, RootGone, WrongSecret } from "../../core/replica/replicaRoot.ts";
import { localize } from "../../protocol/localize.ts";

export type ReplicaProblem = ReplicaFailed | StorageFailed | RootGone | PlaceRefused | WrongSecret;

export interface NamedPlace {
  readonly kind: "folder" | "bucket";
  /** "/home/ann/Dropbox/Forge", "forge/ann (s3.example.com)" */
  readonly name: string;
}

/** `setUp`: nothing was sent yet. */
export type ReplicaPhase = "setUp" | "running";

/** One text, in sentences. */
export function explainReplica(problem: ReplicaProblem, place: NamedPlace, phase: ReplicaPhase): string {
  const { what, mend } = describe(problem, place);
  const safe =
    phase === "setUp"
      ? localize("Nothing was sent, and nothing was changed.")
      : localize("Your conversations are safe on this machine, and what is new waits here.");
  const detail = "detail" in problem && problem.detail !== "" ? localize("It said: {0}", problem.detail) : "";
  return [what, safe, mend, detail].filter((sentence) => sentence !== "").join(" ");
}

/** False where time mends it. */
export function needsMending(problem: ReplicaProblem): boolean {
  return problem.code !== "REPLICA_FAILED" || !PASSING.includes(problem.reason);
}

const PASSING: readonly ReplicaFailure[] = ["unreachable", "busy"];

interface Description {
  readonly what: string;
  readonly mend: string;
}

function describe(problem: ReplicaProblem, place: NamedPlace): Description {
  switch (problem.code) {
    case "REPLICA_FAILED":
      return DESCRIPTIONS[problem.reason](place);
    case "STORAGE_FAILED":
      return describeStorage(problem.reason);
    case "ROOT_GONE":
      return {
        what: localize(
          "{0} no longer opens with the key of this machine: its access was taken away, or the place was set up anew.",
          place.name,
        ),
        mend: localize("Enter the passphrase that is valid there now."),
      };
    case "WRONG_SECRET":
      return {
        what: localize("That is neither the passphrase nor the recovery code of {0}.", place.name),
        mend: problem.mayArrive
          ? localize("Not all of its files have arrived here. Wait until they have, then try again.")
          : localize("Try again; capital and small letters differ in a passphrase."),
      };
    case "PLACE_NOT_EMPTY":
      return {
        what: localize("{0} has something that is not Forge's: {1}.", place.name, problem.names.join(", ")),
        mend:
          place.kind === "folder"
            ? localize("Choose an empty folder.")
            : localize("Choose a prefix under which there is nothing."),
      };
    case "PLACE_NEWER":
      return {
        what: localize("{0} was written by a newer Forge.", place.name),
        mend: localize("Update Forge on this machine, then set it up."),
      };
    case "PLACE_UNFIT":
      return {
        what: localize("{0} does not return what was put there, so Forge cannot rely on it.", place.name),
        mend: localize("Choose another place."),
      };
  }
}

const DESCRIPTIONS: Readonly<Record<ReplicaFailure, (place: NamedPlace) => Description>> = {
  unreachable: ({ name }) => ({
    what: localize("{0} cannot be reached.", name),
    mend: localize("It is tried again without you once it can be reached."),
  }),
  busy: ({ name }) => ({
    what: localize("{0} asks for fewer requests.", name),
    mend: localize("It goes on without you, more slowly."),
  }),
  denied: ({ kind, name }) =>
    kind === "folder"
      ? {
          what: localize("You have no right to read and write in {0}.", name),
          mend: localize("Give yourself that right, or choose another folder."),
        }
      : {
          what: localize("{0} refuses the access key, or the key lacks a right.", name),
          mend: localize("Check the key and its rights (create, read, list, delete), or enter another key."),
        },
  wrongSecret: ({ name }) => ({
    what: localize("{0} says that the secret does not belong to the access key.", name),
    mend: localize("Enter both again."),
  }),
  wrongClock: ({ name }) => ({
    what: localize("The clock of this machine differs too much from that of {0}.", name),
    mend: localize("Set the clock of this machine."),
  }),
  expired: ({ name }) => ({
    what: localize("The access key of {0} has expired.", name),
    mend: localize("Enter a new one."),
  }),
  missing: ({ kind, name }) =>
    kind === "folder"
      ? {
          what: localize("{0} is not there, or what was put there is not.", name),
          mend: localize("Mount the folder, or start what synchronizes it. If it was moved, set it up again."),
        }
      : {
          what: localize("{0} is not there.", name),
          mend: localize("Check the address, the region and the name of the bucket."),
        },
  insecure: ({ name }) => ({
    what: localize("The connection to {0} is not encrypted, or its certificate is not valid.", name),
    mend: localize(
      "Use an address with https:// and a valid certificate; without encryption only a server on this machine is used.",
    ),
  }),
  full: ({ kind, name }) => ({
    what: localize("{0} is full.", name),
    mend:
      kind === "folder"
        ? localize("Free some space where the folder is.")
        : localize("Free some space there, or raise its limit."),
  }),
  readOnly: ({ name }) => ({
    what: localize("{0} can be read, and nothing can be written there.", name),
    mend: localize("Make it writable, or choose another place."),
  }),
  unexpected: ({ kind, name }) => ({
    what: localize("{0} answers in a way that Forge does not know.", name),
    mend:
      kind === "folder"
        ? localize("Choose another folder if that goes on.")
        : localize("Check that the address is that of object storage (S3)."),
  }),
};

/** Of this machine's own files. */
function describeStorage(reason: StorageFailed["reason"]): Description {
  switch (reason) {
    case "diskFull":
      return {
        what: localize("The disk of this machine is full, so nothing is exchanged with the replica."),
        mend: localize("Free some space."),
      };
    case "readOnly":
    case "noPermission":
      return {
        what: localize("Forge has no permission to write to its storage folder on this machine."),
        mend: localize("Give yourself that right."),
      };
    case "newerVersion":
      return {
        what: localize("A newer Forge has set up on this machine where conversations are kept."),
        mend: localize("Update Forge on this machine."),
      };
    case "damaged":
      return {
        what: localize(
          "The file is damaged that says where this machine keeps its conversations besides its own disk.",
        ),
        mend: localize("Set it up again, with the passphrase: nothing that is there is lost."),
      };
    default:
      return {
        what: localize("A file of Forge on this machine cannot be read or written."),
        mend: localize("Try again; the log says more."),
      };
  }
}
