/** The memory of the wasm module. Views on it die when it grows, so nobody keeps one: ask here each time. */

import type { WasmMemoryObject } from "./wasmModule.ts";

/** Reads and writes the module's memory through views that are made anew whenever it has grown. */
export class WasmMemory {
  #memory: WasmMemoryObject | undefined;
  #bytes = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);

  /** Binds the memory of the instance, once it exists. */
  attach(memory: WasmMemoryObject): void {
    this.#memory = memory;
  }

  /** All of it, as bytes. Valid until the module runs again. */
  get bytes(): Uint8Array {
    this.#refresh();
    return this.#bytes;
  }

  /** All of it, for numbers. Valid until the module runs again. */
  get view(): DataView {
    this.#refresh();
    return this.#view;
  }

  /** The text at `pointer`, which ends at a zero byte. */
  readString(pointer: number): string {
    const bytes = this.bytes;
    return Buffer.from(bytes.buffer, pointer, bytes.indexOf(0, pointer) - pointer).toString("utf8");
  }

  #refresh(): void {
    const memory = this.#memory;
    if (memory === undefined || this.#bytes.buffer === memory.buffer) return;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#view = new DataView(memory.buffer);
  }
}
