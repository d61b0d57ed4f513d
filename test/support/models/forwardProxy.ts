/** A local forward proxy, as in a company's network. */

import { createServer, request, type Server } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";

export interface ForwardProxy {
  readonly url: string;
  /** Requested targets: "CONNECT models.example:80", "POST http://models.example/v1/messages". */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Starts a proxy that forwards every host to `targetPort` on this machine. */
export async function startForwardProxy(targetPort: number): Promise<ForwardProxy> {
  const asked: string[] = [];
  const tunnels = new Set<Duplex>();
  const server = createServer((incoming, response) => {
    const { method = "GET", url = "/", headers } = incoming;
    asked.push(`${method} ${url}`);
    const { pathname, search } = new URL(url);
    const onward = request({ port: targetPort, host: "127.0.0.1", method, path: pathname + search, headers });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, socket: Duplex) => {
    asked.push(`CONNECT ${incoming.url ?? ""}`);
    tunnels.add(socket);
    const onward = connect(targetPort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${String(portOf(server))}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const tunnel of tunnels) tunnel.destroy();
        server.closeAllConnections();
      }),
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return address.port;
}
