import { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { asFileError, CliError } from '../cli-error.js';
import { environment, readApiAddress } from '../config/environment.js';
import { EXIT } from '../exit-code.js';
import { StandardOutput } from '../io/standard-output.js';
import { type Manual, withManual } from '../manual/manual.js';
import { asModel } from '../models/load-model.js';
import { sendModel } from './send-model.js';

interface Options {
  readonly name?: string;
  readonly id?: string;
  readonly description?: string;
  readonly json?: true;
}

const MANUAL: Manual = {
  notes: [
    'Set UNDERSTUDY_API_URL to the URL of the API, such as https://host/v1, and UNDERSTUDY_API_TOKEN to a token. The token needs the role member and, if it is restricted to scopes, the scope models:write.',
    'The file must not contain training values or fingerprints of them: train it with --originals none.',
  ],
  examples: [
    {
      purpose: 'upload a model under the name that it was trained with',
      run: 'UNDERSTUDY_API_URL=https://understudy.example/v1 understudy upload names.ngram',
    },
    {
      purpose: 'upload a model under another name and print the response as JSON',
      run: 'understudy upload names.ngram --name "Street names" --json',
    },
  ],
};

/** Creates `understudy upload`, the only command that calls the control plane. */
export function uploadCommand(): Command {
  const command = new Command('upload')
    .description('Uploads a .ngram file to the control plane as a custom model.')
    .argument('<file>', 'a .ngram file that was trained with --originals none')
    .option('--name <name>', 'display name (default: the name in the file)')
    .option('--id <id>', 'last part of the id (default: made from the name)')
    .option('--description <text>', 'description of the model')
    .option('--json', 'print the uploaded model as one JSON object')
    .action(upload);
  return withManual(command, MANUAL);
}

async function upload(file: string, options: Options): Promise<void> {
  const address = readApiAddress(environment());
  const bytes = await readFile(file).catch(asFileError(file));
  const { name, originals } = asModel(file, bytes);
  if (originals !== 'none')
    throw new CliError(
      EXIT.refused,
      `${file}: the file contains training values or fingerprints of them; train the model with --originals none`,
    );
  const form = new FormData();
  form.set('name', options.name ?? name);
  if (options.id !== undefined) form.set('id', options.id);
  if (options.description !== undefined) form.set('description', options.description);
  form.set('file', new Blob([new Uint8Array(bytes)]), basename(file));
  const model = await sendModel(address, form);
  await new StandardOutput().write(options.json ? `${JSON.stringify(model)}\n` : `uploaded ${model.id}\n`);
}
