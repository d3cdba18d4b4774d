<?php

// Copies a table with masked values, and repeats the request safely. Run it from a scheduler.
// Set UNDERSTUDY_API_URL, UNDERSTUDY_API_TOKEN, SHOP_URL and STAGING_URL. The key contains the date, so a second run
// on the same day returns the job of the first one.

declare(strict_types=1);

use Understudy\CallOptions;
use Understudy\Errors\JobFailedError;
use Understudy\Understudy;
use Understudy\UnderstudyError;

require 'vendor/autoload.php';

$today = date('Y-m-d');
try {
    $client = new Understudy();
    $job = $client->jobs->create([
        'name' => "nightly {$today}",
        'source' => ['type' => 'postgresql', 'connection_string' => getenv('SHOP_URL')],
        'target' => ['type' => 'postgresql', 'connection_string' => getenv('STAGING_URL')],
        'tables' => [
            [
                'name' => 'customers',
                'columns' => [
                    'first_name' => ['generator' => 'en_US/first_names'],
                    'last_name' => ['generator' => 'en_US/last_names'],
                    'email' => ['generator' => 'template', 'pattern' => '{{uuid}}@example.com'],
                ],
            ],
        ],
    ], new CallOptions(idempotencyKey: "php-nightly-{$today}", maxRetries: 5));
    $done = $client->jobs->wait($job->id, timeout: 3600);
    echo "{$done->id}: copied {$done->rows_processed} rows\n";
} catch (JobFailedError $error) {
    fwrite(STDERR, "The copy failed: {$error->getMessage()}\n");
    exit(1);
} catch (UnderstudyError $error) {
    fwrite(STDERR, "The copy was not started, or its result is unknown: {$error->getMessage()}\n");
    exit(2);
}
