<?php

declare(strict_types=1);

namespace Understudy\Tests;

use GuzzleHttp\Client;
use Nyholm\Psr7\Factory\Psr17Factory;
use PHPUnit\Framework\TestCase;
use Understudy\Errors\ApiError;
use Understudy\Errors\ConnectionError;
use Understudy\Errors\TimeoutError;
use Understudy\Http\Psr18Transport;
use Understudy\Understudy;

/** The adapter with Guzzle as the PSR-18 client, and with the PSR-17 factories of Nyholm and of Guzzle. */
final class Psr18TransportTest extends TestCase
{
    /** @param array<string, mixed> $options of Guzzle */
    private function client(LocalServer $server, array $options = [], ?object $factory = null): Understudy
    {
        $factory ??= new Psr17Factory();

        return new Understudy(
            token: 'token',
            baseUrl: $server->url,
            maxRetries: 0,
            transport: new Psr18Transport(new Client($options), $factory, $factory),
        );
    }

    /** @return array<string, array{object}> */
    public function factories(): array
    {
        return ['Nyholm' => [new Psr17Factory()], 'Guzzle' => [new \GuzzleHttp\Psr7\HttpFactory()]];
    }

    /**
     * @dataProvider factories
     * @testdox a request that the factories of $_dataName create has the headers and the body of the call
     */
    public function testRequest(object $factory): void
    {
        $server = LocalServer::json(['data' => ['id' => 'job_1']]);
        $job = $this->client($server, [], $factory)->jobs->create(['name' => 'shop', 'source' => []]);
        self::assertSame('job_1', $job->id);
        ['head' => $head, 'body' => $body] = $server->request();
        self::assertStringStartsWith('POST /v1/sync/jobs HTTP/1.1', $head);
        self::assertStringContainsString("\r\nAuthorization: Bearer token", $head);
        self::assertMatchesRegularExpression('/\r\nUser-Agent: understudy-php\/[\d.]+ \(PHP [\d.]+/', $head);
        self::assertMatchesRegularExpression('/\r\nIdempotency-Key: [0-9a-f-]{36}/', $head);
        self::assertSame('{"name":"shop","source":{}}', base64_decode($body, true));
    }

    /** @testdox a redirect is not followed */
    public function testRedirect(): void
    {
        $target = LocalServer::json(['data' => ['id' => 'stolen']]);
        $server = new LocalServer([
            'response' => "HTTP/1.1 302 Found\r\nLocation: {$target->url}\r\nContent-Length: 0\r\n\r\n",
        ]);
        $this->expectException(ApiError::class);
        $this->expectExceptionMessage('302 unexpected_redirect');
        $this->client($server)->jobs->get('job_1');
    }

    /** @testdox records are read while they arrive if the client streams */
    public function testStream(): void
    {
        $head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nX-Generation-Count: 1000000\r\n\r\n";
        $server = new LocalServer(['response' => $head, 'endless' => str_repeat("{\"id\": 1}\n", 1000)]);
        $stream = $this->client($server, ['stream' => true])->generateStream(['output' => []], 1);
        foreach ($stream as $record) {
            self::assertSame(['id' => 1], $record);
            break;
        }
        unset($stream);
        $server->request();
        self::assertSame('closed', $server->line());
    }

    /** @testdox a body that is shorter than its Content-Length is a connection error */
    public function testCut(): void
    {
        $server = new LocalServer([
            'response' => "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 999\r\n\r\n{\"data\":{}}",
        ]);
        $this->expectException(ConnectionError::class);
        $this->client($server, ['timeout' => 60])->jobs->get('job_1');
    }

    /** @testdox a content encoding that the client does not decode is an error that names it */
    public function testEncoding(): void
    {
        $server = new LocalServer([
            'response' => "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nX-Generation-Count: 1\r\n"
                . "Content-Encoding: br\r\nContent-Length: 2\r\n\r\n\x3b\x00",
        ]);
        $this->expectException(ApiError::class);
        $this->expectExceptionMessage('unexpected_response: expected a response without compression');
        $this->expectExceptionMessage('the content encoding "br"');
        $this->client($server, ['stream' => true])->generate(['output' => []], 1);
    }

    /** @testdox a timeout of the client is a timeout error */
    public function testTimeout(): void
    {
        $server = new LocalServer(['response' => '']);
        $this->expectException(TimeoutError::class);
        $this->client($server, ['timeout' => 0.2])->jobs->get('job_1');
    }
}
