import type { Packet } from './packets.js';

/** The bytes of one TCP connection. */
export interface TcpStream {
  /** `address:port` of the end that opened the connection. */
  readonly client: string;
  readonly server: string;
  readonly sent: Buffer;
  readonly received: Buffer;
}

/**
 * Puts the packets of a capture together. Repeated packets count once. A direction ends at the first missing
 * byte, because what follows was never delivered in order.
 */
export function tcpStreams(packets: readonly Packet[]): TcpStream[] {
  const open = new Map<string, { client: string; server: string; ends: Map<string, Direction> }>();
  const all: { client: string; server: string; ends: Map<string, Direction> }[] = [];
  for (const packet of packets) {
    if (packet.protocol !== 'tcp') continue;
    const key = [packet.from, packet.to].sort().join(' ');
    const isFirst = packet.isSyn && !packet.isAck;
    let stream = open.get(key);
    const known = stream?.ends.get(packet.from);
    if (stream === undefined || (isFirst && known !== undefined && known.firstSequence !== packet.sequence)) {
      // A connection that began before the capture has no SYN, so the first packet decides.
      stream = { client: packet.from, server: packet.to, ends: new Map() };
      open.set(key, stream);
      all.push(stream);
    }
    let direction = stream.ends.get(packet.from);
    if (direction === undefined) {
      direction = new Direction(packet.sequence, packet.isSyn);
      stream.ends.set(packet.from, direction);
    }
    direction.add(packet);
  }
  return all.map(({ client, server, ends }) => ({
    client,
    server,
    sent: ends.get(client)?.bytes() ?? Buffer.alloc(0),
    received: ends.get(server)?.bytes() ?? Buffer.alloc(0),
  }));
}

class Direction {
  private readonly parts: { readonly at: number; readonly payload: Buffer }[] = [];
  private readonly start: number;

  constructor(
    readonly firstSequence: number,
    isSyn: boolean,
  ) {
    this.start = firstSequence + (isSyn ? 1 : 0);
  }

  add({ sequence, payload }: Packet): void {
    // Sequence numbers have 32 bits and wrap around; no connection of a test has 2 GiB.
    const at = (sequence - this.start) | 0;
    if (payload.length > 0 && at >= 0) this.parts.push({ at, payload });
  }

  bytes(): Buffer {
    const pieces: Buffer[] = [];
    let end = 0;
    for (const { at, payload } of this.parts.sort((a, b) => a.at - b.at)) {
      if (at > end) break;
      if (at + payload.length <= end) continue;
      pieces.push(payload.subarray(end - at));
      end = at + payload.length;
    }
    return Buffer.concat(pieces);
  }
}
