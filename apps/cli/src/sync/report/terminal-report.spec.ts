import { ProgressLog } from '../../terminal/progress-log.js';
import { TerminalReport } from './terminal-report.js';

describe('TerminalReport', () => {
  it('counts and lists every problem of a dry run once', () => {
    const written: string[] = [];
    const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    new TerminalReport(['a'], new ProgressLog()).predicted({
      problems: [
        {
          code: 'column_not_found',
          message: '2 problems, all below; no row was copied. The rule for column "x" matches no column.',
          details: [
            { field: 'tables[0].columns.x', message: 'The rule for column "x" matches no column.' },
            { field: 'tables[0].columns.y', message: 'The rule for column "y" matches no column.' },
          ],
        },
        { code: 'connection_failed', message: 'No connection.', details: [] },
      ],
      problemCount: 3,
      tables: [],
      warnings: [],
      leftOut: undefined,
    });
    write.mockRestore();
    expect(written.join('')).toBe(
      [
        '3 problems would make the job fail; nothing was written',
        '  tables[0].columns.x: The rule for column "x" matches no column.',
        '  tables[0].columns.y: The rule for column "y" matches no column.',
        '  No connection.',
        '',
      ].join('\n'),
    );
  });

  it('prints a line for each phase of a build that is complete, once', () => {
    const written: string[] = [];
    const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    const report = new TerminalReport([], new ProgressLog());
    const build = [
      { phase: 'objects', state: 'completed', done: 41, total: 41 },
      { phase: 'rows', state: 'completed', done: 7, total: 7 },
      { phase: 'indexes', state: 'running', done: 1, total: 2 },
    ] as const;
    const progress = { tables: [], phase: 'verifying', rowsPerSecond: 0, bytesPerSecond: 0, build } as const;
    report.progress(progress);
    report.progress(progress);
    report.clear();
    write.mockRestore();
    expect(written.filter((line) => line.startsWith('  '))).toEqual(['  built objects: 41 steps\n']);
  });
});
