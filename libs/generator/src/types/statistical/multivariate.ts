import { choleskyFactor, distributions, NORMAL_REACH, type TriangularMatrix } from '@understudy/random';
import { BUDGETS } from '../../definition/budgets.js';
import { ParameterFault, withFaultPath } from '../../definition/errors.js';
import { joinPath, describe, isObject, setOwn } from '../../definition/json-value.js';
import { defineGenerator } from '../../registry/define-generator.js';
import { Parameters } from '../../registry/parameters.js';
import type { ParamsManifest } from '../../registry/params-manifest.js';
import { rounder } from '../../values/round.js';
import { readCorrelations } from './correlations.js';
import { MODE } from './value-window.js';

interface Variable {
  readonly name: string;
  readonly mean: number;
  readonly stddev: number;
}

const VARIABLE: ParamsManifest = {
  name: { type: 'string', required: true },
  mean: { type: 'number', default: 0 },
  stddev: { type: 'number', default: 1, minimum: 0 },
};

const standardNormal = distributions.normal(0, 1);

/**
 * Each variable takes one normal draw from the stream, in order. So adding a variable at the end does not
 * change the values of the variables before it.
 */
export const multivariateMode = defineGenerator({
  name: '@svc/core:statistical',
  description: 'An object of correlated normal numbers, one for each variable, rounded to 6 decimals.',
  params: {
    ...MODE,
    variables: {
      type: 'array',
      description:
        `Required in mode multivariate: the variables, each as \`{ name, mean (0), stddev (1) }\`. ` +
        `Their names must differ. There may be at most ${BUDGETS.variables}.`,
    },
    correlations: {
      type: 'array',
      description:
        'In mode multivariate: the matrix of correlations, with one row per variable. It must be ' +
        'symmetric and positive-definite, with 1 on the diagonal. Without it, the variables are ' +
        'independent.',
    },
  },
  output: 'object',
  examples: [
    {
      type: 'statistical',
      mode: 'multivariate',
      variables: [
        { name: 'height', mean: 170, stddev: 8 },
        { name: 'weight', mean: 70, stddev: 12 },
      ],
      correlations: [
        [1, 0.6],
        [0.6, 1],
      ],
    },
  ],
  build(parameters) {
    const variables = readVariables(parameters);
    const factor = factorise(parameters, variables.length);
    const round = rounder(6);
    const normals = new Float64Array(variables.length);
    return (random) => {
      const object: Record<string, unknown> = {};
      for (let i = 0; i < variables.length; i += 1) {
        normals[i] = standardNormal(random);
        const { name, mean, stddev } = variables[i] as Variable;
        setOwn(object, name, round(mean + stddev * product(factor[i] as Float64Array, normals)));
      }
      return object;
    };
  },
});

function product(row: Float64Array, normals: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < row.length; i += 1) sum += (row[i] ?? 0) * (normals[i] ?? 0);
  return sum;
}

/** @throws ParameterFault */
function readVariables(parameters: Parameters): Variable[] {
  const path = parameters.at('variables');
  const items = parameters.array('variables');
  if (items === null) throw new ParameterFault(path, 'is required: an array of {"name", "mean", "stddev"}');
  if (items.length === 0) throw new ParameterFault(path, 'must contain at least one variable');
  if (items.length > BUDGETS.variables) {
    throw new ParameterFault(
      path,
      `must contain at most ${BUDGETS.variables} variables, got ${items.length}`,
      true,
    );
  }
  const seen = new Set<string>();
  return items.map((item, i) => {
    const variable = readVariable(item, joinPath(path, i), items.length);
    const at = joinPath(joinPath(path, i), 'name');
    if (variable.name === '') throw new ParameterFault(at, 'must not be empty');
    if (seen.has(variable.name)) throw new ParameterFault(at, 'is also the name of another variable');
    seen.add(variable.name);
    return variable;
  });
}

function readVariable(item: unknown, path: string, count: number): Variable {
  if (!isObject(item)) throw new ParameterFault(path, `must be an object with a name, got ${describe(item)}`);
  const parameters = new Parameters(item, VARIABLE, path);
  const variable = {
    name: parameters.string('name'),
    mean: parameters.number('mean'),
    stddev: parameters.number('stddev'),
  };
  // Each row of the Cholesky factor has norm 1, so a sum is at most √count times the largest normal draw.
  const reach = NORMAL_REACH * Math.sqrt(count);
  if (!Number.isFinite(Math.abs(variable.mean) + reach * variable.stddev)) {
    throw parameters.fault('stddev', 'mean and stddev are so large that values overflow');
  }
  return variable;
}

/** @throws ParameterFault */
function factorise(parameters: Parameters, count: number): TriangularMatrix {
  const path = parameters.at('correlations');
  const matrix = readCorrelations(parameters.array('correlations'), count, path);
  return withFaultPath(path, () => choleskyFactor(matrix));
}
