import type { PlatformPath } from "node:path";
import type { RequestedPath } from "./requestedPath.ts";

/**
 * True for the folder itself and everything below it, compared as the operating system does. Both paths must be free of
 * links.
 */
export function isInsideFolder(folder: string, target: string, path: PlatformPath): boolean {
  const way = path.relative(folder, target);
  return way === "" || (way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

/** The innermost of `roots` that contains `real`, and the way to it; the first one where none does. */
export function placeInside(
  roots: readonly (string | undefined)[],
  real: string,
  path: PlatformPath,
): Pick<RequestedPath, "rootIndex" | "relative"> {
  let best = { rootIndex: 0, relative: real };
  for (const [rootIndex, root] of roots.entries()) {
    if (root === undefined || !isInsideFolder(root, real, path)) continue;
    const relative = path.relative(root, real);
    if (relative.length < best.relative.length) best = { rootIndex, relative };
  }
  return { rootIndex: best.rootIndex, relative: best.relative.split(path.sep).join("/") };
}
