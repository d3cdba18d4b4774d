import type { Section } from '../requirement.js';

const CONTROL_PLANE = 'apps/control-plane/test/integration';
const CONDITIONS = 'libs/generator/test/generation-conditions.spec.ts';

/** Sections 5 to 9: authentication, events, errors, limits, versions. */
export const RULES: readonly Section[] = [
  {
    number: '5',
    title: 'Authentication',
    requirements: {
      1: 'Every API request requires `Authorization: Bearer <API_TOKEN>`',
      2: {
        says: 'API tokens are made in the dashboard',
        open: 'There is no dashboard yet; they are made at POST /v1/tokens and by the command line.',
      },
      3: 'A missing or invalid token is 401 unauthorized',
      4: 'Insufficient permissions are 403 forbidden',
      5: 'Each webhook carries X-Service-Signature: HMAC-SHA256 in hex of the raw body, keyed with the secret',
      6: {
        says: 'A receiver compares in constant time and answers 401 to a mismatch',
        file: `${CONTROL_PLANE}/receivers.spec.ts`,
        test: 'takes what was sent and answers 401 to everything else',
      },
    },
  },
  {
    number: '6',
    title: 'Events',
    requirements: {
      1: 'sync.started is sent when a job starts, sync.completed and sync.failed when it ends',
      2: 'A payload is { event, timestamp, data }',
      3: 'data of sync.completed is { job_id, name, rows_processed, duration_seconds }',
      4: 'snapshot.created and snapshot.restored are sent',
    },
  },
  {
    number: '7',
    title: 'Errors',
    requirements: {
      1: 'An error is { error: { code, message, details? }, meta: { request_id, timestamp } }',
      2: 'Validation errors have details: [{ field, message }]',
      3: 'unauthorized is 401',
      4: 'forbidden is 403',
      5: 'not_found is 404',
      6: 'validation_error is 422',
      7: 'rate_limit_exceeded is 429',
      8: {
        says: 'internal_error is 500',
        file: `${CONTROL_PLANE}/outages.spec.ts`,
        test: 'a table: 500 without a word of SQL',
      },
      9: {
        says: 'unique that cannot fill after 200 attempts is an error of its generator',
        file: CONDITIONS,
        test: 'unique cannot fill after 200 attempts',
      },
      10: {
        says: 'int_between with min > max is',
        file: CONDITIONS,
        test: 'int_between with min > max',
      },
      11: {
        says: 'float_between with min > max is',
        file: CONDITIONS,
        test: 'float_between with min > max',
      },
      12: {
        says: 'int_between whose except excludes the whole range is',
        file: CONDITIONS,
        test: 'int_between whose except excludes the whole range',
      },
      13: {
        says: 'A list with an empty selection is',
        file: CONDITIONS,
        test: 'list with an empty selection: where matches nothing',
      },
      14: {
        says: 'A list with all-zero weights is',
        file: CONDITIONS,
        test: 'list with all-zero weights',
      },
      15: {
        says: 'A list with a missing key bucket is',
        file: CONDITIONS,
        test: 'list with a missing key bucket',
      },
      16: {
        says: 'categorical with empty or all-zero weights is',
        file: CONDITIONS,
        test: 'categorical with all-zero weights',
      },
      17: {
        says: 'multivariate with duplicate or empty names is',
        file: CONDITIONS,
        test: 'multivariate with duplicate names',
      },
      18: {
        says: 'multivariate with a matrix that is not square is',
        file: CONDITIONS,
        test: 'multivariate with a matrix that is not square: rows',
      },
      19: {
        says: 'multivariate with a matrix that is not positive-definite is',
        file: CONDITIONS,
        test: 'multivariate with a matrix that is not positive-definite',
      },
      20: {
        says: 'An event sequence without anchor is',
        file: CONDITIONS,
        test: 'event sequence without anchor',
      },
      21: {
        says: 'An event sequence with an unknown after is',
        file: CONDITIONS,
        test: 'event sequence with an unknown after',
      },
      22: {
        says: 'A composition with a cycle in let is',
        file: CONDITIONS,
        test: 'composition with a cycle in let',
      },
      23: {
        says: 'A composition with an unknown reference is',
        file: CONDITIONS,
        test: 'composition with an unknown reference',
      },
      24: { says: 'Use of the removed type template is', file: CONDITIONS, test: 'type template' },
      25: { says: 'Use of the removed type linked is', file: CONDITIONS, test: 'type linked' },
      26: { says: 'Mode algebraic is', file: CONDITIONS, test: 'mode algebraic' },
      27: 'An acrostic with an unsatisfiable initial is an error of its generator',
    },
  },
  {
    number: '8',
    title: 'Limits',
    requirements: {
      1: 'Free has 60 requests a minute and a burst of 10',
      2: 'Starter has 300 requests a minute and a burst of 50',
      3: 'Team has 1,000 requests a minute and a burst of 100',
      4: 'Business has 5,000 requests a minute and a burst of 500',
      5: 'Every response carries X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset',
      6: 'X-RateLimit-Reset is an integer timestamp of the end of the window',
      7: 'Exceeding the limit is 429 rate_limit_exceeded',
      8: 'count of POST /generate is 1 to 100,000',
      9: 'per_page of GET /models is 20 by default and at most 100',
      10: 'unique makes 200 attempts',
      11: {
        says: 'The window of a continuous value is tried 50 times, then it clamps',
        file: 'libs/generator/src/types/statistical/statistical.spec.ts',
        test: 'draws anew, 50 times at most, to land in the window, and then stands on its nearer bound',
      },
      12: 'digits is clamped to 1-18',
      13: 'length of nanoid is 21 by default',
      14: 'max_chars of mode text is 200 by default',
      15: 'Quotas for sync_jobs, endpoints, snapshots and api_calls are reported as used and limit in GET /org',
      17: {
        says: '`except` of int_between is tried 1000 times. Decided: one try is enough, however few numbers it leaves',
        file: CONDITIONS,
        test: 'finds the one value that is left of 100,000',
      },
      16: {
        says: 'The plans hold for an organization whichever process it asks',
        file: `${CONTROL_PLANE}/rate-limits.spec.ts`,
        test: 'together let the 61st to 70th request pass with nothing remaining, and not the 71st',
      },
    },
  },
  {
    number: '9',
    title: 'Versioning',
    requirements: {
      1: 'The version is part of the path: /v1',
      2: 'v1 is the current version and has no end-of-life date: no operation is deprecated, and no answer announces an end',
      3: {
        says: 'A breaking change results in a new version; others are added to the current one',
        file: 'tools/repository/test/api-contract.spec.ts',
        test: 'is nothing that the API of today does to clients of the recorded one',
      },
      4: {
        says: 'Compositions carry a version of their own, 0.1.0 by default',
        file: 'libs/generator/test/registry/define-composition.spec.ts',
        test: 'gives a generator with its manifest',
      },
    },
  },
];
