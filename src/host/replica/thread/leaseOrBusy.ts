import { acquireLease, type Lease, type LeaseOptions } from "../../../adapters/node/lease.ts";
import { threadFiles } from "../../../adapters/node/threadFiles.ts";
import type { ReplicatedFileFailed } from "../../../core/replica/conversationReplica.ts";
import { err, type Result } from "../../../core/result.ts";

export async function leaseOrBusy(
  folder: string,
  options: LeaseOptions & Required<Pick<LeaseOptions, "watcher">>,
): Promise<Result<Lease, ReplicatedFileFailed>> {
  const lease = await acquireLease(folder, { files: threadFiles, ...options });
  if (lease.ok) return lease;
  return err(lease.error.code === "CONVERSATION_IN_USE" ? { code: "CONVERSATION_BUSY" } : lease.error);
}
