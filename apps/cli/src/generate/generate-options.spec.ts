import { type GenerateOptions, readRequest } from './generate-options.js';

const read = (options: Partial<GenerateOptions>) => readRequest({ count: 10, model: new Map(), ...options });

describe('what is asked for', () => {
  it.each<[Partial<GenerateOptions>, object]>([
    [{}, { format: 'json', range: { from: 0, to: 10 }, table: [], rowsOnly: false }],
    [
      { format: 'sql', table: 'S."T"' },
      { format: 'sql', table: ['s', 'T'] },
    ],
    [
      { format: 'copy', rowsOnly: true },
      { format: 'copy', rowsOnly: true, table: [] },
    ],
    [{ range: { from: 2, to: 10 }, seed: 1 }, { range: { from: 2, to: 10 } }],
    [
      { into: 'postgresql://x', table: 't', json: true },
      { format: 'copy', rowsOnly: true },
    ],
    [{ out: 'f', json: true }, { format: 'json' }],
  ])('of %j is %j', (options, request) => {
    expect(read(options)).toMatchObject(request);
  });

  it.each<[Partial<GenerateOptions>, readonly RegExp[]]>([
    [{ format: 'sql' }, [/--format sql needs --table/]],
    [{ format: 'copy' }, [/--format copy needs --table/]],
    [{ into: 'x' }, [/--into needs --table/]],
    [{ format: 'csv', table: 't' }, [/--table means nothing with --format csv/]],
    [{ format: 'json', rowsOnly: true }, [/--rows-only means nothing with --format json/]],
    [{ format: 'sql', table: 'a b' }, [/--table: expected a name/]],
    [{ range: { from: 0, to: 11 } }, [/--range ends at 11/, /--range needs --seed/]],
    [
      { into: 'x', table: 't', out: 'f', format: 'sql', rowsOnly: true },
      [/--format/, /--rows-only/, /--out/],
    ],
    [{ json: true }, [/--json is the report/]],
  ])('%j does not go together, and all of it is said', (options, messages) => {
    expect(() => read(options)).toThrow(expect.objectContaining({ exitCode: 2 }));
    for (const message of messages) expect(() => read(options)).toThrow(message);
  });
});
