import { readModel } from './read-model.js';
import { writeModel } from './write-model.js';

/**
 * The same model without its training values, fingerprints included, for export. Words are sampled as before;
 * `exclude_originals` and `real_word` are refused. Sections of kinds that this version does not know are left out too.
 * @throws ModelFormatError for anything but a valid file
 */
export function stripOriginals(bytes: Uint8Array): Uint8Array {
  const model = readModel(bytes);
  const { order, alphabet, graph, statistics } = model;
  const metadata = { ...model, modes: model.modes.filter((mode) => mode !== 'real_word') };
  return writeModel({ order, metadata, alphabet, graph, statistics, originals: undefined });
}
