import { TrainingError } from '../errors.js';
import { writeModel } from '../file/write-model.js';
import { CharAlphabet, WordAlphabet } from '../model/alphabet.js';
import { isNormalized, normalizeValue } from '../model/case-folding.js';
import { servedModes } from '../model/model-metadata.js';
import { LONGEST_WORD } from '../model/ngram-model.js';
import { collectGraph } from './graph/collect-graph.js';
import { novelMass } from './graph/novel-mass.js';
import { ProseSplitter } from './text/prose-splitter.js';
import { type SeenValues, seenValues } from './values/seen-values.js';
import { sortTransitions } from './graph/sorted-transitions.js';
import { splitAtSpaces, splitLetters, splitProse } from './text/split-words.js';
import { survivingStates } from './graph/surviving-states.js';
import { TextPool } from './values/text-pool.js';
import { type ResolvedTrainOptions, resolveTrainOptions, type TrainOptions } from './train-options.js';
import type { TrainingReport } from './training-report.js';
import { TransitionTable } from './graph/transition-table.js';
import { ValueBuffer } from './values/value-buffer.js';
import { ValueCounter } from './values/value-counter.js';

const SPACE = ' ';
/**
 * A text of more UTF-16 units than this is too long even after case folding and NFC, so it is not processed.
 */
const HOPELESS = LONGEST_WORD * 16;

/**
 * Learns a model from values, from prose, or from both, in any order. The same multiset of values and weights
 * gives the same bytes.
 *
 * Memory does not depend on the number of rows. It grows with the number of distinct transitions. Each
 * distinct value also takes memory: 10 to 20 bytes if fingerprints are recorded, or the bytes of its text and
 * 20 bytes if values are recorded.
 */
export class NgramTrainer {
  private readonly options: ResolvedTrainOptions;
  private readonly table: TransitionTable;
  private readonly seen: SeenValues;
  private readonly words: TextPool | undefined;
  private readonly buffer = new ValueBuffer();
  private readonly lengths = new ValueCounter();
  private readonly sentenceWords = new ValueCounter();
  private readonly paragraphSentences = new ValueCounter();
  private readonly prose: ProseSplitter;
  private wordSymbols = new Int32Array(64);
  private wordCount = 0;
  private openSentences = 0;
  private readonly counts = {
    distinctValues: 0,
    totalWeight: 0,
    emptyValues: 0,
    overlongValues: 0,
    shortestValue: 0,
    longestValue: 0,
    sentences: 0,
    paragraphs: 0,
    transitionsKept: 0,
    states: 0,
  };

  /** @throws TrainingError that names the invalid option */
  constructor(options: TrainOptions) {
    this.options = resolveTrainOptions(options);
    this.table = new TransitionTable(this.options.order - 1, this.options.maxTransitions);
    this.seen = seenValues(this.options);
    this.words = this.options.tokenType === 'word' ? new TextPool() : undefined;
    this.prose = new ProseSplitter({
      sentence: (text, from, to) => this.learnSentence(text, from, to),
      overlong: () => (this.counts.overlongValues += 1),
      paragraph: () => this.endParagraph(),
    });
  }

  /**
   * Learns one value. If originals are recorded, adding a value again only increases its weight. Values that
   * case folding makes equal count as repeats. If originals are not recorded, add each distinct value only
   * once. Empty and overlong values are counted in the report but not learned.
   * @param weight a whole number from 1, such as the number of rows with this value
   * @throws TrainingError if the weight is invalid, or if the budget of transitions is exceeded
   */
  add(value: string, weight = 1): void {
    if (!Number.isSafeInteger(weight) || weight < 1) {
      throw new TrainingError(`a weight must be a whole number from 1, got ${weight}`);
    }
    if (value.length > HOPELESS) {
      this.counts.overlongValues += 1;
      return;
    }
    const text = normalizeValue(value, this.options.caseFolding);
    if (this.words === undefined) this.learnChars(text, 0, text.length, weight);
    else {
      this.startWords();
      splitAtSpaces(text, 0, text.length, this.addWord);
      this.learnWords(weight);
    }
  }

  /**
   * Learns a chunk of prose. The positions at which a text is split into chunks have no effect. With word
   * tokens, each sentence is a value, without its final marks. With char tokens, each word is a value. In
   * both cases, the model also learns the numbers of words per sentence and of sentences per paragraph.
   */
  addText(chunk: string): void {
    this.prose.push(chunk);
  }

  /** Ends a document, so that the next text starts a new paragraph. `finish` calls it too. */
  endText(): void {
    this.prose.end();
  }

  /**
   * Returns the bytes of the `.ngram` file. You can continue to add values afterwards.
   * @throws TrainingError if there are no values, if the weights add up to 2^53 or more, or if `minValues`
   *   leaves no complete path from START to END
   */
  finish(): Uint8Array {
    this.endText();
    const { options, table, counts } = this;
    if (counts.distinctValues === 0) throw new TrainingError('there are no non-empty values to train on');
    if (!Number.isSafeInteger(counts.totalWeight))
      throw new TrainingError('the weights add up to more than 2^53');
    const { words } = this;
    const rankSymbols = (used: Uint32Array) => (words === undefined ? used : words.sorted(used).order);
    const { transitions, symbols } = sortTransitions(table, options.minValues, rankSymbols);
    const surviving = survivingStates(transitions);
    if (surviving.stepsToEnd.length === 0) {
      throw new TrainingError(
        `no word survives: too few of the ${counts.distinctValues} distinct values share transitions ` +
          `(order ${options.order}, min_values ${options.minValues}); lower one of the two`,
      );
    }
    const { graph, ranks } = collectGraph(surviving, symbols.length);
    const kept = ranks.map((rank) => symbols[rank - 1] as number);
    const alphabet =
      words === undefined ? new CharAlphabet(kept) : new WordAlphabet(words.sorted(kept).texts);
    counts.transitionsKept = graph.edgeSymbol.length;
    counts.states = surviving.stepsToEnd.length;

    const { minValues, order, id, name, locale, licence, source, caseFolding } = options;
    const lengths = this.lengths.histogram(minValues);
    const sentenceWords = this.sentenceWords.histogram(minValues);
    const paragraphSentences = this.paragraphSentences.histogram(minValues);
    const recorded = this.seen.record();
    return writeModel({
      order,
      metadata: {
        id,
        name,
        locale,
        licence,
        source,
        caseFolding,
        normalization: 'NFC',
        modes: servedModes(options.originals === 'values'),
        minValues,
        distinctValues: counts.distinctValues,
        totalWeight: counts.totalWeight,
        shortestValue: lengths.smallest,
        longestValue: lengths.largest,
        novelMass:
          recorded === undefined ? null : novelMass({ graph, alphabet, originals: recorded.originals }),
      },
      alphabet,
      graph,
      statistics: {
        lengths,
        sentenceWords: sentenceWords.size === 0 ? undefined : sentenceWords,
        paragraphSentences: paragraphSentences.size === 0 ? undefined : paragraphSentences,
      },
      originals: recorded?.parts,
    });
  }

  report(): TrainingReport {
    return { ...this.counts, transitionsSeen: this.table.edgeCount };
  }

  private learnSentence(text: string, from: number, to: number): void {
    if (this.options.caseFolding !== 'preserve' || !isNormalized(text, from, to)) {
      const folded = normalizeValue(text.slice(from, to), this.options.caseFolding);
      this.learnFolded(folded, 0, folded.length);
    } else {
      this.learnFolded(text, from, to);
    }
  }

  private learnFolded(text: string, from: number, to: number): void {
    this.startWords();
    if (this.words === undefined) splitLetters(text, from, to, this.learnWord);
    else splitProse(text, from, to, this.addWord);
    const { wordCount } = this;
    if (wordCount === 0 || wordCount > LONGEST_WORD) return;
    if (this.words !== undefined && !this.learnWords(1)) return;
    this.sentenceWords.add(wordCount, 1, true);
    this.counts.sentences += 1;
    this.openSentences += 1;
  }

  private endParagraph(): void {
    if (this.openSentences === 0) return;
    this.paragraphSentences.add(Math.min(this.openSentences, LONGEST_WORD), 1, true);
    this.counts.paragraphs += 1;
    this.openSentences = 0;
  }

  /** Learns a word of prose as a separate value. */
  private readonly learnWord = (text: string, from: number, to: number): void => {
    this.wordCount += 1;
    this.learnChars(text, from, to, 1);
  };

  private startWords(): void {
    this.buffer.clear();
    this.wordCount = 0;
  }

  /** Appends a word to the value in the buffer, which consists of several words. */
  private readonly addWord = (text: string, from: number, to: number): void => {
    const { buffer } = this;
    if (this.wordCount > 0) buffer.append(SPACE, 0, 1);
    const start = buffer.byteCount;
    buffer.append(text, from, to);
    if (this.wordCount === this.wordSymbols.length) {
      const larger = new Int32Array(this.wordCount * 2);
      larger.set(this.wordSymbols);
      this.wordSymbols = larger;
    }
    // A value that is too long will be discarded, so its further words need no symbols.
    if (buffer.pointCount > LONGEST_WORD) return;
    this.wordSymbols[this.wordCount++] = (this.words as TextPool).intern(
      buffer.bytes,
      start,
      buffer.byteCount,
    );
  };

  private learnWords(weight: number): boolean {
    return this.learn(this.wordSymbols, this.wordCount, weight);
  }

  private learnChars(text: string, from: number, to: number, weight: number): void {
    const { buffer } = this;
    buffer.clear();
    buffer.append(text, from, to);
    this.learn(buffer.points, buffer.pointCount, weight);
  }

  /**
   * Learns the value in the buffer.
   * @param symbols the symbols of that value
   * @returns false if the value is empty or too long
   */
  private learn(symbols: Int32Array, symbolCount: number, weight: number): boolean {
    const { buffer, counts } = this;
    const length = buffer.pointCount;
    if (length === 0) {
      counts.emptyValues += 1;
      return false;
    }
    if (length > LONGEST_WORD) {
      counts.overlongValues += 1;
      return false;
    }
    counts.totalWeight += weight;
    const isNew = this.seen.add(buffer.bytes, buffer.byteCount, weight);
    if (isNew) counts.distinctValues += 1;
    this.table.learn(symbols, symbolCount, weight, isNew ? counts.distinctValues : 0);
    this.lengths.add(length, weight, isNew);
    if (counts.shortestValue === 0 || length < counts.shortestValue) counts.shortestValue = length;
    if (length > counts.longestValue) counts.longestValue = length;
    return true;
  }
}
