import { jsonLiteral, print, shellText, STYLE_OF } from '@understudy/code-snippets';

import { EXAMPLE_FILE, type ExampleCall } from '../example-call.js';

/** Returns the curl command of a call. It reads the address of the API and the token from the environment. */
export function curlSnippet(call: ExampleCall): string {
  const { operation } = call;
  const hasBody = operation.body !== undefined && (operation.body.kind === 'multipart' || hasFields(call));
  // `-d` and `-F` select POST themselves.
  const method = operation.httpMethod === (hasBody ? 'POST' : 'GET') ? '' : `-X ${operation.httpMethod} `;
  const parts = [
    `curl -sS ${method}"$UNDERSTUDY_API_URL${urlPath(call)}"`,
    ...(operation.public ? [] : ['-H "Authorization: Bearer $UNDERSTUDY_API_TOKEN"']),
    ...(hasBody ? body(call) : []),
    ...(operation.result.kind === 'file' ? [`-o ${EXAMPLE_FILE}`] : []),
  ];
  return parts.join(' \\\n  ');
}

const hasFields = ({ body }: ExampleCall): boolean => Object.keys(body).length > 0;

function urlPath({ operation, path, query }: ExampleCall): string {
  let index = 0;
  const filled = operation.path.replace(/\{\w+\}/g, () => encodeURIComponent(path[index++] ?? ''));
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return filled + (pairs.length > 0 ? `?${pairs.join('&')}` : '');
}

function body({ operation, body, file }: ExampleCall): string[] {
  if (operation.body?.kind === 'multipart')
    return [
      ...Object.entries(body).map(([name, value]) => `-F ${shellText(`${name}=${String(value)}`)}`),
      ...(file ? [`-F ${file}=@${EXAMPLE_FILE}`] : []),
    ];
  const json = print(jsonLiteral(body), STYLE_OF.curl);
  return [`-H 'Content-Type: application/json'`, `-d ${shellText(json)}`];
}
