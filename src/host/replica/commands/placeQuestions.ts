/** Asks for the folder or the bucket. */

import { mkdir } from "node:fs/promises";
import * as vscode from "vscode";
import { addressOf, type S3Place } from "../../../adapters/s3/place.ts";
import type { S3Keys } from "../../../adapters/s3/requests.ts";
import { localize } from "../../../protocol/localize.ts";
import { inList } from "../../editor/boxes/inList.ts";
import { showWarning } from "../../editor/boxes/messages.ts";
import { askText } from "./askText.ts";
import type { ContainerOffer, OutlivingFolder } from "../containers/historyPlace.ts";
import { keepOnVolume } from "../containers/keepOnVolume.ts";
import type { BucketPlace, FolderPlace, ReplicaPlace } from "../replicaSetup.ts";

/** `keys`: of a bucket; not stored yet. */
export interface ChosenPlace {
  readonly place: ReplicaPlace;
  readonly keys?: S3Keys;
}

const TITLE = localize("Forge: Keep Conversations on Several Machines");
/** Of temporary keys of AWS, which have a session token. */
const TEMPORARY_KEY = "ASIA";

/** `before`: what was entered last. `offer`: shown first. `undefined`: dismissed, or a volume is added first. */
export async function askForPlace(
  before: ReplicaPlace | undefined,
  offer: ContainerOffer,
): Promise<ChosenPlace | undefined> {
  const folder = {
    label: `$(folder) ${localize("A folder")}`,
    detail: localize("Synchronized or mounted: Dropbox, OneDrive, iCloud, Syncthing, a share"),
    kindOfPlace: "folder",
  } as const;
  const bucket = {
    label: `$(cloud) ${localize("A bucket")}`,
    detail: localize("Of S3-compatible object storage: R2, B2, AWS, MinIO, a NAS"),
    kindOfPlace: "bucket",
  } as const;
  const volume = {
    label: `$(archive) ${localize("A new volume of this container")}`,
    detail: localize("Adds lines to devcontainer.json; it is there once the container is rebuilt"),
    kindOfPlace: "volume",
  } as const;
  const offered = [
    ...(offer.folder === undefined ? [] : [itemOf(offer.folder)]),
    ...(offer.canAddVolume ? [volume] : []),
  ];
  const items = [...offered, ...(before?.kind === "bucket" ? [bucket, folder] : [folder, bucket])];
  const picked = await vscode.window.showQuickPick(inList(items), {
    title: TITLE,
    placeHolder: localize("A place that all your machines reach; only encrypted data goes there"),
  });
  if (picked === undefined) return undefined;
  if (picked.kindOfPlace === "volume") {
    await keepOnVolume();
    return undefined;
  }
  if (picked.kindOfPlace === "outliving") {
    // The check that follows says if it is not there.
    await mkdir(picked.path, { recursive: true }).catch(() => undefined);
    return { place: { kind: "folder", path: picked.path } };
  }
  if (picked.kindOfPlace === "bucket") return askForBucket(before?.kind === "bucket" ? before : undefined);
  const place = await askForFolder(before?.kind === "folder" ? before : undefined);
  return place && { place };
}

function itemOf({ path, kind }: OutlivingFolder): vscode.QuickPickItem & {
  readonly kindOfPlace: "outliving";
  readonly path: string;
} {
  const detail =
    kind === "volume"
      ? localize("A volume of this container, which rebuilds leave as it is")
      : localize("Rebuilds of the container leave it as it is; it is deleted with the codespace");
  return { label: `$(archive) ${path}`, detail, kindOfPlace: "outliving", path };
}

async function askForFolder(before: FolderPlace | undefined): Promise<FolderPlace | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: localize("Forge: Folder for Conversations"),
      openLabel: localize("Keep Conversations Here"),
      canSelectFiles: false,
      canSelectFolders: true,
      canSelectMany: false,
      ...(before === undefined ? {} : { defaultUri: vscode.Uri.file(before.path) }),
    })) ?? [];
  if (uri === undefined) return undefined;
  if (uri.scheme === "file") return { kind: "folder", path: uri.fsPath };
  void showWarning(localize("Forge can use only folders of the machine that it runs on. Nothing was changed."));
  return undefined;
}

async function askForBucket(before: BucketPlace | undefined): Promise<ChosenPlace | undefined> {
  const address = await askText({
    title: localize("Forge: Address of the Object Storage"),
    prompt: localize("The address as your provider names it (endpoint), without the bucket"),
    placeholder: "https://s3.eu-central-1.amazonaws.com",
    value: before?.endpoint ?? "",
    refusal: addressRefusal,
  });
  if (address === undefined) return undefined;
  const endpoint = withScheme(address);
  const region = await askText({
    title: localize("Forge: Region of the Bucket"),
    prompt: localize("As your provider names it; many accept “us-east-1”, and R2 wants “auto”"),
    value: before?.endpoint === endpoint ? before.region : regionIn(endpoint),
    refusal: (text) => (/^[\w-]{1,60}$/.test(text) ? undefined : localize("A region looks like eu-central-1.")),
  });
  if (region === undefined) return undefined;
  const bucket = await askText({
    title: localize("Forge: Name of the Bucket"),
    prompt: localize("It must exist already"),
    value: before?.bucket ?? "",
    refusal: (text) =>
      addressOf({ ...EXAMPLE, bucket: text }).ok
        ? undefined
        : localize("A bucket's name has at least three letters, digits, dots or dashes."),
  });
  if (bucket === undefined) return undefined;
  const prefix = await askText({
    title: localize("Forge: Prefix in the Bucket"),
    prompt: localize("Begins the names of all that is put there; empty for the whole bucket"),
    value: before === undefined ? "forge" : before.prefix,
    refusal: (text) =>
      addressOf({ ...EXAMPLE, prefix: text }).ok ? undefined : localize("A prefix has no part that is “.” or “..”."),
  });
  if (prefix === undefined) return undefined;
  const bucketIn = await askForStyle(endpoint, before?.endpoint === endpoint ? before.bucketIn : undefined);
  if (bucketIn === undefined) return undefined;
  const keys = await askForBucketKeys(before?.accessKeyId);
  if (keys === undefined) return undefined;
  const where: S3Place = { endpoint, region, bucket, prefix: trimmedPrefix(prefix), bucketIn };
  return { place: { kind: "bucket", ...where, accessKeyId: keys.accessKeyId }, keys };
}

/** The secret goes to the secret storage, and in no other form to the place than as signatures. */
async function askForBucketKeys(before = ""): Promise<S3Keys | undefined> {
  const refusal = (text: string): string | undefined =>
    text === "" ? localize("Enter it as your provider shows it.") : undefined;
  const accessKeyId = await askText({
    title: localize("Forge: Access Key of the Bucket"),
    prompt: localize("The access key's ID. Best is one for this machine alone, with rights for this prefix alone"),
    value: before,
    refusal,
  });
  if (accessKeyId === undefined) return undefined;
  const secretAccessKey = await askText({
    title: localize("Forge: Secret of the Access Key"),
    prompt: localize("It is kept in the editor's secret storage, signs requests, and is sent nowhere"),
    isSecret: true,
    refusal,
  });
  if (secretAccessKey === undefined) return undefined;
  if (!accessKeyId.startsWith(TEMPORARY_KEY)) return { accessKeyId, secretAccessKey };
  const sessionToken = await askText({
    title: localize("Forge: Session Token of the Access Key"),
    prompt: localize("This key is valid for a time, and comes with a session token"),
    isSecret: true,
    refusal,
  });
  return sessionToken === undefined ? undefined : { accessKeyId, secretAccessKey, sessionToken };
}

async function askForStyle(
  endpoint: string,
  before: S3Place["bucketIn"] | undefined,
): Promise<S3Place["bucketIn"] | undefined> {
  const { host } = new URL(endpoint);
  const path = {
    label: localize("In the path"),
    description: `${host}/…`,
    detail: localize("Most servers that are not of AWS"),
    bucketIn: "path",
  } as const;
  const hostName = {
    label: localize("In the host's name"),
    description: `….${host}`,
    detail: localize("AWS, and others that ask for it"),
    bucketIn: "hostName",
  } as const;
  const isInHost = before === undefined ? host.endsWith(".amazonaws.com") : before === "hostName";
  const picked = await vscode.window.showQuickPick(inList(isInHost ? [hostName, path] : [path, hostName]), {
    title: localize("Forge: Addresses in the Bucket"),
    placeHolder: localize("Where does the bucket's name go?"),
  });
  return picked?.bucketIn;
}

const EXAMPLE: S3Place = {
  endpoint: "https://s3.example.com",
  region: "",
  bucket: "forge",
  prefix: "",
  bucketIn: "path",
};

function withScheme(address: string): string {
  return (/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`).replace(/\/+$/, "");
}

function addressRefusal(text: string): string | undefined {
  const address = addressOf({ ...EXAMPLE, endpoint: withScheme(text) });
  if (text !== "" && address.ok) return undefined;
  return !address.ok && address.error.reason === "insecure"
    ? localize("Without encryption (http://) only a server on this machine is used. Enter an address with https://.")
    : localize(
        "That is no address. One looks like https://s3.eu-central-1.amazonaws.com, without a name or a query in it.",
      );
}

/** From addresses that name it. */
function regionIn(endpoint: string): string {
  const { hostname } = new URL(endpoint);
  if (hostname.endsWith(".r2.cloudflarestorage.com")) return "auto";
  const [, region = "us-east-1"] = /^s3[.-]([a-z]{2}(?:-[a-z]+)+-\d+)\./.exec(hostname) ?? [];
  return region;
}

function trimmedPrefix(prefix: string): string {
  return prefix
    .split("/")
    .filter((part) => part !== "")
    .join("/");
}
