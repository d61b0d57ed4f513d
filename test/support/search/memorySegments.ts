/** Segments in memory, which outlive an index like files. */

import type { CooperativeTask } from "../../../src/core/cooperativeTask.ts";
import type { SegmentBytes } from "../../../src/core/search/segments/segment.ts";
import type { SegmentFiles } from "../../../src/core/search/segments/segmentIndex.ts";

export class MemorySegments implements SegmentFiles {
  #segments: readonly { readonly name: string; readonly bytes: Uint8Array }[] = [];
  #made = 0;

  get contents(): readonly Uint8Array[] {
    return this.#segments.map(({ bytes }) => bytes);
  }

  list(): readonly string[] {
    return this.#segments.map(({ name }) => name);
  }

  open(wanted: string): SegmentBytes {
    const bytes = this.#segments.find(({ name }) => name === wanted)?.bytes;
    if (bytes === undefined) throw new Error(`no segment ${wanted}`);
    let last = new Uint8Array();
    const read = (at: number, length: number): Uint8Array => {
      last.fill(0xff); // valid until the next call
      return (last = bytes.slice(at, at + length));
    };
    return { length: bytes.length, read };
  }

  *replace(removed: readonly string[], added: readonly Uint8Array[]): CooperativeTask<void> {
    yield;
    const kept = this.#segments.filter(({ name }) => !removed.includes(name));
    this.#segments = [...kept, ...added.map((bytes) => ({ name: String(this.#made++), bytes }))];
    yield;
  }
}
