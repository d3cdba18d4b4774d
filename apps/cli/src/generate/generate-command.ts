import { Command, InvalidArgumentError, Option } from 'commander';

import { ENCRYPTION_NOTE, type Manual, withManual } from '../manual/manual.js';
import { instant, seed, wholeNumber } from '../config/option-values.js';
import { type GenerateOptions, readRowRange } from './generate-options.js';
import { FORMATS, ROWS_PER_INSERT } from './row-layout.js';

const MAX_THREADS = 256;

const MANUAL: Manual = {
  notes: [
    'The schema has the format of POST /v1/generate: named generators, and an "output" list that selects columns. The same schema, seed, instant (--now) and version of understudy produce the same bytes, with any number of threads. Memory use does not grow with --count, unless a "unique" generator must remember earlier values.',
    `Format json writes one array, ndjson one object per line. Format csv writes a header line and then records as in RFC 4180: null is an empty field, and an empty text is "". Format sql writes INSERT statements of ${ROWS_PER_INSERT} rows each. PostgreSQL reads them with either setting of standard_conforming_strings. Format copy writes "COPY t (…) FROM stdin;", rows in COPY's text format and "\\.", for psql -f. With --rows-only it writes only the rows, for \\copy t (…) FROM 'file'. In csv, sql and copy, arrays and objects are JSON text.`,
    `--range a..b generates only the rows a to b - 1 of --count rows; the first row is 0. The concatenated parts have the same bytes as the whole. The opening text ("[", the CSV header, COPY …) is in the part that begins at 0. The closing text ("]", "\\.") is in the part that ends at --count. The separator between two rows belongs to the row before it, except in json, where it belongs to the row after it.`,
    `In ndjson, and in csv or copy with --rows-only, each part can be read by itself. A part in sql is valid if a and b are multiples of ${ROWS_PER_INSERT} rows. Also set --now if the schema has relative dates: without it, each machine counts from the start of its current UTC day. If a "unique" generator must remember earlier values, one thread generates all rows, including the rows before a.`,
    '--into loads the rows with COPY over one connection, in one transaction: either all rows are stored or none. The table is compared with "output" before the first row. Array values are stored as arrays in columns that have an array type. A host, port, user, password, database or sslmode that is missing in the URL comes from PGHOST, PGPORT, PGUSER, PGPASSWORD or ~/.pgpass, PGDATABASE and PGSSLMODE. Service files are not read. Other users of this machine can see a password in the URL, so prefer PGPASSWORD or ~/.pgpass.',
    ENCRYPTION_NOTE,
  ],
  listing: {
    file: 'people.json',
    text: `{
  "generators": {
    "id": { "type": "svc", "algorithm": "sequence" },
    "name": { "type": "model", "source": "en_US/first_names" },
    "email": { "body": "{{slug(name)}}{{id}}@example.com" }
  },
  "output": ["id", "name", "email"]
}`,
  },
  examples: [
    {
      purpose: 'write a thousand records as CSV, the same at every run',
      run: 'understudy generate people.json --count 1000 --seed 42 --format csv > people.csv',
    },
    {
      purpose: 'load ten million rows into a table',
      run: 'PGPASSWORD=… understudy generate people.json --count 10000000 --into postgresql://me@localhost/shop --table people',
    },
    {
      purpose: 'load the rows with psql, which prompts for the password',
      run: 'understudy generate people.json --count 1000000 --format copy --table people | psql shop',
    },
    {
      purpose: 'generate the second tenth of a billion rows, on the second of ten machines',
      run: 'understudy generate people.json --count 1000000000 --seed 42 --now 2026-01-01 --range 100000000..200000000 --format ndjson --out part-1.ndjson',
    },
  ],
};

export function generateCommand(): Command {
  const command = new Command('generate')
    .description('Generates records from a schema and writes them to stdout, a file or a PostgreSQL table.')
    .argument('<schema.json>', 'the schema file, or - for stdin')
    .option('--count <n>', 'number of records', wholeNumber(1), 10)
    .addOption(new Option('--format <format>', 'output format (default: json)').choices(FORMATS))
    .option(
      '--seed <n>',
      'the same seed gives the same records; without it, a random seed is chosen and printed on stderr',
      seed,
    )
    .option('--range <a..b>', 'generate only the rows a to b - 1', readRowRange)
    .option(
      '--threads <n>',
      'threads that generate rows (default: one per core if there are many rows)',
      wholeNumber(1, MAX_THREADS),
    )
    .option('--out <file>', 'write to a file, which appears only when it is complete')
    .option('--into <url>', 'load the rows into a table of this PostgreSQL database; needs --table')
    .option('--table <name>', 'the table for sql, copy and --into, in SQL syntax')
    .option('--rows-only', 'leave out the header of csv, and the COPY and \\. lines of copy')
    .option(
      '--now <instant>',
      'the instant that relative dates count from (default: start of the current UTC day)',
      instant,
    )
    .addOption(
      new Option('--model <id=file>', 'use a .ngram file as the model with this id; can be repeated')
        .argParser(addModel)
        .default(new Map(), 'only built-in models'),
    )
    .option('--json', 'with --out or --into: print the report as one JSON object')
    .action(async (file: string, options: GenerateOptions) => {
      // Help and completion do not need the generators, so they are loaded here.
      const { generate } = await import('./generate.js');
      await generate(file, options);
    });
  return withManual(command, MANUAL);
}

function addModel(text: string, before: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const [, id = '', file = ''] = /^([A-Za-z0-9_./-]{1,200})=(.+)$/.exec(text) ?? [];
  if (id === '')
    throw new InvalidArgumentError('Expected an id and a file, such as custom/names=names.ngram.');
  return new Map([...before, [id, file]]);
}
