/**
 * Wrappers for the 21 system calls of sql.js: handled here for our files, passed on for all others.
 * Two conventions: `fd_*` calls return a positive error number, `__syscall_*` calls a negative one.
 */

import { EINVAL, EPERM, errnoOf } from "./errno.ts";
import type { HostFile, HostFiles } from "./hostFiles.ts";
import { writeStat } from "./statLayout.ts";
import type { WasmMemory } from "./wasmMemory.ts";

/** Handles a call of the wasm module; `pass` forwards it to the in-memory file system. */
export type SystemCall = (args: readonly number[], pass: () => number) => number;

const F_GETLK = 12;
const F_UNLCK = 2;
const SEEK_SET = 0;
const SEEK_CUR = 1;
const IOVEC_BYTES = 8;

/** All wrappers, by the name of the wrapped call. `closeTwin` closes a file of the in-memory file system. */
export function systemCalls(
  files: HostFiles,
  memory: WasmMemory,
  closeTwin: (descriptor: number) => void,
): Readonly<Record<string, SystemCall>> {
  return { ...descriptorCalls(files, memory), ...pathCalls(files, memory, closeTwin) };
}

type FileAction = (file: HostFile, args: readonly number[]) => number;

function descriptorCalls(files: HostFiles, memory: WasmMemory): Record<string, SystemCall> {
  const onFile =
    (action: FileAction, sign: 1 | -1): SystemCall =>
    (args, pass) => {
      const file = files.get(at(args, 0));
      return file === undefined ? pass() : attempt(files, sign, () => action(file, args));
    };
  const wasi = (action: FileAction): SystemCall => onFile(action, 1);
  const syscall = (action: FileAction): SystemCall => onFile(action, -1);

  return {
    fd_close: wasi((file, args) => done(() => files.close(at(args, 0), file))),
    fd_seek: wasi((file, args) => {
      const [, distance = 0, whence = SEEK_SET, result = 0] = args;
      if (whence === SEEK_SET) file.position = distance;
      else if (whence === SEEK_CUR) file.position += distance;
      else file.position = Number(files.statOf(file).size) + distance;
      memory.view.setBigInt64(result, BigInt(file.position), true);
      return 0;
    }),
    fd_read: wasi((file, args) =>
      // Short at the end of the file: SQLite fills the rest with zeros.
      transfer(memory, args, (offset, length) => files.read(file, memory.bytes, offset, length)),
    ),
    fd_write: wasi((file, args) =>
      transfer(memory, args, (offset, length) => writeAll(files, memory, file, offset, length)),
    ),
    fd_sync: wasi((file) => done(() => files.sync(file))),
    fd_fdstat_get: wasi(() => 0),
    __syscall_ftruncate64: syscall((file, args) => done(() => files.truncate(file, at(args, 1)))),
    __syscall_fstat64: syscall((file, args) => done(() => writeStat(memory.view, at(args, 1), files.statOf(file)))),
    // Locks are no-ops: the lease is the lock. A query must report "unlocked", or SQLite takes a hot journal for that
    // of a live writer and never rolls it back.
    __syscall_fcntl64: syscall((_file, args) => {
      if (at(args, 1) === F_GETLK) memory.view.setInt16(memory.view.getUint32(at(args, 2), true), F_UNLCK, true);
      return 0;
    }),
    __syscall_fchown32: syscall(() => 0),
    __syscall_fchmod: syscall(() => 0),
  };
}

type PathAction = (path: string, args: readonly number[]) => number;

function pathCalls(
  files: HostFiles,
  memory: WasmMemory,
  closeTwin: (descriptor: number) => void,
): Record<string, SystemCall> {
  const onPath =
    (nameIndex: number, action: PathAction): SystemCall =>
    (args, pass) => {
      const path = files.pathOf(memory.readString(at(args, nameIndex)));
      return path === undefined ? pass() : attempt(files, -1, () => action(path, args));
    };
  const statAt = (pointer: number, path: string): number =>
    done(() => writeStat(memory.view, pointer, files.callsFor(path).stat(path)));
  const twins = new Set<string>();

  return {
    __syscall_openat: (args, pass) => {
      const name = memory.readString(at(args, 1));
      const path = files.pathOf(name);
      if (path === undefined) return pass();
      // When sql.js closes a database, it unlinks its name in the in-memory file system: create an empty twin there.
      if (!name.includes("-") && !twins.has(name)) {
        twins.add(name);
        closeTwin(pass());
      }
      return attempt(files, -1, () => files.open(path, at(args, 2)));
    },
    __syscall_stat64: onPath(0, (path, args) => statAt(at(args, 1), path)),
    __syscall_lstat64: onPath(0, (path, args) =>
      done(() => writeStat(memory.view, at(args, 1), files.callsFor(path).lstat(path))),
    ),
    __syscall_newfstatat: onPath(1, (path, args) => statAt(at(args, 2), path)),
    __syscall_faccessat: onPath(1, (path, args) => done(() => files.callsFor(path).access(path, at(args, 2)))),
    __syscall_unlinkat: onPath(1, (path) => done(() => files.unlink(path))),
    __syscall_readlinkat: onPath(1, () => -EINVAL),
    __syscall_utimensat: onPath(1, () => 0),
    __syscall_mkdirat: onPath(1, () => -EPERM),
    __syscall_rmdir: onPath(0, () => -EPERM),
  };
}

function attempt(files: HostFiles, sign: 1 | -1, action: () => number): number {
  try {
    return action();
  } catch (error) {
    files.noteFailure(error);
    return sign * errnoOf(error);
  }
}

/** Processes the iovec list of a read or write; stops after `move` transferred less than requested (end of file). */
function transfer(
  memory: WasmMemory,
  args: readonly number[],
  move: (offset: number, length: number) => number,
): number {
  const [, pieces = 0, count = 0, result = 0] = args;
  let total = 0;
  for (let index = 0; index < count; index++) {
    const offset = memory.view.getUint32(pieces + index * IOVEC_BYTES, true);
    const length = memory.view.getUint32(pieces + index * IOVEC_BYTES + 4, true);
    const moved = length === 0 ? 0 : move(offset, length);
    total += moved;
    if (moved < length) break;
  }
  memory.view.setUint32(result, total, true);
  return 0;
}

function writeAll(files: HostFiles, memory: WasmMemory, file: HostFile, offset: number, length: number): number {
  for (let written = 0; written < length;) {
    written += files.write(file, memory.bytes, offset + written, length - written);
  }
  return length;
}

function done(action: () => void): number {
  action();
  return 0;
}

function at(args: readonly number[], index: number): number {
  return args[index] ?? 0;
}
