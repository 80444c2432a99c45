<?php
// WRONG, in PHP: "have I seen it?" and "now I have" are two statements, with the work in between.
// Needs php-cli and php-pgsql. Start: PHP_CLI_SERVER_WORKERS=8 php -S 127.0.0.1:$PORT select-then-insert.php

const TABLES = <<<SQL
select pg_advisory_lock(727270);
create table if not exists prove_effects (event_id text not null, object_id text not null);
create table if not exists prove_state (object_id text primary key, amount bigint not null, changed_at bigint not null);
create table if not exists prove_payments (payment_id text primary key);
create table if not exists prove_seen (event_id text primary key, seen_at timestamptz not null default now());
select pg_advisory_unlock(727270)
SQL;

function handle($database, $event)
{
    $seen = pg_query_params($database, 'select from prove_seen where event_id = $1', [$event['id']]);
    if (pg_num_rows($seen) > 0) {
        return;
    }
    work($database, $event);
    pg_query_params($database, 'insert into prove_seen values ($1) on conflict do nothing', [$event['id']]);
}

function work($database, $event)
{
    $object = $event['data']['object'];
    if ($event['type'] === 'payment_intent.succeeded') {
        pg_query_params($database, 'insert into prove_payments values ($1) on conflict do nothing', [$object['id']]);
    }
    if ($event['type'] === 'charge.refunded') {
        $payment = str_replace('ch_', 'pi_', $object['id']);
        $found = pg_query_params($database, 'select from prove_payments where payment_id = $1', [$payment]);
        if (pg_num_rows($found) === 0) {
            throw new RuntimeException('There is no payment for it yet.');
        }
    }
    pg_query_params($database, 'insert into prove_effects values ($1, $2)', [$event['id'], $object['id']]);
    if (isset($object['amount_paid'])) {
        pg_query_params($database, 'insert into prove_state values ($1, $2, $3) on conflict (object_id) do update
            set amount = excluded.amount, changed_at = excluded.changed_at
            where prove_state.changed_at < excluded.changed_at', [$object['id'], $object['amount_paid'], $event['created']]);
    }
}

function isAuthentic($header, $body)
{
    if (!preg_match('/^t=(\d+),v1=([0-9a-f]{64})$/', $header, $parts) || abs(time() - (int) $parts[1]) > 300) {
        return false;
    }
    $secret = getenv('STRIPE_WEBHOOK_SECRET') ?: 'whsec_prove';
    return hash_equals(hash_hmac('sha256', "$parts[1].$body", $secret), $parts[2]);
}

function statusOf($body)
{
    if (!isAuthentic($_SERVER['HTTP_STRIPE_SIGNATURE'] ?? '', $body)) {
        return 400;
    }
    $event = json_decode($body, true);
    $id = $event['id'] ?? null;
    $isEvent = is_array($event) && is_string($id) && preg_match('/^evt_\w{1,200}$/', $id);
    if (!$isEvent || !is_string($event['type'] ?? null) || !is_string($event['data']['object']['id'] ?? null)) {
        return 400;
    }
    try {
        $database = pg_connect(getenv('DATABASE_URL'));
        handle($database, $event);
        return 200;
    } catch (Throwable $error) {
        error_log($error->getMessage());
        return 500;
    }
}

if (PHP_SAPI === 'cli') {
    pg_query(pg_connect(getenv('DATABASE_URL')), TABLES);
    exit(0);
}
http_response_code(statusOf(file_get_contents('php://input')));
