import { Command, InvalidArgumentError, Option } from 'commander';

import { ENCRYPTION_NOTE, type Manual, withManual } from '../manual/manual.js';
import { instant, readRowRange, seed, wholeNumber } from '../config/option-values.js';
import type { GenerateOptions } from './generate-options.js';
import { FORMATS, ROWS_PER_INSERT } from './row-layout.js';

const MOST_THREADS = 256;

const MANUAL: Manual = {
  notes: [
    'The schema is the one that POST /v1/generate takes: generators by name, and which of them to put out. The same schema, seed, instant (--now) and version of understudy give the same bytes, with any number of threads. Memory does not grow with --count, but for what a "unique" has to remember.',
    `Formats. json: one array. csv: a line with the names, then RFC 4180; null is an empty field, the empty text is "". ndjson: an object a line. sql: INSERT statements of ${ROWS_PER_INSERT} rows each, for PostgreSQL with either setting of standard_conforming_strings. copy: "COPY t (…) FROM stdin;", rows of COPY's text format and "\\.", as psql -f reads them; with --rows-only the rows alone, as \\copy t (…) FROM 'file' reads them. Arrays and objects are JSON text in csv, sql and copy.`,
    `--range a..b makes the rows numbered a to b - 1 of --count rows, the first being 0: put together, the parts are byte for byte the whole. What opens the whole ("[", the line with the names, COPY …) stands in the part that begins at 0, what ends it ("]", "\\.") in the part that ends at --count, and what stands between two rows goes with the row before it (in json with the row after it). A part of ndjson, and of csv or copy with --rows-only, stands alone anywhere; one of sql does where it is cut at multiples of ${ROWS_PER_INSERT}. Name --now too where the schema has relative dates: without it each machine counts from the start of its own UTC day. With a "unique" that has to remember, one thread makes all rows, those before a too.`,
    '--into loads the rows by COPY in one transaction, over one connection: all of them, or none. The table is compared with "output" before the first row; arrays go into columns of an array type as such. A host, port, user, password, database or sslmode that the URL leaves out is taken from PGHOST, PGPORT, PGUSER, PGPASSWORD or ~/.pgpass, PGDATABASE and PGSSLMODE; service files are not read. A password in the URL can be seen by others on this machine: prefer the other ways.',
    ENCRYPTION_NOTE,
  ],
  listing: {
    file: 'people.json',
    text: `{
  "generators": {
    "id": { "type": "svc", "algorithm": "sequence" },
    "name": { "type": "model", "source": "en_US/first_names" },
    "email": { "body": "{{lowercase(name)}}{{id}}@example.com" }
  },
  "output": ["id", "name", "email"]
}`,
  },
  examples: [
    {
      says: 'a thousand records as CSV, the same at every run',
      run: 'understudy generate people.json --count 1000 --seed 42 --format csv > people.csv',
    },
    {
      says: 'ten million rows straight into a table',
      run: 'PGPASSWORD=… understudy generate people.json --count 10000000 --into postgresql://me@localhost/shop --table people',
    },
    {
      says: 'through psql, which asks for the password itself',
      run: 'understudy generate people.json --count 1000000 --format copy --table people | psql shop',
    },
    {
      says: 'the second of ten machines makes its tenth of a billion rows',
      run: 'understudy generate people.json --count 1000000000 --seed 42 --now 2026-01-01 --range 100000000..200000000 --format ndjson --out part-1.ndjson',
    },
  ],
};

export function generateCommand(): Command {
  const command = new Command('generate')
    .description('Makes records from a schema and writes them to stdout, a file or a table of PostgreSQL.')
    .argument('<schema.json>', 'the schema; - reads it from stdin')
    .option('--count <n>', 'records to make', wholeNumber(1), 10)
    .addOption(new Option('--format <format>', 'how to write them (default: json)').choices(FORMATS))
    .option(
      '--seed <n>',
      'the same seed gives the same records; without it one is drawn and told on stderr',
      seed,
    )
    .option('--range <a..b>', 'make the rows a to b - 1 alone', readRowRange)
    .option(
      '--threads <n>',
      'threads that make rows (default: one a core, where there are rows enough)',
      wholeNumber(1, MOST_THREADS),
    )
    .option('--out <file>', 'write a file, which is there when it is whole')
    .option('--into <url>', 'load a table of this PostgreSQL database; needs --table')
    .option('--table <name>', 'table of sql, copy and --into, as SQL writes it')
    .option('--rows-only', 'no line of names in csv, no COPY and \\. in copy')
    .option('--now <instant>', 'what relative dates count from (default: the start of this UTC day)', instant)
    .addOption(
      new Option('--model <id=file>', 'a .ngram file as the model of an id; may be given again')
        .argParser(addModel)
        .default(new Map(), 'built-in models alone'),
    )
    .option('--json', 'with --out or --into: print the report as one JSON object')
    .action(async (file: string, options: GenerateOptions) => {
      // Loaded when it runs: help and completion do without generators.
      const { generate } = await import('./generate.js');
      await generate(file, options);
    });
  return withManual(command, MANUAL);
}

function addModel(text: string, before: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const [, id = '', file = ''] = /^([A-Za-z0-9_./-]{1,200})=(.+)$/.exec(text) ?? [];
  if (id === '') throw new InvalidArgumentError('Expected an id and a file, as in custom/names=names.ngram.');
  return new Map([...before, [id, file]]);
}
