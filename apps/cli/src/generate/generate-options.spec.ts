import { type GenerateOptions, readRequest } from './generate-options.js';

const read = (options: Partial<GenerateOptions>) => readRequest({ count: 10, model: new Map(), ...options });

describe('readRequest', () => {
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
  ])('reads %j as %j', (options, request) => {
    expect(read(options)).toMatchObject(request);
  });

  it.each<[Partial<GenerateOptions>, readonly RegExp[]]>([
    [{ format: 'sql' }, [/--format sql needs --table/]],
    [{ format: 'copy' }, [/--format copy needs --table/]],
    [{ into: 'x' }, [/--into needs --table/]],
    [{ format: 'csv', table: 't' }, [/--table has no effect with --format csv/]],
    [{ format: 'json', rowsOnly: true }, [/--rows-only has no effect with --format json/]],
    [{ format: 'sql', table: 'a b' }, [/--table: expected a name/]],
    [{ range: { from: 0, to: 11 } }, [/--range ends at 11/, /--range needs --seed/]],
    [
      { into: 'x', table: 't', out: 'f', format: 'sql', rowsOnly: true },
      [/--format/, /--rows-only/, /--out/],
    ],
    [{ json: true }, [/--json prints the report of --out or --into/]],
  ])('refuses the combination %j and reports every conflict', (options, messages) => {
    expect(() => read(options)).toThrow(expect.objectContaining({ exitCode: 2 }));
    for (const message of messages) expect(() => read(options)).toThrow(message);
  });
});
