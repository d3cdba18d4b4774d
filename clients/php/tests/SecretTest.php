<?php

declare(strict_types=1);

namespace Understudy\Tests;

use Nyholm\Psr7\Factory\Psr17Factory;
use PHPUnit\Framework\TestCase;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Understudy\CallOptions;
use Understudy\Errors\ConfigurationError;
use Understudy\Errors\ConnectionError;
use Understudy\Errors\ValidationError;
use Understudy\Http\Psr18Transport;
use Understudy\Http\Request;
use Understudy\Understudy;
use Understudy\UnderstudyError;

final class SecretTest extends TestCase
{
    private const TOKEN = 'und_SecretTokenOfThisTest';
    private const CONNECTION = 'postgresql://shop:SecretPassword@db/shop';

    /** @return array<string, array{\Closure(object): string}> */
    public function dumps(): array
    {
        $printed = static function (\Closure $print): string {
            ob_start();
            $print();

            return (string) ob_get_clean();
        };

        return [
            'var_dump' => [static fn (object $it): string => $printed(static fn () => var_dump($it))],
            'print_r' => [static fn (object $it): string => print_r($it, true)],
            'var_export' => [static fn (object $it): string => (string) @var_export($it, true)],
            'json_encode' => [static fn (object $it): string => (string) json_encode($it)],
            'a cast to an array' => [static fn (object $it): string => print_r((array) $it, true)],
        ];
    }

    /**
     * @dataProvider dumps
     * @testdox $_dataName shows no token of a client, of its methods, or of a stream
     */
    public function testDumpsShowNoToken(\Closure $dump): void
    {
        $server = new LocalServer(['response' => "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
            . "X-Generation-Count: 1\r\nContent-Length: 3\r\n\r\n{}\n"]);
        $client = new Understudy(token: self::TOKEN, baseUrl: $server->url);
        $stream = $client->generateStream(['generators' => [], 'output' => []], 1);
        foreach ([$client, $client->jobs, $stream, new CallOptions()] as $object) {
            self::assertStringNotContainsString(self::TOKEN, $dump($object));
        }
    }

    /** @testdox a client cannot be serialized */
    public function testSerialize(): void
    {
        $this->expectException(\LogicException::class);
        serialize(new Understudy(token: self::TOKEN, baseUrl: 'https://example.com'));
    }

    /** @testdox the methods of a client cannot be serialized */
    public function testSerializeMethods(): void
    {
        $this->expectException(\LogicException::class);
        serialize((new Understudy(token: self::TOKEN, baseUrl: 'https://example.com'))->tokens);
    }

    /**
     * @dataProvider dumps
     * @testdox $_dataName shows neither the token nor the arguments of a call that failed
     */
    public function testErrorsShowNoArguments(\Closure $dump): void
    {
        $server = LocalServer::json(
            ['error' => ['code' => 'validation_error', 'message' => 'The token ' . self::TOKEN . ' was sent.']],
            422,
        );
        $error = $this->failure($server->url, self::CONNECTION);
        self::assertInstanceOf(ValidationError::class, $error);
        foreach ([$dump($error), (string) $error, print_r($error->getTrace(), true), serialize($error)] as $text) {
            self::assertStringNotContainsString(self::TOKEN, $text);
            self::assertStringNotContainsString('SecretPassword', $text);
        }
        self::assertStringContainsString('The token [token] was sent.', $error->getMessage());
    }

    /**
     * @dataProvider dumps
     * @testdox $_dataName shows neither the token nor the arguments of a call that found no server
     */
    public function testConnectionErrorsShowNoArguments(\Closure $dump): void
    {
        $server = LocalServer::json([]);
        $url = $server->url;
        unset($server);
        $error = $this->failure($url, self::CONNECTION);
        self::assertInstanceOf(ConnectionError::class, $error);
        foreach ([$dump($error), (string) $error, print_r($error->getTrace(), true), serialize($error)] as $text) {
            self::assertStringNotContainsString(self::TOKEN, $text);
            self::assertStringNotContainsString('SecretPassword', $text);
        }
    }

    /** Its arguments are in the stack trace, too. */
    private function failure(string $url, string $connection): UnderstudyError
    {
        $client = new Understudy(token: self::TOKEN, baseUrl: $url, maxRetries: 0);
        try {
            $client->jobs->create(['name' => 'x', 'source' => ['connection_string' => $connection]]);
        } catch (UnderstudyError $error) {
            return $error;
        }
        self::fail('expected an error');
    }

    /** @testdox an invalid token is not in the error */
    public function testInvalidToken(): void
    {
        try {
            new Understudy(token: "bad\ntoken-of-this-test", baseUrl: 'https://example.com');
            self::fail('expected an error');
        } catch (ConfigurationError $error) {
            self::assertStringNotContainsString('token-of-this-test', Dump::text($error));
            self::assertStringNotContainsString('token-of-this-test', print_r($error->getTrace(), true));
        }
    }

    /** @testdox the exception of a PSR-18 client does not bring the token into the error */
    public function testForeignException(): void
    {
        $factory = new Psr17Factory();
        $failing = new class () implements ClientInterface {
            public function sendRequest(RequestInterface $request): ResponseInterface
            {
                $sent = $request->getHeaderLine('Authorization');
                throw new class ("refused {$sent}") extends \RuntimeException implements
                    \Psr\Http\Client\ClientExceptionInterface {
                };
            }
        };
        $client = new Understudy(
            token: self::TOKEN,
            baseUrl: 'https://example.com',
            maxRetries: 0,
            transport: new Psr18Transport($failing, $factory, $factory),
        );
        try {
            $client->jobs->list();
            self::fail('expected an error');
        } catch (ConnectionError $error) {
            self::assertStringContainsString('refused Bearer [token]', $error->getMessage());
            self::assertStringNotContainsString(self::TOKEN, Dump::text($error));
        }
    }

    /** @testdox a dump of a request shows neither its headers nor its body */
    public function testRequest(): void
    {
        $headers = ['Authorization' => self::TOKEN];
        $request = new Request('POST', 'https://example.com/v1/tokens', $headers, self::TOKEN, 1.0);
        self::assertStringNotContainsString(self::TOKEN, print_r($request, true));
    }
}
