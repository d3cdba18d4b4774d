<?php

declare(strict_types=1);

// Carries out calls for the scenarios: one JSON object per line on stdin, one answer per line on stdout.
// clients/scenarios/README.md describes the protocol.

namespace Understudy\Tests;

use Understudy\Attempt;
use Understudy\CallOptions;
use Understudy\Http\Psr18Transport;
use Understudy\Internal\Json;
use Understudy\Understudy;
use Understudy\Webhook;

require __DIR__ . '/autoload.php';

set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    if ((error_reporting() & $level) === 0) {
        return false;
    }
    throw new \ErrorException($message, 0, $level, $file, $line);
});
$psr18 = \in_array('--psr18', $argv, true);
if ($psr18) {
    require '/usr/share/php/GuzzleHttp/autoload.php';
    require '/usr/share/php/Nyholm/Psr7/autoload.php';
}
stream_set_timeout(STDIN, 86400); // if STDIN is a socket, fgets() otherwise gives up after a minute
while (($line = fgets(STDIN)) !== false) {
    $play = new Play(Json::decode($line), $psr18);
    fwrite(STDOUT, json_encode($play->run(), JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
}
