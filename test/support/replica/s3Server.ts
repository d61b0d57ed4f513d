/**
 * An S3 server on this machine, as strict as a real one: signatures (by AWS's documentation of version 4, and no code of
 * the client), dates, hashes, lengths, conditions and continuation tokens. Its objects are in memory.
 */

import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Gate, PutFault } from "./replicaFaults.ts";

export const KEYS = {
  accessKeyId: "AKIAFORGETESTSKEY001",
  secretAccessKey: "house/secret+of=the&tests 0123456789abcd",
};

const SKEW_MS = 15 * 60_000;
const PER_PAGE = 1_000;

export interface S3Request {
  readonly method: string;
  /** Of the object; empty for the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

export interface S3Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface S3ServerOptions {
  readonly nowMs?: () => number;
  readonly bucket?: string;
  readonly region?: string;
  readonly ignoresIfNoneMatch?: boolean;
}

/** `cut`: the answer's body ends in the middle. `silent`: there is no answer. */
export type GetFault = "cut" | "cutWithoutLength" | "silent" | "closed";

export class S3Server {
  readonly objects = new Map<string, Buffer>();
  /** Of the puts to come, in order. */
  readonly putFaults: (PutFault | Gate)[] = [];
  readonly getFaults: GetFault[] = [];
  /** Answers in place of the store's own while set. Called for requests whose signature is right. */
  answers: ((request: S3Request) => S3Answer | undefined) | undefined;
  /** Keys in listings while set. */
  listed: readonly (readonly [key: string, length: number])[] | undefined;
  /** Error code of the key, such as `ExpiredToken`. */
  keyIs: "InvalidAccessKeyId" | "ExpiredToken" | "AccessDenied" | undefined;
  clockIsAheadMs = 0;
  /** "PUT log/1", in the order in which they came. */
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #options: Required<S3ServerOptions>;
  /** Where each continuation token goes on, and with what prefix. */
  readonly #tokens = new Map<string, { readonly prefix: string; readonly after: string }>();

  private constructor(server: Server, options: S3ServerOptions) {
    this.#server = server;
    this.#options = {
      nowMs: options.nowMs ?? Date.now,
      bucket: options.bucket ?? "forge",
      region: options.region ?? "eu-house-1",
      ignoresIfNoneMatch: options.ignoresIfNoneMatch ?? false,
    };
  }

  static async start(options: S3ServerOptions = {}): Promise<S3Server> {
    const server = createServer();
    const store = new S3Server(server, options);
    server.on("request", (request, response) => void store.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return store;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await this.#received(message);
    if (request === undefined) return;
    this.requests.push(`${request.method} ${request.key}`);
    const refusal = this.#refusal(message, request) ?? this.answers?.(request);
    if (refusal !== undefined) send(response, refusal, request);
    else if (request.method === "PUT") await this.#servePut(message, response, request);
    else if (request.method === "GET") this.#serveGet(message, response, request);
    else if (request.method === "DELETE") {
      this.objects.delete(request.key);
      send(response, { status: 204 }, request);
    } else send(response, failure(405, "MethodNotAllowed"), request);
  }

  /** `undefined` for one that was cut on its way. */
  async #received(message: IncomingMessage): Promise<S3Request | undefined> {
    const [path = "", search = ""] = (message.url ?? "").split("?");
    const isInHost = (message.headers.host ?? "").startsWith(`${this.#options.bucket}.`);
    const [bucket, ...key] = path.slice(1).split("/");
    const isHalf = message.method === "PUT" && this.putFaults[0] === "half";
    if (isHalf) this.putFaults.shift();
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of message as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        if (isHalf) message.socket.destroy();
      }
    } catch {
      return undefined; // the connection was closed
    }
    if (isHalf) return undefined;
    return {
      method: message.method ?? "",
      key: decodeURIComponent(isInHost ? path.slice(1) : bucket === this.#options.bucket ? key.join("/") : ""),
      query: new URLSearchParams(search.replaceAll("+", "%2B")),
      headers: message.headers,
      body: Buffer.concat(chunks),
    };
  }

  async #servePut(message: IncomingMessage, response: ServerResponse, request: S3Request): Promise<void> {
    const fault = this.putFaults.shift();
    if (fault === "dropped") {
      message.socket.destroy();
      return;
    }
    if (typeof fault === "object") await fault.pass();
    const answer = this.#put(request);
    if (fault === "doubled") this.#put(request);
    if (fault === "answerLost") message.socket.destroy();
    else send(response, answer, request);
  }

  #put({ key, headers, body }: S3Request): S3Answer {
    const condition = headers["if-none-match"];
    if (condition !== undefined && condition !== "*") return failure(501, "NotImplemented");
    const isRefused = condition === "*" && !this.#options.ignoresIfNoneMatch && this.objects.has(key);
    if (isRefused) return failure(412, "PreconditionFailed");
    this.objects.set(key, body);
    return { status: 200, headers: { etag: etagOf(body) } };
  }

  #serveGet(message: IncomingMessage, response: ServerResponse, request: S3Request): void {
    const fault = this.getFaults.shift();
    if (fault === "silent") return;
    if (fault === "closed") {
      message.socket.destroy();
      return;
    }
    const answer = request.key === "" ? this.#list(request.query) : this.#get(request.key);
    if (fault === undefined) {
      send(response, answer, request);
      return;
    }
    const body = Buffer.from(answer.body ?? "");
    const length = fault === "cut" ? { "content-length": String(body.length) } : {};
    response.writeHead(answer.status, { ...answer.headers, ...length });
    response.write(body.subarray(0, body.length >> 1), () => message.socket.destroy());
  }

  #get(key: string): S3Answer {
    const body = this.objects.get(key);
    return body === undefined ? failure(404, "NoSuchKey") : { status: 200, headers: { etag: etagOf(body) }, body };
  }

  #list(query: URLSearchParams): S3Answer {
    if (query.get("list-type") !== "2") return failure(400, "InvalidArgument");
    const prefix = query.get("prefix") ?? "";
    const perPage = Math.min(Number(query.get("max-keys") ?? PER_PAGE), PER_PAGE);
    const token = query.get("continuation-token");
    const from = token === null ? { prefix, after: "" } : this.#tokens.get(token);
    if (from?.prefix !== prefix || Number.isNaN(perPage)) return failure(400, "InvalidArgument");
    const all = this.listed ?? [...this.objects].map(([key, { length }]) => [key, length] as const);
    const rest = all
      .filter(([key]) => key.startsWith(prefix) && key > from.after)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const page = rest.slice(0, perPage);
    const isTruncated = page.length < rest.length;
    const next = `${randomUUID()}/+=&<`;
    if (isTruncated) this.#tokens.set(next, { prefix, after: page.at(-1)?.[0] ?? "" });
    const isEncoded = query.get("encoding-type") === "url";
    const text = (key: string): string => escaped(isEncoded ? encodeURIComponent(key).replaceAll("%2F", "/") : key);
    const contents = page.map(
      ([key, length]) => `<Contents><Key>${text(key)}</Key><ETag>&quot;0&quot;</ETag><Size>${length}</Size></Contents>`,
    );
    const members = [
      `<Name>${this.#options.bucket}</Name><Prefix>${text(prefix)}</Prefix><KeyCount>${page.length}</KeyCount>`,
      isEncoded ? "<EncodingType>url</EncodingType>" : "",
      `<MaxKeys>${perPage}</MaxKeys><IsTruncated>${String(isTruncated)}</IsTruncated>`,
      isTruncated ? `<NextContinuationToken>${escaped(next)}</NextContinuationToken>` : "",
      ...contents,
    ];
    const body = `${XML}<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${members.join("")}</ListBucketResult>`;
    return { status: 200, headers: { "content-type": "application/xml" }, body };
  }

  /** The answer to a request that is not signed as it must be. */
  #refusal(message: IncomingMessage, request: S3Request): S3Answer | undefined {
    const { nowMs, region, bucket } = this.#options;
    const { headers, body } = request;
    const authorization =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]*)\/([^/]*)\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([\da-f]{64})$/.exec(
        headers.authorization ?? "",
      );
    if (authorization === null) return failure(403, "AccessDenied");
    const [, id = "", day = "", inRegion = "", service = "", signedHeaders = "", signature = ""] = authorization;
    if (id !== KEYS.accessKeyId || this.keyIs === "InvalidAccessKeyId") {
      return failure(403, "InvalidAccessKeyId", `<AWSAccessKeyId>${id}</AWSAccessKeyId>`);
    }
    if (service !== "s3") return failure(400, "AuthorizationHeaderMalformed");
    if (inRegion !== region) return failure(400, "AuthorizationHeaderMalformed", `<Region>${region}</Region>`);
    const date = String(headers["x-amz-date"]);
    const [year, month, dayOfMonth, hour, minute, second] = (
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? []
    )
      .slice(1)
      .map(Number);
    const dateMs = Date.UTC(year ?? NaN, (month ?? NaN) - 1, dayOfMonth, hour, minute, second);
    if (Number.isNaN(dateMs) || !date.startsWith(day)) return failure(403, "AccessDenied");
    const serverMs = nowMs() + this.clockIsAheadMs;
    if (Math.abs(serverMs - dateMs) > SKEW_MS) {
      const { status, body: skewed } = failure(403, "RequestTimeTooSkewed", `<RequestTime>${date}</RequestTime>`);
      return { status, body: skewed ?? "", headers: { date: new Date(serverMs).toUTCString() } };
    }
    const names = signedHeaders.split(";");
    const mustBeSigned = Object.keys(headers).filter((name) => /^(?:host|x-amz-.*)$/.test(name));
    const isOrdered = names.every((name, index) => index === 0 || name > (names[index - 1] ?? ""));
    if (!isOrdered || mustBeSigned.some((name) => !names.includes(name))) return failure(403, "AccessDenied");
    const hash = String(headers["x-amz-content-sha256"]);
    const [path = "", search = ""] = (message.url ?? "").split("?");
    const { text, signature: expected } = signatureOf({
      ...{ method: message.method ?? "", path, search, headers, names, hash, date, region },
      secret: KEYS.secretAccessKey,
    });
    if (!timingSafeEqual(expected, Buffer.from(signature, "hex"))) {
      const echoed = `<AWSAccessKeyId>${id}</AWSAccessKeyId><StringToSign>${escaped(text)}</StringToSign><SignatureProvided>${signature}</SignatureProvided>`;
      return failure(403, "SignatureDoesNotMatch", echoed);
    }
    if (hash !== sha256(body)) return failure(400, "XAmzContentSHA256Mismatch");
    if (message.method === "PUT" && headers["content-length"] === undefined)
      return failure(411, "MissingContentLength");
    if (this.keyIs !== undefined) return failure(this.keyIs === "ExpiredToken" ? 400 : 403, this.keyIs);
    const isInHost = (headers.host ?? "").startsWith(`${bucket}.`);
    return isInHost || path.split("/")[1] === bucket ? undefined : failure(404, "NoSuchBucket");
  }
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function failure(status: number, code: string, more = ""): S3Answer {
  const body = `${XML}<Error><Code>${code}</Code><Message>The store says ${code}.</Message>${more}<RequestId>1</RequestId></Error>`;
  return { status, headers: { "content-type": "application/xml" }, body };
}

function send(response: ServerResponse, { status, headers = {}, body = "" }: S3Answer, { method }: S3Request): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, ...(status === 204 ? {} : { "content-length": String(bytes.length) }) });
  response.end(method === "HEAD" || status === 204 ? undefined : bytes);
}

export interface SignedRequest {
  readonly method: string;
  /** As sent. */
  readonly path: string;
  readonly search: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Of the headers that are signed, in order. */
  readonly names: readonly string[];
  readonly hash: string;
  /** "20261128T120000Z" */
  readonly date: string;
  readonly region: string;
  readonly secret: string;
}

/** Signature version 4, and the text that is signed. */
export function signatureOf({ method, path, search, headers, names, hash, date, region, secret }: SignedRequest): {
  readonly text: string;
  readonly signature: Buffer;
} {
  const canonical = [
    method,
    path
      .split("/")
      .map((part) => encodeAsSigned(decodeURIComponent(part)))
      .join("/"),
    canonicalQuery(search),
    ...names.map(
      (name) =>
        `${name}:${String(headers[name] ?? "")
          .trim()
          .replaceAll(/ +/g, " ")}`,
    ),
    "",
    names.join(";"),
    hash,
  ].join("\n");
  const scope = [date.slice(0, 8), region, "s3", "aws4_request"];
  const text = ["AWS4-HMAC-SHA256", date, scope.join("/"), sha256(canonical)].join("\n");
  const key = scope.reduce<string | Buffer>(
    (last, part) => createHmac("sha256", last).update(part).digest(),
    `AWS4${secret}`,
  );
  return { text, signature: createHmac("sha256", key).update(text).digest() };
}

function canonicalQuery(search: string): string {
  const pairs =
    search === "" ? [] : search.split("&").map((pair) => pair.split("=").map((part) => decodeURIComponent(part)));
  return pairs
    .map(([name = "", value = ""]) => [encodeAsSigned(name), encodeAsSigned(value)] as const)
    .toSorted(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** All but letters, digits and `-._~`, byte by byte. */
function encodeAsSigned(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w.~-]/.test(character) && byte < 0x80
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function etagOf(body: Uint8Array): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
