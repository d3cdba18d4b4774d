import { normalizeValue } from './case-folding.js';
import { collectGraph } from './collect-graph.js';
import { TrainingError } from './errors.js';
import { Fingerprinter } from './fingerprint.js';
import { FingerprintSet } from './fingerprint-set.js';
import { survivingTransitions } from './prune-transitions.js';
import { type ResolvedTrainOptions, resolveTrainOptions, type TrainOptions } from './train-options.js';
import type { TrainingReport } from './training-report.js';
import { END, TransitionTable } from './transition-table.js';
import { LONGEST_WORD } from './word-constraints.js';
import { writeModel } from './write-model.js';

/**
 * Learns a word model from values, in any order: the same multiset of values and weights gives the same bytes.
 * Memory grows with distinct transitions, plus some 24 bytes a distinct value while originals are recorded;
 * never with rows.
 */
export class NgramTrainer {
  private readonly options: ResolvedTrainOptions;
  private readonly table: TransitionTable;
  private readonly fingerprinter: Fingerprinter;
  private readonly originals: FingerprintSet | undefined;
  private units = new Uint16Array(64);
  private distinctValues = 0;
  private totalWeight = 0;
  private emptyValues = 0;
  private overlongValues = 0;
  private shortestValue = 0;
  private longestValue = 0;
  private transitionsKept = 0;
  private states = 0;

  /** @throws TrainingError that names the bad option */
  constructor(options: TrainOptions) {
    this.options = resolveTrainOptions(options);
    this.table = new TransitionTable(this.options.order - 1);
    this.fingerprinter = new Fingerprinter(this.options.fingerprintKey);
    this.originals = this.options.originals === 'fingerprints' ? new FingerprintSet() : undefined;
  }

  /**
   * Learns one value. Call it once a distinct value; while originals are recorded a repeat is recognised (also
   * two spellings that case folding makes one) and adds its weight only. Empty and
   * overlong values are counted in the report and left out.
   * @param weight a whole number from 1, such as the number of rows with this value
   */
  add(value: string, weight = 1): void {
    if (!Number.isSafeInteger(weight) || weight < 1)
      throw new TrainingError('a weight is a whole number from 1');
    const text = normalizeValue(value, this.options.caseFolding);
    if (text.length === 0) {
      this.emptyValues += 1;
      return;
    }
    if (text.length > LONGEST_WORD && [...text].length > LONGEST_WORD) {
      this.overlongValues += 1;
      return;
    }
    this.totalWeight += weight;
    const isNew = this.isNew(text);
    if (isNew) this.distinctValues += 1;
    const length = this.learn(text, weight, isNew ? this.distinctValues : 0);
    if (this.shortestValue === 0 || length < this.shortestValue) this.shortestValue = length;
    if (length > this.longestValue) this.longestValue = length;
  }

  /**
   * The bytes of the `.ngram` file; the trainer may go on afterwards.
   * @throws TrainingError when there are no values, or none of their transitions survives `minValues`
   */
  finish(): Uint8Array {
    const { options, table } = this;
    if (this.distinctValues === 0) throw new TrainingError('there are no non-empty values to train on');
    const graph = collectGraph(table, survivingTransitions(table, options.minValues));
    if (graph === undefined) {
      throw new TrainingError(
        `no word survives: too few of the ${this.distinctValues} distinct values share transitions ` +
          `(order ${options.order}, min_values ${options.minValues}); lower one of the two`,
      );
    }
    this.transitionsKept = graph.edgeSymbol.length;
    this.states = graph.firstEdge.length - 1;
    const { id, name, locale, licence, source, caseFolding, minValues } = options;
    return writeModel({
      order: options.order,
      metadata: {
        id,
        name,
        locale,
        licence,
        source,
        caseFolding,
        normalization: 'NFC',
        modes: ['word'],
        minValues,
        distinctValues: this.distinctValues,
        totalWeight: this.totalWeight,
        shortestValue: this.shortestValue,
        longestValue: this.longestValue,
      },
      graph,
      originals: this.originals && {
        fingerprints: this.originals.sorted(),
        key: options.fingerprintKey,
        isKeyed: options.isKeyed,
      },
    });
  }

  report(): TrainingReport {
    const { distinctValues, totalWeight, emptyValues, overlongValues, shortestValue, longestValue } = this;
    const { transitionsKept, states } = this;
    const transitionsSeen = this.table.edgeCount;
    return {
      distinctValues,
      totalWeight,
      emptyValues,
      overlongValues,
      shortestValue,
      longestValue,
      transitionsSeen,
      transitionsKept,
      states,
    };
  }

  private isNew(text: string): boolean {
    if (this.originals === undefined) return true;
    if (this.units.length < text.length) this.units = new Uint16Array(text.length * 2);
    for (let i = 0; i < text.length; i += 1) this.units[i] = text.charCodeAt(i);
    this.fingerprinter.ofUnits(this.units, text.length);
    return this.originals.add(this.fingerprinter.high, this.fingerprinter.low);
  }

  /** @returns the length in code points */
  private learn(text: string, weight: number, value: number): number {
    const { table } = this;
    let state = 0;
    let length = 0;
    for (let i = 0; i < text.length; length += 1) {
      const point = text.codePointAt(i) as number;
      i += point > 0xffff ? 2 : 1;
      const edge = table.count(state, point, weight, value); // may replace the table's arrays
      state = table.target[edge] as number;
    }
    table.count(state, END, weight, value);
    return length;
  }
}
