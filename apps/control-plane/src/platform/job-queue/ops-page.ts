import { createHash, timingSafeEqual } from 'node:crypto';

import { createBullBoard } from '@bull-board/api';
import type { IServerAdapter } from '@bull-board/api/typings/app';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter as BullBoardAdapter } from '@bull-board/fastify';
import basicAuth from '@fastify/basic-auth';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';

import type { Configuration } from '../config/configuration.js';
import { ApiError } from '../http/errors/api-error.js';
import { addressKey } from '../http/rate-limits/address-key.js';
import { asApiError } from '../http/errors/as-api-error.js';
import { errorBody } from '../http/errors/error-body.js';
import { type JobQueue, QUEUE_NAMES, QUEUES } from './job-queue.js';

/** Counts failed logins by address. */
export interface FailedLogins {
  /** @returns the seconds until the address may log in; 0 if it may log in now */
  waitSeconds(address: string): number;
  recordFailure(address: string): void;
}

const PATH = '/ops';

/** The page of bull-board loads fonts from another server by default. This policy prevents such requests. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
};

/** A page under /ops in addition to bull-board. It needs the same login. */
export interface OpsPage {
  readonly title: string;
  /** The path under /ops. */
  readonly path: string;
  html(): Promise<string>;
}

/** The only changes that the page may make: retry one failed job, or all failed jobs of a queue. */
const RETRY = new RegExp(`^${PATH}/api/queues/[a-z]+/([^/?]+/retry|retry/failed)$`);

/**
 * Mounts bull-board at /ops behind a login. The page shows only ids. Its only action is to retry failed jobs
 * of a queue that keeps them. No other action is needed, because the queues can be rebuilt from PostgreSQL.
 */
export function mountOpsPage(
  fastify: FastifyInstance,
  queue: JobQueue,
  ops: Configuration['ops'],
  attempts: FailedLogins,
  pages: readonly OpsPage[] = [],
): void {
  const board = new BullBoardAdapter().setBasePath(PATH);
  createBullBoard({
    queues: QUEUE_NAMES.map((name) => {
      const readOnlyMode = QUEUES[name].keepFailed === 0;
      return new BullMQAdapter(queue.queues[name], { readOnlyMode });
    }),
    // The adapter bundles its own copy of the types, which is one patch version older.
    serverAdapter: board as unknown as IServerAdapter,
    options: {
      uiConfig: {
        boardTitle: 'Understudy',
        miscLinks: pages.map(({ title, path }) => ({ text: title, url: `${PATH}${path}` })),
      },
    },
  });
  void fastify.register(
    async (scope) => {
      await scope.register(basicAuth, {
        authenticate: { realm: 'Understudy operations' },
        validate: (user, password, _request, _reply, done) => {
          const allowed = [same(user, ops.user), same(password, ops.password)].every(Boolean);
          done(allowed ? undefined : new Error('wrong user or password'));
        },
      });
      // The hook sends the error itself, because the board's own error handler would otherwise handle it.
      const login = scope.basicAuth as onRequestHookHandler;
      scope.addHook('onRequest', function (request, reply, done) {
        const retryAfterSeconds = attempts.waitSeconds(addressKey(request.ip));
        if (retryAfterSeconds > 0) return refuse(request, reply, tooManyFailures(retryAfterSeconds));
        login.call(scope, request, reply, (refused?: Error) => {
          if (!refused) return done();
          if (request.headers.authorization !== undefined) attempts.recordFailure(addressKey(request.ip));
          refuse(request, reply, new ApiError('unauthorized', 'This page needs the ops user and password.'));
        });
      });
      scope.addHook('onRequest', (request, reply, done) => {
        if (request.method === 'GET' || (request.method === 'PUT' && RETRY.test(request.url))) return done();
        const message = 'This page can only retry failed jobs.';
        refuse(request, reply, new ApiError('method_not_allowed', message));
      });
      scope.addHook('onSend', (_request, reply, _payload, done) => {
        void reply.headers(PAGE_HEADERS);
        done();
      });
      for (const { path, html } of pages)
        scope.get(path, async (_request, reply) => reply.type('text/html; charset=utf-8').send(await html()));
      // The board's calls would wait until Redis is back, because its queues never stop retrying.
      scope.addHook('preHandler', async (request, reply) => {
        if (!request.url.startsWith(`${PATH}/api/`)) return;
        await queue.ping().catch((error: unknown) => refuse(request, reply, asApiError(error)));
      });
      await scope.register(board.registerPlugin());
    },
    { prefix: PATH },
  );
}

/** Sends an error of the API, with the time after which the caller may try again. */
export function refuse(request: FastifyRequest, reply: FastifyReply, error: ApiError): void {
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds);
  void reply.status(error.status).send(errorBody(error, request.id));
}

function tooManyFailures(retryAfterSeconds: number): ApiError {
  const message = `Too many failed logins from this address. Try again in ${retryAfterSeconds} s.`;
  return new ApiError('rate_limit_exceeded', message, { retryAfterSeconds });
}

/**
 * Compares two texts in constant time. Compares their hashes, because `timingSafeEqual` needs equal lengths.
 */
function same(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
