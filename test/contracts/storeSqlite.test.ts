import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../support/storage/sqliteStore.ts";
import { temporaryFolder } from "../support/storage/storeBuilders.ts";
import { storeContract } from "./storeContract.ts";

storeContract("sqlite", () => {
  const folder = temporaryFolder();
  const forkFolder = join(folder.path, "fork");
  mkdirSync(forkFolder);
  return {
    open: () => openStore(folder.path),
    forkFolder,
    openFork: () => openStore(forkFolder),
    remove: folder.remove,
  };
});
