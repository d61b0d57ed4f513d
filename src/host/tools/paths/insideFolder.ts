/** Whether one absolute path lies in another, as the operating system compares them. */

import type { PlatformPath } from "node:path";

/** True for the folder itself and everything below it. Both paths are real ones, without links. */
export function isInsideFolder(folder: string, target: string, path: PlatformPath): boolean {
  const way = path.relative(folder, target);
  return way === "" || (way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}
