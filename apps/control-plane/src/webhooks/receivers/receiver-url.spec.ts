import { addressGuard } from './address-guard.js';
import { receiverUrlProblem } from './receiver-url.js';

const problem = (url: string, allowed: readonly string[] = []) =>
  receiverUrlProblem(url, addressGuard(allowed));

describe('receiverUrlProblem', () => {
  it.each([
    'https://hooks.example.com/understudy?token=1',
    'http://hooks.example.com:8080/',
    'HTTPS://Hooks.Example.COM',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]:8443/x',
    'https://bücher.example/',
    'https://hooks.example.com./',
    'https://localhost.example.com/',
    `https://hooks.example.com/${'a'.repeat(2_000)}`,
  ])('accepts the URL %s', (url) => {
    expect(problem(url)).toBeUndefined();
  });

  // A connection to any of these goes to 127.0.0.1, 10.0.0.1 or 169.254.169.254.
  it.each([
    ...['http://127.0.0.1/', 'http://127.1/', 'http://127.0.1/', 'http://2130706433/', 'http://0x7f000001/'],
    ...[
      'http://0x7f.0x0.0x0.0x1/',
      'http://0177.0.0.1/',
      'http://017700000001/',
      'http://0x7F.1/',
      'http://127.0.0.1./',
    ],
    ...[
      'http://127.0.0.1:8080/',
      'http://%31%32%37.0.0.1/',
      'http://①②⑦.⓪.⓪.①/',
      'http://１２７。０。０。１/',
    ],
    ...[
      'http://0/',
      'http://0.0.0.0/',
      'http://00000000000/',
      'http://[::]/',
      'http://[::1]/',
      'http://[0:0:0:0:0:0:0:1]/',
    ],
    ...[
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:7f00:1]/',
      'http://[::127.0.0.1]/',
      'http://[64:ff9b::127.0.0.1]/',
    ],
    ...[
      'http://[2002:7f00:1::]/',
      'http://10.1/',
      'http://0xa000001/',
      'http://012.0.0.1/',
      'http://167772161/',
    ],
    ...[
      'http://169.254.169.254/latest/meta-data/',
      'http://2852039166/',
      'http://0xa9fea9fe/',
      'http://0251.0376.0251.0376/',
    ],
    ...[
      'http://[::ffff:a9fe:a9fe]/',
      'http://[fd00:ec2::254]/',
      'http://100.100.100.200/',
      'http://100.64.0.1/',
    ],
    ...[
      'http://localhost/',
      'http://LOCALHOST/',
      'http://localhost./',
      'http://a.localhost/',
      'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
    ],
  ])('refuses %s because of its address', (url) => {
    expect(problem(url)).toBe('expected a host with a public address');
  });

  it.each([
    ...[
      '',
      'x',
      '/hooks',
      '//hooks.example.com',
      'hooks.example.com',
      'ftp://hooks.example.com/',
      'file:///etc/passwd',
    ],
    ...[
      'gopher://hooks.example.com/',
      'javascript:alert(1)',
      'data:,x',
      'ws://hooks.example.com/',
      'http://',
      'https:///',
    ],
    ...[
      'http://exa mple.com/',
      ' https://hooks.example.com/',
      'https://hooks.exa\nmple.com/',
      'https://hooks\t.example.com',
    ],
    ...[
      'https://hooks.example.com/\u0000',
      'https://hooks.example.com:99999/',
      'https://[::1',
      'https://[fe80::1%25eth0]/',
    ],
    ...[
      'https://256.256.256.256/',
      'https://1.2.3.4.5/',
      'https://0x1ffffffff/',
      'https://xn--a-.example:443:1/',
    ],
  ])('refuses %j, which is not an HTTP URL', (url) => {
    expect(problem(url)).toBe('expected an http:// or https:// URL');
  });

  it.each([
    'https://user@hooks.example.com/',
    'https://user:canary@hooks.example.com/',
    'https://8.8.8.8@127.0.0.1/',
    'https://:canary@hooks.example.com/',
  ])('refuses %s because of its user', (url) => {
    expect(problem(url)).toBe('expected a URL without user and password');
  });

  it.each(['https://hooks.example.com/#', 'https://hooks.example.com#@127.0.0.1/'])(
    'refuses %s because of its fragment',
    (url) => {
      expect(problem(url)).toBe('expected a URL without fragment');
    },
  );

  it.each([0, 22, 25, 53, 110, 143, 465, 587, 6000, 6667])('refuses port %i', (port) => {
    expect(problem(`http://hooks.example.com:${port}/`)).toBe(
      'expected a port for HTTP, got 0 or a port of another protocol',
    );
  });

  it('refuses a URL that is too long', () => {
    expect(problem(`https://hooks.example.com/${'a'.repeat(2_100)}`)).toBe(
      'expected at most 2048 characters',
    );
  });

  it('accepts a loopback address if the operator allows it', () => {
    for (const url of [
      'http://127.0.0.1:3000/',
      'http://localhost:3000/',
      'http://[::1]:3000/',
      'http://0x7f.1/',
    ])
      expect(problem(url, ['127.0.0.0/8', '::1'])).toBeUndefined();
    expect(problem('http://10.0.0.1/', ['127.0.0.0/8', '::1'])).toBeDefined();
  });
});
