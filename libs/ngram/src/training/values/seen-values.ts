import type { FingerprintParts } from '../../file/write-model.js';
import { Fingerprinter } from '../../model/fingerprint.js';
import { OriginalFingerprints, type Originals, OriginalValues } from '../../model/originals.js';
import { FingerprintSet } from './fingerprint-set.js';
import { scaleCounts } from './value-counter.js';
import { TextPool } from './text-pool.js';
import type { ResolvedTrainOptions } from '../train-options.js';

/** Distinguishes new values from repeats, and records values for the model file. */
export interface SeenValues {
  /** @returns whether the value whose UTF-8 is `bytes[0, length)` is new */
  add(bytes: Uint8Array, length: number, weight: number): boolean;
  record(): { readonly parts: FingerprintParts | OriginalValues; readonly originals: Originals } | undefined;
}

export function seenValues(options: ResolvedTrainOptions): SeenValues {
  if (options.originals === 'values') return new KeptValues();
  return options.originals === 'fingerprints' ? new FingerprintedValues(options) : PROMISED_NEW;
}

/** Treats every value as new, because the caller adds each value only once. */
const PROMISED_NEW: SeenValues = { add: () => true, record: () => undefined };

class FingerprintedValues implements SeenValues {
  private readonly set = new FingerprintSet();
  private readonly fingerprinter: Fingerprinter;

  constructor(private readonly options: ResolvedTrainOptions) {
    this.fingerprinter = new Fingerprinter(options.fingerprintKey);
  }

  add(bytes: Uint8Array, length: number): boolean {
    this.fingerprinter.ofBytes(bytes, 0, length);
    return this.set.add(this.fingerprinter.high, this.fingerprinter.low);
  }

  record(): ReturnType<SeenValues['record']> {
    const { fingerprintKey: key, isKeyed } = this.options;
    const pairs = this.set.sorted();
    return {
      parts: { kind: 'fingerprints', pairs, key, isKeyed },
      originals: new OriginalFingerprints(pairs, this.fingerprinter),
    };
  }
}

class KeptValues implements SeenValues {
  private readonly pool = new TextPool();
  private weights = new Float64Array(256);

  add(bytes: Uint8Array, length: number, weight: number): boolean {
    const known = this.pool.size;
    const index = this.pool.intern(bytes, 0, length);
    if (index === this.weights.length) {
      const larger = new Float64Array(index * 2);
      larger.set(this.weights);
      this.weights = larger;
    }
    this.weights[index] = (this.weights[index] as number) + weight;
    return index === known;
  }

  record(): ReturnType<SeenValues['record']> {
    const { texts, order } = this.pool.sorted(Array.from({ length: this.pool.size }, (_, i) => i));
    const counts = scaleCounts(Float64Array.from(order, (index) => this.weights[index] as number));
    let sum = 0;
    const values = new OriginalValues(
      texts,
      Uint32Array.from(counts, (count) => (sum += count)),
    );
    return { parts: values, originals: values };
  }
}
