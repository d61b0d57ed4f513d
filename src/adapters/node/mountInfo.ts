/** The mounts that Linux lists for this process: `/proc/self/mountinfo`, as proc(5) describes it. */

import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { undefinedIfMissing } from "./files.ts";

export interface Mount {
  /** Absolute path of the folder. */
  readonly point: string;
  /** Of the file system, such as `ext4` or `overlay`. */
  readonly type: string;
}

/** Empty where the system has no such list. */
export async function readMountInfo(): Promise<string> {
  return (await undefinedIfMissing(readFile("/proc/self/mountinfo", "utf8"))) ?? "";
}

/** The path without symbolic links, as mounts are listed. What does not exist yet is left as it is. */
export async function withoutLinks(path: string): Promise<string> {
  const real = await undefinedIfMissing(realpath(path));
  if (real !== undefined) return real;
  const parent = dirname(path);
  return parent === path ? path : join(await withoutLinks(parent), basename(path));
}

/** The mount that an absolute path lies on. Of two at one place the later one covers the earlier. */
export function mountOf(path: string, mountInfo: string): Mount | undefined {
  let found: Mount | undefined;
  for (const line of mountInfo.split("\n")) {
    const mount = parsed(line);
    if (mount === undefined || !isWithin(path, mount.point)) continue;
    if (found === undefined || mount.point.length >= found.point.length) found = mount;
  }
  return found;
}

/** `36 35 98:0 /root /mount/point options optional… - type source options` */
function parsed(line: string): Mount | undefined {
  const [mount = "", fileSystem = ""] = line.split(" - ");
  const point = mount.split(" ")[4];
  const [type] = fileSystem.split(" ");
  return point === undefined || type === undefined || type === "" ? undefined : { point: unescaped(point), type };
}

/** Blanks, tabs, line feeds and backslashes are written as three octal digits. */
function unescaped(point: string): string {
  return point.replace(/\\([0-7]{3})/g, (_escape, digits: string) => String.fromCharCode(parseInt(digits, 8)));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
