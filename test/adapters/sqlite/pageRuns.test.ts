/** Runs of pages: the calls that reach the file, and what is read and stored. */

import assert from "node:assert/strict";
import { nodeFileCalls, type FileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { ReadAhead, WriteBehind } from "../../../src/adapters/sqlite/engine/shim/pageRuns.ts";

const PAGE = 4_096;
const RUN = 64 * PAGE;
const FILE_PAGES = 100;

type Call = readonly [kind: "read" | "write", position: number, length: number];

/** A file in memory, with the calls made for it; each page holds its number. A write takes `mostWritten` bytes. */
class MemoryFile {
  readonly calls: Call[] = [];
  readonly bytes = Uint8Array.from({ length: FILE_PAGES * PAGE }, (_, at) => Math.floor(at / PAGE));
  readonly fileCalls: FileCalls;

  constructor(mostWritten = Infinity) {
    this.fileCalls = {
      ...nodeFileCalls,
      read: (_handle, bytes, offset, length, position) => {
        this.calls.push(["read", position / PAGE, length / PAGE]);
        const found = this.bytes.subarray(position, position + length);
        bytes.set(found, offset);
        return found.length;
      },
      write: (_handle, bytes, offset, length, position) => {
        const written = Math.min(length, mostWritten);
        this.calls.push(["write", position / PAGE, length / PAGE]);
        this.bytes.set(bytes.subarray(offset, offset + written), position);
        return written;
      },
    };
  }
}

function page(value: number): Uint8Array {
  return new Uint8Array(PAGE).fill(value);
}

describe("pages that are read ahead", () => {
  const check = (title: string, pages: readonly number[], calls: readonly Call[]): void => {
    it(title, () => {
      const file = new MemoryFile();
      const ahead = new ReadAhead(file.fileCalls, 1);
      const read = pages.map((number) => {
        const bytes = new Uint8Array(PAGE + 1);
        const got = ahead.read(bytes, 1, PAGE, number * PAGE);
        return [got, bytes[1], bytes[PAGE]];
      });
      const wanted = pages.map((number) => (number < FILE_PAGES ? [PAGE, number, number] : [0, 0, 0]));
      assert.deepEqual([read, file.calls], [wanted, calls]);
    });
  };
  check("are read in one call", [0, 1, 3, 63], [["read", 0, RUN / PAGE]]);
  check("follow the last run", [62, 63, 64], [["read", 62, 64]]);
  check("are fewer at the end of the file", [60, 99], [["read", 60, 64]]);
  check(
    "are none after a leap",
    [0, 90, 20, 21],
    [
      ["read", 0, 64],
      ["read", 90, 1],
    ],
  );
  check(
    "are none before the last one",
    [50, 10],
    [
      ["read", 50, 64],
      ["read", 10, 1],
    ],
  );
  check(
    "are none behind the file",
    [99, 100],
    [
      ["read", 99, 1],
      ["read", 100, 64],
      ["read", 100, 1],
    ],
  );

  it("are read again once the file has changed", () => {
    const file = new MemoryFile();
    const ahead = new ReadAhead(file.fileCalls, 1);
    const bytes = new Uint8Array(PAGE);
    ahead.read(bytes, 0, PAGE, 0);
    file.bytes.fill(200, PAGE, 2 * PAGE);
    ahead.forget();
    ahead.read(bytes, 0, PAGE, PAGE);
    assert.deepEqual(bytes, page(200));
  });
});

describe("pages that are written behind", () => {
  const check = (title: string, pages: readonly number[], calls: readonly Call[], mostWritten?: number): void => {
    it(title, () => {
      const file = new MemoryFile(mostWritten);
      const behind = new WriteBehind(file.fileCalls, 1);
      for (const number of pages) behind.write(page(100 + number), 0, PAGE, number * PAGE);
      behind.flush();
      const stored = pages.map((number) => file.bytes.slice(number * PAGE, (number + 1) * PAGE));
      assert.deepEqual([file.calls, stored], [calls, pages.map((number) => page(100 + number))]);
    });
  };
  check("are written in one call", [4, 5, 6], [["write", 4, 3]]);
  check("are none where nothing is held back", [], []);
  check(
    "are written apart where they are not adjacent",
    [4, 6, 7],
    [
      ["write", 4, 1],
      ["write", 6, 2],
    ],
  );
  check(
    "are at most a run",
    Array.from({ length: 65 }, (_, number) => number),
    [
      ["write", 0, 64],
      ["write", 64, 1],
    ],
  );
  check(
    "are written on where a call takes a part",
    [4, 5],
    [
      ["write", 4, 2],
      ["write", 5, 1],
    ],
    PAGE,
  );

  it("are written at once where they are larger than a run", () => {
    const file = new MemoryFile();
    new WriteBehind(file.fileCalls, 1).write(new Uint8Array(RUN + PAGE), 0, RUN + PAGE, PAGE);
    assert.deepEqual(file.calls, [["write", 1, 65]]);
  });
});
