/**
 * A proxy to the editor's server for a person's browser, which also answers `/mint-key`. The web workbench encrypts its
 * secrets with that key; the server provides none, and without it an API key would be lost at each reload.
 */

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type IncomingMessage, type Server, createServer, request } from "node:http";
import { type Socket, connect } from "node:net";

export interface FrontOptions {
  /** Used if it is free; any other port otherwise. */
  readonly preferredPort: number;
  /** Port of the editor's server on 127.0.0.1. */
  readonly serverPort: number;
  /** File that stores the key between starts, readable by the user only. */
  readonly keyFile: string;
}

/** Starts the proxy on 127.0.0.1. Resolves to the port. */
export async function startFront({ preferredPort, serverPort, keyFile }: FrontOptions): Promise<number> {
  const key = readOrMakeKey(keyFile);
  const front = createServer((incoming, outgoing) => {
    if (incoming.url?.split("?")[0] === "/mint-key") {
      outgoing.writeHead(200, { "content-type": "application/octet-stream" }).end(key);
      return;
    }
    const { method, url, headers } = incoming;
    const passedOn = request({ host: "127.0.0.1", port: serverPort, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passedOn.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passedOn.destroy());
    incoming.pipe(passedOn);
  });
  front.on("upgrade", (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    passOnSocket(incoming, socket, head, serverPort);
  });
  return listen(front, preferredPort).catch(() => listen(front, 0));
}

/** Connects both ends of a WebSocket, after forwarding the request that opened it. */
function passOnSocket(incoming: IncomingMessage, socket: Socket, head: Buffer, serverPort: number): void {
  const behind = connect(serverPort, "127.0.0.1", () => {
    const pairs = Array.from({ length: incoming.rawHeaders.length / 2 }, (_, index) =>
      incoming.rawHeaders.slice(index * 2, index * 2 + 2).join(": "),
    );
    const { method = "GET", url = "/" } = incoming;
    behind.write(`${method} ${url} HTTP/1.1\r\n${pairs.join("\r\n")}\r\n\r\n`);
    behind.write(head);
    behind.pipe(socket).pipe(behind);
  });
  for (const [one, other] of [[socket, behind] as const, [behind, socket] as const]) {
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
  }
}

function readOrMakeKey(file: string): Buffer {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32), { mode: 0o600 });
  return readFileSync(file);
}

function listen(front: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    front.once("error", reject);
    front.listen(port, "127.0.0.1", () => {
      front.off("error", reject);
      const address = front.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
