/** A local HTTP server with one fixed answer for each path. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface CannedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface CannedServer {
  readonly url: string;
  /** Paths of all requests, oldest first. */
  readonly paths: readonly string[];
  close(): Promise<void>;
}

/** `answerTo`: by path; `undefined` is a 404. */
export async function startCannedServer(answerTo: (path: string) => CannedAnswer | undefined): Promise<CannedServer> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    paths.push(path);
    request.resume().on("end", () => {
      const answer = answerTo(path) ?? { status: 404, headers: {}, body: "" };
      if (answer.headers["date"] !== undefined) response.sendDate = false;
      response.writeHead(answer.status, { ...answer.headers }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    paths,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
