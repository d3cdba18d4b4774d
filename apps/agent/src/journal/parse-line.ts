import { crc32 } from 'node:zlib';

import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@understudy/agent-protocol/schema';

import type { JournaledJob, JournalLine, WorkKind } from './journal-entry.js';

/** Returns the text of a line of a segment: JSON whose last member is the checksum of the text without it. */
export function writeLine(line: JournalLine): string {
  const text = JSON.stringify(line);
  return `${text.slice(0, -1)},"crc32":"${checksum(text)}"}`;
}

/** Parses a line of a segment. Earlier agents wrote no checksum. @returns undefined if the line is damaged */
export function parseLine(text: string): JournalLine | undefined {
  const [end = '', written] = CHECKSUM.exec(text) ?? [];
  const content = written === undefined ? text : `${text.slice(0, -end.length)}}`;
  if (written !== undefined && written !== checksum(content)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return undefined;
  }
  return isLine(value) ? value : undefined;
}

const CHECKSUM = /,"crc32":"([0-9a-f]{8})"\}$/;

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** Returns false for a damaged line that is a heartbeat, a response or an acknowledgement. */
export function mayBeEvent(text: string): boolean {
  return !/^\{"kind":"(heartbeat|answer|acknowledged)",/.test(text);
}

type Fields = Readonly<Record<string, unknown>>;

function isLine(value: unknown): value is JournalLine {
  if (!isObject(value) || typeof value['at'] !== 'string') return false;
  switch (value['kind']) {
    case 'segment':
      return isNumber(value['next_journal_seq'], 1) && isListOf(value['jobs'], isJob);
    case 'acknowledged':
      return isListOf(value['journal_seqs'], (seq) => isNumber(seq, 1));
    case 'event':
      return isOutgoing(value) && isNumber(value['journal_seq'], 1) && isEvent(value);
    case 'heartbeat':
    case 'answer':
      return isOutgoing(value);
    default:
      return false;
  }
}

function isJob(value: unknown): value is JournaledJob {
  if (!isObject(value)) return false;
  const { kind, jobId, epoch, lastSeq, ended } = value;
  return (
    (kind === undefined || KINDS.has(kind)) &&
    typeof jobId === 'string' &&
    isNumber(epoch, 0) &&
    isNumber(lastSeq, 0) &&
    typeof ended === 'boolean'
  );
}

const KINDS: ReadonlySet<unknown> = new Set<WorkKind>(['sync_job', 'snapshot', 'restore']);

function isOutgoing({ subject, bytes }: Fields): boolean {
  return typeof subject === 'string' && typeof bytes === 'string' && isBase64(bytes);
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** Tests whether the bytes contain an event with the number of the line. */
function isEvent({ journal_seq: seq, bytes }: Fields): boolean {
  try {
    return (
      fromBinary(EventSchema, Buffer.from(bytes as string, 'base64')).journalSeq === BigInt(seq as number)
    );
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

/** Tests for a whole number that has room for as many numbers after it. */
function isNumber(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) < Number.MAX_SAFE_INTEGER / 2;
}
