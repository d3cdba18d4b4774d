/** The texts of how an endpoint responds. */
export const BEHAVIOUR = {
  title: 'Behaviour',
  unchanged: 'Status 200 without delay',
  changed: (names: readonly string[]) => `Changed: ${names.join(', ')}`,
  names: {
    wrapper: 'body',
    status: 'status',
    headers: 'headers',
    minLatency: 'delay',
    maxLatency: 'delay',
    failures: 'failures',
  },
  wrapper: 'Body of the response',
  wrapperHint:
    'JSON whose strings can be templates, such as {"data": "{{records}}", "total": "{{count}}"}. If it is empty, the body is the array of records.',
  wrapperInvalid: (reason: string) =>
    `Expected JSON, because the text begins like JSON. The browser reports: ${reason}`,
  status: 'Status',
  redirect: 'Enter 200 to 299 or 400 to 599. A mock endpoint does not redirect.',
  headers: 'Headers',
  headersHint: 'One header a line, such as Cache-Control: no-store.',
  headerInvalid: (line: string) =>
    `Expected a line like Cache-Control: no-store with only ASCII characters, received "${line}".`,
  headerTwice: (name: string) => `The header ${name} occurs twice. Delete one of the lines.`,
  tooManyHeaders: (most: number, received: number) =>
    `Expected at most ${most} headers, received ${received}. Delete some lines.`,
  minLatency: 'Least delay',
  maxLatency: 'Greatest delay',
  latencyHint: 'Each call gets a random delay between both.',
  latencyOrder: (min: number) => `Enter at least ${min} ms, which is the least delay.`,
  milliseconds: 'ms',
  failures: 'Calls that fail',
  failuresHint: 'These calls get the status 500.',
  percent: '%',
} as const;
