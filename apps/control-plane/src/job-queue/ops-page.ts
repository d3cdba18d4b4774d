import { createHash, timingSafeEqual } from 'node:crypto';

import { createBullBoard } from '@bull-board/api';
import type { IServerAdapter } from '@bull-board/api/typings/app';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter as BullBoardAdapter } from '@bull-board/fastify';
import basicAuth from '@fastify/basic-auth';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';

import type { OpsConfiguration } from '../config/configuration.js';
import { ApiError } from '../http/api-error.js';
import { errorBody } from '../http/error-body.js';
import type { JobQueue } from './job-queue.js';
import { QUEUE_NAMES, QUEUES } from './queues.js';

const PATH = '/ops';

/** The board's page asks a font service elsewhere for its letters; an ops page talks to its own server only. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** What the page may change: work that failed is run again, one piece or all of a queue. */
const RETRY = new RegExp(`^${PATH}/api/queues/[a-z]+/([^/?]+/retry|retry/failed)$`);

/**
 * bull-board at /ops behind a login. It shows ids only, and changes nothing but that it retries what failed in a queue that
 * keeps it: the queues are rebuilt from Postgres.
 */
export function mountOpsPage(app: NestFastifyApplication, { queues }: JobQueue, ops: OpsConfiguration): void {
  const board = new BullBoardAdapter().setBasePath(PATH);
  createBullBoard({
    queues: QUEUE_NAMES.map((name) => {
      const readOnlyMode = QUEUES[name].keepFailed === 0;
      return new BullMQAdapter(queues[name], { readOnlyMode });
    }),
    // The adapter brings its own copy of the types, one patch version older.
    serverAdapter: board as unknown as IServerAdapter,
    options: { uiConfig: { boardTitle: 'Understudy' } },
  });
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  void fastify.register(
    async (scope) => {
      await scope.register(basicAuth, {
        authenticate: { realm: 'Understudy operations' },
        validate: (user, password, _request, _reply, done) => {
          const allowed = [same(user, ops.user), same(password, ops.password)].every(Boolean);
          done(allowed ? undefined : new Error('wrong user or password'));
        },
      });
      // Answered here: the board has an error handler of its own, which the hook's error would reach.
      const login = scope.basicAuth as onRequestHookHandler;
      scope.addHook('onRequest', function (request, reply, done) {
        login.call(scope, request, reply, (refused?: Error) => {
          if (!refused) return done();
          const error = new ApiError('unauthorized', 'This page needs the ops user and password.');
          void reply.status(error.status).send(errorBody(error, request.id));
        });
      });
      scope.addHook('onRequest', (request, reply, done) => {
        if (request.method === 'GET' || (request.method === 'PUT' && RETRY.test(request.url))) return done();
        const error = new ApiError(
          'method_not_allowed',
          'This page retries what failed, and changes nothing else.',
        );
        void reply.status(error.status).send(errorBody(error, request.id));
      });
      scope.addHook('onSend', (_request, reply, _payload, done) => {
        void reply.headers(PAGE_HEADERS);
        done();
      });
      await scope.register(board.registerPlugin());
    },
    { prefix: PATH },
  );
}

/** Takes the same time whatever the texts are: hashes have one length. */
function same(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
