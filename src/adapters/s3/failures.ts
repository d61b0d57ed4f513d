/** Errors of object stores as reasons of the port, by what they call them, then by status. */

import { replicaFailed, type ReplicaFailed, type ReplicaFailure } from "../../core/replica/logReplica.ts";
import { errorDetail } from "../../core/stream/errorDetail.ts";
import { networkCodes, networkFailure } from "../http/networkFailure.ts";
import { retryAfterMs, type HeaderReader } from "../http/retryDelay.ts";
import { readXml, textIn } from "./xml.ts";

export interface S3Answer {
  readonly status: number;
  readonly headers: HeaderReader;
  readonly body: Uint8Array;
}

export interface S3Failure {
  readonly failure: ReplicaFailed;
  /** The store's word for it, such as `NoSuchKey`; empty if it gave none. */
  readonly code: string;
  /** 0: no whole answer. */
  readonly status: number;
}

/** `secrets` are removed from its words. */
export function answeredFailure(
  { status, headers, body }: S3Answer,
  secrets: readonly string[],
  nowMs: number,
): S3Failure {
  const text = new TextDecoder().decode(body);
  const error = readXml(text);
  const isError = error?.name === "Error";
  const code = isError ? textIn(error, "Code") : "";
  // The other elements echo what was signed.
  const said = isError ? textIn(error, "Message") : text;
  const reason = (CODES.find(([codes]) => codes.test(code)) ?? [])[1] ?? reasonOf(status, said);
  const elsewhere =
    status < 400 || WRONG_PLACE.test(code)
      ? otherPlace(textIn(error, "Region"), textIn(error, "Endpoint"), headers)
      : "";
  const words = [said, elsewhere, reason === "wrongClock" ? clockError(headers, nowMs) : ""].filter(
    (part) => part !== "",
  );
  const detail = `${words.join(" ")} (${[code, `HTTP ${status}`].filter((part) => part !== "").join(", ")})`;
  const isHere = elsewhere === "" || reason !== "unexpected";
  return {
    failure: replicaFailed(isHere ? reason : "missing", errorDetail(detail, secrets), retryAfterMs(headers, nowMs)),
    code,
    status,
  };
}

/** Of a request without a whole answer. */
export function connectionFailure(thrown: unknown, secrets: readonly string[]): S3Failure {
  const isInsecure = networkCodes(thrown).some((code) => CERTIFICATE.test(code));
  const { detail } = networkFailure("s3", thrown, "connecting", secrets);
  return { failure: replicaFailed(isInsecure ? "insecure" : "unreachable", detail), code: "", status: 0 };
}

const CERTIFICATE = /CERT|^ERR_(?:TLS|SSL)_|^EPROTO$|^UNABLE_TO_VERIFY|^INVALID_CA$|^HOSTNAME_MISMATCH$/;

/** AWS; R2, B2, MinIO, Ceph, Google and others, where they have words of their own. */
const CODES: readonly (readonly [codes: RegExp, reason: ReplicaFailure])[] = [
  [
    /^(?:SlowDown\w*|ServiceUnavailable|Throttl\w*|RequestLimitExceeded|TooManyRequests|BandwidthLimitExceeded|ServerBusy)$/,
    "busy",
  ],
  // A write of the same name at the same time.
  [/^(?:ConditionalRequestConflict|OperationAborted)$/, "busy"],
  [/^SignatureDoesNotMatch$/, "wrongSecret"],
  [/^(?:RequestTimeTooSkewed|RequestExpired|RequestInTheFuture)$/, "wrongClock"],
  [/^(?:ExpiredToken\w*|TokenRefreshRequired)$/, "expired"],
  [/^(?:NoSuchBucket|PermanentRedirect|TemporaryRedirect|IllegalLocationConstraintException)$/, "missing"],
  [/Quota\w*Exceeded|^(?:XMinioStorageFull|InsufficientStorage|StorageCapExceeded)$/i, "full"],
  [/^(?:InternalError|RequestTimeout|InternalServerError|IncompleteBody)$/, "unreachable"],
];

const WRONG_PLACE =
  /^(?:AuthorizationHeaderMalformed|PermanentRedirect|TemporaryRedirect|IllegalLocationConstraintException)$/;

function reasonOf(status: number, said: string): ReplicaFailure {
  if (status === 401 || status === 403) return /\bcap exceeded\b/i.test(said) ? "full" : "denied";
  if (status === 404 || status === 410) return "missing";
  if (status === 405) return "readOnly";
  if (status === 408 || status === 409 || status === 429 || status === 503) return "busy";
  if (status === 507) return "full";
  return status >= 500 && status !== 501 ? "unreachable" : "unexpected";
}

/** Nothing that was signed is sent there. */
function otherPlace(region: string, endpoint: string, headers: HeaderReader): string {
  const where = [region, headers.get("x-amz-bucket-region") ?? "", endpoint, headers.get("location") ?? ""];
  const found = where.find((place) => place !== "");
  return found === undefined ? "" : `The place names another region or address: ${found}`;
}

function clockError(headers: HeaderReader, nowMs: number): string {
  const minutes = Math.round((nowMs - Date.parse(headers.get("date") ?? "")) / 60_000);
  if (Number.isNaN(minutes)) return "";
  return `This machine's clock is ${Math.abs(minutes)} minutes ${minutes > 0 ? "ahead" : "late"}.`;
}
