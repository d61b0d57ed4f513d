import type { PlatformPath } from "node:path";

/**
 * True for the folder itself and everything below it, compared as the operating system does. Both paths must be free of
 * links.
 */
export function isInsideFolder(folder: string, target: string, path: PlatformPath): boolean {
  const way = path.relative(folder, target);
  return way === "" || (way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}
