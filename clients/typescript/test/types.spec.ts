import { join } from 'node:path';

import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'clients/typescript');

const GLOBALS = {
  'the types of browsers': { lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], types: [] },
  'the types of Node.js': { lib: ['lib.es2022.d.ts'], types: ['node'] },
};

/** Compiles files of a user with strict options, and checks them and the declarations of the built package. */
class UserProgram {
  readonly #program: ts.Program;

  constructor(files: Readonly<Record<string, string>>, globals: (typeof GLOBALS)[keyof typeof GLOBALS]) {
    const options: ts.CompilerOptions = {
      ...globals,
      strict: true,
      noEmit: true,
      exactOptionalPropertyTypes: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    };
    const sources = new Map(Object.entries(files).map(([name, code]) => [join(FOLDER, 'test', name), code]));
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists } = host;
    host.fileExists = (name) => sources.has(name) || fileExists(name);
    host.getSourceFile = (name, target, ...rest) => {
      const code = sources.get(name);
      return code === undefined
        ? getSourceFile(name, target, ...rest)
        : ts.createSourceFile(name, code, target);
    };
    host.getCurrentDirectory = () => ROOT;
    this.#program = ts.createProgram([...sources.keys()], options, host);
  }

  /** Returns the messages for the files whose path contains the given text. */
  messages(path: string): string[] {
    return this.#program
      .getSourceFiles()
      .filter(({ fileName }) => fileName.startsWith(FOLDER) && fileName.includes(path))
      .flatMap((file) => [
        ...this.#program.getSyntacticDiagnostics(file),
        ...this.#program.getSemanticDiagnostics(file),
      ])
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  }
}

const VALID = `
import { Understudy, ValidationError, verifyWebhook, type SyncJob } from '@understudy/client';

const TABLES = [{ name: 'customers', columns: { email: { type: 'ngram', model: 'en_US/email' } } }] as const;
const client = new Understudy({ token: 'token', baseUrl: 'https://example.com', timeout: 10 });

export async function main(signal: AbortSignal, seed?: number): Promise<string | undefined> {
  const schema = { generators: { id: { type: 'svc', algorithm: 'uuid_v4' } }, output: ['id'] };
  const records: Record<string, unknown>[] = await client.generate(schema, 5, { seed, signal });
  const stream = await client.generateStream(schema, 5);
  for await (const record of stream) records.push(record);
  const bytes = await client.generateCsv(schema, 5);
  const { count } = await client.generateCsv(schema, 5, { to: 'people.csv' });
  const job = await client.jobs.create(
    {
      name: 'copy',
      source: { type: 'postgresql', connection_string: 'postgres://a' },
      target: { type: 'a type that this version does not know', connection_string: 'postgres://b' },
      tables: TABLES,
    },
    { idempotencyKey: 'key' },
  );
  const done: SyncJob = await client.jobs.wait(job.id, { onProgress: ({ progress }) => void progress.rows_done });
  for await (const each of client.jobs.iterate({ status: 'a status of a later version' })) {
    if (each.status === 'running') continue;
    if (each.status === 'a status of a later version') return each.completed_at ?? undefined;
  }
  const deleted = await client.jobs.delete(done.id);
  if (deleted.cancelled) return deleted.status;
  await client.models.upload({ name: 'names', file: new Blob([bytes]) });
  await client.models.upload({ name: 'names', file: bytes });
  await client.tokens.rotate('tok_1');
  const event = await verifyWebhook('{}', new Headers(), ['whsec_a', 'whsec_b'], { tolerance: 60 });
  await client.webhooks.verify(bytes, { 'webhook-id': ['a'] }, 'whsec_a');
  try {
    await Understudy.withoutToken().members.acceptInvitation({ token: event.id });
  } catch (error) {
    if (error instanceof ValidationError) return error.details.map(({ field }) => field + String(count)).join();
    throw error;
  }
  return undefined;
}
`;

/** Code that the compiler must refuse, with a part of its message. */
const REFUSED: readonly (readonly [string, string, string])[] = [
  ['an unknown method', 'client.jobs.destroy("job_1");', "Property 'destroy' does not exist"],
  ['a missing field', 'client.tokens.create({ name: "a" });', "Property 'role' is missing"],
  ['an unknown field', 'client.tokens.rotate("tok_1", { days: 1 });', "'days' does not exist in type"],
  [
    'a key where none is accepted',
    'client.jobs.get("a", {}, { idempotencyKey: "k" });',
    "'idempotencyKey' does not exist",
  ],
  ['a number as an id', 'client.jobs.get(1);', "'number' is not assignable to parameter of type 'string'"],
];

const WRONG = `
import { Understudy } from '@understudy/client';
const client = new Understudy();
${REFUSED.map(([, line]) => line).join('\n')}
`;

describe.each(Object.entries(GLOBALS))('with %s', (_, globals) => {
  let program: UserProgram;
  beforeAll(() => {
    program = new UserProgram({ 'valid.mts': VALID, 'wrong.mts': WRONG }, globals);
  });

  it('the compiler accepts the declarations of the package', () => {
    expect(program.messages('/dist/')).toEqual([]);
  });

  it('the compiler accepts code with known and unknown values', () => {
    expect(program.messages('valid.mts')).toEqual([]);
  });

  it('the compiler refuses wrong code', () => {
    expect(program.messages('wrong.mts')).toEqual(
      REFUSED.map(([, , message]) => expect.stringContaining(message) as string),
    );
  });
});
