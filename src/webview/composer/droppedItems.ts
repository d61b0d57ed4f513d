/** Files that are dropped on the chat or pasted into it: by their address where the editor gives one, else with their content. */
import type { ToHost } from "../../protocol/toHost.ts";
import { words } from "../words/words.ts";

/** Larger than anything a model takes; it is not even read. */
const maxBytes = 8_000_000;

/** The addresses in what the editor's own lists and tabs hand over. */
export function droppedUris(data: Pick<DataTransfer, "getData">): readonly string[] {
  const lists = ["application/vnd.code.uri-list", "text/uri-list"].map((type) => data.getData(type));
  const lines = (lists.find((list) => list !== "") ?? "").split(/\r?\n/);
  return lines.filter((line) => line !== "" && !line.startsWith("#") && !/^https?:/i.test(line));
}

/** What is asked of the clipboard, or of what is dropped. */
type Things = Pick<DataTransfer, "getData" | "types"> & {
  readonly files: Iterable<File> & { readonly length: number };
};

/** So many files at a time: that is the most a message holds. */
const maxFiles = 50;
/** So many reasons are said one by one. */
const maxReasons = 3;

/** Whether there is anything in it that can be added. */
export function hasThings<Data extends Things>(data: Data | null): data is Data {
  if (data === null || isTextWithPicture(data)) return false;
  return data.files.length > 0 || data.types.includes("Files") || data.types.includes("application/vnd.code.uri-list");
}

/** Cells of a spreadsheet, words of a document: the clipboard holds a picture of them as well, and the text is meant. */
function isTextWithPicture(data: Things): boolean {
  const files = [...data.files];
  const isPicture = files.length > 0 && files.every(({ name }) => name === "image.png");
  return isPicture && data.getData("text/plain").trim() !== "";
}

/**
 * Hands everything to the host while `isStillWanted`; `refuse` says what is too large, too much, or cannot be read: a folder,
 * or what is gone by now. It is told all reasons so far each time. `reading` is told the names of what is not read yet.
 */
export async function addThings(
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
  const files = [...data.files]; // the list is emptied when the event is over
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
    post({ kind: "attachData", name: file.name.slice(0, 200), mediaType: file.type.slice(0, 100), dataBase64 });
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
