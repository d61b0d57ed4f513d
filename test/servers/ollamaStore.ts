/**
 * A local server for the part of Ollama's API that lists, fetches and deletes models (`GET /api/tags`, `POST /api/pull`,
 * `DELETE /api/delete`, `GET /api/ps`). Like the real one it answers a pull with lines of JSON and status 200 whatever
 * happens, names the parts of a model one after another, and goes on where an ended pull has stopped.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** A model that can be fetched. */
export interface OfferedPull {
  /** Sizes in bytes. */
  readonly parts: readonly number[];
  /** What happens once so many bytes of the model are there; once only. */
  readonly fault?: { readonly afterBytes: number; readonly kind: "error" | "cut" | "reset"; readonly message?: string };
}

export interface OllamaStoreOptions {
  /** Sizes in bytes by name. */
  readonly stored?: Readonly<Record<string, number>>;
  readonly offered?: Readonly<Record<string, OfferedPull>>;
  readonly port?: number;
  /** Delay between two lines of a pull. */
  readonly paceMs?: number;
}

export interface OllamaStore {
  readonly url: string;
  readonly stored: Map<string, number>;
  /** Method, path and body of each request. */
  readonly requests: readonly (readonly [string, unknown])[];
  /** Bytes by model that pulls have fetched. */
  readonly fetched: ReadonlyMap<string, number>;
  /** Pulls under way. */
  readonly live: number;
  readonly close: () => Promise<void>;
}

const STEPS = 20;

export async function startOllamaStore(options: OllamaStoreOptions = {}): Promise<OllamaStore> {
  const { offered = {}, paceMs = 0 } = options;
  const stored = new Map(Object.entries(options.stored ?? {}));
  const requests: (readonly [string, unknown])[] = [];
  const fetched = new Map<string, number>();
  const faulted = new Set<string>();
  let live = 0;

  const pull = async (name: string, response: ServerResponse): Promise<void> => {
    const say = (line: object): void => void response.write(`${JSON.stringify(line)}\n`);
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    say({ status: "pulling manifest" });
    const model = Object.hasOwn(offered, name) ? offered[name] : undefined;
    if (model === undefined) {
      say({ error: "pull model manifest: file does not exist" });
      response.end();
      return;
    }
    let before = 0;
    for (const [index, total] of model.parts.entries()) {
      const digest = `sha256:${name}-${String(index)}`;
      for (;;) {
        const done = Math.min(total, Math.max(0, (fetched.get(name) ?? 0) - before));
        const isFaulty = model.fault !== undefined && !faulted.has(name) && before + done >= model.fault.afterBytes;
        if (model.fault !== undefined && isFaulty) {
          faulted.add(name);
          if (model.fault.kind === "reset") response.destroy();
          else {
            if (model.fault.kind === "error") say({ error: model.fault.message });
            response.end();
          }
          return;
        }
        say({ status: `pulling ${digest.slice(7, 19)}`, digest, total, ...(done > 0 ? { completed: done } : {}) });
        await sleep(paceMs);
        if (response.closed) return;
        if (done === total) break;
        fetched.set(name, before + Math.min(total, done + Math.ceil(total / STEPS)));
      }
      before += total;
    }
    for (const status of ["verifying sha256 digest", "writing manifest"]) say({ status });
    stored.set(name.includes(":") ? name : `${name}:latest`, before);
    say({ status: "success" });
    response.end();
  };

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = incoming.url ?? "/";
    const body = await readJson(incoming);
    const name = typeof body["model"] === "string" ? body["model"] : "";
    requests.push([`${incoming.method ?? ""} ${path}`, body]);
    const json = (status: number, value: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    switch (`${incoming.method ?? ""} ${path}`) {
      case "GET /api/tags":
        json(200, { models: [...stored].map(([model, size]) => ({ name: model, model, size })) });
        break;
      case "GET /api/ps":
        json(200, { models: [] });
        break;
      case "POST /api/pull":
        live++;
        await pull(name, response);
        live--;
        break;
      case "DELETE /api/delete":
        if (!stored.delete(name)) json(404, { error: `model '${name}' not found` });
        else response.writeHead(200).end();
        break;
      default:
        json(404, { error: "404 page not found" });
    }
  };

  const server = createServer((incoming, response) => void answer(incoming, response));
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    stored,
    requests,
    fetched,
    get live() {
      return live;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function readJson(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  incoming.setEncoding("utf8");
  for await (const chunk of incoming) text += String(chunk);
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}
