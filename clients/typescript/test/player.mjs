// Carries out the calls that the tests of all clients send, with the public methods of this client. It reads one JSON
// object from each line of stdin, and writes one to stdout. clients/scenarios/README.md describes the fields.
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';

import { Understudy, UnderstudyError, verifyWebhook } from '../dist/index.js';
import { runtime } from '../dist/transport/runtime.js';

const VARIABLES = ['UNDERSTUDY_API_TOKEN', 'UNDERSTUDY_API_URL'];
const real = { ...runtime };
/** The client of all requests with `keep_client`, and the attempts of the current one. */
const kept = { client: undefined, attempts: [] };

for await (const line of createInterface({ input: process.stdin }))
  if (line.trim() !== '') process.stdout.write(`${JSON.stringify(await play(JSON.parse(line)))}\n`);

async function play(request) {
  for (const name of VARIABLES) delete process.env[name];
  Object.assign(process.env, request.env);
  replaceClock(request);
  const seen = { attempts: [] };
  let client;
  try {
    const result = await perform(request, seen, () => (client = connect(request, seen)));
    return { id: request.id, result: encoded(result) ?? null, ...seen };
  } catch (error) {
    return { id: request.id, error: describe(error, client), ...seen };
  }
}

function encoded(result) {
  return result instanceof Uint8Array ? { base64: Buffer.from(result).toString('base64') } : result;
}

function connect({ client = {}, keep_client: keep }, seen) {
  if (!keep) return createClient(client, seen);
  kept.attempts = seen.attempts;
  return (kept.client ??= createClient(client, kept));
}

function createClient(options, seen) {
  const { withoutToken, token, ...rest } = camelKeys(options);
  const all = {
    ...rest,
    onAttempt: ({ operation, attempt, status, requestId, delay }) =>
      seen.attempts.push({
        operation,
        attempt,
        status: status ?? null,
        request_id: requestId ?? null,
        delay: delay ?? null,
      }),
  };
  return withoutToken ? Understudy.withoutToken(all) : new Understudy({ ...all, token });
}

async function perform(request, seen, connect) {
  const { call, schema, count, verify, wait } = request;
  if (call === 'webhooks.verify') {
    const body = Buffer.from(verify.body, 'base64');
    const { tolerance, allow_untimed: allowUntimed } = verify;
    return verifyWebhook(body, verify.headers, verify.secrets, { tolerance, allowUntimed });
  }
  const client = connect();
  const options = { ...request.generate, ...camelKeys(request.options ?? {}) };
  switch (call) {
    case 'construct':
      return { base_url: client.baseUrl, text: textOf(client) };
    case 'generate':
      return client.generate(schema, count, options);
    case 'generateStream': {
      const stream = await client.generateStream(schema, count, options);
      const { seed, now, engineVersion, warnings } = stream;
      seen.stream = { seed, count: stream.count, now, engine_version: engineVersion, warnings };
      return collect(stream, request, seen);
    }
    case 'generateCsv':
      if (request.to === undefined) return client.generateCsv(schema, count, options);
      await client.generateCsv(schema, count, { ...options, to: request.to });
      return null;
    case 'jobs.wait': {
      const onProgress = ({ status }) => (seen.progress ??= []).push(status);
      return client.jobs.wait(request.path[0], { ...wait, onProgress });
    }
    default: {
      const names = call.split('.');
      const method = names.pop();
      const resource = names.length === 0 ? client : client[names[0]];
      const result = resource[method](...argumentsOf(resource[method], request, options));
      return method.startsWith('iterate') ? collect(result, request, seen) : result;
    }
  }
}

/** Returns the values of the path, then query or body if the method accepts one, then the options. */
function argumentsOf(method, { path = [], query, body }, options) {
  const acceptsMore = method.length > path.length + 1;
  return [...path, ...(acceptsMore ? [query ?? decodedFiles(body)] : []), options];
}

function decodedFiles(body) {
  if (typeof body?.file?.base64 !== 'string') return body;
  return { ...body, file: Buffer.from(body.file.base64, 'base64') };
}

/** Reads an iterator. `seen.records` keeps what it returned before an error. */
async function collect(items, { take = Infinity, discard }, seen) {
  const all = [];
  if (discard) seen.received = 0;
  else seen.records = all;
  let number = 0;
  if (take > 0)
    for await (const item of items) {
      number++;
      if (discard) seen.received = number;
      else all.push(item);
      if (number >= take) break;
    }
  else await items.return();
  return discard ? null : all;
}

function replaceClock({ fake_sleep: isFake, real_backoff_scale: scale = 1, verify }) {
  Object.assign(runtime, real);
  if (isFake) {
    let slept = 0;
    runtime.now = () => real.now() + slept * 1000;
    runtime.sleep = async (seconds) => void (slept += seconds);
  } else runtime.sleep = (seconds, signal) => real.sleep(seconds * scale, signal);
  if (verify?.now !== undefined) runtime.now = () => verify.now * 1000;
}

function describe(error, client) {
  if (!(error instanceof UnderstudyError)) throw error;
  return {
    class: error.name,
    message: error.message,
    status: error.status,
    code: error.code,
    request_id: error.requestId,
    details: error.details,
    retry_after: error.retryAfter,
    idempotency_key: error.idempotencyKey,
    received: error.received,
    expected: error.expected,
    reason: error.reason,
    job: error.job,
    text: textOf(error) + (client ? textOf(client) : ''),
  };
}

/** Returns everything that printing and serialising a value shows. */
function textOf(value) {
  return [
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    String(value),
    JSON.stringify(value),
    value.stack ?? '',
  ].join('\n');
}

/** Converts the names of options from snake_case. */
function camelKeys(options) {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()),
      value,
    ]),
  );
}
