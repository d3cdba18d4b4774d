/** The ways to draw from a model. */
export const GENERATION_MODES = [
  'word',
  'sentence',
  'text',
  'paragraph',
  'poem',
  'acrostic',
  'real_word',
] as const;

export type GenerationMode = (typeof GENERATION_MODES)[number];

/** Every model serves every mode, but for `real_word`, which needs the training values themselves. */
export function servedModes(hasValues: boolean): readonly GenerationMode[] {
  return GENERATION_MODES.filter((mode) => hasValues || mode !== 'real_word');
}
