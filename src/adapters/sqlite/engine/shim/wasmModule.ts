/** The part of the WebAssembly API that the shim uses; Node's own types do not declare it. */

/** `buffer` is replaced when the memory grows. */
export interface WasmMemoryObject {
  readonly buffer: ArrayBuffer;
}
export interface WasmInstance {
  readonly exports: object;
}
/** 64-bit arguments are bigints. */
export type ImportedCall = (...args: readonly (number | bigint)[]) => number;
export type ImportTable = Record<string, ImportedCall>;

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: Record<string, ImportTable>) => WasmInstance;
  readonly Memory: new (descriptor: { initial: number }) => WasmMemoryObject;
};

/** Compiles and instantiates synchronously. */
export function startWasm(bytes: Uint8Array, imports: Record<string, ImportTable>): WasmInstance {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
}

/** The exported memory; `undefined` if there is none. */
export function memoryOf(instance: WasmInstance): WasmMemoryObject | undefined {
  const memory = "memory" in instance.exports ? instance.exports.memory : undefined;
  return memory instanceof WebAssembly.Memory ? memory : undefined;
}
