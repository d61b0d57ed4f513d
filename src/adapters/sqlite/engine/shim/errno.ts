/** Error numbers of the C library inside the wasm module. They differ from those of Linux. */

/** The numbers that the shim answers, by the name that Node gives to the same failure. */
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

/** Not a symbolic link, as `readlink` says it. */
export const EINVAL = 28;
/** Not permitted. */
export const EPERM = 63;

/**
 * Finds the number for a failed file call; whatever has none failed for a reason that SQLite need not know. Not its own
 * number for an input/output error: SQLite would take a read that failed once for a damaged file.
 */
export function errnoOf(error: unknown): number {
  const code = systemCodeOf(error);
  return (code === undefined ? undefined : ERRNO[code]) ?? EINVAL;
}

/** The name that Node gives to a failed system call, such as `ENOSPC`; `undefined` for any other error. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
