/** A new self-signed certificate for `localhost`: X.509 in DER, encoded by hand. */

import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface CertificateAndKey {
  readonly cert: string;
  readonly key: string;
}

/** Creates a certificate that is valid today. */
export function selfSignedCertificate(): CertificateAndKey {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = der(0x30, ECDSA_WITH_SHA256);
  const name = der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from("localhost")))));
  const dayMs = 86_400_000;
  const validity = der(0x30, time(Date.now() - dayMs), time(Date.now() + dayMs));
  const serial = der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)]));
  const spki = publicKey.export({ type: "spki", format: "der" });
  const alternative = der(0x30, der(0x82, Buffer.from("localhost")));
  const extensions = der(0xa3, der(0x30, der(0x30, ALTERNATIVE_NAME, der(0x04, alternative))));
  const version3 = der(0xa0, der(0x02, Buffer.of(2)));
  const body = der(0x30, version3, serial, algorithm, name, validity, name, spki, extensions);
  const signature = der(0x03, Buffer.of(0), sign("sha256", body, privateKey));
  const whole = der(0x30, body, algorithm, signature).toString("base64");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole.replaceAll(/(.{64})/g, "$1\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

const ECDSA_WITH_SHA256 = Buffer.from("06082a8648ce3d040302", "hex");
const COMMON_NAME = Buffer.from("0603550403", "hex");
const ALTERNATIVE_NAME = Buffer.from("0603551d11", "hex");

/** A DER value: tag, length, contents. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

/** "261121100000Z" */
function time(atMs: number): Buffer {
  const text = new Date(atMs).toISOString().replaceAll(/[-:T]/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${text}Z`));
}
