/** Memory layout of `struct stat` in the wasm module's C library. */

import type { BigIntStats } from "node:fs";

const BLOCK_SIZE_BYTES = 4096;

/** Sizes and inodes keep all 64 bits. */
export function writeStat(view: DataView, pointer: number, stat: BigIntStats): void {
  const put32 = (offset: number, value: bigint): void => {
    view.setUint32(pointer + offset, Number(BigInt.asUintN(32, value)), true);
  };
  const put64 = (offset: number, value: bigint): void => {
    view.setBigInt64(pointer + offset, BigInt.asIntN(64, value), true);
  };
  const putTime = (offset: number, timeMs: bigint): void => {
    put64(offset, timeMs / 1000n);
    put32(offset + 8, (timeMs % 1000n) * 1_000_000n);
  };
  put32(0, stat.dev);
  put32(4, stat.mode);
  put32(8, stat.nlink);
  put32(12, stat.uid);
  put32(16, stat.gid);
  put32(20, 0n); // device number, meaningless for a regular file
  put64(24, stat.size);
  put32(32, BigInt(BLOCK_SIZE_BYTES));
  put32(36, stat.blocks);
  putTime(40, stat.atimeMs);
  putTime(56, stat.mtimeMs);
  putTime(72, stat.ctimeMs);
  put64(88, stat.ino);
}
