/** Files that are dropped on the chat or pasted into it: by their address where the editor gives one, else with their content. */
import type { ToHost } from "../protocol/toHost.ts";
import { words } from "./words.ts";

/** Larger than anything a model takes; it is not even read. */
const maxBytes = 8_000_000;

/** The addresses in what the editor's own lists and tabs hand over. */
export function droppedUris(data: Pick<DataTransfer, "getData">): readonly string[] {
  const lists = ["application/vnd.code.uri-list", "text/uri-list"].map((type) => data.getData(type));
  const lines = (lists.find((list) => list !== "") ?? "").split(/\r?\n/);
  return lines.filter((line) => line !== "" && !line.startsWith("#") && !/^https?:/i.test(line)).slice(0, 100);
}

/** Whether there is anything in it that can be added. */
export function hasThings(data: DataTransfer | null): data is DataTransfer {
  if (data === null) return false;
  return data.files.length > 0 || data.types.includes("Files") || data.types.includes("application/vnd.code.uri-list");
}

/** Hands everything to the host; `refuse` says what is too large, or can not be read: a folder, or what is gone by now. */
export async function addThings(
  data: Pick<DataTransfer, "getData"> & { readonly files: Iterable<File> },
  post: (message: ToHost) => void,
  refuse: (text: string) => void,
): Promise<void> {
  const uris = droppedUris(data);
  if (uris.length > 0) {
    post({ kind: "attachUris", uris });
    return;
  }
  for (const file of [...data.files].slice(0, 20)) {
    if (file.size > maxBytes) {
      refuse(words.tooLargeToAdd(file.name));
      continue;
    }
    const dataBase64 = await contentOf(file);
    if (dataBase64 === undefined) {
      refuse(words.unreadableToAdd(file.name));
      continue;
    }
    post({ kind: "attachData", name: file.name.slice(0, 200), mediaType: file.type.slice(0, 100), dataBase64 });
  }
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
