/** SeaweedFS on this machine, an S3-compatible object store: one server, or a cluster whose parts can be killed. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { AwsClient } from "aws4fetch";
import type { S3Keys } from "../../src/adapters/s3/requests.ts";
import { freePort } from "../vscode/editorServer.ts";
import { installFolder } from "../vscode/nodeRuntime.mjs";
import { until } from "../vscode/until.ts";
import { type LocalProgram, startProgram } from "./localProgram.ts";
import { realDirectory } from "./packages.ts";

const MODULE = "github.com/seaweedfs/seaweedfs/weed";
export const SEAWEED_VERSION = "v0.0.0-20261109003541-7506e5f91cd6";
export const BUCKET = "forge";
export const STORE_KEYS: S3Keys = {
  accessKeyId: "AKIAFORGEREALSTORE01",
  secretAccessKey: "a/secret+of=the&real store 0123456789",
};

const folder = path.join(realDirectory, "seaweedfs");
export const program = path.join(folder, "weed");

/** Why it cannot run here; `undefined` if it can. */
export function noSeaweed(isNamed: boolean): string | undefined {
  if (existsSync(program)) return undefined;
  if (!isNamed) return "needs SeaweedFS, which `npm run real -- s3` builds in 2 to 5 minutes";
  try {
    execFileSync("go", ["version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "needs Go to build SeaweedFS: apt-get install -y --no-install-recommends golang-go";
  }
}

/** A no-op if it was built. */
export function buildSeaweed(): void {
  if (existsSync(program)) return;
  console.error("building SeaweedFS into .vscode-test/real/seaweedfs (once, 2 to 5 minutes)");
  installFolder(folder, (partial) => {
    const go = (...goArguments: readonly string[]): void => {
      execFileSync("go", goArguments, { cwd: partial, stdio: ["ignore", "ignore", "inherit"] });
    };
    go("mod", "init", "real");
    go("get", `${MODULE}@${SEAWEED_VERSION}`); // `go install` refuses modules that replace others
    go("build", "-o", "weed", MODULE);
  });
}

export interface ObjectStore {
  readonly url: string;
  /** Ends all of it and removes its data. */
  readonly stop: () => Promise<void>;
}

export interface StoreCluster extends ObjectStore {
  /** Three; each object is on two. */
  readonly volumes: readonly LocalProgram[];
  readonly killGateway: () => Promise<void>;
  readonly startGateway: () => Promise<void>;
}

/** All parts in one process. */
export async function startServer(): Promise<ObjectStore> {
  const data = newData();
  const [port, url] = await addressOf();
  const server = await start("server", data, url, [
    ...["server", ...BIND, `-dir=${data}`, "-master.volumeSizeLimitMB=64", "-volume.max=20"],
    ...(await ports("master.port", "master.port.grpc", "volume.port", "volume.port.grpc")),
    ...["-filer", ...(await ports("filer.port", "filer.port.grpc"))],
    ...["-s3", `-s3.port=${port}`, `-s3.config=${keysFile(data)}`, ...(await ports("s3.port.grpc"))],
  ]);
  return { url, stop: () => end([server], data) };
}

/** A master, three volume servers, a filer and a gateway, each a process of its own. */
export async function startCluster(): Promise<StoreCluster> {
  const data = newData();
  const running: LocalProgram[] = [];
  try {
    const [masterPort, masterGrpc] = [await freePort(), await freePort()];
    const master = `127.0.0.1:${masterPort}.${masterGrpc}`;
    running.push(
      await start("master", data, `http://127.0.0.1:${masterPort}/cluster/status`, [
        ...["master", ...BIND, `-port=${masterPort}`, `-port.grpc=${masterGrpc}`, `-mdir=${inside(data, "master")}`],
        ...["-defaultReplication=001", "-volumeSizeLimitMB=64"],
      ]),
    );
    const volumes: LocalProgram[] = [];
    for (const name of ["volume1", "volume2", "volume3"]) {
      const port = await freePort();
      const volume = await start(name, data, `http://127.0.0.1:${port}/status`, [
        ...["volume", ...BIND, `-port=${port}`, ...(await ports("port.grpc"))],
        ...[`-dir=${inside(data, name)}`, "-max=20", `-mserver=${master}`],
      ]);
      volumes.push(volume);
      running.push(volume);
    }
    const [filerPort, filerGrpc] = [await freePort(), await freePort()];
    running.push(
      await start("filer", data, `http://127.0.0.1:${filerPort}/`, [
        ...["filer", ...BIND, `-port=${filerPort}`, `-port.grpc=${filerGrpc}`, `-master=${master}`],
        `-defaultStoreDir=${inside(data, "filer")}`,
      ]),
    );
    const [port, url] = await addressOf();
    const grpc = await freePort();
    const startGateway = (): Promise<LocalProgram> =>
      start("gateway", data, url, [
        ...["s3", "-ip.bind=127.0.0.1", `-port=${port}`, `-port.grpc=${grpc}`],
        ...[`-filer=127.0.0.1:${filerPort}.${filerGrpc}`, `-config=${keysFile(data)}`],
      ]);
    let gateway = await startGateway();
    return {
      url,
      volumes,
      killGateway: () => gateway.kill(),
      startGateway: async () => {
        gateway = await startGateway();
      },
      stop: () => end([gateway, ...running.toReversed()], data),
    };
  } catch (error) {
    await end(running, data);
    throw error;
  }
}

/** Makes the bucket; waits until the store can write. */
export async function makeBucket(url: string): Promise<void> {
  const client = new AwsClient({ ...STORE_KEYS, service: "s3", region: "us-east-1", retries: 0 });
  const isMade = await until(
    () =>
      client.fetch(`${url}/${BUCKET}`, { method: "PUT" }).then(
        ({ ok }) => (ok ? true : undefined),
        () => undefined,
      ),
    60_000,
  );
  if (isMade !== true) throw new Error("the store made no bucket");
}

const BIND = ["-ip=127.0.0.1", "-ip.bind=127.0.0.1"];

function newData(): string {
  return mkdtempSync(path.join(tmpdir(), "forge-seaweed-"));
}

function inside(data: string, name: string): string {
  const made = path.join(data, name);
  mkdirSync(made, { recursive: true });
  return made;
}

function keysFile(data: string): string {
  const { accessKeyId: accessKey, secretAccessKey: secretKey } = STORE_KEYS;
  const actions = ["Read", "Write", "List", "Admin"];
  const file = path.join(data, "s3.json");
  writeFileSync(
    file,
    JSON.stringify({ identities: [{ name: "forge", credentials: [{ accessKey, secretKey }], actions }] }),
  );
  return file;
}

async function addressOf(): Promise<readonly [port: number, url: string]> {
  const port = await freePort();
  return [port, `http://127.0.0.1:${port}`];
}

async function ports(...flags: readonly string[]): Promise<readonly string[]> {
  return Promise.all(flags.map(async (flag) => `-${flag}=${await freePort()}`));
}

function start(name: string, data: string, url: string, weedArguments: readonly string[]): Promise<LocalProgram> {
  return startProgram({
    program,
    arguments: ["-logtostderr=true", ...weedArguments],
    env: { HOME: data },
    logFile: path.join(realDirectory, "logs", `seaweed-${name}.log`),
    isReady: () =>
      fetch(url).then(
        ({ status }) => status < 500,
        () => false,
      ),
  });
}

async function end(programs: readonly LocalProgram[], data: string): Promise<void> {
  for (const running of programs) await running.kill();
  rmSync(data, { recursive: true, force: true });
}
