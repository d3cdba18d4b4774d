<?php

declare(strict_types=1);

// Debian's packages of the PSR-18 client and the PSR-17 factories. With Composer, vendor/autoload.php has them.
require __DIR__ . '/autoload.php';
require '/usr/share/php/GuzzleHttp/autoload.php';
require '/usr/share/php/Nyholm/Psr7/autoload.php';
