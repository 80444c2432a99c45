# RIGHT, in Python: the claim and the work commit together. Standard library and psycopg2 (Debian: python3-psycopg2).
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psycopg2

SECRET = os.environ.get("STRIPE_WEBHOOK_SECRET", "whsec_prove").encode()

TABLES = """
select pg_advisory_xact_lock(727270);
create table if not exists prove_effects (event_id text not null, object_id text not null);
create table if not exists prove_state (object_id text primary key, amount bigint not null, changed_at bigint not null);
create table if not exists prove_payments (payment_id text primary key);
create table if not exists prove_seen (event_id text primary key, seen_at timestamptz not null default now())"""


def handle(cursor, event):
    cursor.execute("insert into prove_seen values (%s) on conflict do nothing", (event["id"],))
    if cursor.rowcount > 0:
        work(cursor, event)


def work(cursor, event):
    thing = event["data"]["object"]
    if event["type"] == "payment_intent.succeeded":
        cursor.execute("insert into prove_payments values (%s) on conflict do nothing", (thing["id"],))
    if event["type"] == "charge.refunded":
        cursor.execute("select from prove_payments where payment_id = %s", (thing["id"].replace("ch_", "pi_"),))
        if cursor.rowcount == 0:
            raise LookupError("There is no payment for it yet.")
    cursor.execute("insert into prove_effects values (%s, %s)", (event["id"], thing["id"]))
    if "amount_paid" in thing:
        cursor.execute(
            """insert into prove_state values (%s, %s, %s) on conflict (object_id) do update
               set amount = excluded.amount, changed_at = excluded.changed_at
               where prove_state.changed_at < excluded.changed_at""",
            (thing["id"], thing["amount_paid"], event["created"]),
        )


def is_authentic(header, body):
    match = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", header or "")
    if match is None or abs(time.time() - int(match[1])) > 300:
        return False
    expected = hmac.new(SECRET, match[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, match[2])


def parse(body):
    try:
        event = json.loads(body)
        is_event = isinstance(event["type"], str) and isinstance(event["data"]["object"]["id"], str)
        return event if is_event and re.fullmatch(r"evt_\w{1,200}", event["id"]) else None
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        return None


class Webhook(BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(self.status_of(self.rfile.read(int(self.headers.get("content-length", 0)))))
        self.send_header("content-length", "0")
        self.end_headers()

    def status_of(self, body):
        if not is_authentic(self.headers.get("stripe-signature"), body):
            return 400
        event = parse(body)
        if event is None:
            return 400
        try:
            connection = psycopg2.connect(os.environ["DATABASE_URL"])
            try:
                # Commits at the end of the block, rolls back if it raises.
                with connection, connection.cursor() as cursor:
                    handle(cursor, event)
            finally:
                connection.close()
            return 200
        except Exception as error:
            print(type(error).__name__, flush=True)
            return 500

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True


connection = psycopg2.connect(os.environ["DATABASE_URL"])
with connection, connection.cursor() as cursor:
    cursor.execute(TABLES)
connection.close()
Server(("127.0.0.1", int(os.environ.get("PORT", "4500"))), Webhook).serve_forever()
