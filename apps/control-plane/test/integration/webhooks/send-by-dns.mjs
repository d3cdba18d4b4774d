/**
 * Sends webhook requests to host names, in a network with a name server of its own. Prints the receipts, the addresses
 * that received a request, and the number of queries for each name as JSON.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { isIP } from 'node:net';

const [modules, answersJson, namesJson] = process.argv.slice(2);
const { postWebhook } = await import(`${modules}/delivery/post-webhook.js`);
const { addressGuard } = await import(`${modules}/receivers/address-guard.js`);
const { resolveByDns } = await import(`${modules}/receivers/guarded-lookup.js`);

const TYPES = { A: 1, CNAME: 5, AAAA: 28 };
/** For each name, the records of each response. The last one repeats. */
const answers = JSON.parse(answersJson);
const queries = {};

const nameServer = createSocket('udp4').on('message', (query, { port, address }) => {
  const { name, end } = readName(query, 12);
  const type = query.readUInt16BE(end);
  queries[`${name} ${type}`] = (queries[`${name} ${type}`] ?? 0) + 1;
  const steps = answers[name] ?? [[]];
  const step = steps[Math.min(queries[`${name} ${type}`], steps.length) - 1];
  const records = step.filter(([, kind]) => TYPES[kind] === type || kind === 'CNAME').map(recordOf);
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(records.length, 6);
  head.fill(0, 8);
  nameServer.send(Buffer.concat([head, query.subarray(12, end + 4), ...records]), port, address);
});
nameServer.bind(53, '127.0.0.1');
await once(nameServer, 'listening');

const received = [];
const receiver = createServer((request, response) => {
  received.push(`${request.headers.host} at ${request.socket.localAddress}`);
  response.end();
}).listen(80, '0.0.0.0');
await once(receiver, 'listening');

const receipts = [];
for (const name of JSON.parse(namesJson)) {
  const sender = { resolve: resolveByDns, allows: addressGuard([]), timeoutMs: 20_000 };
  const request = { url: `http://${name}/`, headers: {}, body: '{}' };
  const { statusCode, error } = await postWebhook(request, sender);
  receipts.push([name, error ?? statusCode]);
}
process.stdout.write(JSON.stringify({ receipts, received, queries }));
process.exit();

function readName(bytes, start) {
  const labels = [];
  let at = start;
  for (; bytes[at] !== 0; at += bytes[at] + 1)
    labels.push(bytes.toString('latin1', at + 1, at + 1 + bytes[at]));
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function recordOf([owner, kind, value]) {
  const data = kind === 'CNAME' ? nameBytes(value) : addressBytes(value);
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(TYPES[kind], 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(owner), fixed, data]);
}

function nameBytes(name) {
  const labels = name
    .split('.')
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** IPv6 addresses are written with all eight groups. */
function addressBytes(text) {
  if (isIP(text) === 4) return Buffer.from(text.split('.').map(Number));
  return Buffer.from(
    text
      .split(':')
      .map((group) => group.padStart(4, '0'))
      .join(''),
    'hex',
  );
}
