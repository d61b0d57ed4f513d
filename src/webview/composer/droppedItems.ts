/** Files dropped on the chat or pasted into it: by URI if the editor gives one, else by content. */
import { beginningOf } from "../../core/cutText.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import { words } from "../words/words.ts";

/** Larger files are not read: no model accepts them. */
const maxBytes = 8_000_000;

/** URIs from the editor's own lists and tabs. */
export function droppedUris(data: Pick<DataTransfer, "getData">): readonly string[] {
  const lists = ["application/vnd.code.uri-list", "text/uri-list"].map((type) => data.getData(type));
  const lines = (lists.find((list) => list !== "") ?? "").split(/\r?\n/);
  return lines.filter((line) => line !== "" && !line.startsWith("#") && !/^https?:/i.test(line));
}

type ItemSource = Pick<DataTransfer, "getData" | "types"> & {
  readonly files: Iterable<File> & { readonly length: number };
};

/** Files at a time: the most that a message holds. */
const maxFiles = 50;
/** Reasons listed one by one; more are counted. */
const maxReasons = 3;

/** Whether it contains anything to attach. */
export function hasItems<Data extends ItemSource>(data: Data | null): data is Data {
  if (data === null || isTextWithPicture(data)) return false;
  return data.files.length > 0 || data.types.includes("Files") || data.types.includes("application/vnd.code.uri-list");
}

/** Spreadsheet cells, text of a document: the clipboard also has a picture of them, and the text is meant. */
function isTextWithPicture(data: ItemSource): boolean {
  const files = [...data.files];
  const isPicture = files.length > 0 && files.every(({ name }) => name === "image.png");
  return isPicture && data.getData("text/plain").trim() !== "";
}

/**
 * Posts everything while `isStillWanted`. `refuse` receives all reasons so far: too large, too many, or unreadable (a
 * folder, or a file that is gone). `reading` receives the names of files not read yet.
 */
export async function attachItems(
  data: Pick<DataTransfer, "getData"> & { readonly files: Iterable<File> },
  post: (message: ToHost) => void,
  refuse: (text: string) => void,
  isStillWanted: () => boolean = () => true,
  reading: (names: readonly string[]) => void = () => undefined,
): Promise<void> {
  const reasons: string[] = [];
  const say = (reason: string): void => {
    reasons.push(reason);
    const more = reasons.length - maxReasons;
    refuse([...reasons.slice(0, maxReasons), ...(more > 0 ? [words.contextMoreItems(more)] : [])].join(" "));
  };
  const uris = droppedUris(data);
  const files = [...data.files]; // the list is emptied after the event
  const count = uris.length > 0 ? uris.length : files.length;
  if (count > maxFiles) say(words.tooManyToAdd(maxFiles, count - maxFiles));
  if (uris.length > 0) {
    post({ kind: "attachUris", uris: uris.slice(0, maxFiles) });
    return;
  }
  const names = files.slice(0, maxFiles).map(({ name }) => name);
  for (const file of files.slice(0, maxFiles)) {
    reading(names);
    names.shift();
    if (file.size > maxBytes) {
      say(words.tooLargeToAdd(file.name));
      continue;
    }
    const dataBase64 = await contentOf(file);
    if (dataBase64 === undefined || !isStillWanted()) {
      say(words.unreadableToAdd(file.name));
      continue;
    }
    post({ kind: "attachData", name: beginningOf(file.name, 200), mediaType: file.type.slice(0, 100), dataBase64 });
  }
  reading(names);
}

async function contentOf(file: File): Promise<string | undefined> {
  try {
    return base64(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
