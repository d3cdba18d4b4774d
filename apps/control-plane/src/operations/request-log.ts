import type { Params } from 'nestjs-pino';

import type { LogLevel } from '../config/configuration.js';

/** JSON lines, one a request: who is never in it, nor headers, bodies and query strings. */
export function logOptions(level: LogLevel): Params {
  return {
    pinoHttp: {
      level,
      genReqId: (request) => request.id,
      customAttributeKeys: { reqId: 'request_id', responseTime: 'ms' },
      quietReqLogger: true,
      redact: { paths: ['req.headers', 'authorization', '*.authorization', '*.password'], remove: true },
      serializers: {
        req: ({ method, url }: { method?: string; url?: string }) => ({ method, path: pathOf(url) }),
        res: ({ statusCode }: { statusCode?: number }) => ({ status: statusCode }),
        // pino-http makes up an error for every 5xx; the error filter has logged the real one.
        err: (error: { name?: string; type?: string; stack?: string; code?: unknown }) => ({
          name: error.name ?? error.type,
          stack: error.stack,
          code: error.code,
        }),
      },
      customLogLevel: (_request, reply) => (reply.statusCode >= 500 ? 'error' : 'info'),
      autoLogging: { ignore: ({ url }) => url === '/healthz' || url === '/readyz' || url === '/metrics' },
    },
  };
}

function pathOf(url = ''): string {
  return url.split('?', 1).join('').slice(0, 200);
}
