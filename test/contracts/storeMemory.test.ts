import { memoryDisk, MemoryStore } from "../support/storage/memoryStore.ts";
import { storeContract } from "./storeContract.ts";

storeContract("in memory", () => {
  const disk = memoryDisk();
  return {
    open: () => Promise.resolve(new MemoryStore(disk)),
    forkFolder: "fork",
    openFork: () => Promise.resolve(new MemoryStore(disk.forks.get("fork"))),
    remove: () => undefined,
  };
});
