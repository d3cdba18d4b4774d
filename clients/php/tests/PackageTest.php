<?php

declare(strict_types=1);

namespace Understudy\Tests;

use PHPUnit\Framework\TestCase;
use Understudy\Understudy;

final class PackageTest extends TestCase
{
    private const ROOT = __DIR__ . '/..';

    /** @testdox composer accepts composer.json with --strict */
    public function testComposer(): void
    {
        $environment = ['COMPOSER_ALLOW_SUPERUSER' => '1', 'COMPOSER_HOME' => sys_get_temp_dir()] + getenv();
        $options = ['validate', '--strict', '--no-interaction', '--no-check-all', '--no-plugins'];
        $streams = [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']];
        $process = proc_open(['composer', ...$options], $streams, $pipes, self::ROOT, $environment);
        $output = stream_get_contents($pipes[1]) . stream_get_contents($pipes[2]);
        self::assertSame(0, proc_close($process), $output);
    }

    /** @return list<string> */
    private static function files(string $folder): array
    {
        $files = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator(self::ROOT . "/{$folder}"));

        return array_keys(iterator_to_array(new \RegexIterator($files, '/\.php$/')));
    }

    /** @testdox every file is valid PHP */
    public function testSyntax(): void
    {
        $files = [...self::files('src'), ...self::files('tests'), ...self::files('examples')];
        self::assertGreaterThan(100, \count($files));
        foreach ($files as $file) {
            self::assertNotEmpty(token_get_all((string) file_get_contents($file), TOKEN_PARSE), $file);
        }
    }

    /** @testdox every class can be loaded from the file with its name */
    public function testAutoload(): void
    {
        foreach (self::files('src') as $file) {
            $name = substr($file, \strlen(self::ROOT . '/src/'), -\strlen('.php'));
            $class = 'Understudy\\' . strtr($name, '/', '\\');
            self::assertTrue(class_exists($class) || interface_exists($class) || trait_exists($class), $class);
        }
    }

    /** @testdox the sources use no syntax that is newer than PHP 8.1 */
    public function testOldestVersion(): void
    {
        // readonly classes, constants in traits, standalone null, false and true, typed constants, dynamic constants
        $newer = '/readonly\s+class|\):\s*(?:null|false|true)\b|const\s+\??[a-z]+\s+[A-Z]|memory_reset_peak/';
        foreach (self::files('src') as $file) {
            $source = (string) file_get_contents($file);
            self::assertDoesNotMatchRegularExpression($newer, $source, $file);
            if (preg_match('/^trait /m', $source) === 1) {
                self::assertStringNotContainsString(' const ', $source, $file);
            }
        }
    }

    /** @testdox the newest version of the changelog is the version of the client */
    public function testVersion(): void
    {
        preg_match('/^## (\S+)/m', (string) file_get_contents(self::ROOT . '/CHANGELOG.md'), $found);
        self::assertSame(Understudy::VERSION, $found[1]);
    }
}
