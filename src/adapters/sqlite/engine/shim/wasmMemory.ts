/** The memory of the wasm module. Growing it detaches all views, so never store one: get it here each time. */

import type { WasmMemoryObject } from "./wasmModule.ts";

export class WasmMemory {
  #memory: WasmMemoryObject | undefined;
  #bytes = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);

  /** Call once, after instantiation. */
  attach(memory: WasmMemoryObject): void {
    this.#memory = memory;
  }

  /** Valid until the module runs again. */
  get bytes(): Uint8Array {
    this.#refresh();
    return this.#bytes;
  }

  /** Valid until the module runs again. */
  get view(): DataView {
    this.#refresh();
    return this.#view;
  }

  /** A zero-terminated UTF-8 string. */
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
