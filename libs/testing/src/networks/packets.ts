/** One packet of a capture. */
export interface Packet {
  readonly protocol: 'tcp' | 'udp' | 'arp' | 'other';
  /** `address:port` for TCP and UDP, otherwise empty. */
  readonly from: string;
  readonly to: string;
  /** TCP only. */
  readonly sequence: number;
  readonly isSyn: boolean;
  readonly isAck: boolean;
  readonly payload: Buffer;
}

const FILE_HEADER = 24;
const RECORD_HEADER = 16;
const ETHERNET_HEADER = 14;
const LITTLE_ENDIAN_MAGIC = 0xa1b2c3d4;
const ETHERNET = 1;

/**
 * Reads a file that tcpdump wrote on this machine.
 * @throws Error if the file is not a capture of Ethernet packets in little-endian order
 */
export function readPackets(file: Buffer): Packet[] {
  if (file.length < FILE_HEADER || file.readUInt32LE(0) !== LITTLE_ENDIAN_MAGIC)
    throw new Error('expected a pcap file in little-endian order');
  if (file.readUInt32LE(20) !== ETHERNET) throw new Error('expected a capture of Ethernet packets');
  const packets: Packet[] = [];
  let at = FILE_HEADER;
  while (at + RECORD_HEADER <= file.length) {
    const captured = file.readUInt32LE(at + 8);
    const original = file.readUInt32LE(at + 12);
    if (captured !== original) throw new Error('expected whole packets, but the capture truncated one');
    packets.push(readPacket(file.subarray(at + RECORD_HEADER, at + RECORD_HEADER + captured)));
    at += RECORD_HEADER + captured;
  }
  return packets;
}

function readPacket(frame: Buffer): Packet {
  const type = frame.readUInt16BE(12);
  if (type === 0x0806) return { ...NOTHING, protocol: 'arp' };
  if (type !== 0x0800) return { ...NOTHING, payload: frame };
  const ip = frame.subarray(ETHERNET_HEADER);
  const headerLength = (ip.readUInt8(0) & 0x0f) * 4;
  const body = ip.subarray(headerLength, ip.readUInt16BE(2));
  const address = (at: number) => [...ip.subarray(at, at + 4)].join('.');
  const ends = (): { from: string; to: string } => ({
    from: `${address(12)}:${body.readUInt16BE(0)}`,
    to: `${address(16)}:${body.readUInt16BE(2)}`,
  });
  const protocol = ip.readUInt8(9);
  if (protocol === 17) return { ...NOTHING, protocol: 'udp', ...ends(), payload: body.subarray(8) };
  if (protocol !== 6) return { ...NOTHING, payload: body };
  const flags = body.readUInt8(13);
  return {
    protocol: 'tcp',
    ...ends(),
    sequence: body.readUInt32BE(4),
    isSyn: (flags & 0x02) !== 0,
    isAck: (flags & 0x10) !== 0,
    payload: body.subarray((body.readUInt8(12) >> 4) * 4),
  };
}

const NOTHING: Packet = {
  protocol: 'other',
  from: '',
  to: '',
  sequence: 0,
  isSyn: false,
  isAck: false,
  payload: Buffer.alloc(0),
};
