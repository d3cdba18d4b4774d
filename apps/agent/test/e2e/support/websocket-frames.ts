/** The opcode of frames that carry data: text and binary, and the continuation of either. */
const DATA = new Set([0, 1, 2]);
const MASK_BYTES = 4;

/**
 * Returns the data of one direction of a WebSocket connection without the masks of its frames.
 * @param bytes all bytes of the direction, including the HTTP request or response at its beginning. A connection that
 * ended before has none
 * @throws Error if a frame is compressed or the direction does not begin with HTTP
 */
export function websocketData(bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes;
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) throw new Error('expected an HTTP head before the frames of a WebSocket');
  const pieces: Buffer[] = [];
  let at = headEnd + 4;
  while (at + 2 <= bytes.length) {
    const [first = 0, second = 0] = bytes.subarray(at, at + 2);
    if ((first & 0x70) !== 0) throw new Error('expected frames without compression');
    let length = second & 0x7f;
    at += 2;
    if (length === 126) {
      length = bytes.readUInt16BE(at);
      at += 2;
    } else if (length === 127) {
      length = Number(bytes.readBigUInt64BE(at));
      at += 8;
    }
    const isMasked = (second & 0x80) !== 0;
    const mask = isMasked ? bytes.subarray(at, at + MASK_BYTES) : Buffer.alloc(MASK_BYTES);
    if (isMasked) at += MASK_BYTES;
    const data = Buffer.from(bytes.subarray(at, at + length));
    for (let i = 0; isMasked && i < data.length; i++) data[i] = (data[i] ?? 0) ^ (mask[i % MASK_BYTES] ?? 0);
    if (DATA.has(first & 0x0f)) pieces.push(data);
    at += length;
  }
  return Buffer.concat(pieces);
}
