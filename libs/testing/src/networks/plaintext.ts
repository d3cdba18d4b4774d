import type { Packet } from './packets.js';
import { tcpStreams, type TcpStream } from './tcp-streams.js';

/** Plain text that a direction of a connection may begin with, before it begins with TLS. */
export interface AllowedPlaintext {
  /** Port of the server. */
  readonly port: number;
  /** The beginning that the opener of the connection may send. */
  readonly sent?: RegExp;
  /** The beginning that the server may send. */
  readonly received?: RegExp;
}

/**
 * Finds everything in a capture that is not encrypted and not allowed.
 * @param allowed the servers that may be contacted, each with its plain text
 * @returns one line for each connection, datagram or packet that is not allowed; empty if there is none
 */
export function findPlaintext(packets: readonly Packet[], allowed: readonly AllowedPlaintext[]): string[] {
  const rules = new Map(allowed.map((rule) => [rule.port, rule]));
  return [
    ...tcpStreams(packets).flatMap((stream) => inStream(stream, rules)),
    ...packets
      .filter(({ protocol, to, from }) => protocol === 'udp' && !isDns(to) && !isDns(from))
      .map(({ from, to, payload }) => `${from} to ${to}: a datagram that is not DNS: ${shown(payload)}`),
    ...packets
      .filter(({ protocol }) => protocol === 'other')
      .map(({ payload }) => `a packet that is not TCP, UDP or ARP: ${shown(payload)}`),
  ];
}

function inStream(
  { client, server, sent, received }: TcpStream,
  rules: ReadonlyMap<number, AllowedPlaintext>,
): string[] {
  const rule = rules.get(portOf(server));
  if (rule === undefined) return [`${client} to ${server}: no connection to this port is allowed`];
  return [
    ...outsideTls(sent, rule.sent).map((text) => `${client} to ${server}: ${text}`),
    ...outsideTls(received, rule.received).map((text) => `${server} to ${client}: ${text}`),
  ];
}

/** Record types of TLS: change of cipher, alert, handshake, application data. */
const RECORD_TYPES = new Set([0x14, 0x15, 0x16, 0x17]);
const HANDSHAKE = 0x16;
/** A record has at most 16 KiB of content, and 256 bytes that encryption adds. */
const MAX_RECORD = 16_384 + 256;
const RECORD_HEADER = 5;

/** Reads a direction as TLS records. The last record may be incomplete, because connections are cut. */
function outsideTls(bytes: Buffer, allowed: RegExp | undefined): string[] {
  let at = allowed === undefined ? 0 : (allowed.exec(bytes.toString('latin1'))?.[0].length ?? 0);
  for (let isFirst = true; at < bytes.length; isFirst = false) {
    const header = bytes.subarray(at, at + RECORD_HEADER);
    const isWhole = header.length === RECORD_HEADER;
    const isRecord =
      RECORD_TYPES.has(header[0] ?? 0) &&
      (!isFirst || header[0] === HANDSHAKE || header[0] === 0x15) &&
      (header.length < 2 || header[1] === 3) &&
      (!isWhole || header.readUInt16BE(3) <= MAX_RECORD);
    if (!isRecord) return [`plain text at byte ${at}: ${shown(bytes.subarray(at))}`];
    at += RECORD_HEADER + (isWhole ? header.readUInt16BE(3) : 0);
  }
  return [];
}

function isDns(end: string): boolean {
  return portOf(end) === 53;
}

function portOf(end: string): number {
  return Number(end.slice(end.lastIndexOf(':') + 1));
}

function shown(bytes: Buffer): string {
  return JSON.stringify(bytes.subarray(0, 80).toString('latin1'));
}
