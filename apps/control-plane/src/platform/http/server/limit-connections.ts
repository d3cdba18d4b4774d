import type { Server, Socket } from 'node:net';

import { addressKey } from '../rate-limits/address-key.js';
import { isAddressOf } from './client-address.js';

export interface ConnectionLimits {
  /** The limit on open connections. Further connections are closed without a response. */
  readonly maxConnections: number;
  /** The limit on open connections of one address, or of one /64 network of IPv6. */
  readonly maxConnectionsPerAddress: number;
  /** Addresses and networks of proxies. Connections from them count only towards `maxConnections`. */
  readonly trustedProxies: readonly string[];
}

/** Closes connections above the limits, so that one address cannot use all connections of the server. */
export function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress, trustedProxies }: ConnectionLimits,
): void {
  server.maxConnections = maxConnections;
  const isExempt = isAddressOf(trustedProxies);
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isExempt(remoteAddress)) return; // undefined if it is closed already
    const key = addressKey(remoteAddress);
    const others = open.get(key) ?? 0;
    if (others >= maxConnectionsPerAddress) return void socket.destroy();
    open.set(key, others + 1);
    socket.once('close', () => {
      const left = (open.get(key) ?? 0) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
  });
}
