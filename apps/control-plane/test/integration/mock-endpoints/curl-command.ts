/** What a command line with curl sends, as far as the examples of the documentation go. */
export interface CurlRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** @param variables stand for `$NAME` in double quotes. @throws Error for what the documentation has no use for */
export function readCurl(command: string, variables: Readonly<Record<string, string>>): CurlRequest {
  const [program, ...words] = wordsOf(command, variables);
  if (program !== 'curl') throw new Error(`expected a curl command, got ${program}`);
  const headers: Record<string, string> = {};
  let [url, body, method]: (string | undefined)[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-sS') continue;
    if (!word.startsWith('-')) url = word;
    else if (word === '-d') body = words.shift();
    else if (word === '-X') method = words.shift();
    else if (word === '-H') {
      const [name = '', value = ''] = (words.shift() ?? '').split(/: (.*)/s);
      headers[name.toLowerCase()] = value;
    } else throw new Error(`curl's option ${word} is not known here`);
  }
  if (url === undefined) throw new Error('a curl command without a URL');
  const sent = body === undefined ? {} : { body };
  return { url, method: method ?? (body === undefined ? 'GET' : 'POST'), headers, ...sent };
}

/** As a shell would split them: single quotes keep all, double quotes let variables through. */
function wordsOf(command: string, variables: Readonly<Record<string, string>>): string[] {
  const words = command.trim().matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g);
  return [...words].map(([, single, double, bare]) => single ?? expand(double ?? bare ?? '', variables));
}

function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$([A-Z]+)/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`$${name} is not known here`);
    return value;
  });
}
