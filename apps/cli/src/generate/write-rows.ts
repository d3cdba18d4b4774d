import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';
import type { RowOutput } from '../io/output-file.js';
import { StandardOutput } from '../io/standard-output.js';
import { ThroughputMeter } from '../terminal/throughput.js';
import { ProgressLine } from '../terminal/progress-line.js';
import { progressText } from '../terminal/progress-text.js';
import type { RowTask, RowRange } from './generation-task.js';
import { makeChunks } from './make-chunks.js';

export interface RowRun {
  /** The file of the schema, for messages. */
  readonly file: string;
  readonly task: RowTask;
  readonly range: RowRange;
  /** The number of worker threads. With 0, the calling thread generates the rows. */
  readonly threads: number;
}

export interface RowTotals {
  readonly rows: number;
  readonly bytes: number;
  readonly seconds: number;
}

/**
 * Generates the rows of a run and writes them to an output. Finishes the output at the end, or discards it on an
 * error. Shows progress on the terminal, unless the terminal shows the rows.
 * @param signal aborts the run
 * @throws CliError if a row cannot be generated; also throws the errors of the output
 */
export async function writeRows(run: RowRun, output: RowOutput, signal?: AbortSignal): Promise<RowTotals> {
  const { from, to } = run.range;
  const started = performance.now();
  // Progress would mix with rows that are printed on the same terminal.
  const showsRows = output instanceof StandardOutput && process.stdout.isTTY;
  const progress = new RowProgress(to - from, !showsRows && process.stderr.isTTY);
  let bytes = 0;
  // Discarding the output also ends a write that waits for the server.
  const discard = (): void => void output.discard();
  signal?.addEventListener('abort', discard);
  try {
    signal?.throwIfAborted();
    for await (const chunk of makeChunks(run.task, run.range, run.threads, signal)) {
      await output.write(chunk.bytes);
      bytes += chunk.bytes.length;
      progress.show(chunk.next - from);
      if (chunk.failure !== undefined) throw new CliError(EXIT.refused, `${run.file}: ${chunk.failure}`);
    }
    signal?.throwIfAborted();
    signal?.removeEventListener('abort', discard);
    await output.finish();
  } catch (error) {
    await output.discard();
    throw error;
  } finally {
    progress.clear();
  }
  return { rows: to - from, bytes, seconds: (performance.now() - started) / 1000 };
}

class RowProgress {
  private readonly line: ProgressLine;
  private readonly meter = new ThroughputMeter();

  constructor(
    private readonly total: number,
    isTTY: boolean,
  ) {
    this.line = new ProgressLine({ isTTY, write: (text) => process.stderr.write(text) });
    this.meter.observe(performance.now(), 0);
  }

  show(done: number): void {
    this.line.show(() => {
      this.meter.observe(performance.now(), done);
      return progressText({
        ...{ done, total: this.total, unit: 'rows' },
        perSecond: this.meter.perSecond(),
        secondsLeft: this.meter.secondsLeft(this.total),
      });
    });
  }

  clear(): void {
    this.line.clear();
  }
}
