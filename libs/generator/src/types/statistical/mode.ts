import type { ParamsManifest } from '../../registry/params-manifest.js';

/** What every mode takes. */
export const MODE: ParamsManifest = {
  mode: {
    type: 'string',
    default: 'continuous',
    description: '`continuous`, `categorical` or `multivariate`. Not a template.',
  },
};
