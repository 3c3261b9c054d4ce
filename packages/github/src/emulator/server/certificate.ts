import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";

/** A temporary certificate authority, and its certificate for this machine's names. */
export interface Certificates {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

// X.509 uses DER: a tag, a length, a value. This small part is enough for one temporary
// certificate. A library would add twenty packages.
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const size =
    body.length > 0xff ? [0x82, body.length >> 8, body.length & 0xff] : [0x81, body.length];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const integer = (bytes: Buffer): Buffer => der(0x02, bytes);
const octets = (...parts: readonly Buffer[]): Buffer => der(0x04, ...parts);
const bits = (bytes: Buffer): Buffer => der(0x03, Buffer.from([0]), bytes);
const yes = Buffer.from([0x01, 0x01, 0xff]);

function oid(...numbers: readonly number[]): Buffer {
  const [first = 0, second = 0, ...rest] = numbers;
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const low = value & 0x7f;
  return value < 0x80 ? [low] : [...base128(value >> 7).map((byte) => byte | 0x80), low];
}

function time(date: Date): Buffer {
  const text = date.toISOString().replaceAll(/[-:T]/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${text}Z`));
}

function name(text: string): Buffer {
  return sequence(der(0x31, sequence(oid(2, 5, 4, 3), der(0x0c, Buffer.from(text)))));
}

const ECDSA_SHA256 = sequence(oid(1, 2, 840, 10_045, 4, 3, 2));
const DAY = 86_400_000;
const DAYS = 30;

interface Plan {
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

const ISSUER = "Waybill emulator CA";

function certificate({ subject, publicKey, extensions }: Plan, signer: KeyObject): string {
  const now = Date.now();
  const serial = randomBytes(16);
  serial[0] = 0x40;
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    ECDSA_SHA256,
    name(ISSUER),
    sequence(time(new Date(now - DAY)), time(new Date(now + DAYS * DAY))),
    name(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions)),
  );
  return pem(sequence(body, ECDSA_SHA256, bits(sign("sha256", body, signer))));
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString("base64").replaceAll(/.{1,64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`;
}

const isAuthority = sequence(oid(2, 5, 29, 19), yes, octets(sequence(yes)));
const isLeaf = sequence(oid(2, 5, 29, 19), octets(sequence()));

/** The encoded names localhost, 127.0.0.1 and ::1. */
const ownNames = sequence(
  oid(2, 5, 29, 17),
  octets(
    sequence(
      der(0x82, Buffer.from("localhost")),
      der(0x87, Buffer.from([127, 0, 0, 1])),
      der(0x87, Buffer.from([...Array.from({ length: 15 }, () => 0), 1])),
    ),
  ),
);

export function makeCertificates(): Certificates {
  const authority = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const root = { subject: ISSUER, publicKey: authority.publicKey, extensions: [isAuthority] };
  const leaf = { subject: "localhost", publicKey: own.publicKey, extensions: [isLeaf, ownNames] };
  return {
    ca: certificate(root, authority.privateKey),
    cert: certificate(leaf, authority.privateKey),
    key: own.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
