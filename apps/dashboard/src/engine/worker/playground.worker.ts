import { BuiltinLibrary, BuiltinModels } from '@understudy/builtin-models';
import { FUNCTIONS } from '@understudy/expression';
import { CORE_REGISTRY, ENGINE_VERSION } from '@understudy/generator';

import { checkComposition } from '../checks/check-composition.js';
import { readDistribution } from '../checks/read-distribution.js';
import { checkRules } from '../checks/check-rules.js';
import { sampleRule } from '../checks/sample-rule.js';
import { readJobFile } from '../checks/read-job-file.js';
import { AssetError, fetchedAssets } from './asset-reader.js';
import { generateRecords } from './generate-records.js';
import type { Catalog, StartMessage, WorkerResponse, WorkerRequest } from './messages.js';
import { withTransliteration } from './transliteration.js';
import { uploadedModel } from './uploaded-model.js';

/** The part of a worker's global object that this file uses. The compiler knows only that of a page. */
const scope = self as unknown as {
  postMessage(response: WorkerResponse): void;
  addEventListener(
    type: 'message',
    listen: (event: MessageEvent<StartMessage | WorkerRequest>) => void,
  ): void;
};

let library: BuiltinLibrary | undefined;
let earlier = Promise.resolve();

/** Handles one message. Sends exactly one message for each request, in the order of the requests. */
scope.addEventListener('message', ({ data }) => {
  if (data.kind === 'start') library = open(data);
  else
    earlier = earlier
      .then(async () => {
        scope.postMessage(await respond(data));
      })
      .catch(reportError); // the page receives it as the event `error`, and the browser's console prints it
});

/** The URL has the version, so a page that is older than the control plane gets no files instead of wrong ones. */
function open({ models }: StartMessage): BuiltinLibrary {
  return new BuiltinLibrary(new BuiltinModels(fetchedAssets(`${models}${ENGINE_VERSION}/`)));
}

async function respond(request: WorkerRequest): Promise<WorkerResponse> {
  try {
    return await withTransliteration(() => responseTo(request));
  } catch (error) {
    if (error instanceof AssetError) return { kind: 'failed', cause: 'assets' };
    throw error;
  }
}

/** @throws AssetError if a file of a built-in model cannot be fetched */
function responseTo(request: WorkerRequest): WorkerResponse {
  if (library === undefined) throw new Error('expected the start message before a request');
  switch (request.kind) {
    case 'catalog':
      return catalog(library);
    case 'records':
      return generateRecords(request, library);
    case 'rules':
      return { kind: 'rules', problems: checkRules(request.tables, library, request.nowMs) };
    case 'sample-rule':
      return sampleRule(request, library);
    case 'job-file':
      return { kind: 'job-file', file: readJobFile(request.text) };
    case 'composition':
      return checkComposition(request, library);
    case 'distribution':
      return readDistribution(request, library, request.file && uploadedModel(request.model, request.file));
  }
}

function catalog({ files }: BuiltinLibrary): Catalog {
  const generators = CORE_REGISTRY.all().map(({ name, description, params, constraints = {}, examples }) => ({
    ...{ name, description, params, constraints, examples },
  }));
  return { kind: 'catalog', generators, models: files.all(), functions: [...FUNCTIONS.keys()] };
}
