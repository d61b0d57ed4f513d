import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

/** Mounts a memory disk of `bytes` at `folder`. Returns the reason if it cannot, such as missing rights. */
export function mountSmallDisk(folder: string, bytes: number): string | undefined {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll("\n", " ").trim() : String(error);
  }
}

export function unmount(folder: string): void {
  execFileSync("umount", [folder]);
}

/** Writes to `file` until not one byte more fits on its disk. */
export function fillUp(file: string): void {
  for (let bytes = 1 << 20; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    try {
      writeFileSync(file, Buffer.alloc(bytes, 1), { flag: "a" });
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOSPC") throw error;
    }
  }
}
