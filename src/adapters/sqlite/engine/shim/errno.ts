/** Error numbers of the wasm module's C library, which differ from those of Linux. */

/** By Node's error code. */
export const ERRNO: Readonly<Record<string, number>> = {
  EACCES: 2,
  EBADF: 8,
  EBUSY: 10,
  EDQUOT: 19,
  EEXIST: 20,
  EFBIG: 22,
  EINVAL: 28,
  EISDIR: 31,
  EMFILE: 33,
  ENFILE: 41,
  ENOENT: 44,
  ENOSPC: 51,
  ENOTDIR: 54,
  EPERM: 63,
  EROFS: 69,
};

/** Also `readlink` on a file that is not a symbolic link. */
export const EINVAL = 28;
export const EPERM = 63;

/**
 * Error number for a failed file call; EINVAL for any code not in the table. Never EIO: SQLite would take a single
 * failed read for a damaged file.
 */
export function errnoOf(error: unknown): number {
  const code = systemCodeOf(error);
  return (code === undefined ? undefined : ERRNO[code]) ?? EINVAL;
}

/** Node's code of a failed system call, such as `ENOSPC`; `undefined` for any other error. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
