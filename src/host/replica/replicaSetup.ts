/**
 * Where this machine keeps its conversations besides its own disk. Stored beside the conversations, where all windows read
 * it, and not in the settings: no workspace can send the conversations elsewhere. What opens the place is in the secret
 * storage.
 */

import path from "node:path";
import {
  fileFailure,
  type Files,
  nodeFiles,
  replaceFile,
  undefinedIfMissing,
  unlinkIfThere,
} from "../../adapters/node/files.ts";
import { addressOf, type S3Place } from "../../adapters/s3/place.ts";
import { beginningOf } from "../../core/cutText.ts";
import { storageFailed, type StorageFailed } from "../../core/errors.ts";
import { countIn, member, parseJson, stringField } from "../../core/json.ts";
import { isObjectName } from "../../core/replica/logReplica.ts";
import type { KeyId } from "../../core/replica/objectNames.ts";
import { err, ok, type Result } from "../../core/result.ts";

export interface FolderPlace {
  readonly kind: "folder";
  /** Absolute. */
  readonly path: string;
}

export interface BucketPlace extends S3Place {
  readonly kind: "bucket";
  readonly accessKeyId: string;
}

export type ReplicaPlace = FolderPlace | BucketPlace;

/** Found out at set-up. */
export interface PlaceAbilities {
  /** False: a second create of a name replaces the first, so whoever has the key could overwrite. */
  readonly refusesSecond: boolean;
  /** False: only keys can be deleted, so nothing is packed. */
  readonly deletesAll: boolean;
}

/** A root, and an object without which the place is not there. */
export interface RootInPlace {
  readonly root: KeyId;
  /** Name of an object that holds the root key; it changes with its secret. */
  readonly marker: string;
}

export interface ReplicaSetup extends RootInPlace, PlaceAbilities {
  readonly place: ReplicaPlace;
  /** Name by which other machines know this one. */
  readonly machine: string;
  readonly sinceMs: number;
  /** Set while the keys are put under this root, in place of the other. */
  readonly next?: RootInPlace;
}

const VERSION = 1;
const ROOT = /^[0-9a-f]{16}$/;
const MOST_MACHINE_CHARACTERS = 60;

export class ReplicaSetupFile {
  readonly #folder: string;
  readonly #files: Files;

  /** `storage`: the extension's. */
  constructor(storage: string, files: Files = nodeFiles) {
    this.#folder = path.join(storage, "replica");
    this.#files = files;
  }

  /** `undefined`: not set up. Fails with `damaged` for a file that is none, and with `newerVersion`. */
  async read(): Promise<Result<ReplicaSetup | undefined, StorageFailed>> {
    try {
      const text = await undefinedIfMissing(this.#files.readText(this.#path));
      return text === undefined ? ok(undefined) : setupIn(text);
    } catch (error) {
      return err(fileFailure(error));
    }
  }

  async write(setup: ReplicaSetup): Promise<Result<void, StorageFailed>> {
    try {
      await this.#files.makeFolder(this.#folder);
      const text = JSON.stringify({ version: VERSION, ...setup });
      await replaceFile(this.#files, this.#path, text, { isDurable: true });
      return ok(undefined);
    } catch (error) {
      return err(fileFailure(error));
    }
  }

  async delete(): Promise<Result<void, StorageFailed>> {
    try {
      await unlinkIfThere(this.#files, this.#path);
      return ok(undefined);
    } catch (error) {
      return err(fileFailure(error));
    }
  }

  get #path(): string {
    return path.join(this.#folder, "setup.json");
  }
}

/** One line that a list can show; empty if nothing is left. */
export function machineName(entered: string): string {
  const line = entered.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  return beginningOf(line, MOST_MACHINE_CHARACTERS).trim();
}

function setupIn(text: string): Result<ReplicaSetup, StorageFailed> {
  const read = parseJson(text);
  const value = read.ok ? read.value : undefined;
  if (countIn(value, "version") > VERSION) return err({ ...storageFailed(undefined, ""), reason: "newerVersion" });
  const place = placeIn(member(value, "place"));
  const own = rootIn(value);
  const machine = machineName(stringField(value, "machine"));
  const isWhole = countIn(value, "version") === VERSION && machine !== "";
  if (!isWhole || place === undefined || own === undefined) {
    return err({ ...storageFailed(undefined, ""), reason: "damaged" });
  }
  const next = rootIn(member(value, "next"));
  return ok({
    ...own,
    place,
    machine,
    sinceMs: countIn(value, "sinceMs"),
    refusesSecond: member(value, "refusesSecond") === true,
    deletesAll: member(value, "deletesAll") === true,
    ...(next === undefined ? {} : { next }),
  });
}

function rootIn(value: unknown): RootInPlace | undefined {
  const [root, marker] = [stringField(value, "root"), stringField(value, "marker")];
  return ROOT.test(root) && isObjectName(marker) ? { root, marker } : undefined;
}

function placeIn(value: unknown): ReplicaPlace | undefined {
  if (stringField(value, "kind") === "folder") {
    const folder = stringField(value, "path");
    return path.isAbsolute(folder) ? { kind: "folder", path: folder } : undefined;
  }
  const texts = (["endpoint", "region", "bucket", "prefix", "accessKeyId"] as const).map((name) =>
    stringField(value, name),
  );
  const [endpoint = "", region = "", bucket = "", prefix = "", accessKeyId = ""] = texts;
  const bucketIn = stringField(value, "bucketIn");
  if (stringField(value, "kind") !== "bucket" || (bucketIn !== "path" && bucketIn !== "hostName")) return undefined;
  const place: BucketPlace = { kind: "bucket", endpoint, region, bucket, prefix, bucketIn, accessKeyId };
  return region !== "" && accessKeyId !== "" && addressOf(place).ok ? place : undefined;
}
