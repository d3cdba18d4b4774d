import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

import type { AgentLinkConfiguration } from '../../../platform/config/configuration.js';
import { streamsOf } from './streams.js';

/** Bytes on the disk of nats-server, which JetStream reserves for a stream when the stream is created. */
export interface StreamStorage {
  /** For streams of the control plane that are missing or smaller than configured. */
  readonly neededBytes: number;
  /** Not reserved for any stream yet. */
  readonly freeBytes: number;
}

/**
 * Reads how much storage JetStream has to reserve for the streams, and how much it can reserve. Changes nothing.
 * @param system a connection with the system account
 * @throws an error of NATS, such as JetStreamApiError if JetStream is off
 */
export async function readStreamStorage(
  system: NatsConnection,
  manager: JetStreamManager,
  limits: AgentLinkConfiguration,
): Promise<StreamStorage> {
  const reply = await system.request('$SYS.REQ.SERVER.PING.JSZ', '', { timeout: TIMEOUT_MS });
  const { data } = reply.json<{ data: { config: { max_storage: number }; reserved_storage: number } }>();
  const missing = await Promise.all(
    streamsOf(limits).map(async ({ name, max_bytes = 0 }) => {
      const reserved = await manager.streams.info(name).then(({ config }) => config.max_bytes, noBytes);
      return Math.max(0, max_bytes - Math.max(0, reserved)); // -1 means no limit, and reserves nothing
    }),
  );
  return {
    neededBytes: missing.reduce((sum, bytes) => sum + bytes, 0),
    freeBytes: Math.max(0, data.config.max_storage - data.reserved_storage),
  };
}

/** Returns a sentence for a server that cannot reserve the streams; undefined if it can. */
export function lackOfStorage({ neededBytes, freeBytes }: StreamStorage): string | undefined {
  if (neededBytes <= freeBytes) return undefined;
  return `the streams of the control plane need ${inMib(neededBytes)} on the disk of nats-server, and it can reserve ${inMib(freeBytes)}`;
}

export const STORAGE_REMEDY =
  'free space on its disk and restart it, or raise max_file_store in its configuration';

function inMib(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024).toLocaleString('en-US')} MiB`;
}

function noBytes(error: unknown): number {
  if (error instanceof JetStreamApiError && /not found/.test(error.message)) return 0;
  throw error;
}

const TIMEOUT_MS = 5_000;
