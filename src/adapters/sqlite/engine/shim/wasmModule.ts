/** The little of the WebAssembly interface that the shim needs, which the types of Node alone do not describe. */

/** A memory of a wasm instance. `buffer` is another one after it has grown. */
export interface WasmMemoryObject {
  readonly buffer: ArrayBuffer;
}
/** A running module. */
export interface WasmInstance {
  readonly exports: object;
}
/** A function that the module imports. 64-bit arguments are bigints. */
export type ImportedCall = (...args: readonly (number | bigint)[]) => number;
/** Imported functions by name. */
export type ImportTable = Record<string, ImportedCall>;

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: Record<string, ImportTable>) => WasmInstance;
  readonly Memory: new (descriptor: { initial: number }) => WasmMemoryObject;
};

/** Compiles and starts a module at once, on this thread. */
export function startWasm(bytes: Uint8Array, imports: Record<string, ImportTable>): WasmInstance {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
}

/** The memory that an instance exports under the name `memory`; `undefined` when it exports none. */
export function memoryOf(instance: WasmInstance): WasmMemoryObject | undefined {
  const memory = "memory" in instance.exports ? instance.exports.memory : undefined;
  return memory instanceof WebAssembly.Memory ? memory : undefined;
}
